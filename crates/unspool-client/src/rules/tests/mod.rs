//! Rules, judged.

#[cfg(target_os = "linux")]
mod files;
mod judging;

use super::*;
use serde_json::{Value, json};

/// The lists, a tool, and whether it may be used.
#[test]
fn lists_of_tools() {
    for (name, allowed, blocked, tool, permitted) in [
        ("nothing said", vec![], vec![], "Bash", true),
        ("blocked", vec![], vec!["Bash", "Write"], "Bash", false),
        ("another is blocked", vec![], vec!["Bash"], "Read", true),
        ("allowed", vec!["Read"], vec![], "Read", true),
        ("another is allowed", vec!["Read"], vec![], "Bash", false),
        ("blocked beats allowed", vec!["Bash"], vec!["Bash"], "Bash", false),
    ] {
        let rules = Rules::new().allow(allowed).unwrap().block(blocked).unwrap();
        assert_eq!(rules.permits(tool, Json::NULL), permitted, "{name}");
    }
}

fn judge(rules: &Rules, tool: &str, input: &Value) -> Ruling {
    rules.judge(tool, Json::new(&input.to_string()).unwrap())
}

#[test]
fn commands_are_allowed_one_by_one() {
    let rules = Rules::new().allow(["Bash(cargo *)", "Bash(ls)", "Bash(git log:*)"]).unwrap();
    for (command, allowed) in [
        ("cargo", true),
        ("cargo test --all", true),
        ("cargoes", false),
        ("ls", true),
        ("ls -l", false),
        ("git log", true),
        ("git log -1", true),
        ("git logs", false),
        ("cargo test && ls", true),
        ("cargo test 2>&1 | git log", true),
        ("cargo test && rm -rf x", false),
        ("cargo test; $(rm x)", false),
        ("cargo test > x", false),
        ("cargo test # and nothing else", true),
        ("cargo test # '\nrm -rf x\n# '", false),
        ("", false),
    ] {
        let said = judge(&rules, "Bash", &json!({"command": command}));
        assert_eq!(said == Ruling::Allowed, allowed, "{command}");
    }
    let power = Rules::new().allow(["PowerShell(dir *)"]).unwrap();
    for (command, allowed) in [("dir x", true), (r"dir C:\", true), (r"dir C:\;rm x", false)] {
        let said = judge(&power, "PowerShell", &json!({"command": command}));
        assert_eq!(said == Ruling::Allowed, allowed, "{command}");
    }
    assert_eq!(judge(&rules, "Other", &json!({"command": "cargo test"})), Ruling::Unlisted);
}

#[test]
fn one_blocked_command_blocks_the_line() {
    let rules = Rules::new().allow(["Bash"]).unwrap().block(["Bash(rm *)"]).unwrap();
    for line in ["rm x", "rm\tx", "ls && rm x", "echo $(rm x)", "A=1 rm x", "bash -c 'rm x'", "sudo /bin/rm"]
    {
        assert_eq!(judge(&rules, "Bash", &json!({"command": line})), Ruling::Blocked, "{line}");
    }
    for line in ["rmdir x", "echo rm x", "cargo rm x", "RM x"] {
        assert_eq!(judge(&rules, "Bash", &json!({"command": line})), Ruling::Allowed, "{line}");
    }
    let rules = Rules::new().allow(["PowerShell"]).unwrap().block(["PowerShell(Remove-Item *)"]).unwrap();
    for line in ["Remove-Item x", "dir; remove-item x", "REMOVE-ITEM x"] {
        assert_eq!(judge(&rules, "PowerShell", &json!({"command": line})), Ruling::Blocked, "{line}");
    }
}

#[test]
fn every_kind_of_tool_has_its_patterns() {
    for (rule, tool, input, fits) in [
        ("mcp__github", "mcp__github__list", json!({}), true),
        ("mcp__github", "mcp__githubber__list", json!({}), false),
        ("mcp__github__*", "mcp__github__list", json!({}), true),
        ("mcp__github__get", "mcp__github__list", json!({}), false),
        ("Edit(src/**)", "Write", json!({"file_path": "/p/src/a"}), true),
        ("Edit(src/**)", "Read", json!({"file_path": "/p/src/a"}), false),
        ("Read(src/**)", "Grep", json!({"path": "/p/src"}), true),
        ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://Example.com/x"}), true),
        ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://example.com@evil.org/"}), false),
        (
            "WebFetch(domain:example.com)",
            "WebFetch",
            json!({"url": r"https://evil.org\@example.com/"}),
            false,
        ),
        ("WebFetch(domain:*.example.com)", "WebFetch", json!({"url": "http://a.example.com:80"}), true),
        ("Task(Explore)", "Agent", json!({"subagent_type": "Explore"}), true),
        ("Task(Explore)", "Agent", json!({"subagent_type": "Plan"}), false),
    ] {
        let allowing = Rules::new().within("/p").allow([rule]).unwrap();
        assert_eq!(judge(&allowing, tool, &input) == Ruling::Allowed, fits, "{rule} {tool}");
        let blocking = Rules::new().within("/p").block([rule]).unwrap();
        assert_eq!(judge(&blocking, tool, &input) == Ruling::Blocked, fits, "{rule} {tool}");
    }
}

#[test]
fn searches_are_blocked_if_they_may_read_what_is() {
    let rules = Rules::new().within("/p").block(["Read(.env)", "Read(secret/**)"]).unwrap();
    for (tool, input, blocked) in [
        ("Grep", json!({"pattern": "x"}), true),
        ("Grep", json!({"pattern": "x", "path": "/p/src"}), true),
        ("Grep", json!({"pattern": "x", "path": "/p/src", "glob": "*.rs"}), false),
        ("Grep", json!({"pattern": "x", "glob": "*.rs"}), true),
        ("Grep", json!({"pattern": "x", "path": "/q"}), false),
        ("Glob", json!({"pattern": "**/.env"}), false),
        ("Glob", json!({"pattern": "*", "path": "/p/secret"}), true),
        ("LS", json!({"path": "/p"}), false),
        ("LS", json!({"path": "/p/secret/a"}), true),
        ("Read", json!({"file_path": "/p/src/a"}), false),
        ("NotebookRead", json!({"file_path": "/p/a", "notebook_path": "/p/secret/a"}), true),
    ] {
        assert_eq!(judge(&rules, tool, &input) == Ruling::Blocked, blocked, "{tool} {input}");
    }
    let rules = Rules::new().within("/p").allow(["Read(src/**)"]).unwrap();
    for (input, allowed) in [(json!({}), false), (json!({"path": "src/a"}), true)] {
        assert_eq!(judge(&rules, "Grep", &input) == Ruling::Allowed, allowed, "{input}");
    }
}

#[test]
fn rules_begin_where_they_say_or_where_the_session_runs() {
    let rules = Rules::new().block(["Read(./x)"]).unwrap();
    for (name, rules, path) in [
        ("of the session", in_session(&rules, "/session"), "/session/x"),
        ("their own", in_session(&rules.clone().within("/own"), "/session"), "/own/x"),
        ("relative", in_session(&rules, "sub"), &here("sub/x")),
        ("none", rules, &here("x")),
    ] {
        assert_eq!(judge(&rules, "Read", &json!({"file_path": path})), Ruling::Blocked, "{name}");
        assert_eq!(judge(&rules, "Read", &json!({"file_path": "/x"})), Ruling::Unlisted, "{name}");
    }
}

fn in_session(rules: &Rules, cwd: &str) -> Rules {
    rules.in_session(Some(cwd.as_ref()), None)
}

fn here(path: &str) -> String {
    std::env::current_dir().unwrap().join(path).display().to_string()
}

#[test]
fn what_cannot_be_judged_is_not_allowed_but_blocked() {
    let input = json!({"odd": 1});
    assert_eq!(judge(&Rules::new().allow(["New(x)"]).unwrap(), "New", &input), Ruling::Unlisted);
    assert_eq!(judge(&Rules::new().block(["New(x)"]).unwrap(), "New", &input), Ruling::Blocked);
    assert_eq!(judge(&Rules::new().block(["Bash(rm *)"]).unwrap(), "Bash", &input), Ruling::Blocked);
    assert_eq!(judge(&Rules::new().block(["Edit(x)"]).unwrap(), "Write", &input), Ruling::Blocked);
    for url in ["/x", "https://0x7f.1/", "https://[::1]/", "ftp://example.com/"] {
        let input = json!({"url": url});
        let rule = ["WebFetch(domain:*)"];
        assert_eq!(judge(&Rules::new().allow(rule).unwrap(), "WebFetch", &input), Ruling::Unlisted, "{url}");
        let rule = ["WebFetch(domain:example.com)"];
        assert_eq!(judge(&Rules::new().block(rule).unwrap(), "WebFetch", &input), Ruling::Blocked, "{url}");
    }
}

#[test]
fn a_rule_is_written_as_it_was_read() {
    for text in ["Read", "Bash(cargo *)", "mcp__github", "WebFetch(domain:example.com)"] {
        assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
    }
    assert_eq!("Bash(*)".parse::<Rule>().unwrap().to_string(), "Bash");
    for text in ["", "Bash(ls", "Bash)", "(ls)", "Ba sh", "Bash(ls) x", "bash(rm *)", "Bsh"] {
        assert!(text.parse::<Rule>().is_err(), "{text}");
    }
    let error = Rules::new().block(["bash(rm *)"]).unwrap_err().to_string();
    assert_eq!(error, "`bash(rm *)` is no rule: there is no tool of that name; did you mean `Bash`?");
    let rules = Rules::new().allow(["Bash(ls)", "mcp__x"]).unwrap().block(["Telepathy"]).unwrap();
    assert_eq!(rules.unknown_tools().collect::<Vec<_>>(), ["Telepathy"]);
}
