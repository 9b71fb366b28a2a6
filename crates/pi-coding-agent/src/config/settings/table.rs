//! All settings: a table, and the only place that declares one. `setting.rs` says how an entry is written, and
//! `constructors.rs` what can stand behind its `=`. Entries inside of one object (`retry.…`) stand together.

use std::collections::BTreeMap;

use pi_agent_core::QueueMode;
use pi_ai::thinking::ThinkingBudgets;
use pi_ai::{ThinkingLevel, Transport};

use super::constructors::{
    above_zero, count, in_range, limit, named, one_of, optional_above_zero, optional_count, optional_limit,
    optional_one_of, optional_switch, optional_text, optional_texts, optional_whole_part, packages, seconds, switch,
    thinking_budgets, whole, whole_part,
};
use super::kind::Kind;
use super::scope::SettingsScope;
use super::sections::{
    ExtensionSettings, InterfaceSettings, ModelSettings, NetworkSettings, ResourceSettings, SessionSettings,
    TelemetrySettings, ToolSettings,
};
use super::setting::{Setting, accessors, settings};
use super::spec::{Spec, Topic};
use super::values::{
    DEFAULT_HANDLER_TIMEOUT, DoubleEscapeAction, EditorMode, ExtensionPermissions, ModelBudget, PackageSetting,
    ProjectTrust, TerminalInsert, TerminalNotify, TreeFilterMode, TuiMode,
};
use crate::config::Error;
use crate::host::processes;
use crate::session::Durability;
use crate::tools::COMMAND_LOG_MAX_BYTES;

const LEVELS: &[&str] = &["off", "minimal", "low", "medium", "high", "xhigh", "max"];
const QUEUE_MODES: &[&str] = &["all", "one-at-a-time"];

