use super::*;
use crate::totals::Totals;
use pulldown_cmark::{Event as Markup, Options, Parser, Tag};
use unspool::{Grain, Spool};

const HOSTILE: [&[u8]; 2] = [
    include_bytes!("../../../../fixtures/hostile/summary.ndjson"),
    include_bytes!("../../../../fixtures/hostile/markup.ndjson"),
];

fn read(stream: &[u8]) -> (Totals, Errors) {
    let (mut totals, mut errors) = (Totals::default(), Errors::default());
    for event in Spool::read(Grain::Blocks, stream) {
        totals.step(&event);
        errors.step(&event);
    }
    (totals, errors)
}

fn summed(stream: &[u8]) -> String {
    let (totals, errors) = read(stream);
    markdown(&totals, &errors)
}

#[test]
fn a_stream_stays_in_its_cells_and_in_its_quotation() {
    for stream in HOSTILE {
        let told = summed(stream);
        let (mut tables, mut headings, mut blocks, mut inline) = (0, 0, 0, 0);
        for event in Parser::new_ext(&told, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Markup::Start(Tag::Table(_)) => tables += 1,
                Markup::Start(Tag::Heading { .. }) => headings += 1,
                Markup::Start(Tag::HtmlBlock) => blocks += 1,
                Markup::InlineHtml(_) | Markup::Code(_) => inline += 1,
                Markup::Start(
                    Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::Strikethrough,
                ) => {
                    panic!("{event:?} in\n{told}")
                }
                _ => {}
            }
        }
        // Figures, models, tools and files; the verdict; the answer.
        assert_eq!((tables, headings, blocks, inline), (4, 1, 1, 0), "{told}");
        let columns = |line: &str| line.matches(" |").count();
        let mut head = 0;
        for row in told.lines().skip_while(|line| !line.starts_with("| |")) {
            head = if row.starts_with('|') && head > 0 { head } else { columns(row) };
            assert!(!row.starts_with('|') || columns(row) == head || row.starts_with("|-"), "{row}");
        }
    }
}

#[test]
fn the_answer_has_no_markup_but_ours() {
    let told = summed(HOSTILE[1]);
    let answer = &told[told.find("<blockquote>").unwrap()..told.find("\n</blockquote>\n\n").unwrap()];
    assert!(!answer.contains("\n\n") && answer.len() > 500);
    let tags = answer.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap());
    let ours = [
        "p",
        "h4",
        "a",
        "span",
        "pre",
        "code",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "blockquote",
    ];
    for tag in tags {
        assert!(ours.contains(&tag.trim_start_matches('/')), "{tag} in {answer}");
    }
    assert!(!answer.contains("href=\"java") && !answer.contains("<img"));
}

#[test]
fn a_value_cannot_leave_its_line() {
    for stream in HOSTILE {
        let (totals, _) = read(stream);
        let told = outputs(&totals);
        let keys: Vec<&str> = told
            .split(['\n', '\r', '\u{2028}', '\u{85}', '\0'])
            .filter_map(|line| line.split('=').next())
            .collect();
        let expected = "verdict code reason session_id model turns agents cost_usd duration_ms tokens input_tokens output_tokens cache_read_tokens cache_creation_tokens tool_calls tool_failures files_changed denials ";
        assert_eq!(keys, expected.split(' ').collect::<Vec<_>>(), "{told}");
        assert!(told.lines().all(|line| line.find('=') < line.find("<<").or(Some(usize::MAX))), "{told}");
    }
}

#[test]
fn a_summary_is_bounded() {
    let text = "<\\n\\n`".repeat(400_000);
    let stream = format!(
        "{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}}\n{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"{text}\",\"session_id\":\"s\"}}\n"
    );
    let told = summed(stream.as_bytes());
    assert!(told.len() < 1_000_000, "{}", told.len());
    assert!(told.contains("of the answer are left out"));
}

#[test]
fn what_is_not_known_is_empty_or_said() {
    let (totals, errors) = read(b"");
    assert!(outputs(&totals).contains("verdict=not_started\ncode=30\n"), "{}", outputs(&totals));
    assert!(outputs(&totals).contains("\ncost_usd=\n") && outputs(&totals).contains("\ntokens=\n"));
    assert!(markdown(&totals, &errors).contains("| Cost | not reported |"));
}

#[test]
fn a_summary_reads_well() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for name in [
        "page/fix_the_parser",
        "agents/sub2-2.1.325",
        "errors/denied_noprompt-2.1.325",
        "errors/e529ever-2.1.112",
        "hostile/summary",
    ] {
        let stream = std::fs::read(folder.join(format!("{name}.ndjson"))).unwrap();
        let (totals, errors) = read(&stream);
        let told = format!("{}\n{}", markdown(&totals, &errors), outputs(&totals));
        insta::assert_snapshot!(name.replace('/', "-"), told);
    }
}

#[test]
fn tools_that_were_not_allowed_are_counted_apart() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{id}","message":{{"id":"{id}","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}]}}}}"#
        )
    };
    let result = |denials: &str| {
        format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"x","permission_denials":[{denials}]}}"#
        )
    };
    let denial = r#"{"tool_name":"Bash","tool_use_id":"a"}"#;
    for (denials, table) in [
        (
            denial,
            "| Tool | Calls | Failed | Denied | Time |\n|---|--:|--:|--:|--:|\n| Bash | 1 | 0 | 1 | – |\n| Read | 1 | 0 | 0 | – |\n",
        ),
        ("", "| Tool | Calls | Failed | Time |\n|---|--:|--:|--:|\n| Bash | 1 | 0 | – |\n"),
    ] {
        let told = summed([call("a", "Bash"), call("b", "Read"), result(denials)].join("\n").as_bytes());
        assert!(told.contains(table), "{told}");
    }
}
