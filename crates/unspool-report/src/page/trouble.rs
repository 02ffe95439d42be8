//! What went wrong, as a page says it: in words for people, and each thing once.

use super::tests::page;
use unspool::{Grain, Spool};

/// A call that a hook denied, one that failed, and an error of the API, in the words of the wire.
const TROUBLE: &str = concat!(
    r#"{"type":"assistant","uuid":"a","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"rm x"}}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"b","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"PreToolUse:Bash hook error: zebras may not"}]}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"c","session_id":"s","message":{"id":"n","content":[{"type":"tool_use","id":"u","name":"Read","input":{"file_path":"/x"}}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"d","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"u","is_error":true,"content":"<tool_use_error>There is no zebra.</tool_use_error>"}]}}"#,
    "\n",
    r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"session_id":"s","result":"API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"},\"request_id\":\"r\"} · ask a zebra","permission_denials":[{"tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"rm x"}}]}"#,
    "\n",
);

#[test]
fn what_went_wrong_is_said_in_words() {
    let page = page(&Spool::read(Grain::Blocks, TROUBLE.as_bytes()), false);
    for words in [
        ">zebras may not<",
        ">There is no zebra.<",
        ">ask a zebra<",
        "The API was overloaded",
        ">Denied</th>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The error as it came is there for whoever wants to see it.
    let (before, behind) = page.split_once("<summary>As it came</summary>").unwrap();
    let (came, behind) = behind.split_once("</details>").unwrap();
    assert!(came.contains("overloaded_error"), "{came}");
    for noise in ["hook error", "tool_use_error", "overloaded_error", "request_id"] {
        assert!(!before.contains(noise) && !behind.contains(noise), "{noise}: {page}");
    }
}
