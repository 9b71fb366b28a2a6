//! Writing in the editor of the user's choice: the terminal is handed over until it ends.

use std::process::ExitStatus;

use pi_coding_agent::host::{FileKind, read_text};

use super::app::App;
use super::chat::NoteKind;

const NO_EDITOR: &str = "No editor is set: name one in $VISUAL or $EDITOR";

/// Opens it with what is in ours.
pub(super) fn open(app: &mut App) {
    let Some(command) = command(app) else { return app.note(NoteKind::Warning, NO_EDITOR) };
    let text = app.prompt.editor.expanded_text();
    let file = match write(&text) {
        Ok(file) => file,
        Err(error) => return app.error(format!("The text cannot be handed to the editor: {error}")),
    };
    // The loop waits: nothing but the editor may use the terminal.
    let handed = app.surface.hand_over(app.transcript.document_mut(), || run(&command, file.path()));
    let result = match handed {
        Ok(result) => result,
        Err(error) => {
            app.leaving = Some(129);
            return app.error(error);
        }
    };
    match result {
        Ok(status) if status.success() => match read_text(file.path(), FileKind::Attachment) {
            Ok(text) => app.prompt.set_text(text.strip_suffix('\n').unwrap_or(&text)),
            Err(error) => app.error(format!("What {command} wrote cannot be read: {error}")),
        },
        Ok(status) => app.note(NoteKind::Warning, format!("{command} ended with {status}: the text stays as it was")),
        Err(error) => app.error(format!("{command} cannot be started: {error}")),
    }
}

/// Opens it with a text that is only to be looked at.
pub(super) fn look_at(app: &mut App, text: &str) -> Result<(), String> {
    let command = command(app).ok_or(NO_EDITOR)?;
    let file = write(text).map_err(|error| format!("The text cannot be handed to the editor: {error}"))?;
    let handed = app.surface.hand_over(app.transcript.document_mut(), || run(&command, file.path()));
    let result = handed.map_err(|error| {
        app.leaving = Some(129);
        error.to_string()
    })?;
    match result {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command} ended with {status}")),
        Err(error) => Err(format!("{command} cannot be started: {error}")),
    }
}

fn command(app: &App) -> Option<String> {
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

fn run(command: &str, file: &std::path::Path) -> std::io::Result<ExitStatus> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    std::process::Command::new(program).args(words).arg(file).status()
}
