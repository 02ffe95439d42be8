use super::*;
use crate::story::Item;
use crate::story::Limit;
use crate::story::tests::{events, sessions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use unspool::event::{Event, What};
use unspool::{Grain, Spool};

pub(super) fn page(events: &[Event<'_>], full: bool) -> String {
    let limit = if full { Limit::Whole } else { Limit::Bytes(16 << 10) };
    let mut story = Story::new(limit);
    events.iter().for_each(|event| story.step(event));
    written(&Page { story: &story, full, title: None, play: false })
}

/// Every session that there is, its events, and its page with everything in it.
fn pages() -> &'static [(PathBuf, Vec<Event<'static>>, String)] {
    static PAGES: OnceLock<Vec<(PathBuf, Vec<Event<'static>>, String)>> = OnceLock::new();
    let made = |path: PathBuf| {
        let events = events(&path);
        let html = page(&events, true);
        (path, events, html)
    };
    PAGES.get_or_init(|| sessions().into_iter().map(made).collect())
}

pub(super) fn written(page: &Page<'_>) -> String {
    let mut html = String::new();
    let written = page.write(|piece| {
        html.push_str(&piece);
        Ok(())
    });
    written.unwrap();
    html
}

/// The tags of a page, in order. All that is not ours is escaped, so a `<` begins a tag of ours.
pub(super) fn tags(html: &str) -> impl Iterator<Item = &str> {
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
pub(super) fn balanced(html: &str) -> usize {
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
    for (path, events, html) in pages() {
        balanced(html);
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
        assert_eq!(shown("<h3 class=\"turn\""), number(|what| matches!(what, What::TurnStart { .. })));
        let ids: Vec<_> = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let mut once = ids.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "an id stands twice: {}", path.display());
    }
}

/// What stands in the story once stands on the page once, the answer at the top, and turns end before the next begins.
#[test]
fn every_text_stands_once_and_results_with_their_turn() {
    for (path, events, html) in pages() {
        let story = crate::story::tests::story(events);
        let items = || story.agents.iter().flat_map(|agent| &agent.items);
        let texts = items().filter(|item| match item {
            Item::Text(_) => true,
            Item::TurnEnd(end) => end.answer.is_some(),
            _ => false,
        });
        assert_eq!(html.matches("<div class=\"item text\"").count(), texts.count(), "{}", path.display());
        let (_, talk) = html.split_once("<section id=\"conversation\"").unwrap();
        for (at, turn) in story.turns.iter().enumerate().filter(|(_, turn)| turn.ok.is_some()) {
            let begins = talk.find(&format!("<h3 class=\"turn\" id=\"t{at}\"")).unwrap();
            let end = turn
                .items
                .iter()
                .rev()
                .find(|rank| matches!(story.agents[0].items[**rank], Item::TurnEnd(_)));
            let Some(end) = end else { continue };
            let ends = talk.find(&format!(" id=\"i0-{end}\"")).unwrap();
            let next = talk.find(&format!("<h3 class=\"turn\" id=\"t{}\"", at + 1)).unwrap_or(talk.len());
            assert!(begins < ends && ends < next, "turn {at} of {}", path.display());
        }
    }
}

#[test]
fn an_error_is_told_once_and_no_table_is_empty() {
    for (path, events, html) in pages() {
        assert!(!html.contains("<tbody></tbody>") && !html.contains("<ul></ul>"), "{}", path.display());
        for event in events {
            let What::Error { text, .. } = &event.what else { continue };
            let mut shown = Html::default();
            let shown = shown.text(text.trim()).take();
            let told = |it: &dyn Fn(&What<'_>) -> bool| events.iter().filter(|event| it(&event.what)).count();
            let errors = told(&|what| matches!(what, What::Error { text: it, .. } if it == text));
            // CLI 2.1.50 itself says some errors several times.
            let texts = told(&|what| matches!(what, What::Text { content, .. } if content == text));
            let number = html.matches(&shown).count();
            // A word or two may stand anywhere.
            assert!(
                shown.len() < 20 || number <= errors.max(texts),
                "{number} times {text} in {}",
                path.display()
            );
        }
    }
}

#[test]
fn machines_are_heard_only_if_one_asks() {
    let noisy = [
        "session state changed",
        "<strong>status</strong>",
        "command lifecycle",
        "queue operation",
        "cost state",
        "not reported",
    ];
    for (path, _, html) in pages() {
        let (_, main) = html.split_once("<main>").unwrap();
        let open: String = outside(main, "<details class=\"folded\">");
        let open = outside(&open, "<details class=\"note\">");
        for words in noisy {
            assert!(!open.contains(words), "{words} in {}", path.display());
        }
    }
}

/// A page without these elements, which have none of their kind but with other classes in them.
fn outside(html: &str, begin: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, inside)) = rest.split_once(begin) {
        out.push_str(before);
        let mut depth = 1;
        let mut at = 0;
        while depth > 0 {
            let close = at + inside[at..].find("</details>").unwrap();
            depth += inside[at..close].matches("<details").count();
            depth -= 1;
            at = close + "</details>".len();
        }
        rest = &inside[at..];
    }
    out + rest
}

