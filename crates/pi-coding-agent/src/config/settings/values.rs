//! Types of settings that are more than a text, a number or a switch.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::readers::whole_number;
use super::setting::Setting;
use super::table::{
    COMPACTION_ENABLED, COMPACTION_KEEP_RECENT_TOKENS, COMPACTION_RESERVE_TOKENS, EXTENSIONS, PROMPTS, SKILLS, THEMES,
};

/// When and how history is summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionSettings {
    /// Whether it happens by itself.
    pub enabled: bool,
    /// Tokens of the context window that stay free for the answer.
    pub reserve_tokens: u64,
    /// Tokens of recent history that stay as they are.
    pub keep_recent_tokens: u64,
}

impl Default for CompactionSettings {
    fn default() -> Self {
        Self {
            enabled: COMPACTION_ENABLED.default(),
            reserve_tokens: COMPACTION_RESERVE_TOKENS.default(),
            keep_recent_tokens: COMPACTION_KEEP_RECENT_TOKENS.default(),
        }
    }
}

impl CompactionSettings {
    /// The same for a window of this size (0: unknown, nothing changes): at most half of it stays free, and at most half
    /// of the rest is kept. Without that, compaction could never help a model with a small window.
    #[must_use]
    pub fn fitted_to(mut self, context_window: u64) -> Self {
        if context_window > 0 {
            self.reserve_tokens = self.reserve_tokens.min(context_window / 2);
            self.keep_recent_tokens = self.keep_recent_tokens.min((context_window - self.reserve_tokens) / 2);
        }
        self
    }
}

/// The figures of [`CompactionSettings`] for one model; absent ones are those of all models.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ModelBudget {
    pub(super) reserve_tokens: Option<u64>,
    pub(super) keep_recent_tokens: Option<u64>,
}

impl ModelBudget {
    /// As settings name them.
    pub(super) const NAMES: &'static [&'static str] = &["reserveTokens", "keepRecentTokens"];

    /// The figures of each model, by its name.
    pub(super) fn of_each(value: &Value) -> Option<BTreeMap<String, Self>> {
        let figure = |budget: &Value, name| budget.get(name).and_then(whole_number);
        let read = |budget| Self {
            reserve_tokens: figure(budget, "reserveTokens"),
            keep_recent_tokens: figure(budget, "keepRecentTokens"),
        };
        let entries = value.as_object()?.iter();
        Some(entries.map(|(model, budget)| (model.clone(), read(budget))).collect())
    }
}

/// How branches that are left are summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchSummarySettings {
    /// Tokens of the context window that stay free for the summary.
    pub reserve_tokens: u64,
    /// Whether to go without asking for instructions.
    pub skip_prompt: bool,
}

/// How often a failed call is repeated by the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetrySettings {
    /// Whether at all.
    pub enabled: bool,
    /// Attempts after the first.
    pub max_retries: u32,
    /// Pause before the first repetition; it doubles with each.
    pub base_delay: Duration,
    /// The longest pause.
    pub max_delay: Duration,
}

impl RetrySettings {
    /// The pause before an attempt, counted from 1.
    pub fn delay(&self, attempt: u32) -> Duration {
        let factor = 2_u32.saturating_pow(attempt.saturating_sub(1));
        self.base_delay.saturating_mul(factor).min(self.max_delay)
    }
}

/// How long a handler of an extension may take by default, questions to the user not counted.
pub(crate) const DEFAULT_HANDLER_TIMEOUT: Duration = Duration::from_secs(300);

/// Limits of one HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderRetrySettings {
    /// Limit for the wait for response headers, if set.
    pub timeout: Option<Duration>,
    /// Repetitions inside one call.
    pub max_retries: u32,
    /// Cap for a pause that a server asks for; zero means no cap.
    pub max_retry_delay: Duration,
}

/// What extensions in scripts may use up; `None` stands for the engine's own limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExtensionLimits {
    /// Memory of each, in MiB.
    pub memory_mb: Option<u64>,
    /// How long a script may run without a pause.
    pub turn: Option<Duration>,
    /// How long a handler may take, time in which a dialog waits for the user not counted; `None` means for ever.
    pub handler: Option<Duration>,
}

/// What an extension may do on the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExtensionPermissions {
    /// `fs`: read and write files.
    pub files: bool,
    /// `net`: connections.
    pub network: bool,
    /// `exec`: start programs.
    pub programs: bool,
}

