//! `/changes`: every edit of the session by file and hunk, from what its tools recorded and not from Git. A hunk can be quoted
//! into the prompt, and taken back.
//!
//! `recorded` finds the edits, `panel` shows them, `take_back` undoes one.

mod panel;
mod recorded;
mod take_back;

use self::panel::ChangesPanel;
use super::app::App;
use super::branch_messages;

/// Shows them, once the branch is read.
pub(super) fn open(app: &mut App) {
    let session = app.session.clone();
    app.spawn(async move { branch_messages::read(&session).await }, |app, messages| match messages {
        Err(error) => app.error(format!("The session cannot be read: {error}")),
        Ok(messages) => {
            let changes = recorded::changes(&messages);
            if changes.is_empty() {
                return app.status("Nothing was edited in this session");
            }
            app.open(ChangesPanel::new(changes));
        }
    });
}
