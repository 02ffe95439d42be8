//! Scripts that are wrong, and what they are told; scripts that are right, and what they do.

use super::*;

/// What each conversation does, turn by turn.
fn story(script: &str) -> String {
    let script: Script = script.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut story = String::new();
    for conversation in &script.conversations {
        for (number, turn) in conversation.turns.iter().enumerate() {
            story.push_str(&format!("{} {}: {turn}\n", conversation.name, number + 1));
        }
    }
    story
}

/// A script that is wrong in this line, for a reason with these words.
fn wrong(script: &str, line: usize, words: &str) {
    let error = script.parse::<Script>().expect_err(script);
    assert_eq!(error.line(), Some(line), "{error}");
    assert!(error.message().contains(words), "{error}");
}

#[test]
fn the_shortest_script() {
    assert_eq!(story("[[turn]]\nsay = 'Hello!'"), "main 1: say\n");
}

#[test]
fn a_turn_thinks_speaks_and_calls_in_this_order() {
    let script = "[[turn]]\ncall.Bash.command = 'ls'\nsay = 'Look.'\nthink = 'Hm.'";
    assert_eq!(story(script), "main 1: think, say, call Bash\n");
}

#[test]
fn a_list_keeps_its_order() {
    let script = r#"
        [[turn]]
        do = [
            { say = ["Wait", { pause = 2 }, " for it."] },
            { call.Read.file_path = "/a" },
            { pause = 0.5 },
            { call.Bash = { command = "ls" }, id = "toolu_mine" },
            { redacted = "eA==" },
            { search = { query = "rust" } },
            { block = { type = "future_block", payload = 1 } },
            { event = { type = "future_event" } },
            { ping = true },
            { error = "overloaded_error" },
            { cut = "stream" },
            { cut = "connection" },
        ]
    "#;
    let does = "say, call Read, pause 0.5, call Bash, redacted, search, block future_block, \
                event future_event, ping, error overloaded_error, cut the stream, cut the connection";
    assert_eq!(story(script), format!("main 1: {does}\n"));
}

#[test]
fn times_is_so_many_turns() {
    let script = "[[turn]]\nfail = 529\ntimes = 2\n[[turn]]\nsay = 'x'";
    assert_eq!(story(script), "main 1: fail 529\nmain 2: fail 529\nmain 3: say\n");
}

#[test]
fn conversations_are_named_after_their_words() {
    let conversation = |when: &str| format!("[[conversation]]\n{when}\nturn = [{{ say = 'x' }}]\n");
    let script = [
        conversation("when.prompt = 'Fix the tests, all of them, now'"),
        conversation("when.prompt = 'fix the tests all'"),
        conversation("when.system = '!'"),
        conversation("when.background = 'title'"),
        conversation("name = 'rest'"),
    ];
    let names = "fix-the-tests-all 1: say\nfix-the-tests-all-2 1: say\nconversation 1: say\ntitle 1: say\n\
                 rest 1: say\n";
    assert_eq!(story(&script.concat()), names);
}

#[test]
fn what_is_not_toml_is_told_with_its_line() {
    wrong("[[turn]]\nsay = 'hello\n", 2, "string");
    wrong("[[turn]]\nsay = 'a'\nsay = 'b'", 3, "duplicate key");
}

#[test]
fn an_unknown_word_is_told_with_those_that_are_known() {
    wrong("[[turn]]\nsya = 'hello'", 2, "unknown field `sya`, expected one of `think`, `say`");
    wrong("\n[[turns]]\nsay = 'hello'", 2, "unknown field `turns`, expected one of `turn`, `conversation`");
    wrong("[[turn]]\nsay = ['a', { pose = 2 }]", 2, "expected one of `pause`, `cut`");
    let script = "[[conversation]]\nwhen.promt = 'x'\nturn = [{ say = 'x' }]";
    wrong(script, 2, "unknown field `promt`, expected one of `prompt`, `first`");
}

