//! Files through the editor: what is open there and not saved is read as it stands, and what is written shows up there.
//!
//! Only files below the session's directories that are text and not big go this way. Everything else, and whatever the editor
//! refuses, is done on this machine.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use agent_client_protocol_schema::v1::{
    ReadTextFileRequest, ReadTextFileResponse, SessionId, WriteTextFileRequest, WriteTextFileResponse,
};
use bytes::Bytes;
use futures::FutureExt;
use futures::stream::{self, StreamExt};

use super::client::Client;
use super::connection::Connection;
use super::directories::Directories;
use crate::sdk::CreateAgentSessionOptions;
use crate::tools::{
    ByteStream, EditOperations, ImageKind, LocalFiles, OperationError, OperationResult, PathOperations, ReadOperations,
    ToolOptions, WriteOperations,
};

/// Larger files, in bytes, are read here.
const MOST_BYTES: u64 = 4 << 20;

/// Files as a session of an editor has them.
#[derive(Debug)]
pub(super) struct ClientFiles {
    connection: Connection,
    root: PathBuf,
    directories: Directories,
    /// Known when the session is.
    session: OnceLock<SessionId>,
}

impl ClientFiles {
    /// Lets the tools of a session in a directory work through the editor, as far as it offers that. Absent where it does not.
    pub(super) fn install(
        options: &mut CreateAgentSessionOptions,
        client: Client,
        connection: &Connection,
        root: &Path,
        directories: &Directories,
    ) -> Option<Arc<Self>> {
        if !client.reads_files {
            return None;
        }
        let (connection, root, directories) = (connection.clone(), root.to_owned(), directories.clone());
        let files = Arc::new(Self { connection, root, directories, session: OnceLock::new() });
        let (earlier, shared) = (Arc::clone(&options.configure_tools), Arc::clone(&files));
        options.configure_tools = Arc::new(move |tools| {
            let tools = earlier(tools);
            // The tools of another machine know nothing of what is open here.
            if tools.read_operations.is_some() {
                return tools;
            }
            let reading = ToolOptions { read_operations: Some(shared.clone()), ..tools };
            // To edit is to do both: text that the editor has read may have other line ends than the file.
            match client.writes_files {
                true => ToolOptions {
                    write_operations: Some(shared.clone()),
                    edit_operations: Some(shared.clone()),
                    ..reading
                },
                false => reading,
            }
        });
        Some(files)
    }

    /// The session is known to the client.
    pub(super) fn belong_to(&self, session: SessionId) {
        // It is set once, when the session was made.
        let _ = self.session.set(session);
    }

    /// The session, where the editor may know the file.
    fn session_for(&self, path: &Path) -> Option<SessionId> {
        let is_inside = path.starts_with(&self.root) || self.directories.contain(path);
        self.session.get().filter(|_| is_inside).cloned()
    }

    async fn read(&self, path: &Path) -> Result<Vec<u8>, OperationError> {
        let local = ReadOperations::read_file(&LocalFiles, path).await?;
        let is_text = local.len() as u64 <= MOST_BYTES && std::str::from_utf8(&local).is_ok();
        let Some(session) = self.session_for(path).filter(|_| is_text) else { return Ok(local) };
        let request = ReadTextFileRequest::new(session, path);
        let answered = self.connection.ask("fs/read_text_file", &request).await;
        Ok(answered.map_or(local, |ReadTextFileResponse { content, .. }| content.into_bytes()))
    }

    async fn write(&self, path: &Path, text: &str) -> Result<(), OperationError> {
        if let Some(session) = self.session_for(path) {
            let request = WriteTextFileRequest::new(session, path, text);
            let answered = self.connection.ask::<WriteTextFileResponse>("fs/write_text_file", &request).await;
            if answered.is_ok() {
                return Ok(());
            }
        }
        WriteOperations::write_file(&LocalFiles, path, text).await
    }
}

impl PathOperations for ClientFiles {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        async move { LocalFiles.real_path(path).await }.boxed()
    }

    fn is_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, bool> {
        async move { LocalFiles.is_dir(path).await }.boxed()
    }
}

impl ReadOperations for ClientFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        self.read(path).boxed()
    }

    fn open<'a>(&'a self, path: &'a Path) -> ByteStream<'a> {
        let pieces = async move {
            let is_big = tokio::fs::metadata(path).await.is_ok_and(|found| found.len() > MOST_BYTES);
            match is_big {
                true => LOCAL.open(path),
                false => stream::once(async move { self.read(path).await.map(Bytes::from) }).boxed(),
            }
        };
        stream::once(pieces).flatten().boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        async move { ReadOperations::access(&LocalFiles, path).await }.boxed()
    }

    fn detect_image<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        async move { LocalFiles.detect_image(path).await }.boxed()
    }
}

/// Lives as long as any stream of its files.
static LOCAL: LocalFiles = LocalFiles;

impl WriteOperations for ClientFiles {
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        self.write(path, text).boxed()
    }

    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        async move { LocalFiles.create_dir(path).await }.boxed()
    }
}

impl EditOperations for ClientFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        self.read(path).boxed()
    }

    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        self.write(path, text).boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        async move { EditOperations::access(&LocalFiles, path).await }.boxed()
    }
}
