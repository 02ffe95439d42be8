//! What a file of settings may say. Claude Code drops a whole file for one wrong value in it, or the value, or the setting.

use super::SettingsTier;
use serde_json::{Map, Value};
use unspool::wire::PermissionMode;

/// What a setting has to be.
#[derive(Clone, Copy)]
enum Kind {
    Flag,
    Number,
    Text,
    Texts,
    List,
    Object,
}

/// Settings that Claude Code 2.1.325 knows, and what they are. Others are taken as they come.
const KNOWN: &[(&str, Kind)] = &[
    ("additionalDirectories", Kind::Texts),
    ("allowManagedHooksOnly", Kind::Flag),
    ("allowManagedPermissionRulesOnly", Kind::Flag),
    ("apiKeyHelper", Kind::Text),
    ("availableModels", Kind::Texts),
    ("awsAuthRefresh", Kind::Text),
    ("awsCredentialExport", Kind::Text),
    ("cleanupPeriodDays", Kind::Number),
    ("deniedModels", Kind::Texts),
    ("disableAllHooks", Kind::Flag),
    ("disabledMcpjsonServers", Kind::Texts),
    ("enableAllProjectMcpServers", Kind::Flag),
    ("enabledMcpjsonServers", Kind::Texts),
    ("enabledPlugins", Kind::Object),
    ("env", Kind::Object),
    ("hooks", Kind::Object),
    ("model", Kind::Text),
    ("outputStyle", Kind::Text),
    ("permissions", Kind::Object),
    ("sandbox", Kind::Object),
    ("statusLine", Kind::Object),
];

const PERMISSIONS: &[(&str, Kind)] = &[
    ("additionalDirectories", Kind::Texts),
    ("allow", Kind::Texts),
    ("ask", Kind::Texts),
    ("defaultMode", Kind::Text),
    ("deny", Kind::Texts),
];

/// The settings as Claude Code takes them; `Err` says what is wrong.
pub(super) fn checked(tier: SettingsTier, value: Value) -> Result<Map<String, Value>, String> {
    let Value::Object(mut settings) = value else { return Err("it is not an object".to_owned()) };
    settings.remove("__proto__");
    kinds("", &settings, KNOWN)?;
    if tier != SettingsTier::Managed {
        // Nobody else may say so.
        settings.remove("deniedModels");
    }
    if let Some(Value::Object(permissions)) = settings.get_mut("permissions") {
        check_permissions(permissions)?;
    }
    if let Some(Value::Object(hooks)) = settings.get("hooks") {
        let events: Vec<_> = hooks.keys().map(|event| (&**event, Kind::List)).collect();
        kinds("hooks.", hooks, &events)?;
    }
    if let Some(Value::Object(env)) = settings.get_mut("env") {
        env.iter_mut().try_for_each(|(name, value)| as_text(name, value))?;
    }
    Ok(settings)
}

fn check_permissions(permissions: &mut Map<String, Value>) -> Result<(), String> {
    kinds("permissions.", permissions, PERMISSIONS)?;
    for list in ["allow", "ask", "deny"] {
        let rules = permissions.get(list).and_then(Value::as_array).into_iter().flatten();
        let is_open = |rule: &&str| rule.contains('(') && !rule.trim_end().ends_with(')');
        if let Some(rule) = rules.filter_map(Value::as_str).find(is_open) {
            return Err(format!("`{rule}` in `permissions.{list}` is no rule"));
        }
    }
    match permissions.get("defaultMode").and_then(Value::as_str) {
        None => {}
        // As it was called for a while.
        Some("manual") => drop(permissions.insert("defaultMode".to_owned(), "default".into())),
        Some(mode) if PermissionMode::VALUES.contains(&mode) => {}
        Some(mode) => return Err(format!("`permissions.defaultMode` is not known: {mode}")),
    }
    Ok(())
}

fn kinds(within: &str, settings: &Map<String, Value>, known: &[(&str, Kind)]) -> Result<(), String> {
    for (name, kind) in known {
        let Some(value) = settings.get(*name) else { continue };
        let (fits, wanted) = match kind {
            Kind::Flag => (value.is_boolean(), "true or false"),
            Kind::Number => (value.is_number(), "a number"),
            Kind::Text => (value.is_string(), "a string"),
            Kind::Texts => {
                (value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of strings")
            }
            Kind::List => (value.is_array(), "a list"),
            Kind::Object => (value.is_object(), "an object"),
        };
        if !fits {
            return Err(format!("`{within}{name}` is not {wanted}"));
        }
    }
    Ok(())
}

/// A variable is text, whatever it was written as.
fn as_text(name: &str, value: &mut Value) -> Result<(), String> {
    match value {
        Value::String(_) => {}
        Value::Bool(_) | Value::Number(_) => *value = value.to_string().into(),
        _ => return Err(format!("`env.{name}` is not text")),
    }
    Ok(())
}
