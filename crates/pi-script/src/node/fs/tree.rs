//! Directories: made, listed, removed, copied with all that is in them.

use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::op::{Args, Data, OpError, OpResult};

use super::{FileOp, Files, Name, nothing, options};

pub(super) const OPS: &[(&str, FileOp)] =
    &[("mkdir", mkdir), ("mkdtemp", mkdtemp), ("readdir", readdir), ("rmdir", rmdir), ("rm", rm), ("cp", cp)];

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Options {
    recursive: bool,
    force: bool,
    mode: Option<u32>,
    error_on_exist: bool,
    dereference: bool,
}

/// Returns the first directory that was made, if `recursive`.
fn mkdir(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let options: Options = options(args, 2)?;
    let mode = options.mode.unwrap_or(0o777);
    let fail = |error: io::Error| name.failed(&error, "mkdir");
    if !options.recursive {
        std::fs::DirBuilder::new().mode(mode).create(&name.full).map_err(fail)?;
        return Ok(Data::Undefined);
    }
    let missing = name.full.ancestors().take_while(|path| !path.exists()).last().map(Path::to_path_buf);
    std::fs::DirBuilder::new().recursive(true).mode(mode).create(&name.full).map_err(fail)?;
    Ok(missing.map_or(Data::Undefined, |path| Data::Text(path.to_string_lossy().into_owned())))
}

/// Six characters are appended to the path.
fn mkdtemp(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let template = format!("{}XXXXXX", name.shown);
    for _ in 0..64 {
        let suffix = random_suffix();
        let full = PathBuf::from(format!("{}{suffix}", name.full.to_string_lossy()));
        match std::fs::DirBuilder::new().mode(0o700).create(&full) {
            Ok(()) => return Ok(Data::Text(format!("{}{suffix}", name.shown))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(super::errno::error(&error, "mkdtemp", &[&template])),
        }
    }
    Err(super::errno::error(&io::ErrorKind::AlreadyExists.into(), "mkdtemp", &[&template]))
}

/// Six letters and digits that are not easily guessed: the standard library seeds its hashers from the system.
fn random_suffix() -> String {
    use std::hash::{BuildHasher, Hasher};
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut number = std::collections::hash_map::RandomState::new().build_hasher().finish();
    let mut letter = || {
        let letter = LETTERS[(number % LETTERS.len() as u64) as usize];
        number /= LETTERS.len() as u64;
        char::from(letter)
    };
    (0..6).map(|_| letter()).collect()
}

/// `[directory, name, kind]` of each entry, by name; `directory` is relative to the one listed.
fn readdir(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let options: Options = options(args, 2)?;
    let mut found = Vec::new();
    let mut waiting = std::collections::VecDeque::from([PathBuf::new()]);
    while let Some(directory) = waiting.pop_front() {
        let full = if directory.as_os_str().is_empty() { name.full.clone() } else { name.full.join(&directory) };
        let mut entries: Vec<_> =
            std::fs::read_dir(full).and_then(Iterator::collect).map_err(|error| name.failed(&error, "scandir"))?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let kind = entry.file_type().map_or(0, kind_of);
            if options.recursive && kind == DIRECTORY {
                waiting.push_back(directory.join(entry.file_name()));
            }
            found.push(json!([directory.to_string_lossy(), entry.file_name().to_string_lossy(), kind]));
        }
    }
    Ok(Data::Json(Value::Array(found)))
}

/// The number of a directory among the kinds of entries (`UV_DIRENT_*`).
const DIRECTORY: u8 = 2;

fn kind_of(kind: std::fs::FileType) -> u8 {
    match kind {
        _ if kind.is_file() => 1,
        _ if kind.is_dir() => DIRECTORY,
        _ if kind.is_symlink() => 3,
        _ if kind.is_fifo() => 4,
        _ if kind.is_socket() => 5,
        _ if kind.is_char_device() => 6,
        _ if kind.is_block_device() => 7,
        _ => 0,
    }
}

fn rmdir(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let options: Options = options(args, 2)?;
    let remove = if options.recursive { std::fs::remove_dir_all } else { |path: &PathBuf| std::fs::remove_dir(path) };
    nothing(remove(&name.full).map_err(|error| name.failed(&error, "rmdir")))
}

fn rm(_: &Files, args: &mut Args) -> OpResult {
    let name = Name::read(args, 1)?;
    let options: Options = options(args, 2)?;
    let kind = match std::fs::symlink_metadata(&name.full) {
        Ok(found) => found.file_type(),
        Err(error) if options.force && error.kind() == io::ErrorKind::NotFound => return Ok(Data::Undefined),
        Err(error) => return Err(name.failed(&error, "lstat")),
    };
    if !kind.is_dir() {
        return nothing(std::fs::remove_file(&name.full).map_err(|error| name.failed(&error, "rm")));
    }
    if !options.recursive {
        let message = format!("Path is a directory: rm returned EISDIR (is a directory) {}", name.shown);
        let error = OpError::new(message).with("code", "ERR_FS_EISDIR").with("name", "SystemError");
        return Err(error
            .with("errno", rustix::io::Errno::ISDIR.raw_os_error())
            .with("syscall", "rm")
            .with("path", name.shown));
    }
    nothing(std::fs::remove_dir_all(&name.full).map_err(|error| name.failed(&error, "rm")))
}

fn cp(_: &Files, args: &mut Args) -> OpResult {
    let (from, to) = (Name::read(args, 1)?, Name::read(args, 2)?);
    let force =
        args.0.get(3).and_then(|given| given.clone().into_json()).and_then(|given| given.get("force")?.as_bool());
    let options: Options = Options { force: force.unwrap_or(true), ..options(args, 3)? };
    let found = std::fs::symlink_metadata(&from.full).map_err(|error| from.failed(&error, "lstat"))?;
    if found.is_dir() && !options.recursive {
        let message = format!("Recursive option not enabled, cannot copy a directory: {}", from.shown);
        return Err(OpError::new(message).with("code", "ERR_FS_EISDIR"));
    }
    if found.is_dir() && to.full.starts_with(&from.full) {
        let message = format!("Cannot copy {} to a subdirectory of self {}", from.shown, to.shown);
        return Err(OpError::new(message).with("code", "ERR_FS_CP_EINVAL"));
    }
    nothing(copy_tree(&from.full, &to.full, &options).map_err(|error| from.failed_to(&to, &error, "cp")))
}

fn copy_tree(from: &Path, to: &Path, options: &Options) -> io::Result<()> {
    let found = if options.dereference { std::fs::metadata(from)? } else { std::fs::symlink_metadata(from)? };
    if found.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            copy_tree(&entry.path(), &to.join(entry.file_name()), options)?;
        }
        return Ok(());
    }
    if to.symlink_metadata().is_ok() {
        match (options.force, options.error_on_exist) {
            (true, _) if found.is_symlink() => std::fs::remove_file(to)?,
            (true, _) => {}
            (false, true) => return Err(io::ErrorKind::AlreadyExists.into()),
            (false, false) => return Ok(()),
        }
    }
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent)?;
    }
    if found.is_symlink() {
        return std::os::unix::fs::symlink(std::fs::read_link(from)?, to);
    }
    std::fs::copy(from, to).map(drop)
}
