//! Files and directories over there.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::future::FutureExt;
use futures::stream::{self, StreamExt};

use super::frames::Frame;
use super::machine::RemoteMachine;
use super::script::Script;
use super::session::Session;
use super::transfer::{check, path_of};
use crate::tools::image_kind::{ImageKind, SNIFF_BYTES};
use crate::tools::local_files::{MAX_FILE_BYTES, too_large};
use crate::tools::operations::{
    ByteStream, DirectoryEntry, EditOperations, EntryKind, LsOperations, OperationError, OperationResult,
    PathOperations, ReadOperations, WriteOperations,
};

impl RemoteMachine {
    /// Runs a script about a path to its end; returns what it moved.
    async fn ask(&self, script: Script, path: &Path) -> Result<Vec<u8>, OperationError> {
        let mut session = self.start(script).await?;
        let (data, report) = session.data_and_record().await?;
        check(&report, path)?;
        Ok(data)
    }

    async fn content(&self, path: &Path) -> Result<Vec<u8>, OperationError> {
        let mut session = self.start(reading(path, 0)).await?;
        let report = session.expect_record().await?;
        let Some(size) = report.strip_prefix("size ") else { return check(&report, path).map(|()| Vec::new()) };
        if let Some(size) = size.parse().ok().filter(|size| *size > MAX_FILE_BYTES) {
            return Err(too_large(path, size));
        }
        let (data, report) = session.data_and_record().await?;
        check(&report, path)?;
        Ok(data)
    }

    async fn check_access(&self, path: &Path, mode: &str) -> Result<(), OperationError> {
        let script = Script::on_paths(include_str!("scripts/access.sh")).arg(path).arg(mode);
        self.ask(script, path).await.map(drop)
    }

    async fn replace(&self, path: &Path, text: &str) -> Result<(), OperationError> {
        let script = Script::on_paths(include_str!("scripts/write.sh")).arg(path).arg(text.len().to_string());
        let mut session = self.start(script).await?;
        session.send(text.as_bytes()).await;
        session.end_input();
        let (_, report) = session.data_and_record().await?;
        check(&report, path)
    }
}

impl PathOperations for RemoteMachine {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        let script = Script::on_paths(include_str!("scripts/real_path.sh")).arg(path);
        async move { self.ask(script, path).await.map(path_of) }.boxed()
    }

    fn is_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, bool> {
        let script = Script::on_paths(include_str!("scripts/is_dir.sh")).arg(path);
        async move { self.ask(script, path).await.map(|answer| answer == b"y") }.boxed()
    }
}

impl ReadOperations for RemoteMachine {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        self.content(path).boxed()
    }

    fn open<'a>(&'a self, path: &'a Path) -> ByteStream<'a> {
        let state = Reading::Closed { machine: self, path };
        stream::unfold(state, Reading::step).boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        self.check_access(path, "r").boxed()
    }

    fn detect_image<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        async move { self.ask(reading(path, SNIFF_BYTES), path).await.map(|head| ImageKind::sniff(&head)) }.boxed()
    }
}

impl WriteOperations for RemoteMachine {
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        self.replace(path, text).boxed()
    }

    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        let script = Script::on_paths(include_str!("scripts/create_dir.sh")).arg(path);
        async move { self.ask(script, path).await.map(drop) }.boxed()
    }
}

impl EditOperations for RemoteMachine {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        self.content(path).boxed()
    }

    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        self.replace(path, text).boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        self.check_access(path, "rw").boxed()
    }
}

impl LsOperations for RemoteMachine {
    fn read_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<DirectoryEntry>> {
        let script = Script::on_paths(include_str!("scripts/list.sh")).arg(path);
        async move { self.ask(script, path).await.map(|listing| entries(&listing)) }.boxed()
    }
}

/// Reads a file, or with `head` its first so many bytes.
fn reading(path: &Path, head: u64) -> Script {
    Script::on_paths(include_str!("scripts/read.sh")).arg(path).arg(head.to_string())
}

/// A file that is read piece by piece.
enum Reading<'a> {
    Closed { machine: &'a RemoteMachine, path: &'a Path },
    Open { session: Box<Session>, path: &'a Path },
    Done,
}

impl<'a> Reading<'a> {
    /// The next piece and the state after it.
    async fn step(self) -> Option<(Result<Bytes, OperationError>, Self)> {
        let (mut session, path) = match self.opened().await {
            Ok(opened) => opened?,
            Err(error) => return Some((Err(error), Self::Done)),
        };
        match session.next().await {
            Some(Frame::Data(bytes)) => Some((Ok(bytes), Self::Open { session, path })),
            Some(Frame::Record(report)) => check(&report, path).err().map(|error| (Err(error), Self::Done)),
            None => Some((Err(session.lost().await), Self::Done)),
        }
    }

    /// The session that moves the content; `None` when it is over.
    async fn opened(self) -> Result<Option<(Box<Session>, &'a Path)>, OperationError> {
        match self {
            Self::Closed { machine, path } => {
                let mut session = machine.start(reading(path, 0)).await?;
                let report = session.expect_record().await?;
                if !report.starts_with("size ") {
                    check(&report, path)?;
                }
                Ok(Some((Box::new(session), path)))
            }
            Self::Open { session, path } => Ok(Some((session, path))),
            Self::Done => Ok(None),
        }
    }
}

/// Kind and name, each ended by NUL.
fn entries(listing: &[u8]) -> Vec<DirectoryEntry> {
    let entries = listing.split(|byte| *byte == 0).filter_map(|entry| entry.split_first());
    entries
        .map(|(kind, name)| DirectoryEntry { name: String::from_utf8_lossy(name).into_owned(), kind: kind_of(*kind) })
        .collect()
}

fn kind_of(letter: u8) -> EntryKind {
    match letter {
        b'd' => EntryKind::Directory,
        b'o' => EntryKind::Other,
        _ => EntryKind::Unknown,
    }
}
