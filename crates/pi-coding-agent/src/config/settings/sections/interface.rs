//! What the terminal shows, and how its keys work.

use super::super::keys::Keys;
use super::super::values::{DoubleEscapeAction, TerminalSettings, TreeFilterMode};
use crate::config::Error;

/// What the terminal shows, and how its keys work.
///
/// Made by [`SettingsManager::interface`](crate::settings::SettingsManager::interface).
#[derive(Debug, Clone, Copy)]
pub struct InterfaceSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl InterfaceSettings<'_> {
    /// The theme as it is set; `light/dark` names a pair that follows the terminal.
    pub fn theme_setting(self) -> Option<String> {
        self.0.text(&["theme"])
    }

    /// The theme, unless it is a pair.
    pub fn theme(self) -> Option<String> {
        self.theme_setting().filter(|theme| !theme.contains('/'))
    }

    /// What the terminal shows.
    pub fn terminal(self) -> TerminalSettings {
        let clear = self.0.env().var("PI_CLEAR_ON_SHRINK").as_deref() == Some("1");
        TerminalSettings {
            show_images: self.0.switch(&["terminal", "showImages"], true),
            image_width_cells: self.0.number(&["terminal", "imageWidthCells"]).unwrap_or(60).max(1),
            clear_on_shrink: self.0.switch(&["terminal", "clearOnShrink"], clear),
            show_terminal_progress: self.0.switch(&["terminal", "showTerminalProgress"], false),
            inserts_by_repaint: self.0.text(&["terminal", "insert"]).as_deref() == Some("repaint"),
        }
    }

    /// Whether thinking is hidden.
    pub fn hide_thinking_block(self) -> bool {
        self.0.switch(&["hideThinkingBlock"], false)
    }

    /// Whether start-up says less.
    pub fn quiet_startup(self) -> bool {
        self.0.switch(&["quietStartup"], false)
    }

    /// Whether the list of changes is shown collapsed.
    pub fn collapse_changelog(self) -> bool {
        self.0.switch(&["collapseChangelog"], false)
    }

    /// The newest version whose changes the user has seen.
    pub fn last_changelog_version(self) -> Option<String> {
        self.0.text(&["lastChangelogVersion"])
    }

    /// What pressing escape twice does.
    pub fn double_escape_action(self) -> DoubleEscapeAction {
        self.0.value(&["doubleEscapeAction"]).unwrap_or_default()
    }

    /// What the session tree shows.
    pub fn tree_filter_mode(self) -> TreeFilterMode {
        self.0.value(&["treeFilterMode"]).unwrap_or_default()
    }

    /// Horizontal padding of the editor in cells, 0 to 3.
    pub fn editor_padding_x(self) -> u64 {
        self.0.number(&["editorPaddingX"]).unwrap_or(0).min(3)
    }

    /// Lines of the completion list, 3 to 20.
    pub fn autocomplete_max_visible(self) -> u64 {
        self.0.number(&["autocompleteMaxVisible"]).unwrap_or(5).clamp(3, 20)
    }

    /// Whether the terminal's own cursor is shown.
    pub fn show_hardware_cursor(self) -> bool {
        self.0.switch(&["showHardwareCursor"], self.0.env().var("PI_HARDWARE_CURSOR").as_deref() == Some("1"))
    }

    /// Whether what is typed and not sent is kept in a file, for the case that the program is killed.
    pub fn save_draft(self) -> bool {
        self.0.switch(&["saveDraft"], true)
    }

    /// What precedes each line of a code block.
    pub fn code_block_indent(self) -> String {
        self.0.text(&["markdown", "codeBlockIndent"]).unwrap_or_else(|| "  ".to_owned())
    }

    /// Whether to warn about extra usage of a subscription.
    pub fn warn_anthropic_extra_usage(self) -> bool {
        self.0.switch(&["warnings", "anthropicExtraUsage"], true)
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
impl InterfaceSettings<'_> {
    /// The theme.
    pub fn set_theme(self, theme: &str) -> Result<(), Error> {
        self.0.set_global(&["theme"], theme)
    }

    /// Whether thinking is hidden.
    pub fn set_hide_thinking_block(self, hide: bool) -> Result<(), Error> {
        self.0.set_global(&["hideThinkingBlock"], hide)
    }

    /// The newest version whose changes the user has seen.
    pub fn set_last_changelog_version(self, version: &str) -> Result<(), Error> {
        self.0.set_global(&["lastChangelogVersion"], version)
    }
}
