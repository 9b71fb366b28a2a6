//! Completions that extensions propose: they are asked before the program looks for some.

use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::extension::{CompleteFn, Completion, CompletionQuery};
use pi_tui::widgets::completion::{CompletionItem, CompletionKind, CompletionRequest};

use super::super::app::App;

/// An extension that has no answer by then has none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Somebody else is asked, too.
pub(in crate::modes::interactive) fn add(app: &mut App, marks: Vec<char>, complete: Arc<CompleteFn>) {
    let sources = &mut app.extensions.completion.0;
    sources.push((marks, complete));
    let marks = sources.iter().flat_map(|(marks, _)| marks.iter().copied());
    app.prompt.set_marks(marks.filter(|mark| !"@/".contains(*mark)).collect());
}

/// Asks the extensions; what none of them completes is left to the program.
pub(in crate::modes::interactive) fn request(app: &mut App, request: CompletionRequest) {
    let sources: Vec<_> = app.extensions.completion.0.iter().rev().map(|(_, ask)| Arc::clone(ask)).collect();
    if sources.is_empty() {
        return super::look(app, request);
    }
    let editor = &app.prompt.editor;
    let cursor = editor.cursor();
    let before = editor.line(cursor.line).get(..cursor.byte).unwrap_or_default().to_owned();
    let query = CompletionQuery {
        text: editor.text(),
        line: cursor.line,
        column: before.encode_utf16().count(),
        is_forced: request.kind == CompletionKind::Path,
    };
    let asked = async move {
        for ask in sources {
            let found = tokio::time::timeout(PATIENCE, tokio::spawn(ask(query.clone()))).await;
            if let Ok(Ok(Some(found))) = found {
                return Some(found);
            }
        }
        None
    };
    app.spawn(asked, move |app, found| match found {
        None => super::look(app, request),
        Some((items, prefix)) => {
            let items = items.into_iter().map(|found| item(found, &before, &prefix, &request)).collect();
            super::answer(app, request.id, items);
        }
    });
}

/// What is put in: extensions name what replaces their prefix, the editor replaces a word and writes its mark by itself.
fn item(found: Completion, before: &str, prefix: &str, request: &CompletionRequest) -> CompletionItem {
    let kept = before.strip_suffix(prefix).unwrap_or(before);
    let whole = format!("{kept}{}", found.value);
    let word = whole.get(request.range.start..).unwrap_or(&found.value);
    let mark = match request.kind {
        CompletionKind::Slash => Some('/'),
        CompletionKind::File => Some('@'),
        CompletionKind::Marked(mark) => Some(mark),
        CompletionKind::Argument { .. } | CompletionKind::Path => None,
    };
    let value = mark.and_then(|mark| word.strip_prefix(mark)).unwrap_or(word).to_owned();
    CompletionItem { value, label: found.label, description: found.description }
}
