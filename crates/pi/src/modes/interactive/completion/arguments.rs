//! What may follow the name of a command.

use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::extension::{Completion, CompletionFn};
use pi_tui::widgets::completion::CompletionItem;

use super::super::app::App;
use super::super::selectors::{candidates, rank_models, theme_names};
use super::answer;

/// An extension that has no answer by then has none.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn request(app: &mut App, id: u64, command: &str, prefix: String) {
    if command == "model" {
        let items = models(app, &prefix);
        return answer(app, id, items);
    }
    if command == "theme" {
        let items = themes(app, &prefix);
        return answer(app, id, items);
    }
    let Some(complete) = completions(app, command) else { return answer(app, id, Vec::new()) };
    let work = tokio::spawn(async move { tokio::time::timeout(PATIENCE, complete(prefix)).await });
    app.spawn(work, move |app, found| {
        let found = found.ok().and_then(Result::ok).flatten().unwrap_or_default();
        answer(app, id, found.into_iter().map(item).collect());
    });
}

fn models(app: &App, prefix: &str) -> Vec<CompletionItem> {
    let models = candidates(app);
    let ranked = rank_models(prefix, &models);
    let shown = ranked.into_iter().filter_map(|index| models.get(index));
    shown
        .map(|model| CompletionItem {
            value: format!("{}/{}", model.provider, model.id),
            label: model.id.clone(),
            description: Some(model.provider.to_string()),
        })
        .collect()
}

fn themes(app: &App, prefix: &str) -> Vec<CompletionItem> {
    let names = theme_names(app).into_iter().filter(|name| name.starts_with(prefix));
    names.map(|name| CompletionItem { value: name.clone(), label: name, description: None }).collect()
}

/// How an extension completes the arguments of its command.
fn completions(app: &App, command: &str) -> Option<Arc<CompletionFn>> {
    let commands = app.session.extensions().runner().commands();
    commands.into_iter().find(|resolved| resolved.invocation_name == command)?.command.completions
}

fn item(found: Completion) -> CompletionItem {
    CompletionItem { value: found.value, label: found.label, description: found.description }
}
