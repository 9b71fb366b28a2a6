//! Session files that are deleted, cut, replaced, moved or written to by other programs while they are open.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Message;
use pi_coding_agent::session::{Error, NewSession, SessionManager, load_session};
use proptest::prelude::*;

use crate::support::{HEADER, assistant, custom_line, host, open, raw_entries, user};
use pi_test_kit::scale;

/// A session of a few entries, in `<dir>/s/`, and its file. Nobody else holds its messages.
fn begin(dir: &Path) -> (SessionManager, PathBuf) {
    let options = NewSession { dir: Some(dir.join("s")), ..NewSession::default() };
    let mut session = SessionManager::create(host(dir), dir, &options).unwrap();
    for number in 0..3 {
        session.append_message(user(&format!("question {number}"))).unwrap();
        session.append_message(assistant(&format!("answer {number}"))).unwrap();
    }
    let file = session.session_file().unwrap().to_owned();
    (session, file)
}

/// The texts of the messages on the branch of the leaf, as another program reads them from the file.
fn texts(file: &Path) -> Vec<String> {
    let ids = host(Path::new("/")).ids;
    let loaded = load_session(file, ids.as_ref()).unwrap();
    assert_eq!(loaded.problems, [], "{}", file.display());
    let session = SessionManager::open_read_only(host(Path::new("/")), file, None).unwrap();
    texts_of(&session.build_session_context().unwrap().messages)
}

fn texts_of(messages: &[Arc<Message>]) -> Vec<String> {
    let text = |message: &Arc<Message>| match &**message {
        Message::User(user) => user.content.to_text(),
        Message::Assistant(answer) => answer.text(),
        other => panic!("{other:?}"),
    };
    messages.iter().map(text).collect()
}

fn all() -> Vec<String> {
    (0..3).flat_map(|number| [format!("question {number}"), format!("answer {number}")]).collect()
}

/// The session's new file is whole, locked, found, and what the session itself reads; it was spoken of once.
fn check_moved(dir: &Path, session: &mut SessionManager, expected: &[String]) -> String {
    let file = session.session_file().unwrap().to_owned();
    let notices = session.take_notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    session.append_message(user("later")).unwrap();
    assert_eq!(session.take_notices(), Vec::<String>::new());
    let expected: Vec<String> = expected.iter().cloned().chain(["later".to_owned()]).collect();
    assert_eq!(texts(&file), expected);
    assert_eq!(texts_of(&session.build_session_context().unwrap().messages), expected);
    let refused = SessionManager::open(host(dir), &file, None).unwrap_err();
    assert!(matches!(refused, Error::Locked { .. }), "{refused}");
    let stored = SessionManager::open_read_only(host(dir), &file, None).unwrap();
    assert_eq!(raw_entries(session), raw_entries(&stored));
    assert_eq!((session.session_id(), session.leaf_id()), (stored.session_id(), stored.leaf_id()));
    assert_eq!(mode(&file), 0o600);
    notices[0].replace(dir.to_str().unwrap(), "DIR").replace(session.session_id(), "ID")
}

