//! Which kind of value each setting takes, and warnings about the ones that are of another. A wrong value is never
//! fatal: the default takes its place.

use serde_json::{Map, Value};

use super::values::ExtensionPermissions;

/// Kinds of values.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Switch,
    Number,
    Texts,
    OneOf(&'static [&'static str]),
    /// Milliseconds: a number, a numeric text or `disabled`.
    Limit,
    List,
    /// A number above 0.
    Positive,
    /// A whole number above 0.
    Count,
    /// A whole number, 0 included.
    Whole,
    /// Under names of models, such objects.
    PerModel(&'static [(&'static str, Kind)]),
    /// Under any name, a list of what an extension is granted.
    Grants,
    Object(&'static [(&'static str, Kind)]),
}

use Kind::{Count, Grants, Limit, List, Number, Object, OneOf, PerModel, Positive, Switch, Text, Texts, Whole};

const LEVELS: Kind = OneOf(&["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
const QUEUE_MODES: Kind = OneOf(&["all", "one-at-a-time"]);

/// All keys that this version reads.
const KEYS: &[(&str, Kind)] = &[
    ("lastChangelogVersion", Text),
    ("defaultProvider", Text),
    ("defaultModel", Text),
    ("defaultThinkingLevel", LEVELS),
    ("defaultTools", Texts),
    ("transport", OneOf(&["sse", "websocket", "websocket-cached", "auto"])),
    ("rememberModel", Switch),
    ("steeringMode", QUEUE_MODES),
    ("followUpMode", QUEUE_MODES),
    ("theme", Text),
    (
        "compaction",
        Object(&[
            ("enabled", Switch),
            ("reserveTokens", Whole),
            ("keepRecentTokens", Whole),
            ("modelOverrides", PerModel(&[("reserveTokens", Whole), ("keepRecentTokens", Whole)])),
        ]),
    ),
    ("branchSummary", Object(&[("reserveTokens", Whole), ("skipPrompt", Switch)])),
    (
        "retry",
        Object(&[
            ("enabled", Switch),
            ("maxRetries", Number),
            ("baseDelayMs", Number),
            ("maxAgentDelayMs", Whole),
            ("provider", Object(&[("timeoutMs", Number), ("maxRetries", Number), ("maxRetryDelayMs", Number)])),
        ]),
    ),
    ("httpIdleTimeoutMs", Limit),
    ("websocketConnectTimeoutMs", Limit),
    ("httpProxy", Text),
    ("hideThinkingBlock", Switch),
    ("shellPath", Text),
    ("shellCommandPrefix", Text),
    ("maxConcurrentCommands", Count),
    ("commandLogMaxMb", Positive),
    ("npmCommand", Texts),
    ("quietStartup", Switch),
    ("collapseChangelog", Switch),
    ("defaultProjectTrust", OneOf(&["ask", "always", "never"])),
    ("enableInstallTelemetry", Switch),
    ("enableAnalytics", Switch),
    ("trackingId", Text),
    ("packages", List),
    ("extensions", Texts),
    ("skills", Texts),
    ("prompts", Texts),
    ("themes", Texts),
    ("enableSkillCommands", Switch),
    (
        "terminal",
        Object(&[
            ("showImages", Switch),
            ("imageWidthCells", Number),
            ("clearOnShrink", Switch),
            ("showTerminalProgress", Switch),
            ("insert", OneOf(&["line", "repaint"])),
        ]),
    ),
    ("images", Object(&[("autoResize", Switch), ("blockImages", Switch)])),
    ("enabledModels", Texts),
    ("doubleEscapeAction", OneOf(&["fork", "tree", "none"])),
    ("treeFilterMode", OneOf(&["default", "no-tools", "user-only", "labeled-only", "all"])),
    ("thinkingBudgets", Object(&[("minimal", Number), ("low", Number), ("medium", Number), ("high", Number)])),
    ("editorPaddingX", Number),
    ("autocompleteMaxVisible", Number),
    ("saveDraft", Switch),
    ("showHardwareCursor", Switch),
    ("markdown", Object(&[("codeBlockIndent", Text)])),
    ("warnings", Object(&[("anthropicExtraUsage", Switch)])),
    ("sessionDir", Text),
    ("sessionDurability", OneOf(&["none", "turn", "entry"])),
    ("extensionLimits", Object(&[("memoryMb", Positive), ("turnSeconds", Positive), ("handlerSeconds", Number)])),
    ("extensionPermissions", Grants),
    ("limits", Object(&[("maxTurns", Positive), ("maxCost", Positive), ("timeoutSeconds", Positive)])),
];

/// Every key that this version reads, nested ones as `object.key`, in no particular order.
pub fn known_keys() -> Vec<String> {
    let mut names = Vec::new();
    collect(KEYS, "", &mut names);
    names
}

fn collect(keys: &[(&str, Kind)], prefix: &str, names: &mut Vec<String>) {
    for (key, kind) in keys {
        match kind {
            Object(keys) => collect(keys, &format!("{prefix}{key}."), names),
            _ => names.push(format!("{prefix}{key}")),
        }
    }
}

/// One sentence per value that cannot be used. Unknown keys are nobody's mistake.
pub(super) fn check(settings: &Map<String, Value>) -> Vec<String> {
    let mut problems = Vec::new();
    check_object(settings, KEYS, "", &mut problems);
    problems
}

fn check_object(object: &Map<String, Value>, keys: &[(&str, Kind)], prefix: &str, problems: &mut Vec<String>) {
    for (key, kind) in keys {
        let Some(value) = object.get(*key).filter(|value| !value.is_null()) else { continue };
        let path = format!("{prefix}{key}");
        match (kind, value) {
            (Object(keys), Value::Object(inner)) => check_object(inner, keys, &format!("{path}."), problems),
            (PerModel(keys), Value::Object(inner)) => check_models(inner, keys, &path, problems),
            (Grants, Value::Object(inner)) => check_grants(inner, &path, problems),
            _ if kind.takes(value) => {}
            _ => problems.push(format!("\"{path}\" must be {}; it is ignored", kind.describe())),
        }
    }
}

/// A name that no model can have is a mistake, too.
fn check_models(models: &Map<String, Value>, keys: &[(&str, Kind)], path: &str, problems: &mut Vec<String>) {
    for (name, value) in models {
        let inner = format!("{path}.{name}");
        match value {
            _ if !name.contains('/') => {
                problems.push(format!("\"{inner}\" is not the name of a model, provider/id; it is ignored"));
            }
            Value::Object(object) => check_object(object, keys, &format!("{inner}."), problems),
            _ => problems.push(format!("\"{inner}\" must be an object; it is ignored")),
        }
    }
}

/// Whoever wrote something that cannot be read meant to refuse something: it is not ignored.
fn check_grants(grants: &Map<String, Value>, path: &str, problems: &mut Vec<String>) {
    let names = ExtensionPermissions::NAMES;
    let is_grant = |value: &Value| value.as_str().is_some_and(|name| names.contains(&name));
    for (extension, value) in grants {
        if !value.as_array().is_some_and(|list| list.iter().all(is_grant)) {
            let names = names.join(", ");
            problems
                .push(format!("\"{path}.{extension}\" must be a list of {names}; what is not among these is refused"));
        }
    }
}

impl Kind {
    fn takes(self, value: &Value) -> bool {
        match self {
            Text => value.is_string(),
            Switch => value.is_boolean(),
            Number => value.is_number(),
            List => value.is_array(),
            Positive => value.as_f64().is_some_and(|number| number > 0.0),
            Count => value.as_u64().is_some_and(|number| number > 0),
            Whole => super::keys::whole_number(value).is_some(),
            Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            Limit => super::keys::limit_ms(value).is_some(),
            Object(_) | PerModel(_) | Grants => false,
        }
    }

    fn describe(self) -> String {
        match self {
            Text => "a text".to_owned(),
            Switch => "true or false".to_owned(),
            Number => "a number".to_owned(),
            List => "a list".to_owned(),
            Positive => "a number above 0".to_owned(),
            Count => "a whole number above 0".to_owned(),
            Whole => "a whole number, 0 or more".to_owned(),
            Texts => "a list of texts".to_owned(),
            OneOf(names) => format!("one of {}", names.join(", ")),
            Limit => "a number of milliseconds or \"disabled\"".to_owned(),
            Object(_) | PerModel(_) | Grants => "an object".to_owned(),
        }
    }
}