#[test]
fn what_went_wrong_is_told_in_proportion() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let page_of = |name: &str| page(&events(&folder.join(format!("{name}.ndjson"))), false);
    let good = page_of("page/fix_the_parser");
    assert!(good.contains("<details id=\"problems\" class=\"minor\"><summary>2 calls failed, 1 call was not allowed along the way"));
    let [answer, problems, talk] =
        ["id=\"answer\"", "id=\"problems\"", "id=\"conversation\""].map(|id| good.find(id).unwrap());
    assert!(answer < problems && problems < talk);
    let bad = page_of("errors/e529ever-2.1.112");
    assert!(
        bad.contains("<strong>✗ The API was overloaded</strong>") && !bad.contains("id=\"answer\""),
        "{bad}"
    );
    let stream: String = (0..40)
        .map(|at| format!("{{\"type\":\"assistant\",\"uuid\":\"{at}\",\"message\":{{\"id\":\"m{at}\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{at}\",\"name\":\"Bash\",\"input\":{{}}}}]}}}}\n{{\"type\":\"user\",\"uuid\":\"r{at}\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t{at}\",\"is_error\":true,\"content\":\"no\"}}]}}}}\n"))
        .collect();
    let cut = page(&Spool::read(Grain::Blocks, stream.as_bytes()), false);
    assert!(cut.contains("What went wrong</h2>") && cut.contains("<p>And 28 more.</p>"), "{cut}");
}

#[test]
fn contents_have_turns_by_their_prompts() {
    let long = "Find out ".repeat(40);
    let stream: String = (1..=50)
        .map(|turn| format!("{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}}\n{{\"type\":\"user\",\"isReplay\":true,\"uuid\":\"p{turn}\",\"message\":{{\"role\":\"user\",\"content\":\"{long} {turn}\"}}}}\n{{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"answer {turn}\",\"session_id\":\"s\"}}\n"))
        .collect();
    let html = page(&Spool::read(Grain::Blocks, stream.as_bytes()), false);
    let (_, nav) = html.split_once("<nav").unwrap();
    let (nav, _) = nav.split_once("</nav>").unwrap();
    for turn in 1..=50 {
        assert!(nav.contains(&format!("href=\"#t{turn}\"><span class=\"rank\">{turn}</span>")), "{nav}");
    }
    let longest = nav.split("<span class=\"clip\">").skip(1).map(|rest| rest.find('<').unwrap()).max();
    assert!(longest.unwrap() < 130);
    assert!(html.contains("<h1>Find out Find out"), "the title is the first prompt");
}

#[test]
fn a_title_that_was_chosen_wins() {
    let story = Story::new(Limit::Whole);
    let title = Some("<Mended>");
    assert!(
        written(&Page { story: &story, full: false, title, play: false }).contains("<h1>&lt;Mended&gt;</h1>")
    );
    assert!(
        written(&Page { story: &story, full: false, title: None, play: false })
            .contains("<h1>A session of Claude Code</h1>")
    );
}

/// Nothing is looked for again and again: eight times as much takes about eight times as long.
#[test]
fn many_agents_calls_and_turns_are_told_in_time() {
    let agent = |at: usize| {
        format!(
            r#"{{"type":"assistant","uuid":"c{at}","message":{{"id":"m{at}","content":[{{"type":"tool_use","id":"a{at}","name":"Agent","input":{{}}}}]}}}}
{{"type":"assistant","uuid":"s{at}","parent_tool_use_id":"a{at}","message":{{"id":"n{at}","content":[{{"type":"text","text":"said {at}"}}]}}}}
{{"type":"user","uuid":"r{at}","message":{{"content":[{{"type":"tool_result","tool_use_id":"a{at}","is_error":true,"content":"x"}}]}}}}
"#
        )
    };
    let result = |at: usize| {
        format!(
            "{{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"answer {at}\",\"session_id\":\"s\"}}\n"
        )
    };
    let in_turns = |number: usize| -> String { (0..number).map(|at| agent(at) + &result(at)).collect() };
    let in_one = |number: usize| -> String { (0..number).map(agent).chain([result(0)]).collect() };
    for stream in [&in_turns as &dyn Fn(usize) -> String, &in_one] {
        let time = |number: usize| {
            let events = Spool::read(Grain::Blocks, stream(number).as_bytes());
            let begun = std::time::Instant::now();
            assert!(page(&events, false).len() > number * 100);
            begun.elapsed()
        };
        let best = |number: usize| (0..3).map(|_| time(number)).min().unwrap();
        let (less, more) = (best(500), best(4_000));
        assert!(more < less * 24, "8 times as much takes {more:?} instead of {less:?}");
    }
}

#[test]
fn every_word_of_every_agent_is_shown() {
    for (path, events, html) in pages() {
        for event in events {
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
    for (path, _, html) in pages() {
        assert_eq!(
            (html.matches("<script").count(), html.matches("<style").count()),
            (1, 1),
            "{}",
            path.display()
        );
        assert!(html.contains("content=\"default-src &#39;none&#39;; script-src &#39;sha256-"));
        for tag in tags(html) {
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
    let mut in_colour = false;
    for piece in main.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        // A colour ends no word.
        in_colour |= tag.strip_prefix("span class=\"").is_some_and(|class| class.len() == 2);
        out.push_str(match tag {
            "/span" if std::mem::take(&mut in_colour) => "",
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
    let numbers = html.split("<span class=\"rank\">").skip(1).filter(|rest| rest.contains("class=\"sign\""));
    let numbers: Vec<_> = numbers.map(|rest| rest.split('<').next().unwrap().trim()).collect();
    assert_eq!(numbers, ["18446744073709551615", "9", "10", "11"]);
}
