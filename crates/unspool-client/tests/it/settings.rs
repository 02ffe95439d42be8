//! Which settings hold in a folder: `data/settings.ndjson`, each read by us and, where it is installed, by the official SDK.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use unspool_client::options::SettingSource;
use unspool_client::settings::{DeniedModels, ResolvedSettings, SettingsError, SettingsFiles};

/// A home, a project and a folder of the machine's owner, with the files that a case wants.
struct Case {
    wanted: Value,
    folder: PathBuf,
}

fn cases(name: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    // There may be one of an earlier run.
    let _ = fs::remove_dir_all(&root);
    let lines = include_str!("../data/settings.ndjson").lines().enumerate();
    lines.map(|(number, line)| Case::new(root.join(number.to_string()), line)).collect()
}

impl Case {
    fn new(folder: PathBuf, line: &str) -> Self {
        let wanted: Value = serde_json::from_str(line).unwrap();
        for place in ["home", "work/.claude", "managed/managed-settings.d"] {
            fs::create_dir_all(folder.join(place)).unwrap();
        }
        for (file, content) in wanted["files"].as_object().unwrap() {
            let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
            fs::write(folder.join(file), text).unwrap();
        }
        Case { wanted, folder }
    }

    fn name(&self) -> &str {
        self.wanted["name"].as_str().unwrap()
    }

    fn resolve(&self) -> Result<ResolvedSettings, SettingsError> {
        let mut files = SettingsFiles::new(self.folder.join("work"))
            .config_folder(self.folder.join("home"))
            .managed_folder(self.folder.join("managed"));
        if let Some(sources) = self.wanted["sources"].as_array() {
            files = files.sources(sources.iter().map(|source| match source.as_str().unwrap() {
                "user" => SettingSource::User,
                "project" => SettingSource::Project,
                "local" => SettingSource::Local,
                other => panic!("{other}"),
            }));
        }
        if !self.wanted["flag"].is_null() {
            files = files.flag(self.wanted["flag"].clone());
        }
        files.resolve()
    }
}

fn origins(resolved: &ResolvedSettings) -> Value {
    let origins = resolved.origins.iter().map(|(key, tier)| (key.clone(), tier.to_string().into()));
    Value::Object(origins.collect::<Map<_, _>>())
}

#[test]
fn settings_hold_as_they_are_said() {
    for case in cases("settings") {
        let name = case.name();
        match (case.resolve(), case.wanted["error"].as_str()) {
            (Err(error), Some(wanted)) => {
                let root = format!("{}/", case.folder.display());
                let words = error.to_string().replace(&root, "");
                assert!(words.starts_with(wanted), "{name}: {words}");
            }
            (Ok(resolved), None) => {
                assert_eq!(Value::Object(resolved.effective.clone()), case.wanted["effective"], "{name}");
                assert_eq!(origins(&resolved), case.wanted["origins"], "{name}");
                let filtered = case.wanted.get("filtered").unwrap_or(&case.wanted["effective"]);
                assert_eq!(&Value::Object(resolved.without_escalating_mode()), filtered, "{name}");
                let mut tiers: Vec<_> = resolved.sources.iter().map(|source| source.tier).collect();
                assert!(tiers.is_sorted(), "{name}");
                tiers.dedup();
                assert_eq!(tiers.len(), resolved.sources.len(), "{name}");
            }
            (resolved, _) => panic!("{name}: {resolved:?}"),
        }
    }
}

#[test]
fn a_file_that_is_given_has_to_be_there() {
    let error = SettingsFiles::new("/").flag(Path::new("/not/there.json")).resolve().unwrap_err();
    assert!(matches!(&error, SettingsError::Unreadable { file, .. } if file == Path::new("/not/there.json")));
}

