//! What a list says about a session.

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::lines::for_each_line;
use super::parsed_entry::{LightEntry, LightMessage, entries_of};
use crate::host::iso_time::to_iso;
use crate::host::open_regular;
use crate::session::Error;

/// What [`list_sessions`](super::list_sessions) says about a session. As JSON it has the field names that
/// the reference uses, with times in ISO 8601.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// The file.
    pub path: PathBuf,
    /// Session id.
    pub id: String,
    /// The working directory that the file names; empty when it names none.
    pub cwd: String,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file that this session was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_session_path: Option<PathBuf>,
    /// When the session was started, Unix time in milliseconds; the file's modification time when it does not say.
    #[serde(serialize_with = "iso")]
    pub created: i64,
    /// When the newest message of user or model was written, Unix time in milliseconds; without one, `created`.
    #[serde(serialize_with = "iso")]
    pub modified: i64,
    /// Message entries of any role, on all branches.
    pub message_count: usize,
    /// The first text of the user, or `(no messages)`.
    pub first_message: String,
}

impl SessionInfo {
    /// All texts of user and model, joined by blanks. Listing does not need them, so this reads the file, and blocks.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn all_messages_text(&self) -> Result<String, Error> {
        let failed = |source| Error::Open { path: self.path.clone(), source };
        let mut text = String::new();
        let mut add = |entry: LightEntry| {
            let said = entry.message.filter(LightMessage::is_conversation).and_then(LightMessage::into_text);
            if let Some(said) = said {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&said);
            }
        };
        let file = open_regular(&self.path).map_err(failed)?;
        let each = |line: &[u8]| {
            entries_of(line).for_each(&mut add);
            ControlFlow::Continue(())
        };
        for_each_line(file, &mut Vec::new(), each).map_err(failed)?;
        Ok(text)
    }
}

fn iso<S: Serializer>(unix_ms: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_iso(*unix_ms))
}
