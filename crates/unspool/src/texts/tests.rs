use super::*;

fn words(line: &str) -> Vec<&str> {
    let texts = Texts::of(line).unwrap();
    texts.strings.iter().filter(|it| !it.is_fixed).map(|it| &line[it.range.clone()]).collect()
}

#[test]
fn words_are_told_apart_from_what_a_line_means() {
    let line = r#"{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"t","name":"Bash","input":{"type":"a","id":["b"]}}]},"session_id":"s","uuid":"u"}"#;
    assert_eq!(words(line), ["hm", "type", "a", "id", "b"]);
    let result = r#"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"out \" x"}]},"tool_use_result":"y"}"#;
    assert_eq!(words(result), ["out \\\" x", "y"]);
    let texts = Texts::of(result).unwrap();
    assert_eq!(texts.answers.len(), 1);
    assert_eq!(texts.answers[0].0, "t");
    let texts = Texts::of(line).unwrap();
    assert_eq!(texts.calls[0].0.to_string(), "t");
    assert_eq!(&line[texts.calls[0].1.clone()], r#"{"type":"a","id":["b"]}"#);
}

#[test]
fn data_of_pictures_is_left_alone_wherever_it_stands() {
    let data = "Zm9v".repeat(40);
    for line in [
        format!(r#"{{"type":"user","tool_use_result":{{"file":{{"base64":"{data}"}}}}}}"#),
        format!(r#"{{"content":[{{"type":"image","source":{{"type":"base64","data":"{data}"}}}}]}}"#),
    ] {
        assert!(!words(&line).contains(&data.as_str()), "{line}");
    }
    assert!(words(r#"{"input":{"data":"short"}}"#).contains(&"short"));
}

#[test]
fn pieces_say_of_which_part_they_are() {
    let delta = |agent: &str, delta: &str| {
        format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":2,"delta":{delta}}},"parent_tool_use_id":{agent}}}"#
        )
    };
    for (agent, piece) in [
        ("null", r#"{"type":"text_delta","text":"hi"}"#),
        ("\"t\"", r#"{"type":"thinking_delta","thinking":"hi"}"#),
        ("null", r#"{"partial_json":"hi","type":"input_json_delta"}"#),
    ] {
        let line = delta(agent, piece);
        let texts = Texts::of(&line).unwrap();
        let grown = texts.piece.unwrap();
        assert_eq!(&line[texts.strings[grown.string].range.clone()], "hi");
        assert_eq!(
            (grown.part.place.as_str(), grown.part.agent.as_str()),
            ("2", agent.trim_matches('"').replace("null", "").as_str())
        );
    }
    let line = delta("null", r#"{"type":"signature_delta","signature":"x"}"#);
    assert!(Texts::of(&line).unwrap().piece.is_none());
    let stop = r#"{"type":"stream_event","event":{"type":"content_block_stop","index":2}}"#;
    let part = Part { agent: String::new(), place: "2".into() };
    assert_eq!(Texts::of(stop).unwrap().ends, Some(Ends::Part(part)));
}

#[test]
fn events_are_known_too() {
    let line =
        r#"{"type":"text_delta","seq":4,"agent":"main","turn":1,"message":"m","part":0,"content":"hi"}"#;
    let texts = Texts::of(line).unwrap();
    let grown = texts.piece.unwrap();
    assert_eq!(&line[texts.strings[grown.string].range.clone()], "hi");
    let end = r#"{"type":"block_end","seq":5,"agent":"main","turn":1,"message":"m","part":0,"kind":"text","abandoned":false}"#;
    assert_eq!(Texts::of(end).unwrap().ends, Some(Ends::Part(grown.part)));
    assert_eq!(Texts::of(r#"{"type":"result"}"#).unwrap().ends, Some(Ends::All));
}

#[test]
fn any_depth_is_walked() {
    let deep = format!("{}\"x\"{}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(Texts::of(&deep).unwrap().strings.len(), 1);
    assert!(Texts::of("{").is_none());
}
