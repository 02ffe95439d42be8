//! Gathers the examples of the client's documentation into one text, `client.md`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const CLIENT: &str = "../crates/unspool-client/src";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={CLIENT}");
    let mut examples = String::new();
    gather(Path::new(CLIENT), &mut examples)?;
    assert!(!examples.is_empty(), "{CLIENT} has no examples");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("client.md"), examples)
}

fn gather(folder: &Path, examples: &mut String) -> io::Result<()> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            gather(&path, examples)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            examples_of(&fs::read_to_string(path)?, examples);
        }
    }
    Ok(())
}

/// The fenced blocks of doc comments.
fn examples_of(source: &str, examples: &mut String) {
    let mut inside = false;
    for line in source.lines() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else { continue };
        let text = text.strip_prefix(' ').unwrap_or(text);
        let fence = text.starts_with("```");
        if inside || fence {
            examples.push_str(text);
            examples.push('\n');
        }
        inside ^= fence;
    }
}
