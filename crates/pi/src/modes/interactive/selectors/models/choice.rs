//! `/model`: the model that answers.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel, models_are_equal};
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;

use super::super::super::app::App;
use super::super::super::jobs::flat;
use super::super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::super::theme_styles::ThemeStyles;
use super::super::super::{footer_data, keys, warnings};
use super::page::{Page, PageOutcome};
use super::rank::sort;

/// Switches to the model that is named exactly; else shows the list, searched for the text.
pub(in crate::modes::interactive) fn model(app: &mut App, text: &str) {
    match exact(text, &candidates(app)) {
        Some((model, level)) => switch(app, model, level, false),
        None => open(app, text),
    }
}

/// The models to choose from: those in scope, or all with a key.
pub(in crate::modes::interactive) fn candidates(app: &App) -> Vec<Arc<Model>> {
    let scope = app.session.models().scoped();
    match scope.is_empty() {
        true => app.session.models().registry().available(),
        false => scope.into_iter().map(|scoped| scoped.model).collect(),
    }
}

/// The one model whose id or `provider/id` the text is, perhaps with `:level` behind it.
fn exact(text: &str, models: &[Arc<Model>]) -> Option<(Arc<Model>, Option<ThinkingLevel>)> {
    let text = text.trim();
    let named = |text: &str| {
        let is_it = |model: &&Arc<Model>| {
            let text = text.to_lowercase();
            let id = model.id.to_lowercase();
            text == id || text == format!("{}/{id}", model.provider.to_lowercase())
        };
        let mut found = models.iter().filter(is_it);
        let first = found.next()?;
        found.next().is_none().then(|| Arc::clone(first))
    };
    let with_level = || {
        let (name, level) = text.rsplit_once(':')?;
        Some((named(name)?, Some(ThinkingLevel::parse(level)?)))
    };
    named(text).map(|model| (model, None)).or_else(with_level)
}

/// Switches for this session, and for later ones if the choice is to be stored.
fn switch(app: &mut App, model: Arc<Model>, level: Option<ThinkingLevel>, is_default: bool) {
    let session = app.session.clone();
    let name = if model.name.is_empty() { model.id.clone() } else { model.name.clone() };
    let work = tokio::spawn(async move {
        session.models().set(&model).await.map_err(|error| error.to_string())?;
        if let Some(level) = level {
            session.thinking().set(level).await;
        }
        match is_default {
            true => session
                .settings()
                .models()
                .set_default_model(&model.provider, &model.id)
                .map_err(|error| error.to_string()),
            false => Ok(()),
        }
    });
    app.spawn(work, move |app, result| {
        match flat(result) {
            Ok(()) if is_default => app.status(format!("Model: {name}, also for new sessions")),
            Ok(()) => app.status(format!("Model: {name}")),
            Err(error) => app.error(error),
        }
        footer_data::model(app);
        warnings::of_subscription(app);
    });
}

/// What was read anew while the list is shown.
type News = Rc<RefCell<Option<(Vec<Arc<Model>>, Option<String>)>>>;

fn open(app: &mut App, search: &str) {
    let current = app.session.model();
    let mut scoped: Vec<_> = app.session.models().scoped().into_iter().map(|scoped| scoped.model).collect();
    let mut all = app.session.models().registry().available();
    sort(&mut scoped, &current);
    sort(&mut all, &current);
    let is_scoped = !scoped.is_empty();
    let page = Page::new(if is_scoped { scoped.clone() } else { all.clone() }, search.trim(), &app.shared.look());
    let news = News::default();
    app.open(ModelList {
        page,
        all,
        scoped,
        is_scoped,
        current,
        error: app.session.models().registry().error(),
        news: Rc::clone(&news),
    });
    // The list can be used at once; what models.json says now is shown when it has been read.
    let models = Arc::clone(app.session.models().registry());
    let work = tokio::task::spawn_blocking(move || {
        models.refresh();
        (models.available(), models.error())
    });
    app.spawn(work, move |_, read| *news.borrow_mut() = read.ok());
}

