//! What settings of the interface mean for what is there already. Others are read where they matter, whenever they do.

use pi_coding_agent::settings::EditorMode;

use super::app::App;
use super::{pictures, viewport};

/// Takes the settings as they are now.
pub(super) fn apply(app: &mut App) {
    let interface = app.settings().interface();
    let hides_thinking = interface.hide_thinking_block();
    let shows_cursor = interface.show_hardware_cursor();
    let shows_progress = interface.terminal().show_terminal_progress;
    let is_vim = interface.editor_mode() == EditorMode::Vim;
    let notify = interface.terminal().notify;
    let keeps_draft = interface.save_draft();
    let padding = u16::try_from(interface.editor_padding_x()).unwrap_or_default();
    let completions = usize::try_from(interface.autocomplete_max_visible()).unwrap_or(5);
    app.shared.set_hides_thinking(hides_thinking);
    app.surface.shows_cursor = shows_cursor;
    app.surface.shows_progress = shows_progress;
    app.draft.set_kept(keeps_draft);
    app.attention.set_way(notify);
    app.prompt.set_vim(is_vim);
    app.prompt.set_measures(padding, completions);
    pictures::settle(app);
    viewport::settle(app);
}
