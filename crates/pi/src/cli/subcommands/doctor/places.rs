//! Directories that pi writes to: whether it may, how full the disk is, and who can read the keys.

use std::path::Path;

use super::examined::Examined;
use super::report::Section;
use crate::cli::startup::sessions::directory;

/// Less free space than this needs attention, in bytes.
const LITTLE_SPACE: u64 = 100 << 20;

pub(super) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("Directories");
    let agent_dir = examined.paths.agent_dir();
    place("configuration", agent_dir, examined, &mut section);
    let sessions = directory(None, &examined.paths, &examined.settings)
        .unwrap_or_else(|| examined.paths.default_session_dir(examined.paths.cwd()));
    place("sessions", &sessions, examined, &mut section);
    private("auth.json", &examined.paths.auth_file(), examined, &mut section);
    space(&sessions, &mut section);
    section
}

fn place(subject: &str, dir: &Path, examined: &Examined, section: &mut Section) {
    let shown = examined.shown(dir);
    let existing = existing(dir);
    if !existing.is_dir() {
        let detail = format!("{shown}: {} is a file, not a directory", examined.shown(existing));
        section.attention(subject, detail, "move the file away, or name another directory");
    } else if !is_writable(existing) {
        let detail = format!("{shown} cannot be written: {} is read-only", examined.shown(existing));
        section.attention(subject, detail, "change its permissions, or name another directory");
    } else if existing == dir {
        section.ok(subject, shown);
    } else {
        section.ok(subject, format!("{shown}, made when it is needed"));
    }
}

/// The directory, or the nearest one above that exists.
fn existing(dir: &Path) -> &Path {
    dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir)
}

#[cfg(unix)]
fn is_writable(dir: &Path) -> bool {
    use rustix::fs::{Access, access};
    access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(dir: &Path) -> bool {
    std::fs::metadata(dir).is_ok_and(|metadata| !metadata.permissions().readonly())
}

#[cfg(unix)]
fn private(subject: &str, file: &Path, examined: &Examined, section: &mut Section) {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS: u32 = 0o077;
    let Ok(metadata) = std::fs::metadata(file) else { return };
    let mode = metadata.permissions().mode() & 0o777;
    let shown = examined.shown(file);
    if mode & OTHERS == 0 {
        section.ok(subject, format!("{shown}, private (mode {mode:o})"));
    } else {
        let detail = format!("{shown} can be read or changed by others (mode {mode:o})");
        section.attention(subject, detail, &format!("chmod 600 {shown}"));
    }
}

#[cfg(not(unix))]
fn private(_: &str, _: &Path, _: &Examined, _: &mut Section) {}

#[cfg(unix)]
fn space(dir: &Path, section: &mut Section) {
    let Ok(disk) = rustix::fs::statvfs(existing(dir)) else { return };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let detail = format!("{} MB free for sessions", free >> 20);
    if free < LITTLE_SPACE {
        section.attention("disk", detail, "make room, or keep sessions elsewhere with --session-dir");
    } else {
        section.ok("disk", detail);
    }
}

#[cfg(not(unix))]
fn space(_: &Path, _: &mut Section) {}
