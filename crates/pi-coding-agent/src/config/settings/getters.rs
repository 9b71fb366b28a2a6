//! One getter per key, with its default. A value of the wrong kind counts as absent (`check.rs` has warned about it).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use pi_agent_core::QueueMode;
use pi_ai::thinking::ThinkingBudgets;
use pi_ai::{ThinkingLevel, Transport};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::limits::Limits;
use super::manager::{SettingsManager, SettingsScope};
use super::values::{
    DEFAULT_HANDLER_TIMEOUT, DoubleEscapeAction, ExtensionLimits, ExtensionPermissions, ImageSettings, PackageSetting,
    ProjectTrust, ResourceKind, TerminalSettings, TreeFilterMode,
};
use crate::env::Env;
use crate::paths::expand;
use crate::processes::MAX_CONCURRENT_COMMANDS;
use crate::session::Durability;
use crate::tools::COMMAND_LOG_MAX_BYTES;

const DEFAULT_HTTP_IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// What a variable that names a proxy says; where the environment names none, `proxy` of the settings counts, which has a
/// name of its own so that complaints name it.
pub fn proxy_variable(env: &Env, proxy: Option<&str>, name: &str) -> Option<String> {
    if name == pi_ai::transport::PROXY_OF_SETTINGS { proxy.map(ToOwned::to_owned) } else { env.var(name) }
}

impl SettingsManager {
    /// The newest version whose changes the user has seen.
    pub fn last_changelog_version(&self) -> Option<String> {
        self.text(&["lastChangelogVersion"])
    }

    /// Provider of the model to start with.
    pub fn default_provider(&self) -> Option<String> {
        self.text(&["defaultProvider"])
    }

    /// Id of the model to start with.
    pub fn default_model(&self) -> Option<String> {
        self.text(&["defaultModel"])
    }

    /// Thinking level to start with; callers use `medium` when there is none.
    pub fn default_thinking_level(&self) -> Option<ThinkingLevel> {
        self.value(&["defaultThinkingLevel"])
    }

    /// Whether a model or thinking level that is chosen in a session becomes the one to start with; else it holds for that
    /// session.
    pub fn remember_model(&self) -> bool {
        self.value(&["rememberModel"]).unwrap_or(false)
    }

    /// How a provider that offers several transports is spoken to.
    pub fn transport(&self) -> Transport {
        self.value(&["transport"]).unwrap_or_default()
    }

    /// How steering messages are taken from their queue.
    pub fn steering_mode(&self) -> QueueMode {
        self.value(&["steeringMode"]).unwrap_or_default()
    }

    /// How follow-up messages are taken from their queue.
    pub fn follow_up_mode(&self) -> QueueMode {
        self.value(&["followUpMode"]).unwrap_or_default()
    }

    /// The theme as it is set; `light/dark` names a pair that follows the terminal.
    pub fn theme_setting(&self) -> Option<String> {
        self.text(&["theme"])
    }

    /// The theme, unless it is a pair.
    pub fn theme(&self) -> Option<String> {
        self.theme_setting().filter(|theme| !theme.contains('/'))
    }

    /// How long a stream may be silent; `None` means for ever.
    pub fn http_idle_timeout(&self) -> Option<Duration> {
        self.get(&["httpIdleTimeoutMs"], limit_ms).map_or(Some(DEFAULT_HTTP_IDLE_TIMEOUT), in_force)
    }

    /// Limit for the opening of a WebSocket, if one is set; the inner `None` means none at all.
    pub fn websocket_connect_timeout(&self) -> Option<Option<Duration>> {
        self.get(&["websocketConnectTimeoutMs"], limit_ms).map(in_force)
    }

    /// HTTP proxy; only the user's own setting counts.
    pub fn http_proxy(&self) -> Option<String> {
        self.get_in(SettingsScope::Global, &["httpProxy"], text)
    }

    /// Whether thinking is hidden.
    pub fn hide_thinking_block(&self) -> bool {
        self.switch(&["hideThinkingBlock"], false)
    }

    /// The shell that runs commands.
    pub fn shell_path(&self) -> Option<String> {
        self.text(&["shellPath"])
    }

    /// What precedes every shell command.
    pub fn shell_command_prefix(&self) -> Option<String> {
        self.text(&["shellCommandPrefix"])
    }

