//! `/trust`, and the question whether a project is trusted.

use std::path::{Path, PathBuf};

use pi_coding_agent::trust::{TrustChoice, stored_entry};

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::dialogs;
use crate::common::run_trust::question;

/// Asks whether the project in `cwd` is trusted, where nothing decides that, and goes on. Whoever cancels stays.
pub(in crate::modes::interactive) fn settle(app: &mut App, cwd: PathBuf, then: impl FnOnce(&mut App) + 'static) {
    let subjects = app.trust.open_subjects(&app.paths, app.settings(), &cwd);
    if subjects.is_empty() {
        return then(app);
    }
    let choices = TrustChoice::all(&cwd);
    let items = choices.iter().map(|choice| dialogs::item(choice.label())).collect();
    dialogs::choose(app, "Do you trust this project?", question(&cwd, &subjects), items, move |app, index| {
        let Some(choice) = index.and_then(|index| choices.into_iter().nth(index)) else { return };
        if let Err(error) = app.trust.settle(&choice, &app.paths, &cwd, &*app.clock) {
            app.error(error);
        }
        then(app);
    });
}

/// Lets the user decide about the project of the session, for later starts.
pub(in crate::modes::interactive) fn trust(app: &mut App) {
    let cwd = app.shared.cwd();
    let stored = match stored_entry(&app.paths.trust_file(), &cwd) {
        Ok(stored) => stored,
        Err(error) => return app.error(error),
    };
    let text = state(&cwd, stored.as_ref(), app.settings().is_project_trusted());
    let is_lasting =
        |choice: &TrustChoice| !matches!(choice, TrustChoice::TrustThisSession | TrustChoice::RefuseThisSession);
    let choices: Vec<TrustChoice> = TrustChoice::all(&cwd).into_iter().filter(is_lasting).collect();
    let first = match stored {
        Some((_, false)) => choices.iter().position(|choice| *choice == TrustChoice::Refuse).unwrap_or_default(),
        _ => 0,
    };
    let items = choices.iter().map(|choice| dialogs::item(choice.label())).collect();
    dialogs::choose_from(app, "Trust of this project", text, items, first, move |app, index| {
        let Some(choice) = index.and_then(|index| choices.into_iter().nth(index)) else { return };
        match choice.remember(&app.paths, &cwd, &*app.clock) {
            Ok(()) => {
                let what = if choice.trusts() { "trusted" } else { "not trusted" };
                app.note(NoteKind::Done, format!("Stored: {what}. It counts from the next start of pi on"));
            }
            Err(error) => app.error(error),
        }
    });
}

/// What is stored, and what counts now.
fn state(cwd: &Path, stored: Option<&(PathBuf, bool)>, is_trusted: bool) -> String {
    let word = |trusted: bool| if trusted { "trusted" } else { "not trusted" };
    let decision = match stored {
        Some((dir, trusted)) => format!("{}, for {}", word(*trusted), dir.display()),
        None => "none".to_owned(),
    };
    format!("{}\nStored decision: {decision}\nThis session: {}", cwd.display(), word(is_trusted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_names_both() {
        let text = state(Path::new("/p/q"), Some(&("/p".into(), true)), false);
        assert_eq!(text, "/p/q\nStored decision: trusted, for /p\nThis session: not trusted");
        assert!(state(Path::new("/p"), None, true).contains("decision: none\nThis session: trusted"));
    }
}
