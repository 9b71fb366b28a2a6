//! Tools that work where a script says: their operations as functions of the script.
//!
//! `js/pi-coding-agent/tools.js` brings the functions that scripts give into the shape that is expected here.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use pi_script::{Callback, Data};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::link::Link;
use super::state::Outputs;
use pi_coding_agent::tools::{
    BashError, BashExit, BashOperations, BashRequest, BashSpawn, DirectoryEntry, EditOperations, EntryKind,
    FindOperations, FindReport, FindRequest, FoundPath, GrepOperations, GrepReport, GrepRequest, ImageKind, LocalFiles,
    LsOperations, OperationError, OperationResult, PathOperations, ReadOperations, ToolOptions, WriteOperations,
};

/// Functions of a script by name.
#[derive(Debug, Clone)]
pub(super) struct ScriptOperations {
    pub(super) link: Link,
    pub(super) functions: HashMap<String, u32>,
}

impl ScriptOperations {
    /// Puts these in the place of the usual operations of a tool.
    pub(super) fn put(self, tool: &str, outputs: &Arc<Outputs>, options: &mut ToolOptions) {
        let bash = ScriptBash { link: self.link.clone(), outputs: Arc::clone(outputs), callback: self.get("exec") };
        let shared = Arc::new(self);
        match tool {
            "read" => options.read_operations = Some(shared),
            "write" => options.write_operations = Some(shared),
            "edit" => options.edit_operations = Some(shared),
            "grep" => options.grep_operations = Some(shared),
            "find" => options.find_operations = Some(shared),
            "ls" => options.ls_operations = Some(shared),
            _ => options.bash_operations = Some(Arc::new(bash)),
        }
    }

    fn get(&self, name: &str) -> Option<Callback> {
        self.functions.get(name).copied().map(Callback)
    }

    async fn call(&self, name: &str, args: Vec<Data>) -> Result<Data, OperationError> {
        let missing = || OperationError::new(format!("The operations of this tool have no function {name}"));
        let callback = self.get(name).ok_or_else(missing)?;
        self.link.ask(callback, args).await.map_err(operation_error)
    }
}

fn operation_error(error: pi_script::Error) -> OperationError {
    match error {
        pi_script::Error::Script(thrown) => match thrown.code {
            Some(code) => OperationError::with_code(code, thrown.message),
            None => OperationError::new(thrown.message),
        },
        other => OperationError::new(other.to_string()),
    }
}

fn path_data(path: &Path) -> Data {
    path.to_string_lossy().into_owned().into()
}

fn bytes_of(data: Data) -> Vec<u8> {
    match data {
        Data::Bytes(bytes) => bytes,
        other => other.into_text().unwrap_or_default().into_bytes(),
    }
}

impl PathOperations for ScriptOperations {}

impl ReadOperations for ScriptOperations {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        async move { self.call("readFile", vec![path_data(path)]).await.map(bytes_of) }.boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        async move { self.call("access", vec![path_data(path)]).await.map(drop) }.boxed()
    }

    fn detect_image<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        async move {
            if self.get("detectImageMimeType").is_none() {
                return Ok(None);
            }
            let said = self.call("detectImageMimeType", vec![path_data(path)]).await?.into_text();
            Ok(said.and_then(|mime_type| ImageKind::of_mime_type(&mime_type)))
        }
        .boxed()
    }
}

impl WriteOperations for ScriptOperations {
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        async move { self.call("writeFile", vec![path_data(path), text.into()]).await.map(drop) }.boxed()
    }

    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        async move { self.call("mkdir", vec![path_data(path)]).await.map(drop) }.boxed()
    }
}

impl EditOperations for ScriptOperations {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        ReadOperations::read_file(self, path)
    }

    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        WriteOperations::write_file(self, path, text)
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        ReadOperations::access(self, path)
    }
}

/// An entry of a directory, as scripts say it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    is_directory: bool,
}

impl LsOperations for ScriptOperations {
    fn read_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<DirectoryEntry>> {
        async move {
            let said = self.call("list", vec![path_data(path)]).await?.into_json().unwrap_or_default();
            let entries: Vec<Entry> =
                serde_json::from_value(said).map_err(|error| OperationError::new(error.to_string()))?;
            let kind = |is_directory| if is_directory { EntryKind::Directory } else { EntryKind::Other };
            let entry = |Entry { name, is_directory }| DirectoryEntry { name, kind: kind(is_directory) };
            Ok(entries.into_iter().map(entry).collect())
        }
        .boxed()
    }
}

impl FindOperations for ScriptOperations {
    fn find(&self, request: FindRequest) -> OperationResult<'_, FindReport> {
        async move {
            let FindRequest { pattern, path, limit, cancel } = request;
            let args = vec![pattern.into(), path_data(&path), json!(limit).into()];
            let said = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(OperationError::aborted()),
                said = self.call("find", args) => said?.into_json().unwrap_or_default(),
            };
            let found: Vec<String> =
                serde_json::from_value(said).map_err(|error| OperationError::new(error.to_string()))?;
            let one = |found: String| FoundPath {
                path: path.join(found.trim_end_matches('/')),
                is_directory: found.ends_with('/'),
            };
            Ok(FindReport { found: found.into_iter().map(one).collect(), note: None })
        }
        .boxed()
    }
}

