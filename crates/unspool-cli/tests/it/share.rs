//! What is made to be shared or installed: `html`, `summary`, `completions`, `man`.

use crate::program::{SESSION, ended, run, start};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, process};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("share");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}-{}", process::id()));
    let _ = fs::remove_file(&file);
    file
}

#[test]
fn html_is_one_page_whatever_the_stream_is() {
    for (stream, sign, said) in [
        (SESSION, "<p>Hello</p>", ""),
        ("", "There is no session in it", "unspool: standard input: there is nothing in it\n"),
        (
            "words\n{",
            "A line that is not JSON",
            "unspool: standard input: no line in it is one of Claude Code's\n",
        ),
    ] {
        let ran = run(&["html"], stream);
        assert_eq!((ran.code, &*ran.err), (Some(0), said));
        assert!(ran.out.starts_with("<!doctype html>") && ran.out.ends_with("</html>\n"));
        assert!(ran.out.contains(sign), "{sign}: {}", ran.out);
        assert!(ran.out.len() < 60_000);
    }
}

#[test]
fn html_can_be_played_and_is_as_it_was_without() {
    let played = run(&["html", "--play"], SESSION);
    assert_eq!((played.code, &*played.err), (Some(0), ""));
    assert!(played.out.contains("<section id=\"player\"") && played.out.contains("<p>Hello</p>"));
    // All that anybody can see stands there once, and a number more.
    let plain = run(&["html"], SESSION).out;
    assert!(!plain.contains("player") && !plain.contains("data-n="), "{plain}");
    let said = "<div class=\"item text\" dir=\"auto\" id=\"i0-0\"";
    assert!(plain.contains(&format!("{said}>")) && played.out.contains(&format!("{said} data-n=\"")));
}

#[test]
fn html_goes_to_a_file_under_a_title() {
    let file = scratch("page.html");
    let name = file.to_str().unwrap();
    let ran = run(&["html", "-o", name, "--title", "A <b>title</b>"], SESSION);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("<h1>A &lt;b&gt;title&lt;/b&gt;</h1>") && page.ends_with("</html>\n"), "{page}");
    assert!(run(&["html", "-o", "-"], SESSION).out.starts_with("<!doctype html>"));
    let ran = run(&["html", "-o", "there/is/no/such.html"], SESSION);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.starts_with("unspool: cannot write there/is/no/such.html"), "{}", ran.err);
}

/// The program that opens pages is one that writes down what it was asked to open.
#[cfg(target_os = "linux")]
#[test]
fn html_is_opened_from_a_private_place() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("opener");
    fs::create_dir_all(&folder).unwrap();
    let opened = folder.join("opened");
    let with = |script: &str| {
        let opener = folder.join("xdg-open");
        fs::write(&opener, script).unwrap();
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.display());
        let mut child = crate::program::start_with(
            &["html", "--open"],
            &[("PATH", &path), ("TMPDIR", folder.to_str().unwrap())],
        );
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), SESSION.as_bytes()).unwrap();
        ended(child)
    };
    let ran = with(&format!("#!/bin/sh\nprintf %s \"$1\" > '{}'\n", opened.display()));
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""));
    let page = PathBuf::from(fs::read_to_string(&opened).unwrap());
    assert!(fs::read_to_string(&page).unwrap().contains("<p>Hello</p>"));
    let mode = fs::metadata(page.parent().unwrap()).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can look into it: {mode:o}");
    let ran = with("#!/bin/sh\nexit 3\n");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(
        ran.err.contains("the page is in ") && ran.err.contains("xdg-open did not open it"),
        "{}",
        ran.err
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_read_is_named() {
    for command in ["html", "summary"] {
        let ran = run(&[command, "there/is/no/such.ndjson"], "");
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{command}");
        assert!(ran.err.starts_with("unspool: cannot read there/is/no/such.ndjson"), "{}", ran.err);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for args in [&["html"][..], &["summary"], &["completions", "zsh"], &["man", "run"]] {
        let mut child = start(args);
        drop(child.stdout.take());
        // Not every command reads it.
        let _ = child.stdin.take().unwrap().write_all(SESSION.as_bytes());
        let ran = ended(child);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_is_told_in_a_sentence() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    command.args(["html", "-"]).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(SESSION.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with("unspool: ") && err.lines().count() == 1, "{err}");
}

#[test]
fn summary_goes_to_standard_output() {
    let ran = run(&["summary"], SESSION);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(ran.out.starts_with("## ✅ Claude Code: ok\n\nthe last turn completed\n"), "{}", ran.out);
    assert!(ran.out.contains("<blockquote>\n<p>Hello</p>\n</blockquote>\n"), "{}", ran.out);
}

#[test]
fn github_gets_what_it_has_files_for() {
    let (stream, summary, values) = (scratch("stream"), scratch("summary"), scratch("values"));
    fs::write(&stream, SESSION).unwrap();
    fs::write(&values, "before=1\n").unwrap();
    let call = |summary: Option<&Path>, values: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(["summary", "--github"]).arg(&stream);
        for (name, file) in [("GITHUB_STEP_SUMMARY", summary), ("GITHUB_OUTPUT", values)] {
            match file {
                Some(file) => command.env(name, file),
                None => command.env_remove(name),
            };
        }
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(call(Some(&summary), Some(&values)), (Some(0), String::new(), String::new()));
    assert!(fs::read_to_string(&summary).unwrap().starts_with("## ✅ Claude Code: ok\n"));
    let told = fs::read_to_string(&values).unwrap();
    assert!(
        told.starts_with("before=1\nverdict=ok\ncode=0\nreason=the last turn completed\nsession_id=s\n"),
        "{told}"
    );
    assert!(call(None, None).1.starts_with("## ✅ Claude Code: ok\n"));
    let nowhere = summary.join("no/such/folder");
    let (code, _, err) = call(Some(&nowhere), None);
    assert_eq!(code, Some(1));
    assert!(err.starts_with("unspool: cannot write ") && err.lines().count() == 1, "{err}");
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell], "");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
        for word in ["events", "html", "summary", "fail-on", "fake-model"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
}

/// What bash itself offers after some words.
#[test]
fn bash_completes_commands_and_options() {
    let file = scratch("completions.bash");
    fs::write(&file, run(&["completions", "bash"], "").out).unwrap();
    for (words, offered) in
        [("unspool sum", "summary"), ("unspool html --fu", "--full"), ("unspool schema w", "wire")]
    {
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _unspool unspool \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let Ok(output) = Command::new("bash").args(["--norc", "-c", &script]).output() else { return };
        let told = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((told.trim(), &*err), (offered, ""), "{words}");
    }
}

/// As `man` shows it, where there is a `man`.
#[test]
fn the_manual_can_be_read() {
    let page = run(&["man"], "");
    assert_eq!((page.code, &*page.err), (Some(0), ""));
    for line in [".TH unspool 1", ".SH NAME", ".SH SUBCOMMANDS", ".SH EXAMPLES"] {
        assert!(page.out.contains(line), "{line}: {}", page.out);
    }
    let file = scratch("unspool.1");
    for command in ["run", "html", "check"] {
        fs::write(&file, run(&["man", command], "").out).unwrap();
        let groff = Command::new("groff").args(["-man", "-Tutf8", "-ww", "-P-cbou"]).arg(&file).output();
        let Ok(output) = groff else { return };
        let (shown, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{command}: {err}");
        assert!(shown.contains("EXAMPLES") && shown.contains(&format!("unspool {command} ")), "{shown}");
    }
    let wrong = run(&["man", "nonsense"], "");
    assert_eq!((wrong.code, &*wrong.out), (Some(2), ""));
}
