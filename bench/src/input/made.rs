//! Inputs made by us, after recorded lines of 2.1.325: the recordings have few long lines.

use super::{Input, Text};
use std::fmt::Write;
use unspool::Grain;

/// One session of calls and their results, in lines of 1 to 20 KB.
pub fn tools(size: usize) -> Input {
    let (mut stream, mut number) = (opening(), 0);
    while stream.len() < size {
        let written = Text::Code.string(number, length(2 * number, 500..18_000));
        let input =
            format!(r#"{{"file_path":"/home/user/project/src/file{number}.rs","content":{written}}}"#);
        assistant(number, number, &call(number, "Write", &input), &mut stream);
        // The CLI prints a result twice: for the model, and as the tool's own structured output.
        let output = Text::Code.string(7 * number, length(2 * number + 1, 400..9_500));
        let detail = format!(
            r#"{{"stdout":{output},"stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}"#
        );
        result(number, &output, &detail, &mut stream);
        number += 1;
    }
    one_session("tools", &stream)
}

/// One session of short messages, a block a line: some words, a call, its result.
pub fn blocks(size: usize) -> Input {
    let (mut stream, mut number) = (opening(), 0);
    while stream.len() < size {
        let words = format!(r#"{{"type":"text","text":{}}}"#, Text::Code.string(number, 120));
        assistant(number, 2 * number, &words, &mut stream);
        let input =
            format!(r#"{{"command":{},"description":"Run a command"}}"#, Text::Code.string(number, 60));
        assistant(number, 2 * number + 1, &call(number, "Bash", &input), &mut stream);
        result(number, &Text::Code.string(number, 200), r#"{"stdout":"","interrupted":false}"#, &mut stream);
        number += 1;
    }
    one_session("blocks", &stream)
}

/// One message that is sent again with every block that it gains, until its line is as long as this.
///
/// There are no uuids: lines that have them hold one block each.
pub fn snapshots(longest: usize) -> Input {
    const GAIN: usize = 8 << 10;
    let (mut stream, mut blocks) = (opening(), String::new());
    for number in 0.. {
        if blocks.len() > longest {
            break;
        }
        if number > 0 {
            blocks.push(',');
        }
        let text = Text::Code.string(number, GAIN);
        let _ = write!(blocks, r#"{{"type":"text","text":{text}}}"#);
        let _ = writeln!(
            stream,
            r#"{{"type":"assistant","message":{{"id":"msg_01Snap","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{blocks}],"stop_reason":null,"stop_sequence":null,"usage":{USAGE}}},"parent_tool_use_id":null,"session_id":"{SESSION}"}}"#
        );
    }
    let name =
        if longest < 1 << 20 { format!("{} KB", longest >> 10) } else { format!("{} MB", longest >> 20) };
    one_session(&format!("snapshots to {name}"), &stream)
}

/// One tool result in one line.
pub fn huge(text: Text, size: usize) -> Input {
    let mut stream = opening();
    assistant(0, 0, &call(0, "Bash", r#"{"command":"cat everything"}"#), &mut stream);
    result(0, &text.string(0, size), r#""""#, &mut stream);
    one_session(&format!("huge, {}", text.name()), &stream)
}

/// One line of so many bytes, with its end.
pub fn line_of(size: usize) -> Vec<u8> {
    let mut line = String::with_capacity(size + 2048);
    result(0, &Text::Code.string(0, size), r#""""#, &mut line);
    line.into_bytes()
}

fn one_session(name: &str, stream: &str) -> Input {
    let mut input = Input::new(name, Grain::Blocks);
    input.push(stream.as_bytes());
    input
}

/// Spread between the ends so that short ones are as usual as long ones; the same every time.
fn length(number: usize, between: std::ops::Range<usize>) -> usize {
    // Steps of the golden ratio fill the range evenly, in no visible order.
    let step = (number as f64 * 0.618_033_988_75).fract();
    let (low, high) = (between.start as f64, between.end as f64);
    (low * (high / low).powf(step)) as usize
}

const SESSION: &str = "5e55101d-0000-4000-8000-000000000000";

const USAGE: &str = r#"{"input_tokens":101,"cache_creation_input_tokens":1001,"cache_read_input_tokens":10001,"cache_creation":{"ephemeral_5m_input_tokens":1001,"ephemeral_1h_input_tokens":0},"output_tokens":2,"service_tier":"standard"}"#;

fn opening() -> String {
    let init = r#"{"type":"system","subtype":"init","cwd":"/home/user/project","session_id":"SESSION","tools":["Task","Bash","Edit","Read","Write"],"mcp_servers":[],"model":"claude-opus-5-5","permissionMode":"bypassPermissions","apiKeySource":"ANTHROPIC_API_KEY","claude_code_version":"2.1.325","uuid":"00000000-0000-4000-8000-000000000000"}"#;
    init.replace("SESSION", SESSION) + "\n"
}

/// The block of a call.
fn call(number: usize, tool: &str, input: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"toolu_01Made{number:08}","name":"{tool}","input":{input}}}"#)
}

/// One block of a message.
fn assistant(message: usize, line: usize, block: &str, out: &mut String) {
    let _ = writeln!(
        out,
        r#"{{"type":"assistant","message":{{"id":"msg_01Made{message:08}","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{block}],"stop_reason":null,"stop_sequence":null,"usage":{USAGE},"context_management":null}},"parent_tool_use_id":null,"session_id":"{SESSION}","uuid":"{line:08x}-c7f5-4928-9604-c0efcc4b535e","timestamp":"2026-11-15T06:48:00.439Z","request_id":"req_{message:08}"}}"#
    );
}

/// The answer to a call.
fn result(number: usize, output: &str, detail: &str, out: &mut String) {
    let _ = writeln!(
        out,
        r#"{{"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_01Made{number:08}","type":"tool_result","content":{output},"is_error":false}}]}},"parent_tool_use_id":null,"session_id":"{SESSION}","uuid":"{number:08x}-abba-4f22-a624-ccbc03fcd46b","timestamp":"2026-11-15T06:48:00.839Z","tool_use_result":{detail},"tool_result_meta":[{{"id":"toolu_01Made{number:08}","permission_decision":{{"decision":"accept","source":"config","reason_type":"mode"}}}}]}}"#
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_lines_are_1_to_20_kilobytes_of_json() {
        let input = tools(2 << 20);
        let lengths: Vec<usize> = input.lines().skip(1).map(<[u8]>::len).collect();
        assert!(lengths.iter().all(|length| (1_000..=21_000).contains(length)), "{lengths:?}");
        assert!(
            lengths.iter().any(|length| *length < 1_500) && lengths.iter().any(|&length| length > 18_000)
        );
        assert!(input.lines().all(|line| serde_json::from_slice::<serde_json::Value>(line).is_ok()));
    }

    #[test]
    fn every_snapshot_tells_one_part_more() {
        let input = snapshots(100_000);
        let mut parts = Vec::new();
        unspool::Spool::new(Grain::Blocks).feed(input.bytes(), |event| {
            if event.what.name() == "text" {
                parts.push(event.place.map(|place| place.part));
            }
        });
        let lines = input.lines().count() as u64 - 1;
        assert_eq!(parts, (0..lines).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_huge_result_is_told_whole() {
        for text in Text::ALL {
            let mut told = 0;
            unspool::Spool::new(Grain::Blocks).feed(huge(text, 1 << 20).bytes(), |event| {
                if let unspool::event::What::ToolResult { output, .. } = event.what {
                    told = output.len();
                }
            });
            assert!(told > 900_000, "{text:?}: {told}");
        }
    }
}
