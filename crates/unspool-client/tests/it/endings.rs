//! How runs end, and what is kept of them.

use crate::peer::play;
use crate::script::{claude, in_virtual_time};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use unspool_client::limits::Patience;
use unspool_client::transport::memory;
use unspool_client::{Claude, Error, Options};

const MISSING: &str = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"session_id":"gone","errors":["No conversation found with session ID: gone"]}"#;

/// Asks, while a program says these lines and ends.
fn asked(claude: &Claude, lines: &[&str], waits: bool) -> Error {
    in_virtual_time(async {
        let (transport, mut peer) = memory(1 << 16);
        let mut session = claude.connect(transport);
        let program = async {
            let mut says = peer.says.take().unwrap();
            if waits {
                assert!(peer.heard.read(&mut [0; 1024]).await.unwrap() > 0);
            }
            for line in lines {
                says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            }
            drop(says);
            peer.exit(1);
        };
        let ask = async {
            if !waits {
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
            session.ask("hello").await
        };
        tokio::join!(ask, program).0.unwrap_err()
    })
}

#[test]
fn a_session_that_does_not_exist_is_an_error_of_its_own() {
    let resumes = Claude::new(Options::new().resume("gone"));
    for waits in [true, false] {
        let error = asked(&resumes, &[MISSING], waits);
        assert!(matches!(&error, Error::NoSession { session, .. } if session == "gone"), "{error:?}");
        assert_eq!(error.to_string(), "there is no session gone");
        assert!(error.failed().unwrap().text.contains("No conversation found"), "{error:?}");
    }
    // What fails for another reason, or was not to go on with it, is not that.
    let other = MISSING.replace("No conversation found with session ID: gone", "no such plugin");
    let error = asked(&resumes, &[&other], true);
    assert!(matches!(error, Error::NotStarted(_)), "{error:?}");
    let error = asked(&claude(), &[MISSING], true);
    assert!(matches!(error, Error::NotStarted(_)), "{error:?}");
}

#[test]
fn an_interruption_is_told_in_words_for_people() {
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let aborted = |errors: &str| {
        format!(
            r#"{{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools","errors":[{errors}]}}"#
        )
    };
    for (errors, words) in [
        (r#""[ede_diagnostic] result_type=user""#, "interrupted: the turn is not done"),
        (r#""[ede_diagnostic] result_type=user","Bash was ended""#, "interrupted: Bash was ended"),
    ] {
        let error = asked(&claude(), &[init, &aborted(errors)], true);
        assert_eq!(error.to_string(), words);
    }
}

/// Claude Code would try for minutes; how long it may is the application's to say.
#[test]
fn a_refused_login_is_tried_again_as_long_as_was_said() {
    let retry =
        r#"{"type":"system","subtype":"api_retry","error_status":401,"error":"authentication_failed"}"#;
    let lines = |seconds: u64| format!("! ask hello\n< init\n< {retry}\n< {retry}\n@ {seconds}\n");
    for (login, before, after) in [
        (Some(Duration::ZERO), None, Some(0)),
        (Some(Duration::from_secs(30)), Some(29), Some(31)),
        (None, Some(200), None),
    ] {
        let claude = claude().patience(Patience::new().login(login));
        let gives_up = |seconds| in_virtual_time(play(&claude, &lines(seconds))).contains("interrupt");
        assert!(before.is_none_or(|seconds| !gives_up(seconds)), "{login:?}");
        assert!(after.is_none_or(gives_up), "{login:?}");
    }
    // One that has run out is renewed, and taken.
    let once = format!("! ask hello\n< init\n< {retry}\n@ 60\n");
    assert!(!in_virtual_time(play(&claude(), &once)).contains("interrupt"));
    // A login that is taken in time is no matter.
    let patience = Patience::new().login(Duration::from_secs(30));
    let taken = format!(
        "{}{}",
        lines(20),
        "< {\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1}}}\n@ 60\n"
    );
    let played = in_virtual_time(play(&claude().patience(patience), &taken));
    assert!(!played.contains("interrupt"), "{played}");
}

#[test]
fn a_refused_login_is_an_error_of_its_own_whether_the_turn_ends_or_not() {
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let retry =
        r#"{"type":"system","subtype":"api_retry","error_status":401,"error":"authentication_failed"}"#;
    let aborted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}"#;
    for lines in [vec![init, retry, retry], vec![init, retry, retry, aborted]] {
        let error = in_virtual_time(async {
            let (transport, mut peer) = memory(1 << 16);
            let mut session = claude().connect(transport);
            let program = async {
                let mut says = peer.says.take().unwrap();
                for line in &lines[..3] {
                    says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                }
                let (mut heard, mut piece) = (String::new(), vec![0; 1 << 16]);
                while !heard.contains("\"interrupt\"") {
                    let length = peer.heard.read(&mut piece).await.unwrap();
                    heard.push_str(&String::from_utf8_lossy(&piece[..length]));
                }
                for line in &lines[3..] {
                    says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                }
                drop(says);
                peer.exit(1);
            };
            tokio::join!(session.ask("hello"), program).0.unwrap_err()
        });
        assert!(matches!(error, Error::NotLoggedIn(_)), "{error:?}");
        assert!(error.to_string().contains("the login is refused (401 authentication_failed)"), "{error}");
        assert!(!error.is_transient());
    }
}
