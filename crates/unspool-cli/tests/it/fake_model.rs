//! `fake-model`: a script, played from the command line.

use crate::program::{ended, run, start};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

/// A file with a script.
fn script(name: &str, text: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Asks at this address, and waits for the whole answer.
fn ask(url: &str, request: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let length = body.len();
    write!(
        stream,
        "{request} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_address_comes_first_then_a_line_for_each_request() {
    let file = script("hello.toml", "[[turn]]\nsay = 'Hello!'\ncall.Bash.command = 'ls'");
    let mut child = start(&["fake-model", &file]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let url = lines.next().unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    let body = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
    let answer = ask(&url, "POST /v1/messages", body);
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("Hello!"), "{answer}");
    assert_eq!(lines.next().unwrap(), "1 main 1: say, call Bash (200)");
    let told = ask(&url, "GET /__unspool/requests", "");
    assert!(told.contains(r#""conversation":"main""#), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn its_end_tells_what_went_wrong() {
    let text = "then = 'fail'\n[[conversation]]\nwhen.prompt = 'one'\nturn = [{ say = '1' }, { say = '2' }]";
    let file = script("ending.toml", text);
    let begun = |asked: &[&str]| {
        let mut child = start(&["fake-model", &file]);
        let mut url = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut url).unwrap();
        for body in asked {
            let message = format!(r#"{{"messages":[{{"role":"user","content":"{body}"}}]}}"#);
            ask(url.trim(), "POST /v1/messages", &message);
        }
        let kill = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
        assert!(kill.success());
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        (ended(child).code, rest)
    };
    assert_eq!(begun(&["one"]), (Some(0), "1 one 1: say (200)\nnot asked for: one 2: say\n".to_owned()));
    let (code, told) = begun(&["two"]);
    assert_eq!(code, Some(1));
    assert!(told.ends_with("failure: unspool: no conversation of the script takes \"two\"\n"), "{told}");
}

#[test]
fn a_wrong_script_is_told_with_its_line() {
    let ran = run(&["fake-model", &script("wrong.toml", "[[turn]]\nsya = 'Hello!'")], "");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains("wrong.toml:2:1: unknown field `sya`, expected one of"), "{}", ran.err);
    let ran = run(&["fake-model", "no-such.toml"], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("no-such.toml: the script cannot be read"), "{}", ran.err);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = run(&["fake-model", &script("port.toml", "[[turn]]\nsay = 'x'"), "--port", &port], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("cannot listen on port {port}")), "{}", ran.err);
}
