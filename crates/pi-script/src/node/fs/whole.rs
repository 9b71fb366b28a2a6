//! Whole files: read, written, copied, moved, cut.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;

use serde::Deserialize;

use crate::op::{Args, Data, OpResult};

use super::{FileOp, Files, Name, nothing, options};

pub(super) const OPS: &[(&str, FileOp)] = &[
    ("read", read),
    ("write", write),
    ("copy", copy),
    ("rename", rename),
    ("truncate", truncate),
    ("unlink", unlink),
    ("link", link),
];

fn read(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let mut file = File::open(&name.full).map_err(|error| name.failed(&error, "open"))?;
    let mut bytes = Vec::new();
    // What cannot be read fails without path, as in Node.
    file.read_to_end(&mut bytes).map_err(|error| super::errno::error(&error, "read", &[]))?;
    Ok(Data::Bytes(bytes))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Writing {
    flag: Option<String>,
    mode: Option<u32>,
}

fn write(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let bytes = args.bytes(2)?;
    let Writing { flag, mode } = options(args, 3)?;
    let mut open = opening(flag.as_deref().unwrap_or("w"));
    let mut file = open.mode(mode.unwrap_or(0o666)).open(&name.full).map_err(|error| name.failed(&error, "open"))?;
    nothing(file.write_all(&bytes).map_err(|error| super::errno::error(&error, "write", &[])))
}

/// How a file is opened, by the letters of Node; what is unknown is read.
pub(super) fn opening(flag: &str) -> OpenOptions {
    let mut open = OpenOptions::new();
    let is_both = flag.contains('+');
    match flag.chars().next() {
        Some('w') => open.write(true).create(true).truncate(true).read(is_both),
        Some('a') => open.append(true).create(true).read(is_both),
        _ => open.read(true).write(is_both),
    };
    if flag.contains('x') {
        open.create_new(true);
    }
    open
}

/// Flags of the system instead of letters.
pub(super) fn opening_by_number(flags: i32) -> OpenOptions {
    use rustix::fs::OFlags;
    let flags = OFlags::from_bits_retain(flags.cast_unsigned());
    let mut open = OpenOptions::new();
    let mode = flags & OFlags::RWMODE;
    open.read(mode != OFlags::WRONLY).write(mode == OFlags::WRONLY || mode == OFlags::RDWR);
    open.append(flags.contains(OFlags::APPEND));
    open.truncate(flags.contains(OFlags::TRUNC)).create(flags.contains(OFlags::CREATE));
    open.create_new(flags.contains(OFlags::CREATE | OFlags::EXCL));
    open
}

/// `mode` 1 leaves a file alone that is there.
fn copy(_: &Files, args: &mut Args) -> OpResult {
    let (from, to) = (Name::read(args, 1)?, Name::read(args, 2)?);
    let mode: Option<u32> = args.parse(3)?;
    let fail = |error: io::Error| from.failed_to(&to, &error, "copyfile");
    if mode.unwrap_or_default() & 1 == 1 && to.full.symlink_metadata().is_ok() {
        return Err(fail(io::ErrorKind::AlreadyExists.into()));
    }
    if from.full.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    std::fs::copy(&from.full, &to.full).map(|_| Data::Undefined).map_err(fail)
}

fn rename(_: &Files, args: &mut Args) -> OpResult {
    let (from, to) = (Name::read(args, 1)?, Name::read(args, 2)?);
    nothing(std::fs::rename(&from.full, &to.full).map_err(|error| from.failed_to(&to, &error, "rename")))
}

fn link(_: &Files, args: &mut Args) -> OpResult {
    let (from, to) = (Name::read(args, 1)?, Name::read(args, 2)?);
    nothing(std::fs::hard_link(&from.full, &to.full).map_err(|error| from.failed_to(&to, &error, "link")))
}

fn truncate(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let length: Option<u64> = args.parse(2)?;
    let file = OpenOptions::new().write(true).open(&name.full).map_err(|error| name.failed(&error, "open"))?;
    nothing(file.set_len(length.unwrap_or_default()).map_err(|error| name.failed(&error, "ftruncate")))
}

fn unlink(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    nothing(std::fs::remove_file(&name.full).map_err(|error| name.failed(&error, "unlink")))
}
