//! `unspool diff`: two runs side by side.

use crate::bad::entries;
use crate::program::{SESSION, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// As it is called from where tests run: the same on every machine.
fn fixture(name: &str) -> String {
    format!("../../fixtures/{name}")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Pairs that show something: two versions, another number of agents, a failure, several turns.
const PAIRS: [[&str; 2]; 5] = [
    ["agents/bgagent-2.1.112.ndjson", "agents/bgagent-2.1.325.ndjson"],
    ["agents/sub2-2.1.325.ndjson", "agents/subnest_fwd-2.1.325.ndjson"],
    ["control/perm_allow-2.1.325.ndjson", "recordings/permission-2.1.325.rec"],
    ["errors/maxturns1-2.1.325.ndjson", "blocks/hello-2.1.325.ndjson"],
    ["turns/multi3-1.0.128.ndjson", "turns/multi3-2.1.325.ndjson"],
];

#[test]
fn comparisons_look_like_this() {
    for [one, other] in PAIRS {
        let mut shown = String::new();
        for args in [
            &["--width", "80"][..],
            &["--width", "130", "--layout", "columns"],
            &["--brief", "--width", "60"],
            &["--json"],
        ] {
            let ran = run(&[&["diff", &fixture(one), &fixture(other)], args].concat(), "");
            assert_eq!((ran.code, &*ran.err), (Some(0), ""));
            let told = match serde_json::from_str::<Value>(&ran.out) {
                Ok(object) => format!("{object:#}\n"),
                Err(_) => ran.out,
            };
            shown.push_str(&format!("$ unspool diff {}\n{told}\n", args.join(" ")));
        }
        let name = format!("diff@{}", one.replace('/', "__"));
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown);
        });
    }
}

#[test]
fn the_exit_code_says_whether_they_differ_only_if_somebody_asks() {
    let [one, other] = [&fixture("blocks/hello-2.1.325.ndjson"), &fixture("blocks/par-2.1.325.ndjson")];
    let code = |args: &[&str]| {
        let ran = run(&[&["diff"], args].concat(), "");
        (ran.code, ran.err.is_empty())
    };
    assert_eq!(code(&[one, other]), (Some(0), true));
    assert_eq!(code(&[one, other, "--exit-code"]), (Some(3), true));
    assert_eq!(code(&[one, other, "--exit-code", "--json"]), (Some(3), true));
    assert_eq!(code(&[one, one, "--exit-code"]), (Some(0), true));
    assert_eq!(code(&[one, other, "--exit-code", "--only", "verdict,model,version"]), (Some(0), true));
    // A failure is never taken for a difference.
    assert_eq!(code(&[one, "no/such/file", "--exit-code"]), (Some(1), false));
    assert_eq!(code(&["no/such/file", one, "--exit-code"]), (Some(1), false));
    assert_eq!(code(&[one, &fixture("blocks"), "--exit-code"]), (Some(1), false), "a folder of many");
    assert_eq!(code(&[one]), (Some(2), false));
    assert_eq!(code(&["-", "-"]), (Some(2), false));
    assert_eq!(code(&[one, other, "--only", "luck"]), (Some(2), false));
}

/// One session in all its forms, compressed or not, from a file or a pipe.
#[test]
fn all_forms_of_a_session_are_the_same_run() {
    let folder = folder("forms");
    let file = |name: &str, text: &[u8]| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let stream = file("run.ndjson", SESSION.as_bytes());
    let recording = file("run.rec", entries().concat().as_bytes());
    let events = file("run.events.ndjson", run(&["events", &stream], "").out.as_bytes());
    let deltas = file("run.deltas.ndjson", run(&["events", "--grain", "deltas", &stream], "").out.as_bytes());
    for other in [&stream, &recording, &events, &deltas] {
        let ran = run(&["diff", &stream, other, "--exit-code"], "");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{other}: {}", ran.out);
        assert!(ran.out.contains("They are the same"), "{}", ran.out);
        let ran = run(&["diff", "-", other, "--exit-code"], SESSION);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{other}: {}", ran.out);
    }
    let [plain, gz, zst] = [
        fixture("recordings/hello-2.1.325.rec"),
        fixture("packed/session.ndjson.gz"),
        fixture("packed/session.ndjson.zst"),
    ];
    assert_eq!(run(&["diff", &gz, &zst, "--exit-code"], "").code, Some(0));
    assert_eq!(run(&["diff", &plain, &plain, "--exit-code", "--exact"], "").code, Some(0));
}

#[test]
fn a_recording_that_is_cut_is_never_the_same() {
    let folder = folder("cut");
    let whole = entries().concat();
    let name = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(name("whole.rec"), &whole).unwrap();
    for at in (1..whole.len()).step_by(61) {
        fs::write(name("cut.rec"), &whole.as_bytes()[..at]).unwrap();
        let ran = run(&["diff", &name("whole.rec"), &name("cut.rec"), "--exit-code"], "");
        assert_eq!(ran.code, Some(3), "{at}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("verdict"), "{at}: {}", ran.out);
    }
}
