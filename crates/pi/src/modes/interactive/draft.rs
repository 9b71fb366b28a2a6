//! What was typed and not sent, kept in a file: a crash, a closed window or a lost connection costs none of it.
//!
//! It stands beside the session's file, and for a session that has none yet in the directory of the sessions, with the number
//! of the process that writes it: another program takes it over only when that one is gone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pi_coding_agent::host::json_file::{read_object, write_object};
use pi_coding_agent::host::{self, FileKind};
use pi_guard::Unpoisoned;
use rustix::process::{Pid, test_kill_process};
use serde_json::{Map, Value, json};

use super::app::App;
use super::jobs::flat;
use super::queued::Pending;

/// Only the user may read what they write.
const MODE: u32 = 0o600;
/// The name's end.
const ENDING: &str = "draft";
/// What is written while the session has no file.
const UNSAVED: &str = "unsaved-";
/// Changes are written when nothing more was typed for this long, in milliseconds.
const PAUSE_MS: u64 = 300;

/// The draft of this session, as it was written last.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What is in the file.
    written: Option<(PathBuf, Content)>,
    /// The editor's revision and what was queued when it was looked at last.
    seen: Option<(u64, Pending)>,
    /// When the next change is written, in milliseconds of the mode.
    due_ms: Option<u64>,
    /// Whether the user wants drafts to be kept.
    is_kept: bool,
    /// How many writings have begun.
    begun: u64,
    /// The newest of them that is done. Held while one goes on.
    done: Arc<Mutex<u64>>,
}

impl Draft {
    /// Whether the user wants drafts to be kept.
    pub(super) fn set_kept(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
    }
}

/// A writing: it does nothing once a newer one is done, since threads may come in any order.
struct Writing {
    number: u64,
    done: Arc<Mutex<u64>>,
    /// The place of the draft before.
    before: Option<PathBuf>,
    path: PathBuf,
    content: Content,
}

impl Writing {
    /// Writes the draft, and removes the one in the place that it had before.
    fn run(self) -> Result<(), String> {
        let mut done = self.done.lock().unpoisoned();
        if *done > self.number {
            return Ok(());
        }
        *done = self.number;
        self.content.write(&self.path)?;
        if let Some(before) = self.before.filter(|before| *before != self.path) {
            let _ = fs::remove_file(before);
        }
        Ok(())
    }
}

/// What a draft holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Content {
    text: String,
    /// Messages that wait for the session.
    queue: Vec<String>,
}

impl Content {
    fn of(app: &App) -> Self {
        let queue = match app.seat.sender {
            None => app.pending.texts(),
            // What the session has got stays with it when this screen goes.
            Some(_) => app.pending.held.iter().map(|held| held.text.clone()).collect(),
        };
        Self { text: app.prompt.editor.expanded_text(), queue }
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.queue.is_empty()
    }

    fn read(path: &Path) -> Option<Self> {
        let object = read_object(path, FileKind::Attachment).ok()??;
        let text = object.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
        let queue = object.get("queue").and_then(Value::as_array).into_iter().flatten();
        Some(Self { text, queue: queue.filter_map(Value::as_str).map(str::to_owned).collect() })
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        if self.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
                _ => Ok(()),
            };
        }
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        }
        let object = Map::from_iter([("text".to_owned(), json!(self.text)), ("queue".to_owned(), json!(self.queue))]);
        write_object(path, &object, FileKind::Attachment, Some(MODE)).map_err(|error| error.to_string())
    }
}

/// Looks whether something has to be written; milliseconds until then.
pub(super) fn watch(app: &mut App) -> Option<u64> {
    if !app.draft.is_kept {
        return None;
    }
    let now = app.now_ms();
    let is_seen =
        |(revision, pending): &(u64, Pending)| *revision == app.prompt.editor.revision() && *pending == app.pending;
    if !app.draft.seen.as_ref().is_some_and(is_seen) {
        app.draft.seen = Some((app.prompt.editor.revision(), app.pending.clone()));
        app.draft.due_ms = Some(now + PAUSE_MS);
    }
    let due = app.draft.due_ms?;
    if now < due {
        return Some(due - now);
    }
    app.draft.due_ms = None;
    let content = Content::of(app);
    let is_written = match &app.draft.written {
        Some((place, written)) => *written == content && (content.is_empty() || *place == path(app)),
        None => content.is_empty(),
    };
    if !is_written {
        let writing = writing(app, content);
        app.spawn(tokio::task::spawn_blocking(|| writing.run()), |app, result| {
            if let Err(error) = flat(result) {
                app.status(format!("What you type is not kept for a crash: {error}"));
            }
        });
    }
    None
}

