use super::*;
use crate::story::Limit;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::event::{Event, What};
use unspool::{Grain, Spool};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut found = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        found.extend(files.filter(|path| path.extension().is_some_and(|end| end == "ndjson")));
    }
    found.sort();
    assert!(found.len() > 100);
    found
}

fn page(events: &[Event<'_>], full: bool) -> String {
    let limit = if full { Limit::Whole } else { Limit::Bytes(16 << 10) };
    let mut story = Story::new(limit);
    events.iter().for_each(|event| story.step(event));
    let mut html = String::new();
    let written = Page { story: &story, full }.write(|piece| {
        html.push_str(&piece);
        Ok(())
    });
    written.unwrap();
    html
}

/// The tags of a page, in order. All that is not ours is escaped, so a `<` begins a tag of ours.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    let (before, rest) = html.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    [before, body]
        .into_iter()
        .flat_map(|part| part.split('<').skip(1))
        .map(|tag| tag.split('>').next().unwrap())
}

/// Every tag is closed where it should be; returns how many elements there are.
#[track_caller]
fn balanced(html: &str) -> usize {
    let (mut open, mut number) = (Vec::new(), 0);
    for tag in tags(html) {
        let name = tag.split([' ', '/', '\n']).find(|word| !word.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !matches!(name, "!doctype" | "meta" | "input" | "br" | "hr" | "img") {
            open.push(name);
            number += 1;
        }
    }
    assert_eq!(open, ["html", "body"], "{html}");
    number
}

#[test]
fn every_fixture_gives_a_page_that_is_whole() {
    for path in fixtures() {
        let events = Spool::read(Grain::Blocks, &fs::read(&path).unwrap());
        let html = page(&events, false);
        balanced(&html);
        let number =
            |wanted: fn(&What<'_>) -> bool| events.iter().filter(|event| wanted(&event.what)).count();
        let shown = |tag: &str| html.matches(tag).count();
        let strays = shown("whose call is not in the stream");
        let calls = number(|what| matches!(what, What::ToolUse { .. }));
        assert_eq!(shown("<details class=\"item call"), calls + strays, "{}", path.display());
        let unknown = number(|what| matches!(what, What::Unknown { .. }));
        let hidden = events.iter().filter(|event| event.raw_text.is_some()).count();
        assert_eq!(shown("<details class=\"item unknown"), unknown + hidden, "{}", path.display());
        assert_eq!(shown("<div class=\"item error"), number(|what| matches!(what, What::Error { .. })));
        let ids: Vec<_> = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let mut once = ids.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "an id stands twice: {}", path.display());
    }
}

#[test]
fn every_word_of_every_agent_is_shown() {
    for path in fixtures() {
        let events = Spool::read(Grain::Blocks, &fs::read(&path).unwrap());
        let html = page(&events, true);
        for event in &events {
            let (What::Text { content, .. } | What::Thinking { content, .. }) = &event.what else { continue };
            for word in
                content.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| word.len() > 5)
            {
                assert!(html.contains(word), "{word} of {}", path.display());
            }
        }
    }
}

#[test]
fn nothing_is_loaded_and_nothing_else_may_run() {
    for path in fixtures() {
        let html = page(&Spool::read(Grain::Blocks, &fs::read(&path).unwrap()), true);
        assert_eq!(
            (html.matches("<script").count(), html.matches("<style").count()),
            (1, 1),
            "{}",
            path.display()
        );
        assert!(html.contains("content=\"default-src &#39;none&#39;; script-src &#39;sha256-"));
        for tag in tags(&html) {
            let sources = tag.matches(" src=").count();
            assert!(sources == 0 || tag.contains(" src=\"data:image/"), "{tag}");
            assert!(!tag.contains(" style=") && !tag.contains("url("), "{tag}");
        }
    }
}

#[test]
fn agents_may_name_themselves_and_each_other() {
    let line = |parent: &str, id: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{parent}{id}","parent_tool_use_id":"{parent}","message":{{"id":"{parent}{id}","content":[{{"type":"tool_use","id":"{id}","name":"Agent","input":{{}}}}]}}}}"#
        )
    };
    let mut lines = vec![line("a", "a"), line("b", "c"), line("c", "b")];
    lines.extend((0..200).map(|depth| line(&format!("d{depth}"), &format!("d{}", depth + 1))));
    let html = page(&Spool::read(Grain::Blocks, lines.join("\n").as_bytes()), false);
    balanced(&html);
    assert_eq!(html.matches("<details class=\"agent ").count(), 203);
}

#[test]
fn long_outputs_are_cut_unless_all_is_wanted() {
    let output = "x".repeat(100_000);
    let stream = format!(
        "{{\"type\":\"assistant\",\"uuid\":\"1\",\"message\":{{\"id\":\"m\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{{}}}}]}}}}\n{{\"type\":\"user\",\"uuid\":\"2\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{output}\"}}]}}}}\n"
    );
    let events = Spool::read(Grain::Blocks, stream.as_bytes());
    let cut = page(&events, false);
    assert!(cut.len() < 60_000 && cut.contains(" bytes are left out"), "{}", cut.len());
    assert!(page(&events, true).contains(&output));
}

/// The words of the page, a line for each thing that begins one.
fn words(html: &str) -> String {
    let (_, main) = html.split_once("</nav>").unwrap();
    let (main, _) = main.split_once("<footer>").unwrap();
    let mut out = String::new();
    for piece in main.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        out.push_str(match tag {
            "/li" | "/dd" | "/tr" | "/title" | "/div" | "/summary" | "/pre" | "/del" | "/ins" | "/h2"
            | "/svg" => "\n",
            "/dt" | "/th" | "/td" | "/a" | "/caption" | "/span" => " ",
            _ => "",
        });
        out.push_str(text);
    }
    let lines = out.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let words = lines.collect::<Vec<_>>().join("\n");
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"), ("&amp;", "&")]
        .iter()
        .fold(words, |words, (escaped, plain)| words.replace(escaped, plain))
}

#[test]
fn the_story_reads_well() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for name in [
        "page/fix_the_parser",
        "agents/sub2-2.1.325",
        "agents/subnest_fwd-2.1.325",
        "agents/bgagent-2.1.112",
        "errors/denied_noprompt-2.1.325",
        "errors/e529ever-2.1.112",
        "blocks/unknownblock-2.1.325",
        "control/perm_deny-1.0.60",
    ] {
        let events = Spool::read(Grain::Blocks, &fs::read(folder.join(format!("{name}.ndjson"))).unwrap());
        insta::assert_snapshot!(name.replace('/', "-"), words(&page(&events, false)));
    }
}

/// Numbers come from the stream, too.
#[test]
fn lines_may_have_any_number() {
    let stream = r#"{"type":"assistant","session_id":"s","uuid":"u","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Edit","input":{"file_path":"a","old_string":"a","new_string":"b"}}]}}
{"type":"user","session_id":"s","uuid":"v","tool_use_result":{"filePath":"a","structuredPatch":[{"oldStart":18446744073709551615,"newStart":9,"lines":["-a","+b"," c"," d"]}]},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}}
"#;
    let html = page(&Spool::read(Grain::Blocks, stream.as_bytes()), false);
    let numbers = html.split("<span class=\"number\">").skip(1);
    let numbers: Vec<_> = numbers.map(|rest| rest.split('<').next().unwrap().trim()).collect();
    assert_eq!(numbers, ["18446744073709551615", "9", "10", "11"]);
}
