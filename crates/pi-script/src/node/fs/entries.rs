//! Single entries of directories: links, permissions, times, names in full.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use rustix::fs::{Access, AtFlags, CWD, Timespec, Timestamps};

use crate::op::{Args, Data, OpError, OpResult};

use super::{FileOp, Files, Name, nothing};

pub(super) const OPS: &[(&str, FileOp)] = &[
    ("access", access),
    ("realpath", realpath),
    ("readlink", readlink),
    ("symlink", symlink),
    ("chmod", chmod),
    ("chown", chown),
    ("utimes", utimes),
    ("lutimes", lutimes),
];

fn access(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let mode: Option<u32> = args.parse(2)?;
    let mode = Access::from_bits_truncate(mode.unwrap_or_default());
    let mode = if mode.is_empty() { Access::EXISTS } else { mode };
    nothing(rustix::fs::access(&name.full, mode).map_err(|error| name.failed(&error.into(), "access")))
}

fn realpath(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let full = name.full.canonicalize().map_err(|error| name.failed(&error, "realpath"))?;
    Ok(Data::Text(full.to_string_lossy().into_owned()))
}

fn readlink(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let target = std::fs::read_link(&name.full).map_err(|error| name.failed(&error, "readlink"))?;
    Ok(Data::Text(target.to_string_lossy().into_owned()))
}

/// The target is kept as it is given.
fn symlink(_: &Files, args: &mut Args) -> OpResult {
    let (target, link) = (Name::read(args, 1)?, Name::read(args, 2)?);
    let done = std::os::unix::fs::symlink(&target.shown, &link.full);
    nothing(done.map_err(|error| target.failed_to(&link, &error, "symlink")))
}

fn chmod(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let mode: u32 = args.parse(2)?;
    let done = std::fs::set_permissions(&name.full, std::fs::Permissions::from_mode(mode));
    nothing(done.map_err(|error| name.failed(&error, "chmod")))
}

fn chown(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let (user, group): (i64, i64) = (args.parse(2)?, args.parse(3)?);
    // -1 leaves it.
    let id = |id: i64| u32::try_from(id).ok();
    let done = std::os::unix::fs::chown(&name.full, id(user), id(group));
    nothing(done.map_err(|error| name.failed(&error, "chown")))
}

fn utimes(_: &Files, args: &mut Args) -> OpResult {
    set_times(args, AtFlags::empty(), "utime")
}

fn lutimes(_: &Files, args: &mut Args) -> OpResult {
    set_times(args, AtFlags::SYMLINK_NOFOLLOW, "lutime")
}

/// Both times are seconds since 1970.
fn set_times(args: &mut Args, flags: AtFlags, syscall: &str) -> OpResult {
    let name = Name::read(args, 1)?;
    let times = Timestamps { last_access: spec(args, 2)?, last_modification: spec(args, 3)? };
    let done = rustix::fs::utimensat(CWD, &name.full, &times, flags);
    nothing(done.map_err(|error| name.failed(&error.into(), syscall)))
}

fn spec(args: &mut Args, place: usize) -> Result<Timespec, OpError> {
    let seconds: f64 = args.parse(place)?;
    let whole = seconds.floor();
    Ok(Timespec { tv_sec: whole as i64, tv_nsec: ((seconds - whole) * 1e9).round() as _ })
}

/// A time that a script gave, in seconds since 1970.
pub(super) fn time(seconds: f64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
