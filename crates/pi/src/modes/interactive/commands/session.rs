//! Commands about the conversation.

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::jobs::flat;
use super::super::status::Activity;
use super::super::switch_session::{go_to_copy, replaced};
use super::super::{dialogs, numbers, restore, selectors};

/// `/name`
pub(super) fn name(app: &mut App, name: &str) {
    if name.is_empty() {
        match app.session.name().get() {
            Some(name) => app.status(format!("Session name: {name}")),
            None => app.note(NoteKind::Warning, "The session has no name. Give it one with /name NAME"),
        }
        return;
    }
    selectors::name_session(app, name);
}

/// `/session`
pub(super) fn show(app: &mut App) {
    let stats = app.session.stats().current();
    let totals = &stats.totals;
    let file = stats.session_file.clone().unwrap_or_else(|| "none, it is kept in memory".to_owned());
    let mut lines = vec![format!("File: {file}"), format!("Id: {}", stats.session_id)];
    if let Some(name) = app.session.name().get() {
        lines.insert(0, format!("Name: {name}"));
    }
    lines.extend([
        String::new(),
        format!("User: {}", totals.user_messages),
        format!("Assistant: {}", totals.assistant_messages),
        format!("Tool calls: {}", totals.tool_calls),
        format!("Tool results: {}", totals.tool_results),
        format!("Total: {}", totals.total_messages),
        String::new(),
        format!("Input: {}", numbers::grouped(totals.tokens.input)),
        format!("Output: {}", numbers::grouped(totals.tokens.output)),
        format!("Cache read: {}", numbers::grouped(totals.tokens.cache_read)),
        format!("Cache write: {}", numbers::grouped(totals.tokens.cache_write)),
        format!("Cost: ${:.4}", totals.cost),
    ]);
    app.show("Session", lines);
}

/// `/new`
pub(super) fn new(app: &mut App) {
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.switch().to_new(None).await });
    app.spawn(work, |app, result| {
        if replaced(app, flat(result)).is_some() {
            app.note(NoteKind::Done, "New session");
        }
    });
}

/// `/clone`
pub(super) fn clone(app: &mut App) {
    if app.session.messages().is_empty() {
        return app.status("There is nothing to copy yet");
    }
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.tree().clone_branch().await });
    app.spawn(work, |app, result| {
        if replaced(app, flat(result)).is_some() {
            app.note(NoteKind::Done, "This is a copy of the session; the other one stays as it is");
        }
    });
}

/// `/fork`
pub(in crate::modes::interactive) fn fork(app: &mut App) {
    let session = app.session.clone();
    let work = async move { session.tree().fork_messages().await };
    app.spawn(work, |app, result| match result {
        Ok(messages) if messages.is_empty() => app.status("There is no message to fork from"),
        Ok(messages) => selectors::fork(app, messages),
        Err(error) => app.error(error),
    });
}

/// `/tree`
pub(in crate::modes::interactive) fn tree(app: &mut App) {
    selectors::tree(app);
}

/// `/compact`
pub(super) fn compact(app: &mut App, focus: &str) {
    let (session, focus) = (app.session.clone(), focus.to_owned());
    app.compaction_failed = false;
    let work = tokio::spawn(async move {
        let focus = Some(focus.as_str()).filter(|focus| !focus.is_empty());
        session.compaction().run(focus).await.map(drop)
    });
    app.spawn(work, |app, result| {
        // One that had begun has told at its end what went wrong.
        if let Err(error) = flat(result)
            && !app.compaction_failed
        {
            app.error(error);
        }
    });
}

/// `/reload`
pub(super) fn reload(app: &mut App) {
    if app.session.is_streaming() || app.session.compaction().is_running() {
        return app.note(NoteKind::Warning, "Reloading has to wait until the run is over");
    }
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.reload().await });
    app.activity = Activity::Waiting("Reloading...".to_owned());
    app.spawn(work, |app, result| {
        app.activity = Activity::None;
        let result = flat(result);
        restore::reload(app);
        match result {
            Ok(()) => app.status("Settings, keys, extensions, skills, templates and themes were read again"),
            Err(error) => app.error(error),
        }
    });
}

/// `/import`
pub(super) fn import(app: &mut App, argument: &str) {
    let path = argument.trim_matches(['"', '\'']);
    if path.is_empty() {
        return app.note(NoteKind::Warning, "Name the file: /import FILE.jsonl");
    }
    let file = app.paths.resolve(path);
    if !file.is_file() {
        return app.error(format!("There is no file {}", app.shared.shorten(&file)));
    }
    let question = format!("Leave this session and go on with {}?", app.shared.shorten(&file));
    dialogs::confirm(app, "Import", question, move |app, yes| {
        if yes {
            go_to_copy(app, file);
        }
    });
}

/// Sections are what commands tell in the conversation.
impl App {
    /// Shows lines under a title.
    pub(in crate::modes::interactive) fn show(&mut self, title: &str, lines: Vec<String>) {
        self.transcript.push_picture(super::super::chat::Listing { title: title.to_owned(), lines });
    }
}
