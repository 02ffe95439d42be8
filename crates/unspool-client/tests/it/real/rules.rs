//! Rules, with the real program: nobody gets round them, and what they do not speak of is as it was.

use super::stage::{Stage, on_all, on_some};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use unspool::wire::PermissionMode;
use unspool_client::rules::Rules;
use unspool_client::{Claude, Decision, Handlers, Options};

const SECRET: &str = "the-words-of-the-secret";

/// Calls, one a turn, then an end.
fn script(calls: &[&str]) -> String {
    let turns: Vec<String> = calls.iter().map(|call| format!("[[turn]]\ncall.{call}\n")).collect();
    turns.join("") + "[[turn]]\nsay = 'Done.'\n"
}

/// A folder with secrets, and links to them.
fn furnish(stage: &Stage) {
    let folder = &stage.folder;
    for sub in ["src", "secret", "../outside", "../home/.ssh"] {
        fs::create_dir_all(folder.join(sub)).unwrap();
    }
    for file in [".env", "secret/key", "../home/.ssh/id"] {
        fs::write(folder.join(file), SECRET).unwrap();
    }
    for (link, to) in [("src/link", "../../outside"), ("readme.txt", ".env"), ("pub", "secret")] {
        symlink(to, folder.join(link)).unwrap();
    }
    symlink(folder, folder.join("../wlink")).unwrap();
}

