//! Going on with another session.

use std::path::{Path, PathBuf};

use pi_coding_agent::agent_session::Replacement;
use pi_coding_agent::events::Error;
use pi_coding_agent::extension::ReplacementOptions;
use pi_coding_agent::session::{self, MissingCwd};

use super::app::App;
use super::jobs::flat;
use super::{draft, questions, restore};

/// Goes on with the session of a file.
pub(super) fn go_to(app: &mut App, file: PathBuf) {
    switch(app, file, None);
}

fn switch(app: &mut App, file: PathBuf, missing_cwd: Option<MissingCwd>) {
    let (session, target) = (app.session.clone(), file.clone());
    let options = ReplacementOptions { missing_cwd, ..ReplacementOptions::default() };
    let work = tokio::spawn(async move { session.switch().to_with(&target, options).await });
    app.spawn(work, move |app, result| match result {
        Ok(Err(Error::Session(session::Error::MissingCwd { session_cwd, fallback_cwd, .. }))) => {
            ask_cwd(app, file, &session_cwd, &fallback_cwd);
        }
        result => {
            if replaced(app, flat(result)).is_some() {
                app.status("The session goes on");
            }
        }
    });
}

/// The directory of a session is gone: where is it to go on?
fn ask_cwd(app: &mut App, file: PathBuf, gone: &Path, here: &Path) {
    let (title, text, items) = questions::missing_cwd(&app.shared.shorten(gone), &app.shared.shorten(here));
    questions::choose(app, title, text, items, move |app, index| {
        if let Some(wanted) = index.and_then(questions::wanted_cwd) {
            switch(app, file, Some(wanted));
        }
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