#[test]
fn a_value_of_the_wrong_kind_is_told_with_an_example() {
    wrong("[[turn]]\nsay = 5", 2, "words in quotes");
    wrong("[[turn]]\nsay = 'a'\nwait = -1", 3, "a time is in seconds");
    wrong("[[turn]]\nfail = 200", 2, "from 400 to 599");
    wrong("[[turn]]\nfail = 'x'", 2, "a status such as 529");
    wrong("[[turn]]\ndo = [{ cut = 'maybe' }]", 2, "\"connection\"");
    wrong("then = 'stop'\n[[turn]]\nsay = 'x'", 1, "\"repeat\", \"fail\"");
    wrong("[[turn]]\nsay = [{ json = 'a\"b' }]", 2, "not the inside of a JSON string");
    wrong("[[turn]]\nsay = 'x'\nchunk = 0", 1, "at least 1");
    wrong("[[turn]]\nsay = 'x'\ntimes = 0", 1, "from 1 to 1000");
    wrong("[[turn]]\nsay = 'x'\nheaders = { 'a b' = 'c' }", 1, "a header has a name");
}

#[test]
fn a_turn_or_step_that_is_wrong_is_told_at_its_own_line() {
    wrong("[[turn]]\nsay = 'x'\n\n[[turn]]\nwait = 1", 4, "a turn needs `say`");
    wrong("[[turn]]\nsay = 'x'\n\n[[turn]]\ncall.Bash = 'ls'", 4, "call.Bash.command");
    wrong("[[turn]]\nsay = 'x'\nfail = 529", 1, "a turn of its own");
    wrong("[[turn]]\nsay = 'x'\ndo = []", 1, "`do` stands alone");
    wrong("[[turn]]\ndo = [\n{ say = 'x' },\n{ say = 'y', pause = 2 },\n]", 4, "make two steps of it");
    wrong("[[turn]]\ndo = [\n{ say = 'x' },\n{ say = 'y', signature = 'z' },\n]", 4, "to `think`");
    wrong("[[turn]]\ndo = [\n{ block = { x = 1 } },\n]", 3, "with a `type`");
    wrong("[[turn]]\ndo = [\n{ call.Bash = {}, id = 'a b' },\n]", 3, "letters, digits");
    wrong("[[turn]]\nsay = [\n'a',\n{ pause = 1, ping = true },\n]", 4, "one of `pause`");
}

#[test]
fn a_script_that_cannot_be_played_is_wrong_as_a_whole() {
    wrong("", 1, "begin with a line [[turn]]");
    wrong("\n[[conversation]]\nwhen.prompt = 'x'", 2, "at least one [[conversation.turn]]");
    let rest = "[[turn]]\nsay = 'x'\n[[conversation]]\nturn = [{ say = 'y' }]";
    wrong(rest, 3, "give it words by `when`");
    let twice = "[[conversation]]\nname = 'a'\nturn = [{ say = 'x' }]\n";
    wrong(&twice.repeat(2), 5, "the name `a` is taken");
    wrong("[[conversation]]\nname = 'a b'\nturn = [{ say = 'x' }]", 2, "ids are made from it");
}

#[test]
fn a_sub_agent_needs_a_conversation_of_its_own() {
    let parent = "[[conversation]]\nwhen.prompt = 'go'\nturn = [{ agent.prompt = 'look in the kitchen' }]\n";
    wrong(parent, 3, "add a [[conversation]]");
    let child = "[[conversation]]\nwhen.prompt = 'kitchen'\nturn = [{ say = 'x' }]\n";
    assert_eq!(story(&[parent, child].concat()), "go 1: agent \"Do a part of the work\"\nkitchen 1: say\n");
    let itself = "[[conversation]]\nwhen.prompt = 'go'\nturn = [{ agent.prompt = 'go to the kitchen' }]\n";
    wrong(&[itself, child].concat(), 3, "start itself");
}

#[test]
fn an_error_names_the_file_and_shows_the_line() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let manifest = std::fs::read_to_string(format!("{folder}/Cargo.toml")).unwrap();
    let line = manifest.lines().position(|line| line == "[dependencies]").unwrap() + 1;
    let error = Script::open(format!("{folder}/Cargo.toml")).unwrap_err().to_string();
    assert!(error.contains(&format!("Cargo.toml:{line}:2: unknown field `dependencies`")), "{error}");
    assert!(error.ends_with(&format!("\n   {line} | [dependencies]")), "{error}");
    let error = Script::open(format!("{folder}/no-such.toml")).unwrap_err();
    assert!(error.to_string().ends_with("no-such.toml: the script cannot be read"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}
