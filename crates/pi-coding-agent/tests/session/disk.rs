//! Failing disks, played by a file that has only so much room.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex};

use pi_coding_agent::session::{Error, LogFile, SessionLog, Written, replace_log};
use proptest::prelude::*;

use crate::support::{assistant, open, raw_entries, small_session, user};

#[derive(Debug, Default)]
struct Disk {
    content: Vec<u8>,
    room: usize,
    writes: usize,
    may_shrink: bool,
    /// What another program appends as soon as there is no more room.
    intruder: Vec<u8>,
}

#[derive(Debug, Clone)]
struct SmallDisk(Arc<Mutex<Disk>>);

impl SmallDisk {
    fn new(room: usize, may_shrink: bool) -> Self {
        Self(Arc::new(Mutex::new(Disk { room, may_shrink, ..Disk::default() })))
    }

    fn make_room(&self, room: usize) {
        self.0.lock().unwrap().room = room;
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().content.clone()).unwrap()
    }

    fn log(&self) -> SessionLog {
        SessionLog::new(Path::new("s.jsonl"), Box::new(self.clone()))
    }
}

impl LogFile for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        let mut disk = self.0.lock().unwrap();
        disk.writes += 1;
        let fits = disk.room.min(bytes.len());
        if fits == 0 {
            let intruder = std::mem::take(&mut disk.intruder);
            disk.content.extend_from_slice(&intruder);
            return Err(ErrorKind::StorageFull.into());
        }
        disk.room -= fits;
        disk.content.extend_from_slice(&bytes[..fits]);
        Ok(Written { bytes: fits, end: disk.content.len() as u64 })
    }

    fn take_back(&mut self, start: u64, end: u64) -> io::Result<bool> {
        let mut disk = self.0.lock().unwrap();
        if !disk.may_shrink {
            return Err(ErrorKind::PermissionDenied.into());
        }
        if disk.content.len() as u64 != end {
            return Ok(false);
        }
        disk.content.truncate(start as usize);
        disk.room += (end - start) as usize;
        Ok(true)
    }

    fn sync_job(&self) -> io::Result<Box<dyn FnOnce() -> io::Result<()> + Send>> {
        Ok(Box::new(|| Ok(())))
    }
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_lost() {
    let disk = SmallDisk::new(20, true);
    let mut log = disk.log();
    log.append("0123456789").unwrap();
    let error = log.append("abcdefghijklm").unwrap_err();
    assert!(matches!(&error, Error::Write { source, .. } if source.kind() == ErrorKind::StorageFull));
    insta::assert_snapshot!(error.to_string());
    assert!(log.has_pending());
    log.append("second").unwrap_err();
    disk.make_room(100);
    log.append("third").unwrap();
    assert_eq!(disk.text(), "0123456789\nabcdefghijklm\nsecond\nthird\n");
    log.sync().unwrap();
    assert!(!log.has_pending());
}

#[test]
fn a_half_line_that_cannot_be_taken_back_stays_alone() {
    let disk = SmallDisk::new(5, false);
    let mut log = disk.log();
    log.append("0123456789").unwrap_err();
    disk.make_room(100);
    log.sync().unwrap();
    log.append("next").unwrap();
    assert_eq!(disk.text(), "01234\n0123456789\nnext\n");
}

/// A half-written line is gone when the append returns, and only that.
#[test]
fn half_a_line_is_taken_back_at_once_and_nothing_else() {
    let disk = SmallDisk::new(20, true);
    let mut log = disk.log();
    log.append("0123456789").unwrap();
    log.append("abcdefghijklm").unwrap_err();
    assert_eq!(disk.text(), "0123456789\n");
    // Another program's line, while the entry waits.
    disk.0.lock().unwrap().content.extend_from_slice(b"theirs\n");
    disk.make_room(100);
    log.sync().unwrap();
    assert_eq!(disk.text(), "0123456789\ntheirs\nabcdefghijklm\n");
}

/// Something of another program behind half a line keeps both where they are.
#[test]
fn a_line_of_another_program_is_never_taken_back() {
    let disk = SmallDisk::new(5, true);
    disk.0.lock().unwrap().intruder = b"theirs\n".to_vec();
    let mut log = disk.log();
    log.append("0123456789").unwrap_err();
    disk.make_room(100);
    log.append("next").unwrap();
    let text = disk.text();
    assert!(text.contains("theirs\n") && text.ends_with("\n0123456789\nnext\n"), "{text}");
}

#[test]
fn each_entry_is_one_write() {
    let disk = SmallDisk::new(1000, true);
    let mut log = disk.log().unterminated();
    for line in ["a", "b", "c"] {
        log.append(line).unwrap();
    }
    let writes = disk.0.lock().unwrap().writes;
    assert_eq!((writes, disk.text().as_str()), (3, "\na\nb\nc\n"));
}

#[test]
fn a_session_on_a_full_disk_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let mut session = open(dir.path(), &file);
    let disk = SmallDisk::new(10, true);
    replace_log(&mut session, disk.log());
    session.append_message(user("lost?")).unwrap_err();
    session.append_message(assistant("no")).unwrap_err();
    assert_eq!(session.build_session_context().unwrap().messages.len(), 4);
    disk.make_room(10_000);
    session.sync().unwrap();
    let expected = raw_entries(&session)[2..].join("\n") + "\n";
    assert_eq!(disk.text(), expected);
}

proptest! {
    /// However little room there is at each append, in the end every line is there once, whole, in order.
    #[test]
    fn every_line_arrives_once(rooms in prop::collection::vec(0usize..30, 1..20), may_shrink: bool) {
        let disk = SmallDisk::new(0, may_shrink);
        let mut log = disk.log();
        let mut expected = vec![];
        for (number, room) in rooms.iter().enumerate() {
            disk.make_room(*room);
            let line = format!("<line {number}>");
            let failed = log.append(&line).is_err();
            prop_assert_eq!(failed, log.has_pending());
            expected.push(line);
        }
        disk.make_room(10_000);
        log.sync().unwrap();
        let text = disk.text();
        let whole: Vec<_> = text.lines().filter(|line| line.starts_with('<') && line.ends_with('>')).collect();
        if may_shrink {
            prop_assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        } else {
            // Lines of failed writes may be there twice, but never glued, and the last of each is in order.
            let mut last: Vec<_> = vec![];
            for line in whole {
                last.retain(|other| *other != line);
                last.push(line);
            }
            prop_assert_eq!(last, expected);
        }
    }
}
