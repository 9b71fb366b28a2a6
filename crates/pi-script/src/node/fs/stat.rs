//! What a file is: kind, size, times.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use serde_json::{Value, json};

use crate::op::{Args, OpResult};

use super::{FileOp, Files, Name};

pub(super) const OPS: &[(&str, FileOp)] = &[("stat", stat), ("lstat", lstat), ("statfs", statfs)];

fn stat(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let found = std::fs::metadata(&name.full).map_err(|error| name.failed(&error, "stat"))?;
    Ok(described(&found).into())
}

fn lstat(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let found = std::fs::symlink_metadata(&name.full).map_err(|error| name.failed(&error, "lstat"))?;
    Ok(described(&found).into())
}

fn statfs(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let found = rustix::fs::statvfs(&name.full).map_err(|error| name.failed(&error.into(), "statfs"))?;
    Ok(json!({
        "type": 0,
        "bsize": found.f_frsize,
        "blocks": found.f_blocks,
        "bfree": found.f_bfree,
        "bavail": found.f_bavail,
        "files": found.f_files,
        "ffree": found.f_ffree,
    })
    .into())
}

/// The fields of `fs.Stats`; times in milliseconds since 1970.
pub(super) fn described(found: &Metadata) -> Value {
    let time = |seconds: i64, nanoseconds: i64| seconds as f64 * 1000.0 + nanoseconds as f64 / 1e6;
    let changed = time(found.ctime(), found.ctime_nsec());
    let born = found.created().ok().and_then(|time| time.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
    json!({
        "dev": found.dev(),
        "mode": found.mode(),
        "nlink": found.nlink(),
        "uid": found.uid(),
        "gid": found.gid(),
        "rdev": found.rdev(),
        "blksize": found.blksize(),
        "ino": found.ino(),
        "size": found.size(),
        "blocks": found.blocks(),
        "atimeMs": time(found.atime(), found.atime_nsec()),
        "mtimeMs": time(found.mtime(), found.mtime_nsec()),
        "ctimeMs": changed,
        "birthtimeMs": born.map_or(changed, |time| time.as_secs_f64() * 1000.0),
    })
}