fn mode(file: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

/// What can happen to a file, what it does, and what stands where the file was.
type Attack = (&'static str, fn(&Path), Option<&'static str>);

const STRANGER: &str = "a stranger's file\n";

#[test]
fn whatever_becomes_of_the_file_the_session_is_whole() {
    let attacks: [Attack; 7] = [
        ("deleted", |file| fs::remove_file(file).unwrap(), None),
        ("replaced", |file| replace(file, STRANGER), Some(STRANGER)),
        ("moved", |file| fs::rename(file, file.with_file_name("moved")).unwrap(), None),
        ("its directory deleted", |file| fs::remove_dir_all(file.parent().unwrap()).unwrap(), None),
        (
            "its directory moved",
            |file| fs::rename(file.parent().unwrap(), file.ancestors().nth(2).unwrap().join("m")).unwrap(),
            None,
        ),
        (
            "its directory made anew",
            |file| {
                fs::remove_dir_all(file.parent().unwrap()).unwrap();
                fs::create_dir(file.parent().unwrap()).unwrap();
            },
            None,
        ),
        (
            "a directory in its place",
            |file| {
                fs::remove_file(file).unwrap();
                fs::create_dir(file).unwrap();
            },
            None,
        ),
    ];
    let mut told = vec![];
    for (name, attack, stands_there) in attacks {
        let dir = tempfile::tempdir().unwrap();
        let (mut session, file) = begin(dir.path());
        let before = fs::read(&file).unwrap();
        attack(&file);
        session.append_message(user("next")).unwrap();
        let now = session.session_file().unwrap().to_owned();
        assert!(fs::read(&now).unwrap().starts_with(&before), "{name}: byte for byte");
        let expected: Vec<_> = all().into_iter().chain(["next".to_owned()]).collect();
        let notice = check_moved(dir.path(), &mut session, &expected);
        if let Some(content) = stands_there {
            assert_eq!(fs::read_to_string(&file).unwrap(), content, "{name}");
        }
        for moved in [dir.path().join("s/moved"), dir.path().join("m").join(file.file_name().unwrap())] {
            assert!(!moved.exists() || fs::read(&moved).unwrap() == before, "{name}: the moved file is as it was");
        }
        told.push(format!("{name}: {notice}"));
        drop(session);
        let again = SessionManager::continue_recent(host(dir.path()), dir.path(), Some(&dir.path().join("s"))).unwrap();
        assert_eq!(again.session_file(), Some(now.as_path()), "{name}");
    }
    insta::assert_snapshot!(told.join("\n"));
}

/// As editors save and `git checkout` does.
fn replace(file: &Path, content: &str) {
    let new = file.with_extension("new");
    fs::write(&new, content).unwrap();
    fs::rename(&new, file).unwrap();
}

/// As `> file` and `rsync --inplace` do.
fn overwrite(file: &Path, content: &[u8]) {
    fs::File::options().write(true).truncate(true).open(file).unwrap().write_all(content).unwrap();
}

#[test]
fn a_file_that_was_cut_is_written_anew_from_what_is_left_and_from_memory() {
    let mut told = vec![];
    for (name, keep) in [("nothing left", 0.0), ("half left", 0.5), ("the last byte gone", 1.0)] {
        for held in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            let (mut session, file) = begin(dir.path());
            // Whoever goes on with the conversation holds its messages.
            let context = held.then(|| session.build_session_context().unwrap());
            let leaf = session.leaf_id().unwrap().to_owned();
            session.append().label_change(&leaf, Some("here")).unwrap();
            let length = fs::metadata(&file).unwrap().len() as f64;
            let left = (length * keep) as u64 - u64::from(keep > 0.9);
            fs::File::options().write(true).open(&file).unwrap().set_len(left).unwrap();
            let remains = fs::read(&file).unwrap();
            session.append_message(user("next")).unwrap();
            assert_eq!(fs::read(&file).unwrap(), remains, "what is left stays as it is");
            assert_ne!(session.session_file().unwrap(), file);
            let kept = match (held, keep) {
                (true, _) => 6,
                (false, keep) if keep > 0.9 => 6,
                (false, keep) if keep > 0.4 => 3,
                (false, _) => 0,
            };
            let expected: Vec<_> = all().into_iter().take(kept).chain(["next".to_owned()]).collect();
            told.push(format!("{name}, held {held}: {}", check_moved(dir.path(), &mut session, &expected)));
            drop(context);
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}

/// Wherever a file is cut, also where half a line looks like a whole one.
#[test]
fn a_file_may_be_cut_anywhere() {
    let whole = {
        let dir = tempfile::tempdir().unwrap();
        fs::metadata(begin(dir.path()).1).unwrap().len()
    };
    for left in (0..whole).step_by(scale(29, 1)) {
        let dir = tempfile::tempdir().unwrap();
        let (mut session, file) = begin(dir.path());
        let _context = session.build_session_context().unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_len(left).unwrap();
        session.append_message(user("next")).unwrap();
        let expected: Vec<_> = all().into_iter().chain(["next".to_owned()]).collect();
        assert_eq!(texts(session.session_file().unwrap()), expected, "{left} bytes left");
    }
}

#[test]
fn a_stranger_s_content_in_the_same_file_is_not_ours() {
    for content in
        ["short\n".to_owned(), "long ".repeat(10_000), format!("{HEADER}\n{}\n", custom_line("0badcafe", None))]
    {
        let dir = tempfile::tempdir().unwrap();
        let (mut session, file) = begin(dir.path());
        let _context = session.build_session_context().unwrap();
        overwrite(&file, content.as_bytes());
        session.append_message(user("next")).unwrap();
        let expected: Vec<_> = all().into_iter().chain(["next".to_owned()]).collect();
        check_moved(dir.path(), &mut session, &expected);
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

#[test]
fn lines_of_other_programs_stay_and_are_not_glued() {
    for (foreign, lines) in [("{\"their\":1}\n", 9), ("{\"their\":1}", 9), ("half a li", 9), ("a\nb\n", 10)] {
        let dir = tempfile::tempdir().unwrap();
        let (mut session, file) = begin(dir.path());
        let before = fs::read_to_string(&file).unwrap();
        fs::File::options().append(true).open(&file).unwrap().write_all(foreign.as_bytes()).unwrap();
        session.append_message(user("next")).unwrap();
        let after = fs::read_to_string(&file).unwrap();
        let rest = after.strip_prefix(&before).unwrap().strip_prefix(foreign).unwrap();
        let rest = if foreign.ends_with('\n') { rest } else { rest.strip_prefix('\n').unwrap() };
        assert_eq!(rest, raw_entries(&session)[6].clone() + "\n", "{foreign:?}");
        assert_eq!(after.lines().count(), lines);
        assert_eq!(session.take_notices().len(), 1);
        fs::File::options().append(true).open(&file).unwrap().write_all(foreign.as_bytes()).unwrap();
        session.append_message(assistant("last")).unwrap();
        assert_eq!((session.take_notices().len(), session.session_file()), (0, Some(file.as_path())));
        let texts = texts_of(&session.build_session_context().unwrap().messages);
        assert_eq!(texts[6..], ["next", "last"]);
        let id = session.leaf_id().unwrap().to_owned();
        drop(session);
        assert_eq!(open(dir.path(), &file).leaf_id(), Some(id.as_str()));
    }
}

#[test]
fn as_long_as_nothing_can_be_written_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (mut session, file) = begin(dir.path());
    let store = file.parent().unwrap();
    fs::remove_dir_all(store).unwrap();
    fs::write(store, "no directory").unwrap();
    for number in 0..3 {
        let error = session.append_message(user(&format!("more {number}"))).unwrap_err();
        assert!(matches!(&error, Error::Write { path, .. } if *path == file), "{error}");
        assert!(session.sync().is_err());
    }
    assert_eq!(fs::read_to_string(store).unwrap(), "no directory");
    fs::remove_file(store).unwrap();
    session.sync().unwrap();
    let expected: Vec<_> = all().into_iter().chain((0..3).map(|number| format!("more {number}"))).collect();
    assert_eq!(texts(&file), expected);
    check_moved(dir.path(), &mut session, &expected);
}

#[test]
fn what_followed_a_lost_entry_follows_what_was_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let (mut session, file) = begin(dir.path());
    let text = fs::read_to_string(&file).unwrap();
    let entries = raw_entries(&session);
    let ids: Vec<String> = session.entries().iter().map(|entry| entry.unwrap().id().to_owned()).collect();
    // Another branch, and a compaction that keeps from an entry on that will be lost.
    let details = pi_coding_agent::session::Compaction {
        summary: "what was".to_owned(),
        first_kept_entry_id: ids[3].clone(),
        tokens_before: 9,
        ..Default::default()
    };
    session.append().compaction(details).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| *line != entries[3] && *line != entries[2]).collect();
    overwrite(&file, (kept.join("\n") + "\n").as_bytes());
    session.append_message(user("next")).unwrap();
    let now = session.session_file().unwrap().to_owned();
    let stored = SessionManager::open_read_only(host(dir.path()), &now, None).unwrap();
    let parents: Vec<_> =
        stored.entries().iter().map(|entry| entry.unwrap().parent_id().map(ToOwned::to_owned)).collect();
    assert_eq!(parents[2].as_ref(), Some(&ids[1]));
    let context = stored.build_session_context().unwrap().messages;
    assert_eq!(texts_of(&context[1..]), ["question 2", "answer 2", "next"], "the rest of what was kept is there");
    assert!(session.take_notices()[0].ends_with("What could not be had of it: 2 messages"));
}

#[derive(Debug, Clone)]
enum Step {
    Append(u8),
    Delete,
    Cut(f64),
    Overwrite(usize),
    Replace,
    Move,
    Grow(&'static str),
    RemoveDirectory,
    RemakeDirectory,
    Label,
    Sync,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => any::<u8>().prop_map(Step::Append),
        1 => Just(Step::Delete),
        1 => (0.0..1.0).prop_map(Step::Cut),
        1 => (0usize..3000).prop_map(Step::Overwrite),
        1 => Just(Step::Replace),
        1 => Just(Step::Move),
        1 => prop::sample::select(vec!["{\"x\":1}\n", "{\"x\":1}", "hal", "\n"]).prop_map(Step::Grow),
        1 => Just(Step::RemoveDirectory),
        1 => Just(Step::RemakeDirectory),
        1 => Just(Step::Label),
        1 => Just(Step::Sync),
    ]
}

/// A session under attack, and what must be true of it.
struct Play {
    dir: tempfile::TempDir,
    session: SessionManager,
    /// Held as by an agent.
    held: Vec<Arc<Message>>,
    texts: Vec<String>,
    /// Files that are not the session's, and what is in them.
    strangers: Vec<(PathBuf, Vec<u8>)>,
    number: usize,
    attacks: usize,
}

impl Play {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let options = NewSession { dir: Some(dir.path().join("s")), ..NewSession::default() };
        let session = SessionManager::create(host(dir.path()), dir.path(), &options).unwrap();
        let mut play = Self { dir, session, held: vec![], texts: vec![], strangers: vec![], number: 0, attacks: 0 };
        play.append(3);
        play
    }

    fn append(&mut self, size: u8) {
        self.number += 1;
        let text = format!("text {} {}", self.number, "x".repeat(size.into()));
        let message = if self.number % 2 == 1 { assistant(&text) } else { user(&text) };
        self.session.append_message(Arc::clone(&message)).unwrap();
        self.held.push(message);
        self.texts.push(text);
        self.check();
    }

    fn file(&self) -> PathBuf {
        self.session.session_file().unwrap().to_owned()
    }

    /// The file is put aside: what is at its place now is not the session's.
    fn stranger(&mut self, path: PathBuf) {
        let content = fs::read(&path).unwrap();
        self.strangers.retain(|(other, _)| *other != path);
        self.strangers.push((path, content));
    }

    fn attack(&mut self, step: &Step) {
        let (file, store) = (self.file(), self.dir.path().join("s"));
        let there = file.exists() && !self.strangers.iter().any(|(path, _)| *path == file);
        self.attacks += 1;
        self.number += 1;
        match step {
            Step::Delete if there => fs::remove_file(&file).unwrap(),
            Step::Cut(part) if there => {
                let length = (fs::metadata(&file).unwrap().len() as f64 * part) as u64;
                fs::File::options().write(true).open(&file).unwrap().set_len(length).unwrap();
                self.stranger(file);
            }
            Step::Overwrite(size) if there => {
                overwrite(&file, "over\n".repeat(*size).as_bytes());
                self.stranger(file);
            }
            Step::Replace if there => {
                replace(&file, STRANGER);
                self.stranger(file);
            }
            Step::Move if there => {
                let moved = store.join(format!("moved-{}", self.number));
                fs::rename(&file, &moved).unwrap();
                self.stranger(moved);
            }
            Step::Grow(text) if there => {
                fs::File::options().append(true).open(&file).unwrap().write_all(text.as_bytes()).unwrap();
            }
            Step::RemoveDirectory | Step::RemakeDirectory => {
                let _ = fs::remove_dir_all(&store);
                self.strangers.clear();
                if matches!(step, Step::RemakeDirectory) {
                    fs::create_dir(&store).unwrap();
                }
            }
            _ => self.attacks -= 1,
        }
    }

    /// Everything that was appended is in the file, in its order, on one branch, and the session reads the same.
    fn check(&mut self) {
        let notices = self.session.take_notices();
        assert!(notices.len() <= 1 && !notices.concat().contains("could not be had"), "{notices:?}");
        let stored = SessionManager::open_read_only(host(self.dir.path()), &self.file(), None).unwrap();
        for session in [&stored, &self.session] {
            assert_eq!(texts_of(&session.build_session_context().unwrap().messages), self.texts);
        }
        assert_eq!(stored.leaf_id(), self.session.leaf_id());
        for (path, content) in &self.strangers {
            assert_eq!(&fs::read(path).unwrap(), content, "{}", path.display());
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Append(size) => self.append(*size),
            Step::Label => {
                let leaf = self.session.leaf_id().unwrap().to_owned();
                self.session.append().label_change(&leaf, Some("label")).unwrap();
                self.check();
            }
            Step::Sync => {
                self.session.sync().unwrap();
                let notices = self.session.take_notices();
                assert!(notices.len() <= 1 && !notices.concat().contains("could not be had"), "{notices:?}");
            }
            attack => self.attack(attack),
        }
    }
}

/// Random appends and attacks, in files: after each append nothing that was ever appended is missing, and no file of others
/// was touched.
#[test]
fn nothing_is_lost_whatever_happens_to_the_file() {
    let plays = scale(40, 1000);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: plays as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let (attacks, appends) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let steps = prop::collection::vec(step(), 1..40);
    let result = runner.run(&steps, |steps| {
        let mut play = Play::new();
        steps.iter().for_each(|step| play.step(step));
        play.append(0);
        attacks.set(attacks.get() + play.attacks);
        appends.set(appends.get() + play.texts.len());
        let file = play.file();
        let refused = SessionManager::open(host(play.dir.path()), &file, None).unwrap_err();
        assert!(matches!(refused, Error::Locked { .. }), "{refused}");
        drop(play.session);
        let again = open(play.dir.path(), &file);
        assert_eq!(texts_of(&again.build_session_context().unwrap().messages), play.texts);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    println!("{plays} sessions, {} attacks on their files, {} messages appended: 0 lost", attacks.get(), appends.get());
}
