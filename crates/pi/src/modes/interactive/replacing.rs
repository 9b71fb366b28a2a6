//! Going on with another session.

use std::path::PathBuf;

use pi_coding_agent::agent_session::Replacement;

use super::app::App;
use super::jobs::flat;
use super::restore;

/// Goes on with the session of a file.
pub(super) fn go_to(app: &mut App, file: PathBuf) {
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.switch().to(&file).await });
    app.spawn(work, |app, result| {
        if replaced(app, flat(result)).is_some() {
            app.status("The session goes on");
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