async fn ask(stage: &Stage, options: Options, rules: Rules) {
    let claude = Claude::new(options).handlers(Handlers::new().rules(rules));
    claude.ask("go").await.unwrap_or_else(|error| panic!("{} {error}", stage.version));
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_link_in_a_folder_that_is_allowed_leads_nowhere_else() {
    let calls = [
        "Write = { file_path = 'src/link/evil', content = 'x' }",
        "Write = { file_path = 'src/good', content = 'x' }",
    ];
    on_all(&script(&calls), async |stage| {
        furnish(&stage);
        let rules = Rules::new().allow(["Edit(src/**)"]).unwrap();
        ask(&stage, stage.options(), rules).await;
        assert!(!stage.has("../outside/evil") && stage.has("src/good"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_is_blocked_is_not_read_by_any_name() {
    let calls = [
        "Read.file_path = '.env'",
        "Read.file_path = 'readme.txt'",
        "Read.file_path = 'pub/key'",
        "Read.file_path = 'src/link/../../.env'",
        "Read.file_path = '/proc/self/cwd/.env'",
        "Read.file_path = '/proc/self/root/proc/self/cwd/secret/key'",
        "Read.file_path = '~/.ssh/id'",
        "Read.file_path = '../home/.ssh/id'",
        // Commands go elsewhere, and relative paths with them.
        "Bash.command = 'cd secret && pwd'",
        "Read.file_path = 'key'",
        "Grep = { pattern = 'words', output_mode = 'content' }",
    ];
    on_all(&script(&calls), async |stage| {
        furnish(&stage);
        for cwd in ["work", "wlink"] {
            let rules = Rules::new().block(["Read(.env)", "Read(secret/**)", "Read(~/.ssh/**)"]).unwrap();
            let options = stage.options().cwd(stage.folder.with_file_name(cwd)).skip_permissions(true);
            ask(&stage, options, rules).await;
            assert!(!stage.heard(SECRET), "{} in {cwd}", stage.version);
            stage.model.reset();
        }
    })
    .await;
}

/// Without a rule all of it is read: so it is the rules that keep it.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_is_not_blocked_is_read() {
    let calls = ["Read.file_path = 'readme.txt'"];
    on_all(&script(&calls), async |stage| {
        furnish(&stage);
        ask(&stage, stage.options(), Rules::new().block(["Read(other)"]).unwrap()).await;
        assert!(stage.heard(SECRET), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn in_a_linked_folder_rules_allow_as_elsewhere() {
    let calls =
        ["Write = { file_path = 'src/good', content = 'x' }", "Write = { file_path = 'bad', content = 'x' }"];
    on_all(&script(&calls), async |stage| {
        furnish(&stage);
        let options = stage.options().cwd(stage.folder.with_file_name("wlink"));
        ask(&stage, options, Rules::new().allow(["Edit(src/**)"]).unwrap()).await;
        assert!(stage.has("src/good") && !stage.has("bad"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn rules_that_only_block_allow_nothing() {
    let calls =
        ["Bash.command = 'touch one.txt'", "Write = { file_path = '../outside/evil', content = 'x' }"];
    on_all(&script(&calls), async |stage| {
        furnish(&stage);
        for mode in [PermissionMode::Default, PermissionMode::Plan] {
            let rules = Rules::new().block(["Read(.env)"]).unwrap();
            ask(&stage, stage.options().permission_mode(mode), rules).await;
            assert!(!stage.has("one.txt") && !stage.has("../outside/evil"), "{}", stage.version);
        }
        // Whoever is asked decides, and is asked.
        let handlers = Handlers::new().rules(Rules::new().block(["Read(.env)"]).unwrap());
        let handlers = handlers.permission(|asked| async move {
            if asked.tool() == "Bash" { Decision::allow() } else { Decision::deny("no") }
        });
        Claude::new(stage.options()).handlers(handlers).ask("go").await.expect(&stage.version);
        assert!(stage.has("one.txt") && !stage.has("../outside/evil"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_call_is_made_only_if_both_judges_allow_it() {
    let calls = [
        "Bash.command = 'touch one.txt'",
        // The rules are stricter than any Claude Code.
        "Bash.command = 'touch two.txt && ls'",
        "Bash.command = 'touch three.txt > four.txt'",
        // Claude Code is stricter, or as strict: it keeps hooks of git to itself.
        "Write = { file_path = '.git/hooks/pre-commit', content = 'x' }",
        "Write = { file_path = 'five.txt', content = 'x' }",
        // The rules do not speak of it, and it needs none.
        "Bash.command = 'ls; echo harmless-words'",
    ];
    on_all(&script(&calls), async |stage| {
        for asks in [false, true] {
            let rules = Rules::new().allow(["Bash(touch *)", "Edit", "Write"]).unwrap();
            let handlers = Handlers::new().rules(rules);
            let handlers = match asks {
                true => handlers.permission(|_| async { Decision::deny("somebody-says-no") }),
                false => handlers,
            };
            Claude::new(stage.options()).handlers(handlers).ask("go").await.expect(&stage.version);
            let has = |file: &str| stage.has(file);
            assert!(has("one.txt") && has("five.txt"), "{} {asks}", stage.version);
            assert!(!has("two.txt") && !has("three.txt") && !has("four.txt"), "{} {asks}", stage.version);
            assert!(stage.heard("harmless-words\""), "{} {asks}", stage.version);
            if stage.version.starts_with("2.1") {
                assert!(!has(".git/hooks/pre-commit"), "{} {asks}", stage.version);
                assert_eq!(stage.heard("somebody-says-no"), asks);
            }
            for file in ["one.txt", "five.txt"] {
                fs::remove_file(stage.folder.join(file)).unwrap();
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_runs_commands_is_judged_as_bash_is() {
    let call = |command: &str| {
        format!(
            "Monitor = {{ command = '{command}', description = 'd', timeout_ms = 5000, persistent = false }}"
        )
    };
    let calls = [call("touch one.txt"), call("touch two.txt")];
    let newest = |version: &str| version.starts_with("2.1");
    on_some(&script(&[&calls[0], &calls[1]]), newest, async |stage| {
        let rules = Rules::new().block(["Bash(touch one*)"]).unwrap();
        ask(&stage, stage.options().skip_permissions(true), rules).await;
        assert!(!stage.has("one.txt") && stage.has("two.txt"), "{}", stage.version);
        fs::remove_file(stage.folder.join("two.txt")).unwrap();
        ask(&stage, stage.options().skip_permissions(true), Rules::new().block(["Bash"]).unwrap()).await;
        assert!(!stage.has("one.txt") && !stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_command_that_is_allowed_brings_no_other_along() {
    let calls = [
        r#"Bash.command = "echo \"$\\\n(touch one.txt)\"""#,
        r#"Bash.command = "echo \"$(touch one.txt)\"""#,
        r#"Bash.command = "printf -v 'a[$(touch one.txt)]' x""#,
        r#"Bash.command = "printf -v x 'a[\\044(touch one.txt)]'; printf -v 'a[x]' y""#,
        r#"Bash.command = "echo 'a[$(touch one.txt)]'; printf -v 'b[_]' x""#,
        r#"Bash.command = "printf -v PATH .; touch two.txt""#,
        r#"Bash.command = "RUST_BACKTRACE=1 touch two.txt &>/dev/null""#,
    ];
    on_all(&script(&calls), async |stage| {
        // Whoever has changed where programs are looked for runs this one.
        fs::write(stage.folder.join("touch"), "#!/bin/sh\n> one.txt\n").unwrap();
        fs::set_permissions(stage.folder.join("touch"), fs::Permissions::from_mode(0o755)).unwrap();
        let rules = Rules::new().allow(["Bash(echo *)", "Bash(printf *)", "Bash(touch two.txt)"]).unwrap();
        ask(&stage, stage.options(), rules.strict()).await;
        assert!(!stage.has("one.txt"), "{}", stage.version);
        assert!(stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}
