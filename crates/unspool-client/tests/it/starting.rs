//! Programs that are started in a way of one's own.

use crate::script::in_virtual_time;
use std::io;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use unspool_client::options::{Launch, McpServer};
use unspool_client::program::Program;
use unspool_client::transport::{Peer, memory};
use unspool_client::{Claude, Error, Lasting, Options, Pool};

/// Answers every prompt, and ends when its input does.
async fn play(mut peer: Peer) {
    let mut says = peer.says.take().unwrap();
    let (heard, _writes) = tokio::io::split(std::mem::replace(&mut peer.heard, tokio::io::duplex(1).0));
    let mut lines = BufReader::new(heard).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains(r#""type":"user""#) {
            let answer = concat!(
                r#"{"type":"system","subtype":"init","session_id":"s"}"#,
                "\n",
                r#"{"type":"result","subtype":"success","is_error":false,"result":"played","session_id":"s"}"#,
                "\n"
            );
            says.write_all(answer.as_bytes()).await.unwrap();
        }
    }
    drop(says);
    peer.exit(0);
}

/// A client whose programs are played here, and what they were to be started with.
fn played(options: Options) -> (Claude, Arc<Mutex<Vec<Launch>>>) {
    let launches = Arc::new(Mutex::new(Vec::new()));
    let started = Arc::clone(&launches);
    let claude = Claude::new(options).start_with(move |launch| {
        started.lock().unwrap().push(launch);
        async {
            let (transport, peer) = memory(1 << 16);
            tokio::spawn(play(peer));
            Ok(transport)
        }
    });
    (claude, launches)
}

#[test]
fn every_kind_of_session_is_started_so() {
    in_virtual_time(async {
        let server = McpServer::stdio("parrot");
        let (claude, launches) = played(Options::new().model("haiku").mcp_server("parrot", server));
        assert_eq!(claude.ask("go").await.unwrap().text, "played");
        assert_eq!(claude.run("go").await.unwrap().answer().await.unwrap().text, "played");
        let mut session = claude.session().await.unwrap();
        assert_eq!(session.ask("go").await.unwrap().text, "played");
        session.close().await;
        let lasting = Lasting::new(claude.clone());
        assert_eq!(lasting.ask("go").await.unwrap().text, "played");
        lasting.close().await;
        let pool = Pool::new(claude, 1).warm(1);
        assert_eq!(pool.ask("go").await.unwrap().text, "played");
        pool.close().await;

        let launches = launches.lock().unwrap();
        assert_eq!(launches.len(), 6);
        for launch in launches.iter() {
            let args: Vec<_> = launch.args.iter().map(|word| word.to_string_lossy()).collect();
            assert!(args.iter().any(|word| word == "--model=haiku"), "{args:?}");
            // No file of ours may be where the program is.
            assert!(args.iter().any(|word| word.contains(r#""command":"parrot""#)), "{args:?}");
        }
    });
}

#[test]
fn what_cannot_be_started_says_why() {
    in_virtual_time(async {
        let claude = Claude::new(Options::new())
            .program(Program::exactly("/far/away/claude"))
            .start_with(|_| async { Err(io::Error::other("the machine is off")) });
        let error = claude.ask("go").await.unwrap_err();
        let Error::Start { program, source } = &error else { panic!("{error:?}") };
        assert_eq!(
            (program.to_str(), &*source.to_string()),
            (Some("/far/away/claude"), "the machine is off")
        );
    });
}

/// A process that is started by hand is ended with all that it has started, as any other.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_is_started_as_without_it() {
    let script = r#"read -r line; printf '{"type":"system","subtype":"init","session_id":"s"}\n{"type":"result","subtype":"success","is_error":false,"result":"%s","session_id":"s"}\n' "$GREETING"; cat > /dev/null"#;
    let claude =
        Claude::new(Options::new().env("GREETING", "hello")).start_with(move |mut launch| async move {
            launch.program = "/bin/sh".into();
            launch.args = vec!["-c".into(), script.into()];
            unspool_client::transport::process(&launch)
        });
    assert_eq!(claude.ask("go").await.unwrap().text, "hello");
}
