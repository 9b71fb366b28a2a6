//! A session host with counted ids and a clock that ticks one second per question.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pi_ai::{AssistantMessage, Clock, ContentBlock, Message, UserMessage};
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{NewSession, SessionHost, SessionManager};

pub(crate) const START: i64 = 1_795_292_062_000;

#[derive(Debug)]
pub(crate) struct TickingClock(AtomicI64);

impl Clock for TickingClock {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1000, Ordering::Relaxed)
    }
}

/// A host whose home and starting directory is `dir`.
pub(crate) fn host(dir: &Path) -> SessionHost {
    let env = Env::fixed([("HOME", dir.to_str().unwrap())]);
    SessionHost {
        paths: Paths::new(env, dir),
        clock: Arc::new(TickingClock(AtomicI64::new(START))),
        ids: SequentialIds::shared(),
    }
}

pub(crate) fn user(text: &str) -> Arc<Message> {
    Arc::new(UserMessage::blocks(vec![ContentBlock::text(text)], 1).into())
}

pub(crate) fn assistant(text: &str) -> Arc<Message> {
    let message = AssistantMessage {
        content: vec![ContentBlock::text(text)],
        api: "x".into(),
        provider: "p".into(),
        model: "m".into(),
        timestamp: 2,
        ..AssistantMessage::default()
    };
    Arc::new(message.into())
}

/// A host of a later run: its ids are not those of [`host`].
pub(crate) fn later_host(dir: &Path) -> SessionHost {
    let host = host(dir);
    for _ in 0..100 {
        host.ids.session_id(START);
        host.ids.uuid();
    }
    host
}

/// A file of one exchange, and its path.
pub(crate) fn small_session(dir: &Path) -> std::path::PathBuf {
    let mut session = SessionManager::create(host(dir), dir, &NewSession::default()).unwrap();
    session.append_message(user("hello")).unwrap();
    session.append_message(assistant("hi")).unwrap();
    session.session_file().unwrap().to_owned()
}

pub(crate) fn open(dir: &Path, file: &Path) -> SessionManager {
    SessionManager::open(host(dir), file, None).unwrap()
}

/// The raw lines of all entries.
pub(crate) fn raw_entries(session: &SessionManager) -> Vec<String> {
    session.entries().iter().map(Result::unwrap).map(|entry| entry.raw().to_owned()).collect()
}

/// A header and two entries, as an own file's first lines.
pub(crate) const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-21T20:14:22.840Z","cwd":"/srv/app"}"#;

/// A `custom` entry, written out.
pub(crate) fn custom_line(id: &str, parent: Option<&str>) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        r#"{{"type":"custom","customType":"t","id":"{id}","parentId":{parent},"timestamp":"2026-11-21T20:14:23.000Z"}}"#
    )
}
