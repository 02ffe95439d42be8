//! What a run says it has cost once it has ended.

use crate::script::{claude, in_virtual_time};
use tokio::io::AsyncWriteExt;
use unspool_client::cost::Spending;
use unspool_client::transport::memory;

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const MESSAGE: &str = r#"{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":10,"output_tokens":2},"content":[{"type":"text","text":"hi"}]},"session_id":"s"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"hi","total_cost_usd":0.25,"usage":{"input_tokens":12,"output_tokens":3},"session_id":"s"}"#;
const UNPRICED: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"hi","usage":{"input_tokens":12,"output_tokens":3},"session_id":"s"}"#;
const FAILED: &str = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"total_cost_usd":0.5,"usage":{"input_tokens":12,"output_tokens":3},"session_id":"s"}"#;

const REPORTED: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"hi","total_cost_usd":0.25,"modelUsage":{"x":{"inputTokens":12,"outputTokens":3,"costUSD":0.25}},"session_id":"s"}"#;

/// How the program that writes these lines and exits says what it has spent.
fn spent(lines: &[&str]) -> Spending {
    in_virtual_time(async {
        let (transport, mut peer) = memory(1 << 16);
        let session = claude().connect(transport);
        let mut says = peer.says.take().unwrap();
        for line in lines {
            says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        drop(says);
        peer.exit(0);
        session.finish().await.spent
    })
}

#[test]
fn a_run_that_has_ended_says_what_it_cost() {
    for (lines, usd, all_usd, tokens) in [
        (&[][..], 0.0, Some(0.0), 0),
        (&[INIT, MESSAGE, REPORTED][..], 0.25, Some(0.25), 15),
        // Without figures by model, messages say the tokens: what the result says of them counts some twice.
        (&[INIT, MESSAGE, RESULT][..], 0.25, Some(0.25), 12),
        // A later result by model includes what the one before did not say.
        (&[INIT, MESSAGE, RESULT, INIT, REPORTED][..], 0.25, Some(0.25), 15),
        // What failed was paid for as well.
        (&[INIT, MESSAGE, RESULT, INIT, FAILED][..], 0.5, Some(0.5), 12),
        // Nobody said it.
        (&[INIT, MESSAGE, UNPRICED][..], 0.0, None, 12),
        (&[INIT, MESSAGE, UNPRICED, INIT, RESULT][..], 0.25, None, 12),
        // It died before it could say.
        (&[INIT][..], 0.0, None, 0),
        (&[INIT, MESSAGE][..], 0.0, None, 12),
        (&[INIT, MESSAGE, RESULT, INIT][..], 0.25, None, 12),
        (&[INIT, MESSAGE, RESULT, INIT, MESSAGE.replace(r#""m""#, r#""n""#).as_str()][..], 0.25, None, 24),
    ] {
        let spent = spent(lines);
        assert_eq!((spent.usd, spent.all_usd(), spent.tokens()), (usd, all_usd, tokens), "{lines:?}");
        assert_eq!(spent.to_string().starts_with("at least $"), all_usd.is_none(), "{spent}");
    }
}
