//! Whether a path of the user's can be a package: a directory, or a file that is one extension. Nothing is run.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use memchr::memmem;

use super::package_dirs::io;
use crate::host;
use crate::resources::PackageError;

/// Ends of names of scripts, as the script engine knows them. A file may also have none.
const SCRIPTS: [&str; 8] = ["ts", "js", "mts", "mjs", "cts", "cjs", "tsx", "jsx"];
/// Bytes of a file that are looked at. An extension that is one file is not larger.
const MOST_READ: u64 = 16 << 20;

/// Checks a path before it goes into the settings: what is no package would fail at the start of every session.
///
/// # Errors
/// [`PackageError::NoSuchPath`], [`PackageError::NotAPackage`], [`PackageError::Io`].
pub(super) fn check(path: &Path) -> Result<(), PackageError> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => PackageError::NoSuchPath { path: path.to_owned() },
        _ => io("read", path)(error),
    })?;
    let refused = |reason| Err(PackageError::NotAPackage { path: path.to_owned(), reason });
    if metadata.is_dir() {
        return Ok(());
    }
    if !metadata.is_file() {
        return refused("it is neither a directory nor a regular file");
    }
    if let Some(reason) = foreign(path) {
        return refused(reason);
    }
    let mut source = Vec::new();
    let read = host::open_regular(path).and_then(|file| file.take(MOST_READ).read_to_end(&mut source));
    read.map_err(io("read", path))?;
    if exports_default(&source) {
        Ok(())
    } else {
        refused("an extension exports a function as its default, and this file does not")
    }
}

/// Why a file of this name is no extension.
fn foreign(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str().unwrap_or("?");
    if SCRIPTS.contains(&ending) {
        return None;
    }
    Some(match ending.to_ascii_lowercase().as_str() {
        "tgz" | "tar" | "gz" | "zip" | "xz" | "bz2" | "zst" => "it is an archive. Unpack it, and install the directory",
        "md" => {
            "a single file is an extension, with a name that ends in .ts or .js. Prompt templates belong into the directory \
             prompts, skills into the directory skills of a package or of ~/.pi/agent"
        }
        "json" => {
            "a single file is an extension, with a name that ends in .ts or .js. Themes belong into the directory themes of a \
             package or of ~/.pi/agent; where it is a package.json, install its directory"
        }
        _ => "a package is a directory, or a single extension with a name that ends in .ts or .js",
    })
}

/// Whether a script may have a default export, of a module or of CommonJS. Generous: the words may be in a comment.
fn exports_default(source: &[u8]) -> bool {
    let has = |word: &str| memmem::find(source, word.as_bytes()).is_some();
    has("exports") || (has("export") && has("default"))
}
