//! Changing the model and its thinking level by keys.

use pi_coding_agent::agent_session::CycleDirection;

use super::app::App;
use super::chat::NoteKind;
use super::{footer_data, warnings};

/// Whether there is a model to talk to: without any key there is only the place of one.
pub(super) fn has_one(app: &App) -> bool {
    let model = app.session.model();
    !model.id.is_empty() && model.provider != "unknown"
}

/// The next model of those in scope.
pub(super) fn cycle(app: &mut App, direction: CycleDirection) {
    let (session, begun) = (app.session.clone(), app.extensions_begun.clone());
    let cycled = async move {
        begun.cancelled().await;
        session.models().cycle(direction).await
    };
    app.spawn(cycled, |app, cycle| {
        match cycle {
            Some(cycle) => {
                let thinking = if app.session.thinking().is_supported() {
                    format!(" (thinking: {})", cycle.thinking_level.as_str())
                } else {
                    String::new()
                };
                let name = if cycle.model.name.is_empty() { &cycle.model.id } else { &cycle.model.name };
                app.status(format!("Model: {name}{thinking}"));
            }
            None => app.status("There is only one model to choose from"),
        }
        footer_data::model(app);
        warnings::of_subscription(app);
    });
}

/// The next thinking level that the model has.
pub(super) fn cycle_thinking(app: &mut App) {
    let (session, begun) = (app.session.clone(), app.extensions_begun.clone());
    let cycled = async move {
        begun.cancelled().await;
        session.thinking().cycle().await
    };
    app.spawn(cycled, |app, level| {
        match level {
            Some(level) => app.status(format!("Thinking level: {}", level.as_str())),
            None => app.note(NoteKind::Warning, "This model does not think"),
        }
        footer_data::model(app);
    });
}
