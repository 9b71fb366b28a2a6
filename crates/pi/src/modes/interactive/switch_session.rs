//! Going on with another session.

use std::path::{Path, PathBuf};

use pi_coding_agent::agent_session::Replacement;
use pi_coding_agent::events::Error;
use pi_coding_agent::export::{ImportTarget, import_jsonl};
use pi_coding_agent::extension::ReplacementOptions;
use pi_coding_agent::session::{self, MissingCwd};

use super::app::App;
use super::jobs::flat;
use super::{dialogs, draft, restore};

/// The file of a session to go on with.
struct Target {
    file: PathBuf,
    /// Whether the file was made for this: it goes again when nobody goes on with it.
    is_new: bool,
}

impl Target {
    fn give_up(self) {
        if self.is_new {
            let _ = std::fs::remove_file(self.file);
        }
    }
}

/// Goes on with the session of a file.
pub(super) fn go_to(app: &mut App, file: PathBuf) {
    let is_there = {
        let file = file.clone();
        tokio::task::spawn_blocking(move || file.try_exists())
    };
    app.spawn(is_there, move |app, result| match flat(result) {
        Ok(true) => switch(app, Target { file, is_new: false }, None),
        // A path that does not exist would begin a new session there.
        Ok(false) => app.error(format!("{} is gone: the session here goes on", app.shared.shorten(&file))),
        Err(error) => app.error(error),
    });
}

/// Copies a session's file from elsewhere in among the others, and goes on with the copy: the original stays as it is.
pub(super) fn go_to_copy(app: &mut App, original: PathBuf) {
    let (dir, cwd) = app.session.store().read(|manager| {
        let dir = match manager.storage().is_persisted() {
            true => manager.storage().dir().to_owned(),
            false => manager.paths().default_session_dir(manager.cwd()),
        };
        (dir, manager.cwd().to_owned())
    });
    let work = tokio::task::spawn_blocking(move || {
        // Where the session's own directory is gone, the user is asked when the copy is gone to.
        let target = ImportTarget { dir: &dir, cwd: &cwd, cwd_override: Some(&cwd) };
        import_jsonl(&original, target).map(|file| Target { is_new: file != original, file })
    });
    app.spawn(work, |app, result| match flat(result) {
        Ok(target) => switch(app, target, None),
        Err(error) => app.error(error),
    });
}

fn switch(app: &mut App, target: Target, missing_cwd: Option<MissingCwd>) {
    let (session, file) = (app.session.clone(), target.file.clone());
    let options = ReplacementOptions { missing_cwd, ..ReplacementOptions::default() };
    let work = tokio::spawn(async move { session.switch().to_with(&file, options).await });
    app.spawn(work, move |app, result| match result {
        Ok(Err(Error::Session(session::Error::MissingCwd { session_cwd, fallback_cwd, .. }))) => {
            ask_cwd(app, target, &session_cwd, &fallback_cwd);
        }
        result => match replaced(app, flat(result)) {
            Some(_) => app.status("The session goes on"),
            None => target.give_up(),
        },
    });
}

/// The directory of a session is gone: where is it to go on?
fn ask_cwd(app: &mut App, target: Target, gone: &Path, here: &Path) {
    let (title, text, items) = dialogs::missing_cwd(&app.shared.shorten(gone), &app.shared.shorten(here));
    dialogs::choose(app, title, text, items, move |app, index| match index.and_then(dialogs::wanted_cwd) {
        Some(wanted) => switch(app, target, Some(wanted)),
        None => target.give_up(),
    });
}

/// Shows the session that another one has given way to, unless that was called off.
pub(super) fn replaced(app: &mut App, result: Result<Replacement, String>) -> Option<Replacement> {
    match result {
        Ok(replacement) if replacement.cancelled => {
            app.status("An extension called that off");
            None
        }
        Ok(replacement) => {
            restore::replay(app);
            draft::follow(app);
            if let Some(text) = &replacement.selected_text {
                app.prompt.set_text(text);
            }
            Some(replacement)
        }
        Err(error) => {
            app.error(error);
            None
        }
    }
}
