//! `/extensions`: the extensions of the session, what each of them brings and shows, and what went wrong.
//!
//! `facts` gathers, `panel` shows.

mod facts;
mod panel;

use super::app::App;

/// Shows them.
pub(super) fn open(app: &mut App) {
    let listed = facts::gather(app);
    if listed.is_empty() {
        return app.status("There are no extensions; `pi docs extensions` tells how to write one");
    }
    app.open(panel::ExtensionList::new(listed));
}
