//! What the scripted model promises, tried from outside: one test program.

mod api;
mod claude;
mod client;
mod documents;
mod examples;
mod real_cli;
