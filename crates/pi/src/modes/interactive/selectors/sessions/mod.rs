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

pub(in crate::modes::interactive) use self::picker::Picker;
pub(in crate::modes::interactive) use self::work::Source;

use pi_coding_agent::session::SessionInfo;
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;

use self::picker::PickerResult;
use self::resume::resume;
use super::super::app::App;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::theme_styles::ThemeStyles;
use crate::common::one_line::one_line;

/// How often the list looks at what was found meanwhile, in milliseconds.
const LOOK_MS: u64 = 30;

/// Lets the user choose a session.
pub(in crate::modes::interactive) fn sessions(app: &mut App) {
    let cwd = app.shared.cwd();
    let source = app.session.store().read(|manager| {
        let dir = (!manager.uses_default_session_dir()).then(|| manager.storage().dir().to_owned());
        Source { host: manager.host(), cwd, dir }
    });
    let current = app.session.session_file();
    app.open(Resume {
        picker: Picker::new(source, current, true),
        chosen: resume,
        named: |app, name| name_session(app, &name),
    });
}

/// Gives the session a name, and tells it.
pub(in crate::modes::interactive) fn name_session(app: &mut App, name: &str) {
    let name = one_line(name);
    let (session, wanted) = (app.session.clone(), name.clone());
    let work = async move { session.name().set(&wanted).await };
    app.spawn(work, move |app, result| match result {
        Ok(()) => app.status(format!("Session name: {name}")),
        Err(error) => app.error(error),
    });
}

/// The list, whoever shows it.
pub(in crate::modes::interactive) struct Resume<H> {
    pub(in crate::modes::interactive) picker: Picker,
    /// Goes on with the session that was chosen.
    pub(in crate::modes::interactive) chosen: fn(&mut H, SessionInfo),
    /// Gives the session that is open a name.
    pub(in crate::modes::interactive) named: fn(&mut H, String),
}

impl<H: 'static> Panel<H> for Resume<H> {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.picker.rows(look, keys, columns, height)
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H> {
        let (chosen, named) = (self.chosen, self.named);
        match self.picker.handle(input, keys) {
            PickerResult::Ignored => PanelReply::Ignored,
            PickerResult::Stay => PanelReply::Stay,
            PickerResult::Cancelled => PanelReply::Close,
            PickerResult::Chosen(session) => PanelReply::close_and(move |host| chosen(host, *session)),
            PickerResult::NameCurrent(name) => PanelReply::Do(Box::new(move |host| named(host, name))),
        }
    }

    fn moves_after_ms(&self) -> Option<u64> {
        self.picker.is_busy().then_some(LOOK_MS)
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