/// Each list, and models that it denies and does not.
const DENIED: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["opus"],
        &["opus", "claude-opus-4-5", "claude-3-opus-20240229", "my-opus-model", "opus[1m]", " OPUS "],
        &["sonnet", "claude-sonnet-5", "octopus", "opusplan"],
    ),
    (
        &["claude-opus-4"],
        &["claude-opus-4", "claude-opus-4-0", "claude-opus-4-8", "claude-opus-4-20250514"],
        &["claude-opus-5", "claude-sonnet-4-0", "opus"],
    ),
    (
        &["claude-opus-4-0"],
        &["claude-opus-4", "claude-opus-4-0", "claude-opus-4-20250514"],
        &["claude-opus-4-8"],
    ),
    (
        &["opus-4-5", "[1m]claude-haiku-5-5"],
        &[
            "claude-opus-4-5",
            "us.anthropic.claude-opus-4-5-20251101-v1:0",
            "anthropic.claude-opus-4-5",
            "claude-opus-4-5@20251101",
            "claude-opus-4-5-latest",
            "projects/x/claude-opus-4-5",
            "claude-haiku-5-5",
        ],
        &["claude-opus-4-6", "xx.anthropic.claude-opus-4-5", "claude-opus-4-55x"],
    ),
    (&["claude-opus-4-5-20251101"], &["claude-opus-4-5", "claude-opus-4-5-20250101"], &["claude-opus-4-6"]),
    (
        &["claude-3-5-haiku"],
        &["claude-3-5-haiku-20241022", "claude-3-5-haiku-latest", "claude-haiku-3-5"],
        &["claude-3-haiku", "claude-3-7-sonnet"],
    ),
    (
        &["claude-opus-4-5-preview"],
        &["claude-opus-4-5-preview", "claude-opus-4-5-preview-2"],
        &["claude-opus-4-5", "claude-opus-4-5-previews"],
    ),
    (&["My Model", "gpt-x"], &["my model", "GPT-X"], &["gpt-x-2", "my-model"]),
    (&["", "best", "default", "opusplan", " "], &[], &["", "best", "default", "opusplan", "opus"]),
    (&[], &[], &["opus"]),
];

#[test]
fn denied_models_are_known_in_every_spelling() {
    for (list, denied, others) in DENIED {
        let models = DeniedModels::new(*list);
        for model in *denied {
            assert!(models.denies(model), "{list:?} {model}");
        }
        for model in *others {
            assert!(!models.denies(model), "{list:?} {model}");
        }
        let ignored =
            list.iter().filter(|entry| matches!(entry.trim(), "" | "best" | "default" | "opusplan"));
        assert_eq!(models.ignored(), ignored.copied().collect::<Vec<_>>());
    }
}

const ASK: &str = r#"
    import { pathToFileURL } from "node:url";
    const sdk = await import(pathToFileURL(process.env.UNSPOOL_SDK).href);
    const asked = JSON.parse(process.env.ASKED);
    if (asked.denied) {
        const answers = [];
        for (const [list, models] of asked.denied) answers.push((await sdk.matchDeniedModels(models, list)).denied);
        console.log(JSON.stringify(answers));
    } else {
        const resolved = await sdk.resolveSettings(asked);
        const origins = Object.fromEntries(Object.entries(resolved.provenance).map(([key, from]) => [key, from.source]));
        console.log(JSON.stringify({ effective: resolved.effective, origins, filtered: sdk.filterEscalatingDefaultMode(resolved) }));
    }
"#;

/// What the official SDK says; nothing where it is not installed.
fn ask_sdk(home: &Path, asked: &Value) -> Option<Value> {
    let sdk = env::var_os("UNSPOOL_SDK")?;
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", ASK]).env_clear();
    node.env("PATH", env::var_os("PATH").unwrap_or_default()).env("UNSPOOL_SDK", sdk);
    node.env("HOME", home).env("CLAUDE_CONFIG_DIR", home).env("ASKED", asked.to_string());
    let said = node.output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Some(serde_json::from_slice(&said.stdout).unwrap())
}

/// It reads the machine's own managed settings and takes none by a flag, so those cases are left out; what it does not understand it
/// drops.
#[test]
#[ignore = "needs the official SDK: cargo xtask test real-cli"]
fn real_settings_hold_as_the_official_sdk_says() {
    let mut compared = 0;
    for case in cases("settings-sdk") {
        let ours_alone =
            case.wanted["files"].as_object().unwrap().keys().any(|file| file.starts_with("managed"));
        let Ok(resolved) = case.resolve() else { continue };
        if ours_alone || !case.wanted["flag"].is_null() {
            continue;
        }
        let mut asked = json!({"cwd": case.folder.join("work")});
        if let Some(sources) = case.wanted.get("sources") {
            asked["settingSources"] = sources.clone();
        }
        let Some(theirs) = ask_sdk(&case.folder.join("home"), &asked) else { return };
        let ours = json!({"effective": resolved.effective, "origins": origins(&resolved), "filtered": resolved.without_escalating_mode()});
        assert_eq!(ours, theirs, "{}", case.name());
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
}

#[test]
#[ignore = "needs the official SDK: cargo xtask test real-cli"]
fn real_models_are_denied_as_the_official_sdk_says() {
    let models: Vec<_> = DENIED.iter().flat_map(|(_, denied, others)| denied.iter().chain(*others)).collect();
    let lists: Vec<_> = DENIED.iter().map(|(list, ..)| json!([list, models])).collect();
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(theirs) = ask_sdk(home, &json!({"denied": lists})) else { return };
    let ours: Vec<Vec<bool>> = DENIED
        .iter()
        .map(|(list, ..)| DeniedModels::new(*list))
        .map(|denied| models.iter().map(|model| denied.denies(model)).collect())
        .collect();
    assert_eq!(json!(ours), theirs);
}
