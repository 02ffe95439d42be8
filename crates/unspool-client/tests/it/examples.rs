//! What the examples print.

use crate::example::run;

const ASK: &str = r#"
hear 'What is 6 times 7?'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"42","session_id":"s"}'
cat > /dev/null
"#;

/// Asks whether it may use another tool and that of the application, uses the latter, and is asked a second time.
const SUM: &str = r#"
hear '"subtype":"initialize"'
id=$(say "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
say '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}'
hear 'Add 2 and 3 with your tool.'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"bc"},"tool_use_id":"t0"}}'
hear '"only sums"'
say '{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t","name":"mcp__calc__add","input":{"a":2,"b":3}}]},"session_id":"s"}'
say '{"type":"control_request","request_id":"2","request":{"subtype":"can_use_tool","tool_name":"mcp__calc__add","input":{"a":2,"b":3},"tool_use_id":"t"}}'
hear '"behavior":"allow"'
say '{"type":"control_request","request_id":"3","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}}}'
hear '"text":"5"'
say '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"5"}]},"session_id":"s"}'
say '{"type":"assistant","message":{"id":"b","content":[{"type":"text","text":"That is 5."}]},"session_id":"s"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"That is 5.","session_id":"s"}'
hear 'And 4 to that.'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"assistant","message":{"id":"c","content":[{"type":"text","text":"That is 9."}]},"session_id":"s"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"That is 9.","session_id":"s"}'
cat > /dev/null
"#;

#[test]
fn an_answer_is_printed() {
    assert_eq!(run("ask", ASK, &[]), "42\n");
}

#[test]
fn a_session_uses_a_tool_of_ours_and_no_other() {
    let said = run("session", SUM, &[]);
    // Who is asked does not wait for who reads.
    let (asked, told): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| line.starts_with('?'));
    assert_eq!(asked, [r#"? Bash {"command":"bc"}"#, r#"? mcp__calc__add {"a":2,"b":3}"#]);
    assert_eq!(told, [r#"> mcp__calc__add {"a":2,"b":3}"#, "That is 5.", "That is 9.", "ok"]);
}
