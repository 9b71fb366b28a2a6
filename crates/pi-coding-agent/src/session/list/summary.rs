//! From the lines of a file to what a list says about it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::SessionInfo;
use super::edges::{Ends, Speaker, by_its_ends};
use super::files::{SessionFile, belongs_to};
use super::parsed_entry::{LightEntry, entries_of, may_matter};
use super::session_lines::read_session;
use crate::host::iso_time::from_iso;
use crate::session::empty_file::read_named_beginning;
use crate::session::header::SessionHeader;

/// What stands for the first message of a session without one.
const NO_MESSAGES: &str = "(no messages)";

/// Reads a file; `None` if it is no session, not one of `only_of`, or if `stop` was set meanwhile. `buffer` is working
/// space.
pub(super) fn summarize(
    file: &SessionFile,
    only_of: Option<&Path>,
    buffer: &mut Vec<u8>,
    stop: &AtomicBool,
) -> Option<SessionInfo> {
    let mut summary = Summary::default();
    let wanted = |header: &SessionHeader| only_of.is_none_or(|cwd| belongs_to(&header.cwd, cwd));
    let header = read_session(&file.path, buffer, stop, wanted, |line| {
        summary.add_line(line);
        ControlFlow::Continue(())
    });
    let only_begun = || read_named_beginning(&file.path).filter(wanted).filter(|_| !stop.load(Ordering::Relaxed));
    Some(summary.into_info(header.or_else(only_begun)?, file))
}

/// What is known after some of the lines.
#[derive(Debug, Default)]
struct Summary {
    name: Option<String>,
    first_message: Option<String>,
    messages: usize,
    /// The newest message of user or model, Unix time in milliseconds.
    newest: i64,
}

impl Summary {
    fn add_line(&mut self, line: &[u8]) {
        match by_its_ends(line) {
            Some(ends) if self.first_message.is_some() || ends.speaker != Speaker::User => self.add_ends(&ends),
            None if !may_matter(line) => {}
            _ => entries_of(line).for_each(|entry| self.add_entry(entry)),
        }
    }

    fn add_ends(&mut self, ends: &Ends) {
        self.messages += 1;
        if ends.speaker != Speaker::Other {
            self.newest = self.newest.max(ends.timestamp);
        }
    }

    fn add_entry(&mut self, entry: LightEntry) {
        if let Some(name) = entry.name {
            self.name = name;
        }
        let Some(message) = entry.message else { return };
        self.messages += 1;
        if !message.is_conversation() {
            return;
        }
        self.newest = self.newest.max(message.timestamp.unwrap_or(0));
        if self.first_message.is_none() && message.role == "user" {
            self.first_message = message.into_text();
        }
    }

    fn into_info(self, header: SessionHeader, file: &SessionFile) -> SessionInfo {
        let created = from_iso(&header.timestamp).unwrap_or_else(|| file.changed_ms());
        SessionInfo {
            path: file.path.clone(),
            id: header.id,
            cwd: header.cwd,
            name: self.name,
            parent_session_path: header.parent_session.map(PathBuf::from),
            created,
            modified: if self.newest > 0 { self.newest } else { created },
            message_count: self.messages,
            first_message: self.first_message.unwrap_or_else(|| NO_MESSAGES.to_owned()),
        }
    }
}
