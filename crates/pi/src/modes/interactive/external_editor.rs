//! Writing in the editor of the user's choice: the terminal is handed over until it ends.

use pi_coding_agent::host::{FileKind, read_text};

use super::app::App;
use super::chat::NoteKind;

const NO_EDITOR: &str = "No editor is set: name one in $VISUAL or $EDITOR";

/// Opens it with what is in ours.
pub(super) fn open(app: &mut App) {
    let text = app.prompt.editor.expanded_text();
    match edited(app, &text) {
        Ok(text) => app.prompt.set_text(text.strip_suffix('\n').unwrap_or(&text)),
        Err(EditorError::None) => app.note(NoteKind::Warning, NO_EDITOR),
        Err(EditorError::Ended(problem)) => app.note(NoteKind::Warning, format!("{problem}: the text stays as it was")),
        Err(EditorError::Failed(problem)) => app.error(problem),
    }
}

/// Opens it with a text that is only to be looked at.
pub(super) fn look_at(app: &mut App, text: &str) -> Result<(), String> {
    edited(app, text).map(drop).map_err(|error| match error {
        EditorError::None => NO_EDITOR.to_owned(),
        EditorError::Ended(problem) | EditorError::Failed(problem) => problem,
    })
}

/// Why there is no other text.
enum EditorError {
    /// No editor is set.
    None,
    /// It ended with a code that says so.
    Ended(String),
    Failed(String),
}

/// What the editor made of a text. The loop waits: nothing but the editor may use the terminal.
fn edited(app: &mut App, text: &str) -> Result<String, EditorError> {
    let command = command(app).ok_or(EditorError::None)?;
    let failed = |what: String| EditorError::Failed(what);
    let file = write(text).map_err(|error| failed(format!("The text cannot be handed to the editor: {error}")))?;
    let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    words.push(file.path().to_string_lossy().into_owned());
    let ended = app.surface.run(app.transcript.document_mut(), &words).map_err(|error| {
        app.leaving = Some(129);
        failed(error.to_string())
    })?;
    match ended {
        Ok(ended) if ended.success => read_text(file.path(), FileKind::Attachment)
            .map_err(|error| failed(format!("What {command} wrote cannot be read: {error}"))),
        Ok(ended) => Err(EditorError::Ended(format!("{command} ended with {}", ended.status))),
        Err(error) => Err(failed(format!("{command} cannot be started: {error}"))),
    }
}

/// The command that the user has set.
pub(super) fn command(app: &App) -> Option<String> {
    let env = app.env();
    let set = |name: &str| env.var(name).filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR"))
}

fn write(text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    use std::io::Write;

    let mut file = tempfile::Builder::new().prefix("pi-").suffix(".pi.md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}
