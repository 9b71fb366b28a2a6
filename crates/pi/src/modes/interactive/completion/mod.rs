//! Where completions come from. Each source looks beside the loop and answers by message; the widget drops answers that
//! come too late.
//!
//! `extensions` asks those first, `commands` has what begins with a slash, `arguments` what follows it, `files` what is
//! behind an `@`, `paths` what Tab lists. What choosing an item writes is known to the widget.

mod arguments;
mod commands;
pub(super) mod extensions;
mod files;
mod paths;

use pi_tui::widgets::completion::{CompletionItem, CompletionKind, CompletionRequest};

use super::app::App;

/// Looks for completions of what stands before the cursor, if there may be any.
pub(super) fn request(app: &mut App) {
    if let Some(request) = app.prompt.take_request() {
        extensions::request(app, request);
    }
}

/// The same where no extension completes.
pub(super) fn look(app: &mut App, request: CompletionRequest) {
    let (id, prefix) = (request.id, request.prefix);
    match request.kind {
        CompletionKind::Slash => {
            let items = commands::items(app, &prefix);
            answer(app, id, items);
        }
        CompletionKind::Argument { command } => arguments::request(app, id, &command, prefix),
        CompletionKind::File => files::request(app, id, prefix),
        CompletionKind::Path => paths::request(app, id, prefix),
        CompletionKind::Marked(_) => answer(app, id, Vec::new()),
    }
}

/// Shows what was found. A request may lead to another: what no command completes may be a path.
pub(super) fn answer(app: &mut App, id: u64, items: Vec<CompletionItem>) {
    app.prompt.complete(id, items);
    request(app);
}
