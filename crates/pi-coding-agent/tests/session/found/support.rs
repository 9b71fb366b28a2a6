//! A directory of sessions.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pi_coding_agent::env::Env;
use pi_coding_agent::paths::{Paths, encode_cwd};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The working directory of the tests' user.
pub(crate) const CWD: &str = "/srv/app";

/// An agent directory in a temporary place.
pub(crate) struct Home {
    pub(crate) dir: TempDir,
    pub(crate) paths: Paths,
}

impl Home {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let paths = Paths::new(Env::fixed([("HOME", "/nowhere")]), CWD).with_agent_dir(dir.path());
        Self { dir, paths }
    }

    /// Writes a file into the default directory of `cwd`. Files written later are newer.
    pub(crate) fn write(&self, cwd: &str, name: &str, lines: &[Value]) -> PathBuf {
        self.write_into(&Path::new("sessions").join(encode_cwd(Path::new(cwd))), name, lines)
    }

    pub(crate) fn write_into(&self, dir: &Path, name: &str, lines: &[Value]) -> PathBuf {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let path = self.dir.path().join(dir).join(name);
        write_bytes(&path, text.as_bytes());
        path
    }
}

pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Makes the file one of this many seconds after 2026 began.
pub(crate) fn age(path: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600 + seconds);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

pub(crate) fn header(id: &str, cwd: &str) -> Value {
    json!({"type": "session", "version": 3, "id": id, "timestamp": "2026-01-01T00:00:00.000Z", "cwd": cwd})
}

/// A `message` entry. The message comes last, as in files that were written by a program.
pub(crate) fn message(id: &str, message: Value) -> Value {
    let mut entry = json!({"type": "message", "id": id, "parentId": null, "timestamp": "2026-01-01T00:00:01.500Z"});
    entry.as_object_mut().unwrap().insert("message".to_owned(), message);
    entry
}

pub(crate) fn user(id: &str, text: &str, timestamp: i64) -> Value {
    message(id, json!({"role": "user", "content": [{"type": "text", "text": text}], "timestamp": timestamp}))
}

pub(crate) fn assistant(id: &str, text: &str, timestamp: i64) -> Value {
    let content = json!([{"type": "thinking", "thinking": "hidden"}, {"type": "text", "text": text}]);
    message(
        id,
        json!({"role": "assistant", "content": content, "api": "a", "provider": "p", "model": "m", "usage": {"input": 1},
            "stopReason": "stop", "timestamp": timestamp}),
    )
}

pub(crate) fn tool_result(id: &str, text: &str, timestamp: i64) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    message(
        id,
        json!({"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": content, "isError": false,
            "timestamp": timestamp}),
    )
}

pub(crate) fn named(id: &str, name: &str) -> Value {
    json!({"type": "session_info", "id": id, "parentId": null, "timestamp": "2026-01-01T00:00:02.000Z", "name": name})
}

/// A progress that nobody watches.
pub(crate) fn quiet(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
