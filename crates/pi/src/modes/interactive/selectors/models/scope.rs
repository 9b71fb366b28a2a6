//! `/scoped-models`: the models that the cycle keys go through.

use std::sync::Arc;

use pi_ai::Model;
use pi_coding_agent::theme::Token;
use pi_tui::input::{Input, KeyEvent};
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;

use super::super::super::app::App;
use super::super::super::chat::NoteKind;
use super::super::super::jobs::flat;
use super::super::super::keys;
use super::super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::super::theme_styles::ThemeStyles;
use super::cycle_set::Picked;
use super::page::{Page, PageOutcome};

/// Shows all models with a key, and which of them are in scope.
pub(in crate::modes::interactive) fn scoped_models(app: &mut App) {
    let mut all = app.session.models().registry().available();
    if all.is_empty() {
        return app.note(NoteKind::Warning, "There is no model yet. /login signs in or stores an API key");
    }
    all.sort_by_key(|model| model.provider.clone());
    let picked = Picked::new(all, &app.session.models().scoped());
    let saved = app.settings().models().enabled_models();
    let page = Page::new(picked.order().to_vec(), "", &app.shared.look());
    let is_unsaved = picked.patterns() != saved && !is_same_scope(app, &picked, saved.as_deref());
    app.open(ScopeList { page, picked, is_unsaved });
}

/// Whether the patterns of the setting mean what is picked: they may be shorter than a list of all names.
fn is_same_scope(app: &App, picked: &Picked, saved: Option<&[String]>) -> bool {
    let (scope, _) =
        pi_coding_agent::models::resolve_scope(saved.unwrap_or_default(), &app.session.models().registry().available());
    Picked::new(picked.order().to_vec(), &scope).patterns() == picked.patterns()
}

struct ScopeList {
    page: Page,
    picked: Picked,
    /// Whether the setting says otherwise.
    is_unsaved: bool,
}

impl ScopeList {
    /// What was picked holds for the session at once.
    fn changed(&mut self) -> PanelReply {
        self.is_unsaved = true;
        self.page.set_models(self.picked.order().to_vec());
        let scope = self.picked.scope();
        PanelReply::act(move |app| app.session.models().set_scoped(scope))
    }

    fn save(&mut self) -> PanelReply {
        self.is_unsaved = false;
        let patterns = self.picked.patterns();
        PanelReply::act(move |app| {
            let settings = Arc::clone(app.settings());
            let work = tokio::task::spawn_blocking(move || {
                settings.models().set_enabled_models(patterns.as_deref()).map_err(|error| error.to_string())
            });
            app.spawn(work, |app, result| match flat(result) {
                Ok(()) => app.status("The models to cycle through are stored"),
                Err(error) => app.error(error),
            });
        })
    }

    /// Keys of this list; `None` for others.
    fn key(&mut self, event: &KeyEvent, keys: &Keymap) -> Option<PanelReply> {
        // The key that clears the editor clears the search first.
        if keys.is(event, keys::CLEAR) && self.page.is_searching() {
            self.page.clear_search();
            return Some(PanelReply::Stay);
        }
        if keys.is(event, keys::MODELS_SAVE) {
            return Some(self.save());
        }
        let selected = self.page.selected().cloned();
        if keys.is(event, keys::MODELS_ENABLE_ALL) || keys.is(event, keys::MODELS_CLEAR_ALL) {
            let shown: Vec<Arc<Model>> = self.page.shown().cloned().collect();
            self.picked.set(&shown, keys.is(event, keys::MODELS_ENABLE_ALL));
        } else if keys.is(event, keys::MODELS_TOGGLE_PROVIDER) {
            self.picked.toggle_provider(&selected?.provider);
        } else if keys.is(event, keys::MODELS_REORDER_UP) || keys.is(event, keys::MODELS_REORDER_DOWN) {
            // While searching the order is that of the matches.
            let is_moved =
                !self.page.is_searching() && self.picked.shift(&*selected?, keys.is(event, keys::MODELS_REORDER_DOWN));
            if !is_moved {
                return Some(PanelReply::Stay);
            }
        } else {
            return None;
        }
        Some(self.changed())
    }
}

impl Panel for ScopeList {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look, columns);
        let count = match self.picked.is_all() {
            true => "all models".to_owned(),
            false => format!("{} of {}", self.picked.count(), self.picked.order().len()),
        };
        let mut title =
            Line::styled("Models to cycle through", look.accent().bold()).and(format!(": {count}"), look.muted());
        if self.is_unsaved {
            title.push(" (unsaved)", look.warning());
        }
        out.line(&title, columns);
        out.blank();
        let picked = &self.picked;
        let sign = |model: &Model| {
            (!picked.is_all()).then(|| match picked.has(model) {
                true => Line::styled("✓ ", look.style(Token::Success)),
                false => Line::styled("✗ ", look.dim()),
            })
        };
        self.page.draw(&mut out, look, columns, height, sign, |_| None);
        out.blank();
        let hint = |action| keys.hint(action);
        let text = format!(
            "{} toggle · {} all · {} none · {} provider · {}/{} move · {} save · {} close",
            hint(action::SELECT_CONFIRM),
            hint(keys::MODELS_ENABLE_ALL),
            hint(keys::MODELS_CLEAR_ALL),
            hint(keys::MODELS_TOGGLE_PROVIDER),
            hint(keys::MODELS_REORDER_UP),
            hint(keys::MODELS_REORDER_DOWN),
            hint(keys::MODELS_SAVE),
            hint(action::SELECT_CANCEL),
        );
        out.paragraph(&text, look.dim(), columns);
        out.rule(look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if let Input::Key(event) = input
            && let Some(reply) = self.key(event, keys)
        {
            return reply;
        }
        match self.page.handle(input, keys) {
            PageOutcome::Chosen(model) => {
                self.picked.toggle(&model);
                self.changed()
            }
            PageOutcome::Cancelled => PanelReply::Close,
            PageOutcome::Moved => PanelReply::Stay,
            PageOutcome::Ignored => PanelReply::Ignored,
        }
    }
}

#[cfg(test)]
mod tests {
    use pi_coding_agent::theme::{ColourMode, Theme};
    use pi_tui::input::{Dialect, KeyEvent};

    use super::super::rank::tests::models;
    use super::*;

    /// The text without its styles.
    fn plain(text: &str) -> String {
        let parts = text.split('\x1b').enumerate();
        parts
            .map(|(index, part)| if index == 0 { part } else { part.split_once('m').map_or("", |(_, text)| text) })
            .collect()
    }

    #[test]
    fn rows() {
        let look = ThemeStyles::new(Theme::dark(), ColourMode::TrueColour, false);
        let keys = Keymap::new(&[action::TABLE, keys::ACTIONS]);
        let picked = Picked::new(models(), &[]);
        let page = Page::new(picked.order().to_vec(), "", &look);
        let mut list = ScopeList { page, picked, is_unsaved: false };
        let mut shown = Vec::new();
        for bytes in [b"" as &[u8], b"\r", b"\x1b[B", b"\r", b"\x1b[1;3A"] {
            if !bytes.is_empty() {
                list.input(&Input::Key(KeyEvent::read(bytes, Dialect::default())), &keys);
            }
            let rows = list.rows(&look, &keys, 60, 40).rows;
            let text: Vec<String> = rows.iter().map(|row| plain(row.text()).trim_end().to_owned()).collect();
            shown.push(text.join("\n"));
        }
        insta::assert_snapshot!(shown.join("\n\n"));
    }
}
