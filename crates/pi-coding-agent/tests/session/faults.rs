//! The table of faults: what is done, where it fails, what is left. Every row is played through at every place where it
//! can fail; the table in `docs/sessions.md` is compared with what came out.
//!
//! Full disks are real: a child process may write no more than so many bytes to a file ([`work`]).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use pi_coding_agent::session::{
    Durability, LogFile, NewSession, SessionHost, SessionLog, SessionManager, Written, replace_log,
};

use crate::support::{assistant, host, later_host, open, raw_entries, small_session, user};

const OPERATION: &str = "PI_TEST_FAULT";
const FILE: &str = "PI_TEST_SESSION_FILE";
/// What a limit on the size of files counts in, in bytes.
const BLOCK: usize = 512;

/// The child process, and nothing in any other one: does one operation on a session file. It says what came out in its exit
/// code: 0 done, 7 an error that names the trouble, 8 the same and the session went on in memory.
#[test]
fn work() {
    let (Ok(operation), Some(file)) = (std::env::var(OPERATION), std::env::var_os(FILE)) else { return };
    let file = PathBuf::from(file);
    let dir = file.parent().unwrap();
    let code = match operation.as_str() {
        "append" => append(SessionManager::open(later_host(dir), &file, None).unwrap()),
        "append, deleted" => {
            let session = SessionManager::open(later_host(dir), &file, None).unwrap();
            fs::remove_file(&file).unwrap();
            append(session)
        }
        "first answer" => {
            let options = NewSession { dir: Some(dir.join("new")), ..NewSession::default() };
            append(SessionManager::create(later_host(dir), dir, &options).unwrap())
        }
        "branch" => {
            let mut session = SessionManager::open(later_host(dir), &file, None).unwrap();
            let (leaf, before) = (session.leaf_id().unwrap().to_owned(), raw_entries(&session));
            let failed = session.create_branched_session(&leaf).is_err();
            assert!(!failed || (session.session_file() == Some(&file) && raw_entries(&session) == before));
            if failed { 7 } else { 0 }
        }
        "fork" => {
            let options = NewSession { dir: Some(dir.join("new")), ..NewSession::default() };
            code(&SessionManager::fork_from(later_host(dir), &file, dir, &options))
        }
        _ => code(&SessionManager::open(later_host(dir), &file, None)),
    };
    std::process::exit(code);
}

fn code<T>(result: &Result<T, pi_coding_agent::session::Error>) -> i32 {
    if result.is_ok() { 0 } else { 7 }
}

/// Appends a long entry and a short one.
fn append(mut session: SessionManager) -> i32 {
    let before = session.entries().count().unwrap();
    let results =
        [user(&"long ".repeat(400)), assistant("short")].map(|message| session.append_message(message).is_err());
    assert_eq!(session.build_session_context().unwrap().messages.len(), before + 2, "the run goes on in memory");
    if results.contains(&true) { 8 } else { 0 }
}

/// Runs an operation with so many blocks per file at most.
fn run(operation: &str, file: &Path, blocks: usize) -> Option<i32> {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact faults::work");
    let status = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .env(OPERATION, operation)
        .env(FILE, file)
        .output()
        .unwrap();
    assert!(matches!(status.status.code(), Some(0 | 7 | 8)), "{operation} at {blocks}: {status:?}");
    status.status.code()
}

/// All files below a directory with their content.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = vec![];
    for entry in fs::read_dir(dir).into_iter().flatten().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

/// A session of some kilobytes in the current format or the first one.
fn session_file(dir: &Path, version: u64) -> PathBuf {
    let file = dir.join("s.jsonl");
    if version == 1 {
        let mut text = "{\"type\":\"session\",\"id\":\"s1\",\"timestamp\":\"t\",\"cwd\":\"/\"}\n".to_owned();
        for number in 0..40 {
            text += &format!(
                "{{\"type\":\"message\",\"timestamp\":\"t\",\"message\":{{\"role\":\"user\",\"content\":\"q{number}\",\"timestamp\":1}}}}\n"
            );
        }
        fs::write(&file, text).unwrap();
        return file;
    }
    let small = small_session(dir);
    fs::rename(small, &file).unwrap();
    let mut session = open(dir, &file);
    for number in 0..8 {
        session.append_message(user(&format!("question {number} {}", "x".repeat(200)))).unwrap();
        session.append_message(assistant("answer")).unwrap();
    }
    drop(session);
    fs::remove_dir_all(dir.join(".pi")).unwrap();
    file
}

/// Plays an operation through with every size of disk; returns at how many it failed.
fn full_disks(operation: &str, version: u64, check: impl Fn(&Path, &[u8], i32)) -> usize {
    let mut failed = 0;
    for blocks in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let file = session_file(dir.path(), version);
        if operation == "open, torn" {
            let torn = "{\"type\":\"message\",\"id\":\"".to_owned() + &"torn ".repeat(500);
            fs::write(&file, [fs::read(&file).unwrap(), torn.into_bytes()].concat()).unwrap();
        }
        let before = fs::read(&file).unwrap();
        let code = run(operation, &file, blocks).unwrap();
        check(dir.path(), &before, code);
        if code == 0 {
            break;
        }
        failed += 1;
        assert!(blocks * BLOCK < 1 << 16, "{operation} never succeeds");
    }
    assert!(failed > 2, "{operation} failed at {failed} sizes only");
    failed
}

/// A failed operation leaves the file as it was and nothing beside it.
fn nothing_happened(dir: &Path, before: &[u8], code: i32) {
    if code != 0 {
        assert_eq!(files(dir), [(dir.join("s.jsonl"), before.to_vec())]);
    }
}

