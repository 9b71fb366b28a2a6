//! Switches to the session that was chosen, after the question whether its project is trusted.

use std::path::PathBuf;

use pi_coding_agent::session::SessionInfo;

use super::super::super::app::App;
use super::super::super::switch_session::go_to;
use super::super::trust;

/// Switches to a session, unless it is open already.
pub(super) fn resume(app: &mut App, session: SessionInfo) {
    if app.session.session_file().as_ref() == Some(&session.path) {
        return app.status("This session is open already");
    }
    let cwd = PathBuf::from(&session.cwd);
    if cwd == app.shared.cwd() || !cwd.is_dir() {
        return go_to(app, session.path);
    }
    trust::settle(app, cwd, move |app| go_to(app, session.path));
}
