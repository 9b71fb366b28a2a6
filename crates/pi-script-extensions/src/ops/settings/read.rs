//! What scripts ask of settings: a table of the methods by name.

use std::time::Duration;

use pi_script::Data;
use serde::Serialize;
use serde_json::{Value, json};

use pi_coding_agent::settings::{PackageSetting, ResourceKind, SettingsManager, SettingsScope};

type Getter = (&'static str, fn(&SettingsManager) -> Value);

/// Of `null`, scripts see `undefined`.
const GETTERS: &[Getter] = &[
    ("isProjectTrusted", |s| s.is_project_trusted().into()),
    ("getLastChangelogVersion", |s| s.interface().last_changelog_version().into()),
    ("getSessionDir", |s| s.sessions().dir().map(|dir| dir.to_string_lossy().into_owned()).into()),
    ("getDefaultProvider", |s| s.models().default_provider().into()),
    ("getDefaultModel", |s| s.models().default_model().into()),
    ("getSteeringMode", |s| to_json(s.sessions().steering_mode())),
    ("getFollowUpMode", |s| to_json(s.sessions().follow_up_mode())),
    ("getThemeSetting", |s| s.interface().theme_setting().into()),
    ("getTheme", |s| s.interface().theme().into()),
    ("getDefaultThinkingLevel", |s| to_json(s.models().default_thinking_level())),
    ("getTransport", |s| to_json(s.network().transport())),
    ("getCompactionEnabled", |s| s.compaction().enabled.into()),
    ("getCompactionReserveTokens", |s| s.compaction().reserve_tokens.into()),
    ("getCompactionKeepRecentTokens", |s| s.compaction().keep_recent_tokens.into()),
    ("getCompactionSettings", compaction),
    ("getBranchSummarySettings", branch_summary),
    ("getBranchSummarySkipPrompt", |s| s.branch_summary().skip_prompt.into()),
    ("getRetryEnabled", |s| s.retry().enabled.into()),
    ("getRetrySettings", retry),
    ("getHttpIdleTimeoutMs", |s| limit(s.network().http_idle_timeout())),
    ("getProviderRetrySettings", provider_retry),
    ("getWebSocketConnectTimeoutMs", |s| s.network().websocket_connect_timeout().map_or(Value::Null, limit)),
    ("getHideThinkingBlock", |s| s.interface().hide_thinking_block().into()),
    ("getShellPath", |s| s.tools().shell_path().into()),
    ("getQuietStartup", |s| s.interface().quiet_startup().into()),
    ("getDefaultProjectTrust", |s| to_json(s.default_project_trust())),
    ("getShellCommandPrefix", |s| s.tools().shell_command_prefix().into()),
    ("getNpmCommand", |s| s.resources().npm_command().into()),
    ("getCollapseChangelog", |s| s.interface().collapse_changelog().into()),
    ("getEnableInstallTelemetry", |s| s.telemetry().enable_install_telemetry().into()),
    ("getEnableAnalytics", |s| s.telemetry().enable_analytics().into()),
    ("getTrackingId", |s| s.telemetry().tracking_id().into()),
    ("getPackages", packages),
    ("getExtensionPaths", |s| paths(s, ResourceKind::Extensions)),
    ("getSkillPaths", |s| paths(s, ResourceKind::Skills)),
    ("getPromptTemplatePaths", |s| paths(s, ResourceKind::Prompts)),
    ("getThemePaths", |s| paths(s, ResourceKind::Themes)),
    ("getEnableSkillCommands", |s| s.resources().enable_skill_commands().into()),
    ("getThinkingBudgets", |s| to_json(s.models().thinking_budgets())),
    ("getShowImages", |s| s.interface().terminal().show_images.into()),
    ("getImageWidthCells", |s| s.interface().terminal().image_width_cells.into()),
    ("getClearOnShrink", |s| s.interface().terminal().clear_on_shrink.into()),
    ("getShowTerminalProgress", |s| s.interface().terminal().show_terminal_progress.into()),
    ("getImageAutoResize", |s| s.tools().images().auto_resize.into()),
    ("getBlockImages", |s| s.tools().images().block_images.into()),
    ("getEnabledModels", |s| s.models().enabled_models().into()),
    ("getDoubleEscapeAction", |s| to_json(s.interface().double_escape_action())),
    ("getTreeFilterMode", |s| to_json(s.interface().tree_filter_mode())),
    ("getShowHardwareCursor", |s| s.interface().show_hardware_cursor().into()),
    ("getEditorPaddingX", |s| s.interface().editor_padding_x().into()),
    ("getAutocompleteMaxVisible", |s| s.interface().autocomplete_max_visible().into()),
    ("getCodeBlockIndent", |s| s.interface().code_block_indent().into()),
    ("getWarnings", |s| s.in_force("warnings").filter(Value::is_object).unwrap_or_else(|| json!({}))),
];

/// What a method answers; `None` if there is none of this name.
pub(super) fn read(settings: &SettingsManager, name: &str) -> Option<Data> {
    let (_, getter) = GETTERS.iter().find(|(known, _)| *known == name)?;
    Some(match getter(settings) {
        Value::Null => Data::Undefined,
        value => value.into(),
    })
}

fn to_json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn millis(duration: Duration) -> Value {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).into()
}

/// 0 stands for no limit.
fn limit(limit: Option<Duration>) -> Value {
    limit.map_or_else(|| 0.into(), millis)
}

fn compaction(settings: &SettingsManager) -> Value {
    let compaction = settings.compaction();
    json!({
        "enabled": compaction.enabled,
        "reserveTokens": compaction.reserve_tokens,
        "keepRecentTokens": compaction.keep_recent_tokens,
    })
}

fn branch_summary(settings: &SettingsManager) -> Value {
    let summary = settings.branch_summary();
    json!({"reserveTokens": summary.reserve_tokens, "skipPrompt": summary.skip_prompt})
}

fn retry(settings: &SettingsManager) -> Value {
    let retry = settings.retry();
    json!({
        "enabled": retry.enabled,
        "maxRetries": retry.max_retries,
        "baseDelayMs": millis(retry.base_delay),
        "maxAgentDelayMs": millis(retry.max_delay),
    })
}

fn provider_retry(settings: &SettingsManager) -> Value {
    let retry = settings.network().provider_retry();
    let mut value = json!({"maxRetryDelayMs": millis(retry.max_retry_delay)});
    if let Some(timeout) = retry.timeout {
        value["timeoutMs"] = millis(timeout);
    }
    if settings.in_force("retry").is_some_and(|retry| !retry["provider"]["maxRetries"].is_null()) {
        value["maxRetries"] = retry.max_retries.into();
    }
    value
}

/// The scope whose list counts: lists are not merged.
fn scope_of(settings: &SettingsManager, key: &str) -> SettingsScope {
    let of_project = settings.scope(SettingsScope::Project).contains_key(key);
    if of_project { SettingsScope::Project } else { SettingsScope::Global }
}

fn packages(settings: &SettingsManager) -> Value {
    let packages: Vec<PackageSetting> = settings.resources().packages(scope_of(settings, "packages"));
    to_json(packages)
}

fn paths(settings: &SettingsManager, kind: ResourceKind) -> Value {
    settings.resources().paths(scope_of(settings, kind.key()), kind).into()
}