impl GrepOperations for ScriptOperations {
    /// Scripts only say whether there is something to search: the search itself is this machine's.
    fn grep(&self, request: GrepRequest) -> OperationResult<'_, GrepReport> {
        async move {
            self.call("isDirectory", vec![path_data(&request.path)]).await?;
            GrepOperations::grep(&LocalFiles, request).await
        }
        .boxed()
    }
}

/// Runs commands by a function of a script.
#[derive(Debug)]
pub(super) struct ScriptBash {
    link: Link,
    outputs: Arc<Outputs>,
    callback: Option<Callback>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Exit {
    exit_code: Option<i32>,
}

impl ScriptBash {
    /// Commands run by this function; `None` when the script cannot be called any more.
    pub(super) fn of(link: &Link, callback: Callback) -> Option<Arc<dyn BashOperations>> {
        let outputs = link.outputs()?;
        Some(Arc::new(Self { link: link.clone(), outputs, callback: Some(callback) }))
    }

    async fn run(&self, request: BashRequest) -> Result<BashExit, BashError> {
        let BashRequest { spawn, output, cancel, timeout } = request;
        let callback = self.callback.ok_or_else(|| BashError::Failed("These operations have no exec".to_owned()))?;
        let (sender, printed) = mpsc::unbounded_channel();
        let place = self.outputs.open(sender);
        let BashSpawn { command, cwd, env } = spawn;
        let args = vec![
            command.into(),
            path_data(&cwd),
            json!(place.number()).into(),
            Data::Signal(cancel.clone()),
            json!(timeout.map(|timeout| timeout.as_secs_f64())).into(),
            env_data(&env),
        ];
        let passing = pass_on(printed, output);
        let running = async {
            let outcome = self.link.ask(callback, args).await;
            // Nothing is printed any more: what was printed can be passed on to its end.
            drop(place);
            outcome
        };
        let (outcome, ()) = tokio::join!(running, passing);
        let said = outcome.map_err(|error| bash_error(&error))?;
        let exit: Exit = said.into_json().and_then(|said| serde_json::from_value(said).ok()).unwrap_or_default();
        Ok(exit.exit_code.map_or(BashExit::Unknown, BashExit::Code))
    }
}

impl BashOperations for ScriptBash {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        self.run(request).boxed()
    }
}

async fn pass_on(mut printed: mpsc::UnboundedReceiver<Vec<u8>>, output: mpsc::Sender<Bytes>) {
    while let Some(bytes) = printed.recv().await {
        if output.send(bytes.into()).await.is_err() {
            return;
        }
    }
}

/// Scripts say in words why a command did not end by itself.
fn bash_error(error: &pi_script::Error) -> BashError {
    let message = match error {
        pi_script::Error::Script(thrown) => thrown.message.clone(),
        other => other.to_string(),
    };
    match message.as_str() {
        "aborted" => BashError::Aborted,
        said if said.starts_with("timeout:") => BashError::TimedOut,
        _ => BashError::Failed(message),
    }
}

/// An environment as an object; of variables of the same name the last one counts.
fn env_data(env: &[(OsString, OsString)]) -> Data {
    let text = |text: &OsString| text.to_string_lossy().into_owned();
    json!(env.iter().map(|(name, value)| (text(name), text(value))).collect::<HashMap<_, _>>()).into()
}

/// Lets a script change every command before it runs.
#[derive(Debug)]
pub(super) struct HookedBash {
    pub(super) link: Link,
    pub(super) hook: Callback,
    pub(super) inner: Arc<dyn BashOperations>,
}

/// A command, as the hook leaves it.
#[derive(Deserialize)]
struct Spawn {
    command: String,
    cwd: PathBuf,
    #[serde(default)]
    env: HashMap<String, Option<String>>,
}

impl BashOperations for HookedBash {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        async move {
            let BashRequest { spawn, output, cancel, timeout } = request;
            let args = vec![spawn.command.into(), path_data(&spawn.cwd), env_data(&spawn.env)];
            let said = self.link.ask(self.hook, args).await.map_err(|error| bash_error(&error))?;
            let Spawn { command, cwd, env } = serde_json::from_value(said.into_json().unwrap_or_default())
                .map_err(|error| BashError::Failed(format!("spawnHook returned something else: {error}")))?;
            let set = env.into_iter().filter_map(|(name, value)| Some((name.into(), value?.into())));
            let spawn = BashSpawn { command, cwd, env: set.collect() };
            self.inner.exec(BashRequest { spawn, output, cancel, timeout }).await
        }
        .boxed()
    }
}
