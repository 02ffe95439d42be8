//! What the program promises, tried from outside: one test program, a module per subcommand.

mod check;
mod events;
mod fake_model;
mod other;
mod pipe;
mod program;
