//! A reader that goes away.

use crate::program::{SESSION, ended, start};
use std::io::{ErrorKind, Write};

#[test]
fn events_ends_quietly_although_more_would_come() {
    let mut child = start(&["events"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let error = loop {
        if let Err(error) = input.write_all(SESSION.as_bytes()) {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    let ran = ended(child);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
}

#[test]
fn check_still_gives_its_verdict() {
    for (stream, code) in [(SESSION, 0), ("", 30)] {
        let mut child = start(&["check"]);
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
        let ran = ended(child);
        assert_eq!((ran.code, &*ran.err), (Some(code), ""));
    }
}

#[test]
fn what_is_printed_at_once_ends_quietly() {
    for args in [&["demo"][..], &["schema", "wire"], &["schema", "events", "--format", "typescript"]] {
        let mut child = start(args);
        drop(child.stdout.take());
        let ran = ended(child);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
    }
}
