//! The thinking level, chosen from those that the model has.

use pi_ai::ThinkingLevel;
use pi_tui::widgets::select::SelectItem;

use super::super::super::app::App;
use super::super::super::{dialogs, footer_data};
use super::Shown;

pub(super) fn in_force(app: &App) -> String {
    app.session.thinking().level().as_str().to_owned()
}

/// Lets one be chosen; it is that of the session at once, and of new ones.
pub(super) fn open(app: &mut App, list: Shown) {
    let levels = app.session.thinking().available();
    let items = levels
        .iter()
        .map(|level| SelectItem { label: level.as_str().to_owned(), description: Some(describe(*level).to_owned()) });
    let at = levels.iter().position(|level| *level == app.session.thinking().level()).unwrap_or_default();
    let text = "For this session and for new ones.";
    dialogs::choose_from(app, "Thinking level", text, items.collect(), at, move |app, choice| {
        if let Some(level) = choice.and_then(|index| levels.get(index).copied()) {
            choose(app, level, list);
        }
    });
}

fn choose(app: &mut App, level: ThinkingLevel, list: Shown) {
    if let Err(error) = app.settings().models().set_default_thinking_level(level) {
        app.error(error);
    }
    let session = app.session.clone();
    app.spawn(async move { session.thinking().set(level).await }, move |app, ()| {
        list.borrow_mut().set_value("defaultThinkingLevel", &in_force(app));
        footer_data::model(app);
    });
}

fn describe(level: ThinkingLevel) -> &'static str {
    match level {
        ThinkingLevel::Off => "No thinking",
        ThinkingLevel::Minimal => "As little as there is",
        ThinkingLevel::Low => "A little, for simple tasks",
        ThinkingLevel::Medium => "The usual amount",
        ThinkingLevel::High => "A lot, for hard tasks",
        ThinkingLevel::Xhigh => "More than that, where the model can",
        ThinkingLevel::Max => "All that the model can",
    }
}
