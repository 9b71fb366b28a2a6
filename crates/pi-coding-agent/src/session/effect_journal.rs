//! The file beside a session that says which tool calls have begun and how they ended: `<session file>.effects`.
//!
//! It exists only during a run that calls tools, or after a crash. Then it tells a later run what may have happened: see
//! `interrupted_calls.rs`. It also keeps messages that go to the session when the run is over. Everything here blocks for one
//! small write or read. What a call does is not known here.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_ai::Message;
use serde::{Deserialize, Serialize};

use super::identity::FileId;
use super::log::sync_directory;
use super::private::private_file;
use crate::host::{self, FileKind};
use crate::session::Error;

/// Tools that change nothing: no note is taken of their calls.
const READERS: [&str; 4] = ["read", "grep", "find", "ls"];

/// Whether no note is taken of calls of this tool. One of another program by the same name is noted.
pub(crate) fn only_reads(tool: &str) -> bool {
    READERS.contains(&tool)
}

/// One line: what happened to a call of an answer.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// Id of the entry that holds the answer; ids of calls alone may come again.
    answer: String,
    /// The provider's id of the call.
    call: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    /// The call is about to run; this is the tool's name.
    Started(String),
    /// The call is over; its result is not in the session yet.
    Ended(CallOutcome),
}

/// One line: a message that is not in the session yet.
#[derive(Debug, Serialize, Deserialize)]
struct HeldMessage {
    held: Arc<Message>,
}

/// The result of a call that was not written to the session any more.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallOutcome {
    #[serde(flatten)]
    pub(super) output: ToolOutput,
    pub(super) is_error: bool,
}

/// The writer. The file is made by the first note.
#[derive(Debug)]
pub(crate) struct EffectLog {
    path: PathBuf,
    file: File,
    /// Whether a note is on the disk before the call runs.
    synced: bool,
    /// The answer that the notes are about.
    answer: Option<String>,
}

impl EffectLog {
    /// Opens the file beside a session. With `synced`, every note waits for the disk.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn open(session: &Path, synced: bool) -> Result<Self, Error> {
        let path = effects_path(session);
        let open = || {
            let file = private_file().read(true).create(true).append(true).open(&path)?;
            host::check_regular(&file)?;
            if synced {
                sync_directory(&path)?;
            }
            Ok(file)
        };
        let file = open().map_err(|source| failed(&path, source))?;
        Ok(Self { path, file, synced, answer: None })
    }

    /// Whether this is the file beside that session.
    pub(crate) fn is_beside(&self, session: &Path) -> bool {
        self.path == effects_path(session)
    }

    /// Goes on beside a session whose file was lost and written anew: with the same file where it is there, else with a
    /// new one that has its notes.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite); then the log goes on where it was.
    pub(crate) fn follow(&mut self, session: &Path) -> Result<(), Error> {
        let path = effects_path(session);
        let id = |metadata: io::Result<fs::Metadata>| FileId::of(&metadata.ok()?);
        let ours = id(self.file.metadata());
        if ours.is_some() && id(fs::metadata(&path)) == ours {
            self.path = path;
            return Ok(());
        }
        let copy = || {
            let mut notes = Vec::new();
            let mut old = &self.file;
            old.rewind()?;
            old.read_to_end(&mut notes)?;
            let mut new = private_file().read(true).create(true).append(true).open(&path)?;
            host::check_regular(&new)?;
            new.write_all(&notes)?;
            Ok(new)
        };
        self.file = copy().map_err(|source| failed(&path, source))?;
        if self.path != path {
            let _ = fs::remove_file(&self.path);
        }
        self.path = path;
        Ok(())
    }

    /// Notes that a call is about to run.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn started(&mut self, answer: &str, call: &str, tool: &str) -> Result<(), Error> {
        self.write(answer, call, What::Started(tool.to_owned()))
    }

    /// Notes the result of a call.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn ended(&mut self, answer: &str, call: &str, output: &ToolOutput, is_error: bool) -> Result<(), Error> {
        self.write(answer, call, What::Ended(CallOutcome { output: output.clone(), is_error }))
    }

    /// Keeps a message.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn held(&mut self, message: &Arc<Message>) -> Result<(), Error> {
        self.write_line(&HeldMessage { held: Arc::clone(message) })
    }

    /// Empties the file if what it says is about another answer than this one: the results of that are in the session.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn forget_others(&mut self, answer: Option<&str>) -> Result<(), Error> {
        if self.answer.as_deref() == answer {
            return Ok(());
        }
        let is_first = std::mem::replace(&mut self.answer, answer.map(ToOwned::to_owned)).is_none();
        if is_first { Ok(()) } else { self.file.set_len(0).map_err(|source| failed(&self.path, source)) }
    }

    fn write(&mut self, answer: &str, call: &str, what: What) -> Result<(), Error> {
        self.write_line(&Note { answer: answer.to_owned(), call: call.to_owned(), what })
    }

    fn write_line(&mut self, note: &impl Serialize) -> Result<(), Error> {
        let line = serde_json::to_string(note);
        let line = line.map_err(|source| host::Error::Serialize { what: "a note about a tool call", source })?;
        let written = self.file.write_all((line + "\n").as_bytes());
        let written = written.and_then(|()| if self.synced { self.file.sync_data() } else { Ok(()) });
        written.map_err(|source| failed(&self.path, source))
    }

    /// Removes the file: every call has its result in the session.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub(crate) fn remove(self) -> Result<(), Error> {
        remove(&self.path)
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    host::Error::FileWrite { path: path.to_owned(), source }.into()
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(path, error)),
        _ => Ok(()),
    }
}