settings! {
    /// The newest version whose changes were shown; written by the program.
    LAST_CHANGELOG_VERSION: Option<String> = optional_text("lastChangelogVersion"), Interactive,
        getter InterfaceSettings::last_changelog_version, setter set_last_changelog_version(&str);

    /// Provider of the model of a new session; `defaultModel` is needed, too. With `rememberModel` written when a model is
    /// chosen.
    DEFAULT_PROVIDER: Option<String> = optional_text("defaultProvider"), Models,
        getter ModelSettings::default_provider;

    /// Id of the model of a new session; `defaultProvider` is needed, too.
    DEFAULT_MODEL: Option<String> = optional_text("defaultModel"), Models,
        getter ModelSettings::default_model;

    /// Thinking level of a new session; clamped to what the model supports.
    DEFAULT_THINKING_LEVEL: Option<ThinkingLevel> =
        optional_one_of("defaultThinkingLevel", LEVELS).default_elsewhere(r#""medium""#), Models,
        getter ModelSettings::default_thinking_level, setter set_default_thinking_level(ThinkingLevel);

    /// The tools that a session begins with; options of the command line win.
    DEFAULT_TOOLS: Option<Vec<String>> = optional_texts("defaultTools")
        .default_elsewhere(r#"["read", "bash", "edit", "write"]"#).more("#default-tools"), Tools;

    /// How a provider that offers several transports is reached.
    TRANSPORT: Transport = one_of("transport", &["sse", "websocket", "websocket-cached", "auto"]), Requests,
        getter NetworkSettings::transport, setter set_transport(Transport);

    /// Whether a model or thinking level that is chosen in a session, for example by RPC's `set_model`, becomes the default
    /// of later ones; else it holds for its session.
    REMEMBER_MODEL: bool = switch("rememberModel", false), Models,
        getter ModelSettings::remember_model;

    /// How many queued steering messages are delivered at once.
    STEERING_MODE: QueueMode = one_of("steeringMode", QUEUE_MODES), Sessions,
        getter SessionSettings::steering_mode, setter set_steering_mode(QueueMode);

    /// How many queued follow-up messages are delivered at once.
    FOLLOW_UP_MODE: QueueMode = one_of("followUpMode", QUEUE_MODES), Sessions,
        getter SessionSettings::follow_up_mode, setter set_follow_up_mode(QueueMode);

    /// Name of the theme, or `light/dark`: a pair that follows the terminal. `pi doctor` checks it.
    THEME: Option<String> = optional_text("theme")
        .default_depends("the terminal's background decides").more("cli.md#themes"), Interactive,
        getter InterfaceSettings::theme_setting, setter set_theme(&str);

    /// Whether a long history is summarised by itself.
    COMPACTION_ENABLED: bool = switch("compaction.enabled", true), Compaction;

    /// History is summarised when fewer tokens of the context window than this are left.
    COMPACTION_RESERVE_TOKENS: u64 = whole("compaction.reserveTokens", 16_384), Compaction;

    /// About this many tokens of recent history stay as they are.
    COMPACTION_KEEP_RECENT_TOKENS: u64 = whole("compaction.keepRecentTokens", 20_000), Compaction;

    /// `reserveTokens` and `keepRecentTokens` of single models.
    COMPACTION_MODEL_OVERRIDES: BTreeMap<String, ModelBudget> =
        named("compaction.modelOverrides", Kind::PerModel(ModelBudget::NAMES), ModelBudget::of_each)
        .more("#budgets-of-single-models"), Compaction;

    /// Tokens that stay free when a branch that is left is summarised.
    BRANCH_SUMMARY_RESERVE_TOKENS: u64 = whole("branchSummary.reserveTokens", 16_384), Compaction;

    /// Whether going to another branch skips the question about a summary; there is none then.
    BRANCH_SUMMARY_SKIP_PROMPT: bool = switch("branchSummary.skipPrompt", false), Interactive;

    /// Whether a call that failed for a passing reason is repeated.
    RETRY_ENABLED: bool = switch("retry.enabled", true), Requests;

    /// How often a call is repeated.
    RETRY_MAX_RETRIES: u64 = whole_part("retry.maxRetries", 3), Requests;

    /// Pause before the first repetition in milliseconds; it doubles with each.
    RETRY_BASE_DELAY_MS: u64 = whole_part("retry.baseDelayMs", 2000), Requests;

    /// Longest pause before a repetition in milliseconds.
    RETRY_MAX_AGENT_DELAY_MS: u64 = whole("retry.maxAgentDelayMs", 60_000), Requests;

    /// Limit for the wait for response headers in milliseconds.
    RETRY_PROVIDER_TIMEOUT_MS: Option<u64> =
        optional_whole_part("retry.provider.timeoutMs").default_elsewhere("600000"), Requests;

    /// Repetitions of the HTTP request inside one call.
    RETRY_PROVIDER_MAX_RETRIES: u64 = whole_part("retry.provider.maxRetries", 0), Requests;

    /// Longest pause that a server may ask for, in milliseconds; 0 means any.
    RETRY_PROVIDER_MAX_RETRY_DELAY_MS: u64 = whole_part("retry.provider.maxRetryDelayMs", 60_000), Requests;

    /// How many milliseconds a stream may be silent; 0 or `"disabled"` means for ever.
    HTTP_IDLE_TIMEOUT_MS: u64 = limit("httpIdleTimeoutMs", 300_000), Requests;

    /// Limit for the opening of a WebSocket in milliseconds; 0 or `"disabled"` means none.
    WEBSOCKET_CONNECT_TIMEOUT_MS: Option<u64> =
        optional_limit("websocketConnectTimeoutMs").default_elsewhere("15000"), Requests;

    /// URL of an HTTP or HTTPS proxy where `HTTP_PROXY` and `HTTPS_PROXY` name none, for requests to models and for `fetch`
    /// and `http` of extensions.
    HTTP_PROXY: Option<String> = optional_text("httpProxy").users_own(), Requests,
        getter NetworkSettings::http_proxy;

    /// Whether thinking is hidden.
    HIDE_THINKING_BLOCK: bool = switch("hideThinkingBlock", false), Interactive,
        getter InterfaceSettings::hide_thinking_block, setter set_hide_thinking_block(bool);

    /// The shell of the `bash` tool.
    SHELL_PATH: Option<String> =
        optional_text("shellPath").default_depends("`/bin/bash`, else `bash` on the `PATH`, else `sh`"), Tools,
        getter ToolSettings::shell_path;

    /// A line in front of every command of the `bash` tool.
    SHELL_COMMAND_PREFIX: Option<String> = optional_text("shellCommandPrefix"), Tools,
        getter ToolSettings::shell_command_prefix;

    /// How many shell commands run at once in one `pi`, whatever session they belong to; the others wait. Not a setting of
    /// the reference.
    MAX_CONCURRENT_COMMANDS: u64 =
        count("maxConcurrentCommands", processes::MAX_CONCURRENT_COMMANDS as u64), Tools;

    /// How long the file with all output of a command may become, in MiB. Not a setting of the reference.
    COMMAND_LOG_MAX_MB: f64 = above_zero("commandLogMaxMb", COMMAND_LOG_MAX_BYTES >> 20), Tools;

    /// The command that installs packages of npm, as a list of arguments.
    NPM_COMMAND: Option<Vec<String>> = optional_texts("npmCommand").default_elsewhere(r#"["npm"]"#), Extensions,
        getter ResourceSettings::npm_command;

    /// Whether the start-up says less.
    QUIET_STARTUP: bool = switch("quietStartup", false), Interactive,
        getter InterfaceSettings::quiet_startup;

    /// Whether one line stands for all that is new after an update.
    COLLAPSE_CHANGELOG: bool = switch("collapseChangelog", false), Interactive,
        getter InterfaceSettings::collapse_changelog;

    /// What happens with a project that nothing was decided about: the interactive mode asks, `always` trusts it, `never`
    /// does not. Where nobody can be asked, `ask` does not trust.
    DEFAULT_PROJECT_TRUST: ProjectTrust =
        one_of("defaultProjectTrust", &["ask", "always", "never"]).users_own(), Trust;

    /// Whether requests to some routing services name this program; `PI_TELEMETRY` wins.
    ENABLE_INSTALL_TELEMETRY: bool = switch("enableInstallTelemetry", true), Trust,
        getter TelemetrySettings::enable_install_telemetry;

    /// Whether the user agreed to analytics; this program sends none.
    ENABLE_ANALYTICS: bool = switch("enableAnalytics", false), NoEffectYet,
        getter TelemetrySettings::enable_analytics;

    /// The id that goes with analytics.
    TRACKING_ID: Option<String> = optional_text("trackingId"), NoEffectYet,
        getter TelemetrySettings::tracking_id;

    /// Sources of packages, or objects with `source` and what to use of it.
    PACKAGES: Vec<PackageSetting> = packages("packages").more("packages.md#filters"), Extensions;

    /// Paths and patterns of extensions.
    EXTENSIONS: Option<Vec<String>> =
        optional_texts("extensions").default_elsewhere("[]").more("#resources"), Extensions;

    /// Paths and patterns of skills.
    SKILLS: Option<Vec<String>> = optional_texts("skills").default_elsewhere("[]").more("#resources"), Extensions;

    /// Paths and patterns of prompt templates.
    PROMPTS: Option<Vec<String>> = optional_texts("prompts").default_elsewhere("[]").more("#resources"), Extensions;

    /// Paths and patterns of themes.
    THEMES: Option<Vec<String>> = optional_texts("themes").default_elsewhere("[]").more("#resources"), Extensions;

    /// Whether skills are offered as commands.
    ENABLE_SKILL_COMMANDS: bool = switch("enableSkillCommands", true), Interactive,
        getter ResourceSettings::enable_skill_commands;

    /// Whether images in results of tools are drawn, where the terminal can.
    TERMINAL_SHOW_IMAGES: bool =
        switch("terminal.showImages", true).more("terminals.md#what-is-found-out"), Interactive;

    /// Columns that an image takes at most.
    TERMINAL_IMAGE_WIDTH_CELLS: u64 = whole_part("terminal.imageWidthCells", 60), Interactive;

    /// Whether the screen is cleared when content shrinks.
    TERMINAL_CLEAR_ON_SHRINK: Option<bool> =
        optional_switch("terminal.clearOnShrink").default_depends("`PI_CLEAR_ON_SHRINK=1`"), NoEffectYet;

    /// Whether the terminal is told that something goes on (OSC 9;4), for its tab or the task bar.
    TERMINAL_SHOW_PROGRESS: bool = switch("terminal.showTerminalProgress", false), Interactive;

    /// How rows get above the editor; `repaint` is for terminals that do insert-line in their own way. Counts from the next
    /// start. Not a setting of the reference.
    TERMINAL_INSERT: TerminalInsert =
        one_of("terminal.insert", &["line", "repaint"]).more("terminals.md#when-rows-go-missing"), Interactive;

    /// Whether a conversation at a terminal is in lines, as with `--plain`: for screen readers. Counts from the next start. Not a
    /// setting of the reference.
    TERMINAL_PLAIN: bool = switch("terminal.plain", false).more("interactive.md#plain-mode"), Interactive;

    /// How the terminal is told that a turn has ended or a question waits, while its window is not in focus: a notification
    /// where the terminal is known for one, else the bell; or always in one of these ways. Not a setting of the reference.
    TERMINAL_NOTIFY: TerminalNotify =
        one_of("terminal.notify", &["auto", "bell", "osc9", "osc777", "osc99", "off"]).more("terminals.md#notifications"),
        Interactive;

    /// Where the conversation is shown: on the main screen, whose history it becomes, or on the alternate screen, where `pi`
    /// scrolls it. Not a setting of the reference.
    TUI_MODE: TuiMode = one_of("tuiMode", &["regular", "fullscreen"]).more("interactive.md#full-screen"), Interactive;

    /// Whether the mouse is `pi`'s in full screen: the wheel scrolls, dragging selects and copies. Not a setting of the
    /// reference.
    TUI_MOUSE: bool = switch("tuiMouse", false).more("interactive.md#full-screen"), Interactive;

    /// Rows that a step of the wheel scrolls in full screen. Not a setting of the reference.
    TUI_WHEEL_STEP: u64 = in_range::<1, 20>("tuiWheelStep", 3), Interactive;

    /// Whether large images are made smaller before they are sent.
    IMAGES_AUTO_RESIZE: bool = switch("images.autoResize", true), Tools;

    /// Whether images are kept from models altogether.
    IMAGES_BLOCK_IMAGES: bool = switch("images.blockImages", false), Tools;

    /// Patterns of the models to choose from; `--models` wins.
    ENABLED_MODELS: Option<Vec<String>> =
        optional_texts("enabledModels").default_depends("all").more("cli.md#model"), Models,
        getter ModelSettings::enabled_models, setter set_enabled_models(Option<&[String]>);

    /// What pressing Escape twice in an empty editor does: it opens the session tree, or the list of messages to fork from.
    DOUBLE_ESCAPE_ACTION: DoubleEscapeAction = one_of("doubleEscapeAction", &["fork", "tree", "none"]), Interactive,
        getter InterfaceSettings::double_escape_action;

    /// What the session tree shows.
    TREE_FILTER_MODE: TreeFilterMode =
        one_of("treeFilterMode", &["default", "no-tools", "user-only", "labeled-only", "all"]), Interactive,
        getter InterfaceSettings::tree_filter_mode;

    /// Tokens for thinking by level, where a model is given a budget (`anthropic-messages`).
    THINKING_BUDGETS: Option<ThinkingBudgets> = thinking_budgets("thinkingBudgets", &["minimal", "low", "medium", "high"])
        .default_elsewhere(r#"{"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384}"#), Models,
        getter ModelSettings::thinking_budgets;

    /// Blank columns on both sides of the editor's text.
    EDITOR_PADDING_X: u64 = in_range::<0, 3>("editorPaddingX", 0), Interactive,
        getter InterfaceSettings::editor_padding_x;

    /// Whether messages are written with the keys of vi. Not a setting of the reference.
    EDITOR_MODE: EditorMode = one_of("editor.mode", &["plain", "vim"]).more("interactive.md#vim-keys"), Interactive,
        getter InterfaceSettings::editor_mode;

    /// Lines of the completion list.
    AUTOCOMPLETE_MAX_VISIBLE: u64 = in_range::<3, 20>("autocompleteMaxVisible", 5), Interactive,
        getter InterfaceSettings::autocomplete_max_visible;

    /// Whether what is typed and not sent is kept in a file beside the session, for the case that the program is killed.
    /// Not a setting of the reference.
    SAVE_DRAFT: bool = switch("saveDraft", true), Interactive,
        getter InterfaceSettings::save_draft;

    /// Whether the terminal's own cursor is shown.
    SHOW_HARDWARE_CURSOR: Option<bool> =
        optional_switch("showHardwareCursor").default_depends("`PI_HARDWARE_CURSOR=1`"), Interactive;

    /// What precedes each line of a code block.
    MARKDOWN_CODE_BLOCK_INDENT: Option<String> =
        optional_text("markdown.codeBlockIndent").default_depends("two blanks"), NoEffectYet;

    /// Whether to warn about extra usage of a subscription.
    WARN_ANTHROPIC_EXTRA_USAGE: bool = switch("warnings.anthropicExtraUsage", true), Interactive,
        getter InterfaceSettings::warn_anthropic_extra_usage;

    /// Directory of session files; `~` is expanded. `--session-dir` and `PI_CODING_AGENT_SESSION_DIR` win.
    SESSION_DIR: Option<String> = optional_text("sessionDir"), Sessions;

    /// When the disk is waited for. Not a setting of the reference.
    SESSION_DURABILITY: Durability =
        one_of("sessionDurability", &["none", "turn", "entry"]).more("sessions.md#durability"), Sessions,
        getter SessionSettings::durability;

    /// Memory that an extension in TypeScript or JavaScript may use, in MiB. Not a setting of the reference.
    EXTENSION_MEMORY_MB: Option<f64> =
        optional_above_zero("extensionLimits.memoryMb").default_elsewhere("256").users_own(), Extensions;

    /// How many seconds an extension in TypeScript or JavaScript may run without a pause before it is interrupted; after the
    /// third time it is stopped. Not a setting of the reference.
    EXTENSION_TURN_SECONDS: Option<f64> =
        optional_above_zero("extensionLimits.turnSeconds").default_elsewhere("10").users_own(), Extensions;

    /// How many seconds a handler of an event may take, not counting time in which a dialog waits for the user; 0 means for
    /// ever. Counts from the next start. Not a setting of the reference.
    EXTENSION_HANDLER_SECONDS: f64 =
        seconds("extensionLimits.handlerSeconds", DEFAULT_HANDLER_TIMEOUT.as_secs()).users_own(), Extensions;

    /// What extensions may do on the machine, by their names; one that is not named may do everything. Not a setting of the
    /// reference.
    EXTENSION_PERMISSIONS: BTreeMap<String, ExtensionPermissions> =
        named("extensionPermissions", Kind::Grants(ExtensionPermissions::NAMES), ExtensionPermissions::of_each)
        .users_own().more("#permissions-of-extensions"), Extensions,
        getter ExtensionSettings::permissions;

    /// Answers of the model after which a run ends before it is done; `--max-turns` wins. Not a setting of the reference.
    LIMIT_MAX_TURNS: Option<u64> = optional_count("limits.maxTurns").more("cli.md#limits"), Sessions;

    /// Dollars after which a run ends before it is done; `--max-cost` wins. Not a setting of the reference.
    LIMIT_MAX_COST: Option<f64> = optional_above_zero("limits.maxCost").more("cli.md#limits"), Sessions;

    /// Seconds after which a run ends before it is done; `--timeout` wins. Not a setting of the reference.
    LIMIT_TIMEOUT_SECONDS: Option<f64> = optional_above_zero("limits.timeoutSeconds").more("cli.md#limits"), Sessions;
}
