//! Runs one command to its end and collects what it prints: for the `bash` tool, and for commands of the user.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use pi_agent_core::ToolError;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::collector::{OutputCollector, OutputSnapshot};
use super::local::LocalBash;
use super::shell;
use super::throttle::Throttle;
use crate::tools::command_log::{RandomSpillNames, SpillNames};
use crate::tools::operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn, SpawnHook};
use crate::tools::options::ToolOptions;
use crate::tools::policy::ToolPolicy;
use crate::tools::session_env::{self, SessionEnv};

/// Called with a piece of a command's output.
pub type PieceListener = dyn Fn(String) -> BoxFuture<'static, ()> + Send + Sync;

/// Pieces of output that may wait for the collector.
const OUTPUT_QUEUE: usize = 8;

/// Where and how commands run.
#[derive(Debug)]
pub(crate) struct BashRunner {
    cwd: PathBuf,
    command_prefix: Option<String>,
    agent_bin_dir: Option<PathBuf>,
    command_env: Vec<(OsString, OsString)>,
    session_env: Option<SessionEnv>,
    temp_dir: PathBuf,
    log_max_bytes: u64,
    spill_names: Arc<dyn SpillNames>,
    spawn_hook: Option<SpawnHook>,
    policy: ToolPolicy,
    operations: Arc<dyn BashOperations>,
}

/// One command.
pub(crate) struct BashRun<'a> {
    pub(crate) command: &'a str,
    /// Ends the command after this time.
    pub(crate) timeout: Option<Duration>,
    /// Ends the command.
    pub(crate) cancel: CancellationToken,
    /// Leaves escape sequences and control characters out of what may be shown.
    pub(crate) plain: bool,
    /// Runs it there instead.
    pub(crate) operations: Option<Arc<dyn BashOperations>>,
    /// Told every piece of output; the command waits for it, unless it is being ended.
    pub(crate) pieces: Option<Arc<PieceListener>>,
    /// Told about the output so far, at a bearable rate.
    pub(crate) progress: Option<&'a (dyn Fn(&OutputSnapshot) + Send + Sync)>,
}

impl BashRunner {
    /// Commands run in the options' directory.
    pub(crate) fn new(options: &ToolOptions) -> Self {
        let local = || -> Arc<dyn BashOperations> {
            Arc::new(LocalBash::new(options.shell_path.clone()).max_concurrent(options.max_concurrent_commands))
        };
        Self {
            cwd: options.cwd.clone(),
            command_prefix: options.shell_command_prefix.clone(),
            agent_bin_dir: options.agent_bin_dir.clone(),
            command_env: options.command_env.clone(),
            session_env: options.session_env.clone(),
            temp_dir: options.spill_dir(),
            log_max_bytes: options.command_log_max_bytes,
            spill_names: options.spill_names.clone().unwrap_or_else(|| Arc::new(RandomSpillNames)),
            spawn_hook: options.spawn_hook.clone(),
            policy: options.policy.clone(),
            operations: options.bash_operations.clone().unwrap_or_else(local),
        }
    }

    /// Whether commands may run at all.
    ///
    /// # Errors
    /// Those of [`ToolPolicy::admit_bash`].
    pub(crate) fn admit(&self) -> Result<(), ToolError> {
        self.policy.admit_bash()
    }

    /// Runs a command until it has ended and everything it wrote is collected. Dropping the future kills it.
    pub(crate) async fn run(&self, run: BashRun<'_>) -> (Result<BashExit, BashError>, OutputSnapshot) {
        let mut collector = OutputCollector::new(self.temp_dir.clone(), self.spill_names.clone(), self.log_max_bytes);
        if run.plain {
            collector = collector.plain();
        }
        let (output, chunks) = mpsc::channel(OUTPUT_QUEUE);
        let spawn = self.spawn(run.command);
        let cancel = run.cancel.clone();
        let request = BashRequest { spawn, output, cancel: run.cancel, timeout: run.timeout };
        let operations = run.operations.as_ref().unwrap_or(&self.operations);
        let told = OutputListeners { progress: run.progress, pieces: run.pieces.as_deref(), cancel };
        let ended = collect(operations.exec(request), chunks, &mut collector, &told).await;
        told.piece(collector.complete().into()).await;
        (ended, collector.finish().await)
    }

    fn spawn(&self, command: &str) -> BashSpawn {
        let command = match &self.command_prefix {
            Some(prefix) => format!("{prefix}\n{command}"),
            None => command.to_owned(),
        };
        let mut env = shell::command_env(self.agent_bin_dir.as_deref());
        env.retain(|(name, _)| !session_env::NAMES.iter().any(|known| name == known));
        env.extend_from_slice(&self.command_env);
        env.extend(self.session_env.as_ref().map(SessionEnv::variables).unwrap_or_default());
        let spawn = BashSpawn { command, cwd: self.cwd.clone(), env };
        match &self.spawn_hook {
            Some(hook) => hook.apply(spawn),
            None => spawn,
        }
    }
}

/// Those who follow the output of a command.
struct OutputListeners<'a> {
    progress: Option<&'a (dyn Fn(&OutputSnapshot) + Send + Sync)>,
    pieces: Option<&'a PieceListener>,
    /// Whoever ends the command does not wait for a slow listener.
    cancel: CancellationToken,
}

impl OutputListeners<'_> {
    fn so_far(&self, collector: &OutputCollector) {
        self.progress.iter().for_each(|progress| progress(&collector.snapshot()));
    }

    async fn piece(&self, text: Cow<'_, str>) {
        let Some(pieces) = self.pieces.filter(|_| !text.is_empty()) else { return };
        tokio::select! {
            biased;
            () = pieces(text.into_owned()) => {}
            () = self.cancel.cancelled() => {}
        }
    }
}

/// Collects and reports output until the command has ended and everything it wrote is collected.
async fn collect(
    mut exec: BoxFuture<'_, Result<BashExit, BashError>>,
    mut chunks: mpsc::Receiver<Bytes>,
    collector: &mut OutputCollector,
    told: &OutputListeners<'_>,
) -> Result<BashExit, BashError> {
    let mut throttle = Throttle::default();
    let mut ended = None;
    loop {
        tokio::select! {
            result = &mut exec, if ended.is_none() => {
                ended = Some(result);
                // Whoever still holds a sender is too late; what is in the queue is kept.
                chunks.close();
            }
            chunk = chunks.recv() => match (chunk, ended.take()) {
                (Some(chunk), result) => {
                    ended = result;
                    let text = collector.push(&chunk).await;
                    if told.progress.is_some() {
                        throttle.note();
                    }
                    told.piece(text).await;
                }
                (None, Some(result)) => {
                    if throttle.is_pending() {
                        told.so_far(collector);
                    }
                    return result;
                }
                // The sender is gone before the command: only the end is left to wait for.
                (None, None) => ended = Some(exec.as_mut().await),
            },
            () = throttle.due() => {
                throttle.reported();
                told.so_far(collector);
            }
        }
    }
}
