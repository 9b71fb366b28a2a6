//! `/context`: what fills the model's window, by source, and what the last turns cost.
//!
//! `breakdown` counts, `rows` draws. Sizes of parts are estimates of ours; how full the window is comes from the provider.

mod breakdown;
mod rows;

use pi_coding_agent::compaction::estimate_text_tokens;
use pi_coding_agent::prompt::skill_listing;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};

use self::breakdown::{Fixed, sources, turns};
use self::rows::Shown;
use super::app::App;
use super::panel::{Panel, PanelReply, PanelRows};
use super::theme_styles::ThemeStyles;

/// Shows it.
pub(super) fn context(app: &mut App) {
    let messages = app.session.messages();
    let model = app.session.model();
    let compaction = app.settings().compaction_for(&model);
    let shown = Shown {
        model: model.id.to_string(),
        usage: app.session.stats().context_usage(),
        reserve: if compaction.enabled { compaction.reserve_tokens } else { 0 },
        sources: sources(fixed(app), &messages),
        turns: turns(&messages),
    };
    app.open(ContextPanel(shown));
}

/// What the model is given in front of the messages.
fn fixed(app: &App) -> Fixed {
    let options = app.session.extensions().system_prompt_options();
    let tools = app.session.tools();
    let definitions = tools.active().into_iter().filter_map(|name| tools.definition(&name));
    let files = options.context_files.iter().map(|file| estimate_text_tokens(&file.content)).sum();
    let skills = skill_listing(&options.skills).map_or(0, |listing| estimate_text_tokens(&listing));
    Fixed {
        prompt: estimate_text_tokens(&app.session.system_prompt()).saturating_sub(files + skills),
        files,
        skills,
        tools: definitions
            .map(|tool| estimate_text_tokens(&tool.description) + estimate_text_tokens(&tool.parameters.to_string()))
            .sum(),
    }
}

struct ContextPanel(Shown);

impl Panel for ContextPanel {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.0.rows(look, keys, columns, height)
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match input {
            Input::Key(event) if event.is_release() => PanelReply::Ignored,
            Input::Key(event) if keys.is(event, action::SELECT_CANCEL) || keys.is(event, action::SELECT_CONFIRM) => {
                PanelReply::Close
            }
            _ => PanelReply::Ignored,
        }
    }
}
