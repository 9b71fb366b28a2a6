//! What the terminal shows, and how its keys work.

use super::super::keys::Keys;
use super::super::table::{
    MARKDOWN_CODE_BLOCK_INDENT, SHOW_HARDWARE_CURSOR, TERMINAL_CLEAR_ON_SHRINK, TERMINAL_IMAGE_WIDTH_CELLS,
    TERMINAL_INSERT, TERMINAL_NOTIFY, TERMINAL_PLAIN, TERMINAL_SHOW_IMAGES, TERMINAL_SHOW_PROGRESS, TUI_MODE,
    TUI_MOUSE, TUI_WHEEL_STEP,
};
use super::super::values::{TerminalInsert, TerminalSettings, TuiMode};

/// What the terminal shows, and how its keys work.
///
/// Made by [`SettingsManager::interface`](crate::settings::SettingsManager::interface).
#[derive(Debug, Clone, Copy)]
pub struct InterfaceSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl InterfaceSettings<'_> {
    /// The theme, unless it is a pair.
    pub fn theme(self) -> Option<String> {
        self.theme_setting().filter(|theme| !theme.contains('/'))
    }

    /// What the terminal shows.
    pub fn terminal(self) -> TerminalSettings {
        TerminalSettings {
            show_images: self.0.get(&TERMINAL_SHOW_IMAGES),
            image_width_cells: self.0.get(&TERMINAL_IMAGE_WIDTH_CELLS).max(1),
            clear_on_shrink: self.0.get(&TERMINAL_CLEAR_ON_SHRINK).unwrap_or_else(|| self.is_set("PI_CLEAR_ON_SHRINK")),
            show_terminal_progress: self.0.get(&TERMINAL_SHOW_PROGRESS),
            inserts_by_repaint: self.0.get(&TERMINAL_INSERT) == TerminalInsert::Repaint,
            notify: self.0.get(&TERMINAL_NOTIFY),
            plain: self.0.get(&TERMINAL_PLAIN),
            fullscreen: self.0.get(&TUI_MODE) == TuiMode::Fullscreen,
            mouse: self.0.get(&TUI_MOUSE),
            wheel_step: self.0.get(&TUI_WHEEL_STEP),
        }
    }

    /// Whether the terminal's own cursor is shown.
    pub fn show_hardware_cursor(self) -> bool {
        self.0.get(&SHOW_HARDWARE_CURSOR).unwrap_or_else(|| self.is_set("PI_HARDWARE_CURSOR"))
    }

    /// What precedes each line of a code block.
    pub fn code_block_indent(self) -> String {
        self.0.get(&MARKDOWN_CODE_BLOCK_INDENT).unwrap_or_else(|| "  ".to_owned())
    }

    fn is_set(self, variable: &str) -> bool {
        self.0.env().var(variable).as_deref() == Some("1")
    }
}
