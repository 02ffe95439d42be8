//! What the program promises, tried from outside: one test program, a module per subcommand.

#[cfg(unix)]
mod ask_json;
mod bad;
mod check;
mod code;
#[cfg(unix)]
mod convert;
mod cost;
mod diff;
mod doc_comments;
#[cfg(unix)]
mod doctor;
mod events;
mod fake_claude;
mod fake_model;
#[cfg(target_os = "linux")]
mod live;
mod numbers;
mod other;
#[cfg(unix)]
mod packed;
mod pipe;
mod program;
#[cfg(target_os = "linux")]
mod real;
#[cfg(unix)]
mod recording;
#[cfg(unix)]
mod redact;
mod replay;
#[cfg(target_os = "linux")]
mod replay_keys;
mod reports;
mod retold;
#[cfg(unix)]
mod run;
mod sessions;
mod share;
mod sources;
#[cfg(unix)]
mod stand_in;
#[cfg(target_os = "linux")]
mod tee;
#[cfg(target_os = "linux")]
mod terminal;
mod view;
mod watch;
#[cfg(target_os = "linux")]
mod width;
mod wire_words;
