//! A list of models that is searched by typing: the field, the rows, what is selected.

use std::sync::Arc;

use pi_ai::Model;
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::text::Line;
use pi_tui::widgets::input::TextInput;
use pi_tui::widgets::select::Selection;

use super::super::super::panel::PanelRows;
use super::super::super::styles;
use super::super::super::theme_styles::ThemeStyles;
use super::super::filtered_list::Searched;
use super::rank::rank_models;

/// Models that are seen at once, where the window is high enough.
const VISIBLE: usize = 10;
/// Rows of the window that everything else needs.
const OTHER_ROWS: usize = 16;

/// The list.
pub(super) struct Page {
    models: Vec<Arc<Model>>,
    search: TextInput,
    /// Indices of the models that match, the best first.
    shown: Vec<usize>,
    selection: Selection,
}

/// What became of an input.
pub(super) enum PageOutcome {
    Ignored,
    Moved,
    Cancelled,
    /// This model was chosen.
    Chosen(Arc<Model>),
}

impl Page {
    pub(super) fn new(models: Vec<Arc<Model>>, search: &str, look: &ThemeStyles) -> Self {
        let mut input = TextInput::new("> ", styles::input(look));
        input.set_text(search);
        let mut page =
            Self { models: Vec::new(), search: input, shown: Vec::new(), selection: Selection::new(0, VISIBLE) };
        page.set_models(models);
        page
    }

    /// Shows other models; what was selected stays so, if it is still there.
    pub(super) fn set_models(&mut self, models: Vec<Arc<Model>>) {
        let selected = self.selected().map(|model| (model.provider.clone(), model.id.clone()));
        self.models = models;
        self.find();
        if let Some((provider, id)) = selected {
            let is_it = |index: &usize| {
                self.models.get(*index).is_some_and(|model| model.provider == provider && model.id == id)
            };
            self.selection.select(self.shown.iter().position(is_it).unwrap_or_default());
        }
    }

    /// Whether something is searched for.
    pub(super) fn is_searching(&self) -> bool {
        !self.search.text().trim().is_empty()
    }

    pub(super) fn clear_search(&mut self) {
        self.search.clear();
        self.find();
    }

    /// The models that match.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.shown.iter().filter_map(|index| self.models.get(*index))
    }

    pub(super) fn selected(&self) -> Option<&Arc<Model>> {
        self.models.get(*self.shown.get(self.selection.selected()?)?)
    }

    pub(super) fn handle(&mut self, input: &Input, keys: &Keymap) -> PageOutcome {
        let outcome = self.selection.handle(input, keys);
        match Searched::of(outcome, &mut self.search, input, keys) {
            Searched::Chosen(_) | Searched::Submitted => {
                self.selected().map_or(PageOutcome::Moved, |model| PageOutcome::Chosen(Arc::clone(model)))
            }
            Searched::Cancelled => PageOutcome::Cancelled,
            Searched::Changed => {
                self.find();
                PageOutcome::Moved
            }
            Searched::Moved => PageOutcome::Moved,
            Searched::Ignored => PageOutcome::Ignored,
        }
    }

    fn find(&mut self) {
        self.shown = rank_models(self.search.text(), &self.models);
        self.selection = Selection::new(self.shown.len(), VISIBLE);
    }

    /// Draws the field, the models around the selected one, and its name. `sign` stands before a model, `marks` behind it.
    pub(super) fn draw(
        &mut self,
        out: &mut PanelRows,
        look: &ThemeStyles,
        columns: u16,
        height: u16,
        sign: impl Fn(&Model) -> Option<Line>,
        marks: impl Fn(&Model) -> Option<&'static str>,
    ) {
        out.field(self.search.rows(columns));
        out.blank();
        self.selection.set_max_visible(usize::from(height).saturating_sub(OTHER_ROWS).clamp(3, VISIBLE));
        if self.shown.is_empty() {
            out.line(&Line::styled("  No matches", look.dim()), columns);
        }
        for index in self.selection.visible() {
            let Some(model) = self.shown.get(index).and_then(|index| self.models.get(*index)) else { continue };
            let is_selected = self.selection.selected() == Some(index);
            if is_selected {
                out.chosen = Some(out.rows.len());
            }
            let (prefix, style) = if is_selected { ("→ ", look.accent()) } else { ("  ", look.text()) };
            let mut line = Line::styled(prefix, style);
            if let Some(sign) = sign(model) {
                line.append(&sign);
            }
            line.push(&model.id, style);
            line.push(&format!(" [{}]", model.provider), look.muted());
            if let Some(mark) = marks(model) {
                line.push(&format!(" {mark}"), look.style(pi_coding_agent::theme::Token::Success));
            }
            out.line(&line.cut(usize::from(columns), "…"), columns);
        }
        if let Some(counter) = self.selection.counter() {
            out.line(&Line::styled(format!("  {counter}"), look.dim()), columns);
        }
        if let Some(name) = self.selected().map(|model| &model.name).filter(|name| !name.is_empty()) {
            out.blank();
            out.line(
                &Line::styled(format!("  Model name: {name}"), look.muted()).cut(usize::from(columns), "…"),
                columns,
            );
        }
    }
}
