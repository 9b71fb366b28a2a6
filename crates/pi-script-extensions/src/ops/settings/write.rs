//! What scripts change in settings: a table of the methods by name.

use pi_script::{Args, OpError, OpResult};
use serde_json::{Value, json};

use super::unknown;
use crate::errors::failed;
use pi_coding_agent::config;
use pi_coding_agent::settings::{SettingsManager, SettingsScope};

/// A method, whose settings it writes, and the keys that its arguments are for.
type Setter = (&'static str, SettingsScope, &'static [&'static [&'static str]]);

use SettingsScope::{Global, Project};

const SETTERS: &[Setter] = &[
    ("setLastChangelogVersion", Global, &[&["lastChangelogVersion"]]),
    ("setDefaultProvider", Global, &[&["defaultProvider"]]),
    ("setDefaultModel", Global, &[&["defaultModel"]]),
    ("setDefaultModelAndProvider", Global, &[&["defaultProvider"], &["defaultModel"]]),
    ("setSteeringMode", Global, &[&["steeringMode"]]),
    ("setFollowUpMode", Global, &[&["followUpMode"]]),
    ("setTheme", Global, &[&["theme"]]),
    ("setDefaultThinkingLevel", Global, &[&["defaultThinkingLevel"]]),
    ("setTransport", Global, &[&["transport"]]),
    ("setCompactionEnabled", Global, &[&["compaction", "enabled"]]),
    ("setRetryEnabled", Global, &[&["retry", "enabled"]]),
    ("setHttpIdleTimeoutMs", Global, &[&["httpIdleTimeoutMs"]]),
    ("setHideThinkingBlock", Global, &[&["hideThinkingBlock"]]),
    ("setShellPath", Global, &[&["shellPath"]]),
    ("setQuietStartup", Global, &[&["quietStartup"]]),
    ("setDefaultProjectTrust", Global, &[&["defaultProjectTrust"]]),
    ("setShellCommandPrefix", Global, &[&["shellCommandPrefix"]]),
    ("setNpmCommand", Global, &[&["npmCommand"]]),
    ("setCollapseChangelog", Global, &[&["collapseChangelog"]]),
    ("setEnableInstallTelemetry", Global, &[&["enableInstallTelemetry"]]),
    ("setEnableAnalytics", Global, &[&["enableAnalytics"], &["trackingId"]]),
    ("setPackages", Global, &[&["packages"]]),
    ("setProjectPackages", Project, &[&["packages"]]),
    ("setExtensionPaths", Global, &[&["extensions"]]),
    ("setProjectExtensionPaths", Project, &[&["extensions"]]),
    ("setSkillPaths", Global, &[&["skills"]]),
    ("setProjectSkillPaths", Project, &[&["skills"]]),
    ("setPromptTemplatePaths", Global, &[&["prompts"]]),
    ("setProjectPromptTemplatePaths", Project, &[&["prompts"]]),
    ("setThemePaths", Global, &[&["themes"]]),
    ("setProjectThemePaths", Project, &[&["themes"]]),
    ("setEnableSkillCommands", Global, &[&["enableSkillCommands"]]),
    ("setShowImages", Global, &[&["terminal", "showImages"]]),
    ("setImageWidthCells", Global, &[&["terminal", "imageWidthCells"]]),
    ("setClearOnShrink", Global, &[&["terminal", "clearOnShrink"]]),
    ("setShowTerminalProgress", Global, &[&["terminal", "showTerminalProgress"]]),
    ("setImageAutoResize", Global, &[&["images", "autoResize"]]),
    ("setBlockImages", Global, &[&["images", "blockImages"]]),
    ("setEnabledModels", Global, &[&["enabledModels"]]),
    ("setDoubleEscapeAction", Global, &[&["doubleEscapeAction"]]),
    ("setTreeFilterMode", Global, &[&["treeFilterMode"]]),
    ("setShowHardwareCursor", Global, &[&["showHardwareCursor"]]),
    ("setEditorPaddingX", Global, &[&["editorPaddingX"]]),
    ("setAutocompleteMaxVisible", Global, &[&["autocompleteMaxVisible"]]),
    ("setWarnings", Global, &[&["warnings"]]),
];

/// Sets what a method sets; `undefined` removes it. Answers which keys of whose settings were changed and, if they
/// could not be saved, why.
pub(super) fn write(settings: &SettingsManager, name: &str, args: &mut Args, first: usize) -> OpResult {
    let (_, scope, keys) = SETTERS.iter().find(|(known, ..)| *known == name).ok_or_else(|| unknown(name))?;
    let mut changes: Vec<(&[&str], Option<Value>)> = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        let value = args.json(first + place).map(|value| fitted(name, value)).transpose()?;
        // An id, once there, stays.
        if *key != ["trackingId"] || value.is_some() {
            changes.push((key, value));
        }
    }
    let error = match settings.set_all(*scope, changes) {
        Err(error @ config::Error::ProjectNotTrusted) => return Err(failed(error)),
        saved => saved.err().map(|error| error.to_string()),
    };
    Ok(json!({"scope": scope.as_str(), "keys": keys, "error": error}).into())
}

/// The value as it is stored: numbers within their bounds.
fn fitted(name: &str, value: Value) -> Result<Value, OpError> {
    let number = value.as_f64();
    let between = |low: f64, high: f64| number.map_or_else(|| value.clone(), |n| whole(n.floor().clamp(low, high)));
    Ok(match name {
        "setImageWidthCells" => between(1.0, f64::from(u32::MAX)),
        "setEditorPaddingX" => between(0.0, 3.0),
        "setAutocompleteMaxVisible" => between(3.0, 20.0),
        "setHttpIdleTimeoutMs" => match number {
            Some(ms) if ms >= 0.0 => whole(ms.floor()),
            _ => return Err(OpError::new(format!("Invalid httpIdleTimeoutMs setting: {value}"))),
        },
        _ => value,
    })
}

fn whole(number: f64) -> Value {
    Value::from(number as u64)
}