    /// How many shell commands run at once in this process; the others wait.
    pub fn max_concurrent_commands(&self) -> usize {
        let whole = |value: &Value| value.as_u64().filter(|number| *number > 0);
        let number = self.get(&["maxConcurrentCommands"], whole);
        number.map_or(MAX_CONCURRENT_COMMANDS, |number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// So long may the file with all output of a shell command become, in bytes; one GiB by default.
    pub fn command_log_max_bytes(&self) -> u64 {
        let positive = |value: &Value| value.as_f64().filter(|number| *number > 0.0);
        let megabytes = self.get(&["commandLogMaxMb"], positive);
        megabytes.map_or(COMMAND_LOG_MAX_BYTES, |megabytes| (megabytes * 1_048_576.0) as u64)
    }

    /// The command that installs npm packages, as a list of arguments.
    pub fn npm_command(&self) -> Option<Vec<String>> {
        self.value(&["npmCommand"])
    }

    /// Whether start-up says less.
    pub fn quiet_startup(&self) -> bool {
        self.switch(&["quietStartup"], false)
    }

    /// Whether the list of changes is shown collapsed.
    pub fn collapse_changelog(&self) -> bool {
        self.switch(&["collapseChangelog"], false)
    }

    /// What to do about a project that nobody decided about; only the user's own setting counts.
    pub fn default_project_trust(&self) -> ProjectTrust {
        self.get_in(SettingsScope::Global, &["defaultProjectTrust"], read).unwrap_or_default()
    }

    /// Whether requests say which program sends them.
    pub fn enable_install_telemetry(&self) -> bool {
        self.switch(&["enableInstallTelemetry"], true)
    }

    /// Whether the user agreed to analytics.
    pub fn enable_analytics(&self) -> bool {
        self.switch(&["enableAnalytics"], false)
    }

    /// The id that goes with analytics.
    pub fn tracking_id(&self) -> Option<String> {
        self.text(&["trackingId"])
    }

    /// Packages of one scope; entries that cannot be read are left out.
    pub fn packages(&self, scope: SettingsScope) -> Vec<PackageSetting> {
        let entries = |value: &Value| Some(value.as_array()?.iter().filter_map(read).collect());
        self.get_in(scope, &["packages"], entries).unwrap_or_default()
    }

    /// Paths of one kind of resource, as one scope lists them. They are relative to the directory of that scope's
    /// settings file.
    pub fn resources(&self, scope: SettingsScope, kind: ResourceKind) -> Vec<String> {
        self.get_in(scope, &[kind.key()], read).unwrap_or_default()
    }

    /// Whether skills are offered as commands.
    pub fn enable_skill_commands(&self) -> bool {
        self.switch(&["enableSkillCommands"], true)
    }

    /// What the terminal shows.
    pub fn terminal(&self) -> TerminalSettings {
        let clear = self.env.var("PI_CLEAR_ON_SHRINK").as_deref() == Some("1");
        TerminalSettings {
            show_images: self.switch(&["terminal", "showImages"], true),
            image_width_cells: self.number(&["terminal", "imageWidthCells"]).unwrap_or(60).max(1),
            clear_on_shrink: self.switch(&["terminal", "clearOnShrink"], clear),
            show_terminal_progress: self.switch(&["terminal", "showTerminalProgress"], false),
        }
    }

    /// Lists of tools that are active by default, the user's before the project's; absent ones are left out.
    pub fn default_tools(&self) -> Vec<Vec<String>> {
        let list = |scope| self.get_in(scope, &["defaultTools"], read);
        let outer: Vec<_> = self.outer_projects().iter().rev().map(|project| project.read("defaultTools")).collect();
        let lists = [list(SettingsScope::Global)].into_iter().chain(outer).chain([list(SettingsScope::Project)]);
        lists.flatten().collect()
    }

    /// How images are sent.
    pub fn images(&self) -> ImageSettings {
        ImageSettings {
            auto_resize: self.switch(&["images", "autoResize"], true),
            block_images: self.switch(&["images", "blockImages"], false),
        }
    }

    /// Patterns of the models to choose from; `None` means all.
    pub fn enabled_models(&self) -> Option<Vec<String>> {
        self.value(&["enabledModels"])
    }

    /// What pressing escape twice does.
    pub fn double_escape_action(&self) -> DoubleEscapeAction {
        self.value(&["doubleEscapeAction"]).unwrap_or_default()
    }

    /// What the session tree shows.
    pub fn tree_filter_mode(&self) -> TreeFilterMode {
        self.value(&["treeFilterMode"]).unwrap_or_default()
    }

    /// Token budgets of thinking levels that replace the defaults.
    pub fn thinking_budgets(&self) -> Option<ThinkingBudgets> {
        let budgets = |value: &Value| {
            let levels = value.as_object()?.iter();
            Some(levels.filter_map(|(name, value)| Some((ThinkingLevel::parse(name)?, number(value)?))).collect())
        };
        self.get(&["thinkingBudgets"], budgets)
    }

    /// Horizontal padding of the editor in cells, 0 to 3.
    pub fn editor_padding_x(&self) -> u64 {
        self.number(&["editorPaddingX"]).unwrap_or(0).min(3)
    }

    /// Lines of the completion list, 3 to 20.
    pub fn autocomplete_max_visible(&self) -> u64 {
        self.number(&["autocompleteMaxVisible"]).unwrap_or(5).clamp(3, 20)
    }

    /// Whether the terminal's own cursor is shown.
    pub fn show_hardware_cursor(&self) -> bool {
        self.switch(&["showHardwareCursor"], self.env.var("PI_HARDWARE_CURSOR").as_deref() == Some("1"))
    }

    /// What precedes each line of a code block.
    pub fn code_block_indent(&self) -> String {
        self.text(&["markdown", "codeBlockIndent"]).unwrap_or_else(|| "  ".to_owned())
    }

    /// Whether to warn about extra usage of a subscription.
    pub fn warn_anthropic_extra_usage(&self) -> bool {
        self.switch(&["warnings", "anthropicExtraUsage"], true)
    }

    /// Directory for session files, `~` expanded.
    pub fn session_dir(&self) -> Option<PathBuf> {
        self.text(&["sessionDir"]).map(|dir| expand(&dir, &self.env))
    }

    /// How soon sessions are safe from a power failure. Not a setting of the reference.
    pub fn session_durability(&self) -> Durability {
        self.value(&["sessionDurability"]).unwrap_or_default()
    }

    /// What extensions in scripts may use up; only the user's own setting counts.
    pub fn extension_limits(&self) -> ExtensionLimits {
        let get = |key| self.get_in(SettingsScope::Global, &["extensionLimits", key], Value::as_f64);
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
        ExtensionLimits {
            memory_mb: get("memoryMb").and_then(whole).filter(|mb| *mb > 0),
            turn: get("turnSeconds").and_then(seconds),
            handler: match get("handlerSeconds") {
                Some(limit) if limit >= 0.0 => seconds(limit),
                _ => Some(DEFAULT_HANDLER_TIMEOUT),
            },
        }
    }

    /// How many turns, how much money and how much time a session may take.
    pub fn limits(&self) -> Limits {
        let get = |key| self.get(&["limits", key], |value| value.as_f64().filter(|number| *number > 0.0));
        Limits {
            max_turns: self.number(&["limits", "maxTurns"]).filter(|turns| *turns > 0),
            max_cost: get("maxCost"),
            timeout: get("timeoutSeconds").and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            per_prompt: false,
        }
    }

    /// What extensions may do on the machine, by the names that the user's own settings give them. One that is not named
    /// may do everything.
    pub fn extension_permissions(&self) -> BTreeMap<String, ExtensionPermissions> {
        let read = |value: &Value| {
            let entries = value.as_object()?.iter();
            Some(entries.map(|(name, value)| (name.clone(), ExtensionPermissions::read(value))).collect())
        };
        self.get_in(SettingsScope::Global, &["extensionPermissions"], read).unwrap_or_default()
    }

    /// A path of the settings with the user's home in place of `~`.
    pub fn expanded(&self, path: &str) -> PathBuf {
        expand(path, &self.env)
    }

    fn text(&self, path: &[&str]) -> Option<String> {
        self.get(path, text)
    }

    pub(super) fn switch(&self, path: &[&str], default: bool) -> bool {
        self.get(path, Value::as_bool).unwrap_or(default)
    }

    pub(super) fn number(&self, path: &[&str]) -> Option<u64> {
        self.get(path, number)
    }

    fn value<T: DeserializeOwned>(&self, path: &[&str]) -> Option<T> {
        self.get(path, read)
    }
}

/// Milliseconds: a number that is not negative, such a number as text, or `disabled`, which is 0.
pub(super) fn limit_ms(value: &Value) -> Option<u64> {
    match value.as_str().map(str::trim) {
        Some("disabled") => Some(0),
        Some(text) => text.parse().ok().and_then(whole),
        None => number(value),
    }
}

/// 0 switches a limit off.
fn in_force(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().and_then(whole))
}

fn whole(number: f64) -> Option<u64> {
    (number.is_finite() && number >= 0.0).then_some(number as u64)
}

pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}
