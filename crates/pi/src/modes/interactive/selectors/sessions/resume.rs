//! Going on with a session that was chosen: the project that it belongs to may have to be trusted first.

use std::path::PathBuf;

use pi_coding_agent::session::SessionInfo;

use super::super::super::app::App;
use super::super::super::switch_session::go_to;
use super::super::trust;

/// Goes on with a session.
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