fn effects_path(session: &Path) -> PathBuf {
    let mut name = session.as_os_str().to_owned();
    name.push(".effects");
    name.into()
}

/// What became of a call, as far as the file beside the session says.
#[derive(Debug)]
pub(super) enum Fate {
    /// It began.
    Started,
    /// It ended like this.
    Ended(CallOutcome),
    /// It did not begin, although others of its answer did.
    NotStarted,
}

/// What the file beside a session says about one answer.
#[derive(Debug, Default)]
pub(super) struct Effects(Vec<Note>);

impl Effects {
    /// Reads it; a file that is not there, or half a line, says nothing.
    pub(super) fn of(session: Option<&Path>, answer: &str) -> Self {
        let text = session
            .and_then(|session| host::read_text(&effects_path(session), FileKind::Effects).ok())
            .unwrap_or_default();
        let notes = text.lines().filter_map(|line| serde_json::from_str::<Note>(line).ok());
        Self(notes.filter(|note| note.answer == answer).collect())
    }

    /// Whether nothing is known: there was no such file, as beside the sessions of other programs.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What became of a call; the last note about it counts.
    pub(super) fn fate(&self, call: &str) -> Fate {
        match self.0.iter().rposition(|note| note.call == call) {
            Some(at) => match &self.0[at].what {
                What::Started(_) => Fate::Started,
                What::Ended(outcome) => Fate::Ended(outcome.clone()),
            },
            None => Fate::NotStarted,
        }
    }

    /// The calls that a call had made, without those that only read: name of the tool, and whether it had ended.
    pub(super) fn nested(&self, call: &str) -> Vec<(String, bool)> {
        let is_nested = |note: &&Note| note.call.strip_prefix(call).is_some_and(|rest| rest.starts_with(':'));
        let begun = self.0.iter().filter(is_nested).filter_map(|note| match &note.what {
            What::Started(name) => Some((note.call.as_str(), name.clone())),
            What::Ended(_) => None,
        });
        begun.map(|(id, name)| (name, self.has_ended(id))).collect()
    }

    fn has_ended(&self, call: &str) -> bool {
        self.0.iter().any(|note| note.call == call && matches!(note.what, What::Ended(_)))
    }
}

/// The messages that a run kept beside the session.
pub(super) fn held_messages(session: &Path) -> Vec<Arc<Message>> {
    let text = host::read_text(&effects_path(session), FileKind::Effects).unwrap_or_default();
    text.lines().filter_map(|line| Some(serde_json::from_str::<HeldMessage>(line).ok()?.held)).collect()
}

/// Takes what is known along to a copy of a session. It may be missing: then the copy says less.
pub(super) fn copy_effects(from: &Path, to: &Path) {
    let copied = host::read_bytes(&effects_path(from), FileKind::Effects).and_then(|bytes| write_private(to, &bytes));
    if let Err(error) = copied
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, session = %to.display(), "what is known of unfinished calls was not copied");
    }
}

fn write_private(session: &Path, effects: &[u8]) -> io::Result<()> {
    let file = private_file().write(true).create(true).truncate(true).open(effects_path(session));
    file?.write_all(effects)
}

/// Takes what is known along to the new file of a session whose old one was lost.
pub(super) fn move_effects(from: &Path, to: &Path) {
    if from == to {
        return;
    }
    match fs::rename(effects_path(from), effects_path(to)) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, session = %to.display(), "what is known of unfinished calls was not moved");
        }
        _ => {}
    }
}

/// Forgets what is known, because the session says it now.
pub(super) fn forget_effects(session: &Path) {
    if let Err(error) = remove(&effects_path(session)) {
        tracing::warn!(%error, "a file beside the session stays");
    }
}