/// Writes what there is at once: the program ends.
pub(super) fn keep(app: &mut App) {
    if app.draft.is_kept {
        let content = Content::of(app);
        // The terminal is the shell's by now, and nothing can be typed: there is nobody to tell.
        let _ = writing(app, content).run();
    }
}

/// Notes what is going to be written.
fn writing(app: &mut App, content: Content) -> Writing {
    let path = path(app);
    let before = app.draft.written.replace((path.clone(), content.clone())).map(|(before, _)| before);
    app.draft.begun += 1;
    Writing { number: app.draft.begun, done: Arc::clone(&app.draft.done), before, path, content }
}

/// Where the draft of the session is kept.
fn path(app: &App) -> PathBuf {
    match app.session.session_file().filter(|file| file.exists()) {
        Some(file) => file.with_extension(ENDING),
        None => directory(app).join(format!("{UNSAVED}{}.{ENDING}", std::process::id())),
    }
}

/// The directory of the sessions of this directory.
fn directory(app: &App) -> PathBuf {
    let file = app.session.session_file();
    file.as_deref()
        .and_then(Path::parent)
        .map_or_else(|| app.paths.default_session_dir(&app.shared.cwd()), Path::to_owned)
}

/// Takes over what was left by a program that is gone, into the editor: the draft of the session, else that of one that had
/// no file.
pub(super) fn restore(app: &mut App) {
    let place = Some(path(app)).filter(|own| own.exists()).or_else(|| left_over(&directory(app), app));
    if let Some(place) = place.filter(|_| app.draft.is_kept)
        && let Some(content) = take_over(app, &place)
    {
        app.draft.written = Some((place, content));
    }
}

/// Takes over the draft of the session to which the user has just gone. What is in the editor goes along: it is written
/// there, and then removed from where it was.
pub(super) fn follow(app: &mut App) {
    let own = path(app);
    let is_ours = app.draft.written.as_ref().is_some_and(|(written, _)| *written == own);
    if app.draft.is_kept && !is_ours {
        take_over(app, &own);
        app.draft.seen = None;
    }
}

fn take_over(app: &mut App, place: &Path) -> Option<Content> {
    let content = Content::read(place).filter(|content| !content.is_empty())?;
    let mut texts = content.queue.clone();
    texts.extend(Some(content.text.clone()).filter(|text| !text.trim().is_empty()));
    app.prompt.take_back(texts);
    app.status("What you had typed last time is in the editor");
    Some(content)
}

/// The newest draft of a session without a file whose program is gone. Only a session without a file takes it.
fn left_over(dir: &Path, app: &App) -> Option<PathBuf> {
    if app.session.session_file().is_some_and(|file| file.exists()) {
        return None;
    }
    let is_draft = |path: &PathBuf| path.file_name().is_some_and(|name| is_orphan(&name.to_string_lossy()));
    let drafts = host::list(dir).ok()?.into_iter().filter(is_draft);
    drafts.max_by_key(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok())
}

fn is_orphan(name: &str) -> bool {
    let number = name.strip_prefix(UNSAVED).and_then(|rest| rest.strip_suffix(ENDING)?.strip_suffix('.'));
    let pid = number.and_then(|number| number.parse().ok()).and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_comes_back_and_is_gone_when_it_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/session.draft");
        let content = Content { text: "half a\nsentence".to_owned(), queue: vec!["queued".to_owned()] };
        content.write(&path).unwrap();
        assert_eq!(Content::read(&path), Some(content));
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, MODE);
        Content::default().write(&path).unwrap();
        assert!(!path.exists());
        Content::default().write(&path).unwrap();
    }

    #[test]
    fn an_older_writing_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (path, done) = (dir.path().join("session.draft"), Arc::default());
        let writing = |number, text: &str| Writing {
            number,
            done: Arc::clone(&done),
            before: None,
            path: path.clone(),
            content: Content { text: text.to_owned(), queue: Vec::new() },
        };
        let late = writing(1, "older");
        writing(2, "newer").run().unwrap();
        late.run().unwrap();
        assert_eq!(Content::read(&path).unwrap().text, "newer");
        writing(3, "").run().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn only_programs_that_are_gone_leave_drafts() {
        let own = format!("{UNSAVED}{}.{ENDING}", std::process::id());
        for (name, expected) in [
            (own.as_str(), false),
            ("unsaved-1.draft", false),
            ("unsaved-99999999.draft", true),
            ("unsaved-.draft", false),
            ("x.draft", false),
        ] {
            assert_eq!(is_orphan(name), expected, "{name}");
        }
    }
}
