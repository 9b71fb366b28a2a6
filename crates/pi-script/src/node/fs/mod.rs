//! Files, as `fs` asks for them. Every operation is there twice: `fs.x` waits on the script's thread (`fs.xSync` of Node),
//! `fs.later.x` runs on a thread for blocking work.
//!
//! The first argument is the directory that relative paths count from; paths in errors are as the script gave them.

mod entries;
mod handles;
mod stat;
mod tree;
mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

use super::errno;
pub(super) use handles::Handles as OpenFiles;

/// What the operations of one engine share.
#[derive(Debug)]
struct Files {
    handles: Arc<OpenFiles>,
}

type FileOp = fn(&Files, &mut Args) -> OpResult;

/// Adds all operations, on files that others may use, too.
pub(super) fn add(ops: &mut OpTable, handles: Arc<OpenFiles>) {
    let files = Arc::new(Files { handles });
    let lists = [whole::OPS, entries::OPS, tree::OPS, stat::OPS, handles::OPS];
    for (name, op) in lists.into_iter().flatten() {
        let (name, op): (&str, FileOp) = (name, *op);
        let shared = Arc::clone(&files);
        ops.add_sync(&format!("fs.{name}"), move |_, mut args| op(&shared, &mut args));
        let shared = Arc::clone(&files);
        ops.add_async(&format!("fs.later.{name}"), move |_, mut args| {
            let shared = Arc::clone(&shared);
            async move {
                let done = tokio::task::spawn_blocking(move || op(&shared, &mut args)).await;
                done.unwrap_or_else(|error| Err(OpError::new(error.to_string())))
            }
        });
    }
}

/// A path: as it was given, and in full.
struct Name {
    shown: String,
    full: PathBuf,
}

impl Name {
    /// The path at `place`; the directory for relative ones is at 0.
    fn read(args: &mut Args, place: usize) -> Result<Self, OpError> {
        let cwd = args.0.first().and_then(|cwd| cwd.clone().into_text()).unwrap_or_default();
        let shown = args.text(place)?;
        let full = Path::new(&cwd).join(&shown);
        Ok(Self { shown, full })
    }

    /// The error of a call that was given this path.
    fn failed(&self, error: &std::io::Error, syscall: &str) -> OpError {
        errno::error(error, syscall, &[&self.shown])
    }

    /// The error of a call that was given this path and another.
    fn failed_to(&self, other: &Self, error: &std::io::Error, syscall: &str) -> OpError {
        errno::error(error, syscall, &[&self.shown, &other.shown])
    }
}

/// Options of an operation: the JSON object at `place`, all of whose fields have defaults.
fn options<T: for<'de> Deserialize<'de> + Default>(args: &mut Args, place: usize) -> Result<T, OpError> {
    match args.json(place) {
        None | Some(serde_json::Value::Null) => Ok(T::default()),
        Some(value) => serde_json::from_value(value).map_err(|error| OpError::type_error(error.to_string())),
    }
}

/// What an operation without result returns.
fn nothing(result: Result<(), OpError>) -> OpResult {
    result.map(|()| Data::Undefined)
}