struct ModelList {
    page: Page,
    all: Vec<Arc<Model>>,
    scoped: Vec<Arc<Model>>,
    /// Whether those in scope are shown.
    is_scoped: bool,
    current: Arc<Model>,
    /// What is wrong with models.json.
    error: Option<String>,
    news: News,
}

impl ModelList {
    fn take_news(&mut self) {
        let Some((mut all, error)) = self.news.borrow_mut().take() else { return };
        sort(&mut all, &self.current);
        self.all = all;
        self.error = error;
        if !self.is_scoped {
            self.page.set_models(self.all.clone());
        }
    }

    fn toggle_scope(&mut self) {
        if self.scoped.is_empty() {
            return;
        }
        self.is_scoped = !self.is_scoped;
        self.page.set_models(if self.is_scoped { self.scoped.clone() } else { self.all.clone() });
    }

    fn head(&self, out: &mut PanelRows, look: &ThemeStyles, keys: &Keymap, columns: u16) {
        if self.scoped.is_empty() {
            let text = "Models of providers that are set up. /login sets up others.";
            out.paragraph(text, look.warning(), columns);
        } else {
            let style = |is_on: bool| if is_on { look.accent().bold() } else { look.muted() };
            let key = keys.hint(action::INPUT_TAB);
            let line = Line::styled("Scope: ", look.muted())
                .and("all", style(!self.is_scoped))
                .and(" | ", look.muted())
                .and("scoped", style(self.is_scoped))
                .and(format!("  ({key} changes)"), look.dim());
            out.line(&line, columns);
        }
    }
}

impl Panel for ModelList {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.take_news();
        let mut out = PanelRows::default();
        out.rule(look, columns);
        self.head(&mut out, look, keys, columns);
        out.blank();
        let mark = |model: &Model| models_are_equal(Some(model), Some(&self.current)).then_some("✓");
        self.page.draw(&mut out, look, columns, height, |_| None, mark);
        if let Some(error) = &self.error {
            out.paragraph(error, look.error(), columns);
        }
        out.blank();
        let hint = |action| keys.hint(action);
        let (confirm, save, cancel) =
            (hint(action::SELECT_CONFIRM), hint(keys::MODELS_SAVE), hint(action::SELECT_CANCEL));
        let text = format!("{confirm} for this session · {save} also for new ones · {cancel} cancel");
        out.paragraph(&text, look.dim(), columns);
        out.rule(look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if let Input::Key(event) = input {
            if keys.is(event, action::INPUT_TAB) {
                self.toggle_scope();
                return PanelReply::Stay;
            }
            if keys.is(event, keys::MODELS_SAVE)
                && let Some(model) = self.page.selected().cloned()
            {
                return PanelReply::close_and(move |app| switch(app, model, None, true));
            }
        }
        match self.page.handle(input, keys) {
            PageOutcome::Chosen(model) => PanelReply::close_and(move |app| switch(app, model, None, false)),
            PageOutcome::Cancelled => PanelReply::Close,
            PageOutcome::Moved => PanelReply::Stay,
            PageOutcome::Ignored => PanelReply::Ignored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::tests::models;
    use super::*;

    #[test]
    fn an_exact_name_is_that_of_one_model() {
        let models = models();
        for (text, expected) in [
            ("gpt-5", Some(("gpt-5", None))),
            (" OpenAI/GPT-5 ", Some(("gpt-5", None))),
            ("gpt-5:high", Some(("gpt-5", Some(ThinkingLevel::High)))),
            ("gpt-5:very", None),
            ("gpt", None),
            ("anthropic/claude-opus", None),
            ("openrouter/anthropic/claude-opus", Some(("anthropic/claude-opus", None))),
            ("", None),
        ] {
            let found = exact(text, &models);
            let found = found.as_ref().map(|(model, level)| (model.id.as_str(), *level));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
