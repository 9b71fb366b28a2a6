//! Files that are open, by number. The numbers are those of this table, not of the system.

use std::collections::HashMap;
use std::fs::{File, FileTimes};
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::sync::{Arc, Mutex};

use pi_guard::Unpoisoned;

use crate::op::{Args, Data, OpError, OpResult};

use super::whole::{opening, opening_by_number};
use super::{FileOp, Files, Name, errno, nothing};

pub(super) const OPS: &[(&str, FileOp)] = &[
    ("open", open),
    ("close", close),
    ("handle_read", read),
    ("handle_read_all", read_all),
    ("handle_write", write),
    ("handle_stat", stat),
    ("handle_truncate", truncate),
    ("handle_sync", sync),
    ("handle_chmod", chmod),
    ("handle_utimes", utimes),
];

/// The first number: those below belong to the program itself.
const FIRST: u32 = 20;

/// The open files of one engine; they are closed with it.
#[derive(Debug, Default)]
pub(in crate::node) struct Handles(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    open: HashMap<u32, Arc<File>>,
    opened: u32,
}

impl Handles {
    fn add(&self, file: File) -> u32 {
        let mut table = self.0.lock().unpoisoned();
        table.opened += 1;
        let number = FIRST + table.opened;
        table.open.insert(number, Arc::new(file));
        number
    }

    fn remove(&self, number: u32) -> Option<Arc<File>> {
        self.0.lock().unpoisoned().open.remove(&number)
    }

    /// Another descriptor of the same open file, for a child to write to or to read from.
    ///
    /// # Errors
    /// When no file is open under this number.
    pub(in crate::node) fn duplicate(&self, number: u32) -> std::io::Result<File> {
        let file = self.0.lock().unpoisoned().open.get(&number).cloned();
        file.ok_or(rustix::io::Errno::BADF)?.try_clone()
    }

    fn get(&self, number: u32, syscall: &str) -> Result<Arc<File>, OpError> {
        let table = self.0.lock().unpoisoned();
        table.open.get(&number).cloned().ok_or_else(|| bad(syscall))
    }
}

fn bad(syscall: &str) -> OpError {
    errno::error(&rustix::io::Errno::BADF.into(), syscall, &[])
}

fn open(files: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let mut options = match args.json(2) {
        Some(serde_json::Value::Number(flags)) => opening_by_number(flags.as_i64().unwrap_or_default() as i32),
        Some(serde_json::Value::String(flag)) => opening(&flag),
        _ => opening("r"),
    };
    let mode: Option<u32> = args.parse(3)?;
    let file = options.mode(mode.unwrap_or(0o666)).open(&name.full).map_err(|error| name.failed(&error, "open"))?;
    Ok(Data::Json(files.handles.add(file).into()))
}

fn close(files: &Files, args: &mut Args) -> OpResult {
    nothing(files.handles.remove(args.parse(1)?).map(drop).ok_or_else(|| bad("close")))
}

/// At most `length` bytes, from `position` or from where the last call ended.
fn read(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "read")?;
    let length: usize = args.parse(2)?;
    let position: Option<u64> = args.parse(3)?;
    let mut bytes = vec![0; length];
    let count = match position {
        Some(position) => file.read_at(&mut bytes, position),
        None => (&*file).read(&mut bytes),
    };
    bytes.truncate(count.map_err(|error| errno::error(&error, "read", &[]))?);
    Ok(Data::Bytes(bytes))
}

fn read_all(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "read")?;
    let mut bytes = Vec::new();
    (&*file).read_to_end(&mut bytes).map_err(|error| errno::error(&error, "read", &[]))?;
    Ok(Data::Bytes(bytes))
}

/// All the bytes, at `position` or where the last call ended. Returns how many.
fn write(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "write")?;
    let bytes = args.bytes(2)?;
    let position: Option<u64> = args.parse(3)?;
    let done = match position {
        Some(position) => file.write_all_at(&bytes, position),
        None => (&*file).write_all(&bytes),
    };
    done.map_err(|error| errno::error(&error, "write", &[]))?;
    Ok(Data::Json(bytes.len().into()))
}

fn stat(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "fstat")?;
    let found = file.metadata().map_err(|error| errno::error(&error, "fstat", &[]))?;
    Ok(super::stat::described(&found).into())
}

fn truncate(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "ftruncate")?;
    let length: Option<u64> = args.parse(2)?;
    nothing(file.set_len(length.unwrap_or_default()).map_err(|error| errno::error(&error, "ftruncate", &[])))
}

fn sync(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "fsync")?;
    nothing(file.sync_all().map_err(|error| errno::error(&error, "fsync", &[])))
}

fn chmod(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "fchmod")?;
    let mode = std::fs::Permissions::from_mode(args.parse(2)?);
    nothing(file.set_permissions(mode).map_err(|error| errno::error(&error, "fchmod", &[])))
}

fn utimes(files: &Files, args: &mut Args) -> OpResult {
    let file = files.handles.get(args.parse(1)?, "futime")?;
    let (accessed, modified): (f64, f64) = (args.parse(2)?, args.parse(3)?);
    let times =
        FileTimes::new().set_accessed(super::entries::time(accessed)).set_modified(super::entries::time(modified));
    nothing(file.set_times(times).map_err(|error| errno::error(&error, "futime", &[])))
}
