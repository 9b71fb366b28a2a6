//! `/resume` and `pi -r`: sessions to go on with.
//!
//! `picker` is the list, `typing` its keys, `rows` what it looks like; `order` and `query` say which sessions are where in it,
//! `work` reads, searches and changes files in threads. `resume` is what becomes of the choice.

mod order;
mod picker;
mod query;
mod resume;
mod rows;
mod typing;
mod work;

pub(in crate::modes::interactive) use self::picker::{Outcome, Picker};
pub(in crate::modes::interactive) use self::resume::resume;
pub(in crate::modes::interactive) use self::work::Source;

use pi_tui::input::Input;
use pi_tui::keymap::Keymap;

use super::super::app::App;
use super::super::look::Look;
use super::super::panel::{Panel, PanelReply, PanelRows};

/// How often the list looks at what was found meanwhile, in milliseconds.
pub(in crate::modes::interactive) const LOOK_MS: u64 = 30;

/// Lets the user choose a session.
pub(in crate::modes::interactive) fn sessions(app: &mut App) {
    let cwd = app.shared.cwd();
    let source = app.session.store().read(|manager| {
        let dir = (!manager.uses_default_session_dir()).then(|| manager.storage().dir().to_owned());
        Source { host: manager.host(), cwd, dir }
    });
    let current = app.session.session_file();
    app.open(Resume(Picker::new(source, current, true)));
}

/// Gives the session a name, and tells it.
pub(in crate::modes::interactive) fn name_session(app: &mut App, name: String) {
    let (session, wanted) = (app.session.clone(), name.clone());
    let work = async move { session.name().set(&wanted).await };
    app.spawn(work, move |app, result| match result {
        Ok(()) => app.status(format!("Session name: {name}")),
        Err(error) => app.error(error),
    });
}

struct Resume(Picker);

impl Panel for Resume {
    fn rows(&mut self, look: &Look, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.0.rows(look, keys, columns, height)
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match self.0.handle(input, keys) {
            Outcome::Ignored => PanelReply::Ignored,
            Outcome::Stay => PanelReply::Stay,
            Outcome::Cancelled => PanelReply::Close,
            Outcome::Chosen(session) => PanelReply::close_and(move |app| resume(app, *session)),
            Outcome::NameCurrent(name) => PanelReply::act(move |app| name_session(app, name)),
        }
    }

    fn moves_after_ms(&self) -> Option<u64> {
        self.0.is_busy().then_some(LOOK_MS)
    }
}

#[cfg(test)]
mod tests {
    use pi_coding_agent::session::SessionInfo;

    /// A session of `/home/demo`; `modified` in days.
    pub(super) fn session(id: &str, name: Option<&str>, first: &str, modified: i64) -> SessionInfo {
        SessionInfo {
            path: format!("/sessions/{id}.jsonl").into(),
            id: id.to_owned(),
            cwd: "/home/demo".to_owned(),
            name: name.map(str::to_owned),
            parent_session_path: None,
            created: 0,
            modified: modified * 86_400_000,
            message_count: 2,
            first_message: first.to_owned(),
        }
    }
}