impl ExtensionPermissions {
    /// As settings name them.
    pub const NAMES: &'static [&'static str] = &["fs", "net", "exec"];

    /// What each extension is granted, by its name.
    pub(super) fn of_each(value: &Value) -> Option<BTreeMap<String, Self>> {
        let entries = value.as_object()?.iter();
        Some(entries.map(|(name, value)| (name.clone(), Self::read(value))).collect())
    }

    /// From a list of names. What is no such list grants nothing, and neither does a name that is none.
    fn read(value: &Value) -> Self {
        let names: Vec<&str> = value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let has = |name| names.contains(&name);
        Self { files: has("fs"), network: has("net"), programs: has("exec") }
    }
}

/// What the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSettings {
    /// Whether images are drawn.
    pub show_images: bool,
    /// Width of an image in cells.
    pub image_width_cells: u64,
    /// Whether the screen is cleared when content shrinks.
    pub clear_on_shrink: bool,
    /// Whether progress is reported to the terminal.
    pub show_terminal_progress: bool,
    /// Whether rows come between others by printing what is below them again, for terminals that get insert-line wrong.
    pub inserts_by_repaint: bool,
    /// How the user is notified while looking elsewhere.
    pub notify: TerminalNotify,
    /// Whether a conversation is in lines, without drawing anything.
    pub plain: bool,
    /// Whether the conversation is on the alternate screen.
    pub fullscreen: bool,
    /// Whether the mouse is the program's there.
    pub mouse: bool,
    /// Rows that a step of the wheel scrolls.
    pub wheel_step: u64,
}

/// How the user is notified while looking elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TerminalNotify {
    /// As the terminal is known to understand it.
    #[default]
    Auto,
    /// By the bell.
    Bell,
    /// By OSC 9.
    Osc9,
    /// By OSC 777.
    Osc777,
    /// By OSC 99.
    Osc99,
    /// Not at all.
    Off,
}

/// What keys mean where messages are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditorMode {
    /// Text, and the keys of the table of actions.
    #[default]
    Plain,
    /// Those of vi.
    Vim,
}

/// How rows come between others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TerminalInsert {
    /// By the terminal's own way to insert a line.
    #[default]
    Line,
    /// By printing what is below them again.
    Repaint,
}

/// How images are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageSettings {
    /// Whether large images are made smaller.
    pub auto_resize: bool,
    /// Whether no image is ever sent.
    pub block_images: bool,
}

/// What to do about a project that nobody decided about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProjectTrust {
    /// Ask; where nobody can be asked, do not trust.
    #[default]
    Ask,
    /// Trust.
    Always,
    /// Do not trust.
    Never,
}

/// What pressing escape twice does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DoubleEscapeAction {
    /// Opens the list of messages to fork from.
    Fork,
    /// Opens the session tree.
    #[default]
    Tree,
    /// Nothing.
    None,
}

/// What the session tree shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeFilterMode {
    /// Everything but bookkeeping.
    #[default]
    Default,
    /// The same without tool calls.
    NoTools,
    /// Only what the user said.
    UserOnly,
    /// Only entries with a label.
    LabeledOnly,
    /// Everything.
    All,
}

/// Kinds of resources that settings list by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceKind {
    /// `extensions`.
    Extensions,
    /// `skills`.
    Skills,
    /// `prompts`.
    Prompts,
    /// `themes`.
    Themes,
}

impl ResourceKind {
    /// The key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Extensions => "extensions",
            Self::Skills => "skills",
            Self::Prompts => "prompts",
            Self::Themes => "themes",
        }
    }

    /// The setting of this key.
    pub(super) fn setting(self) -> &'static Setting<Option<Vec<String>>> {
        match self {
            Self::Extensions => &EXTENSIONS,
            Self::Skills => &SKILLS,
            Self::Prompts => &PROMPTS,
            Self::Themes => &THEMES,
        }
    }
}

/// An entry of `packages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PackageSetting {
    /// Everything that the package offers.
    Source(String),
    /// Parts of it.
    Filtered(PackageFilter),
}

/// Which parts of a package to use; an absent list means all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageFilter {
    /// Where the package comes from.
    pub source: String,
    /// Extensions to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<String>>,
    /// Skills to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// Prompt templates to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Vec<String>>,
    /// Themes to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub themes: Option<Vec<String>>,
}

/// Where the conversation is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TuiMode {
    /// On the main screen of the terminal, whose history it becomes.
    #[default]
    Regular,
    /// On the alternate screen.
    Fullscreen,
}