/// What is in the file is a session that holds all that was in it before.
fn nothing_lost(dir: &Path, before: &[u8], _: i32) {
    let after = fs::read(dir.join("s.jsonl")).unwrap();
    assert!(after.starts_with(before));
    let session = open(dir, &dir.join("s.jsonl"));
    let whole =
        session.entries().iter().filter(|entry| entry.as_ref().is_ok_and(|entry| entry.raw().ends_with('}'))).count();
    assert_eq!(whole, session.entries().count().unwrap());
    assert!(whole >= 18);
}

/// No file at all, or one with everything.
fn nothing_or_everything(dir: &Path, before: &[u8], code: i32) {
    match files(dir).as_slice() {
        [] => assert_eq!(code, 8),
        [(file, content)] => assert!(*file == dir.join("s.jsonl") && content.starts_with(before)),
        files => panic!("{:?}", files.iter().map(|(file, _)| file).collect::<Vec<_>>()),
    }
}

/// No file, or one that opens.
fn no_file_or_a_whole_one(dir: &Path, _: &[u8], _: i32) {
    for (file, _) in files(&dir.join("new")) {
        drop(SessionManager::open(SessionHost { ..host(dir) }, &file, None).unwrap());
    }
}

/// A file that takes every byte and fails when it is to make them safe.
#[derive(Debug)]
struct Forgetful(fs::File);

impl LogFile for Forgetful {
    fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        LogFile::write(&mut self.0, bytes)
    }

    fn take_back(&mut self, start: u64, end: u64) -> io::Result<bool> {
        self.0.take_back(start, end)
    }

    fn sync_job(&self) -> io::Result<Box<dyn FnOnce() -> io::Result<()> + Send>> {
        Ok(Box::new(|| Err(io::Error::other("the disk is gone"))))
    }
}

fn disk_that_forgets() -> &'static str {
    let dir = tempfile::tempdir().unwrap();
    let file = session_file(dir.path(), 3);
    for durability in [Durability::None, Durability::Turn, Durability::Entry] {
        let mut session = open(dir.path(), &file);
        let end = fs::OpenOptions::new().append(true).open(&file).unwrap();
        replace_log(&mut session, SessionLog::new(&file, Box::new(Forgetful(end))));
        session.set_durability(durability);
        let appended = session.append_message(user("x"));
        assert_eq!(appended.is_err(), durability == Durability::Entry);
        let ended = session.sync();
        assert_eq!(ended.is_err(), durability == Durability::Turn, "{durability:?}");
        let told = appended.err().or(ended.err()).map(|error| error.to_string());
        assert!(told.is_none_or(|text| text.contains("s.jsonl") && text.contains("the disk is gone")));
    }
    "every level"
}

#[test]
fn the_table_of_faults() {
    let sizes = |failed: usize| {
        println!("{failed} sizes");
        "every size of the disk"
    };
    let bytes = |cuts: usize| {
        println!("{cuts} places");
        "every byte"
    };
    let rows = [
        (
            "append an entry, or make the file",
            "the program is killed while it writes",
            bytes(crate::crash::cut_everywhere()),
            "every entry whose append had returned is there; the torn end is set aside when the file is opened, and the next entry starts on a line of its own",
        ),
        (
            "append with durability `entry`, end a turn",
            "the disk does not take what it was given",
            disk_that_forgets(),
            "the caller gets an error that names the file, before the turn counts as saved",
        ),
        (
            "append an entry",
            "the disk is full, or full half-way",
            sizes(full_disks("append", 3, nothing_lost)),
            "the caller gets an error that names the file; the run goes on in memory; the half line is taken back at once, and both entries go out with the next append; nothing of the old content changes",
        ),
        (
            "the first message makes the file",
            "the disk is full, or full half-way",
            sizes(full_disks("first answer", 3, no_file_or_a_whole_one)),
            "the same; what is in the file can be opened",
        ),
        (
            "open a file with a torn end",
            "no room to set the end aside",
            sizes(full_disks("open, torn", 3, nothing_happened)),
            "refused with the reason; the file stays as it was",
        ),
        (
            "open a file of version 1",
            "no room for the migrated copy",
            sizes(full_disks("migrate", 1, nothing_happened)),
            "refused with the reason; the old file stays, and no half copy beside it",
        ),
        (
            "append to a file that was deleted",
            "no room to write it anew",
            sizes(full_disks("append, deleted", 3, nothing_or_everything)),
            "the caller gets an error that names the file; the run goes on in memory and the next append tries again; no half copy stays",
        ),
        (
            "fork",
            "no room for the copy",
            sizes(full_disks("fork", 3, nothing_happened)),
            "refused with the reason; no half copy stays",
        ),
        (
            "a branch becomes a session",
            "no room for its file",
            sizes(full_disks("branch", 3, |dir, before, _| assert_eq!(fs::read(dir.join("s.jsonl")).unwrap(), before))),
            "refused with the reason; the old session stays open and whole",
        ),
    ];
    let mut table = "| Operation | Failure | Played at | Result |\n|---|---|---|---|\n".to_owned();
    for (operation, failure, played, result) in rows {
        table += &format!("| {operation} | {failure} | {played} | {result} |\n");
    }
    println!("{table}");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sessions.md");
    let docs = fs::read_to_string(docs).unwrap();
    assert!(docs.contains(&table), "docs/sessions.md should hold this table:\n{table}");
}
