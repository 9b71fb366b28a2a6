//! The tool itself: from arguments to a running command to a result.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput, ToolUpdates};
use pi_ai::{CoercionMode, ToolDefinition};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::collector::OutputCollector;
use super::local::LocalBash;
use super::operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn, SpawnHook};
use super::spill::{RandomSpillNames, SpillNames};
use super::throttle::Throttle;
use super::{report, shell};
use crate::tools::arguments::parse;
use crate::tools::options::ToolOptions;
use crate::tools::policy::ToolPolicy;
use crate::tools::schema::{number, object, string};

/// Pieces of output that may wait for the collector.
const OUTPUT_QUEUE: usize = 8;

/// Runs shell commands.
#[derive(Debug)]
pub struct BashTool {
    definition: Arc<ToolDefinition>,
    cwd: PathBuf,
    command_prefix: Option<String>,
    agent_bin_dir: Option<PathBuf>,
    command_env: Vec<(OsString, OsString)>,
    temp_dir: PathBuf,
    spill_names: Arc<dyn SpillNames>,
    spawn_hook: Option<SpawnHook>,
    policy: ToolPolicy,
    operations: Arc<dyn BashOperations>,
}

#[derive(Debug, Deserialize)]
struct BashArgs {
    command: String,
    timeout: Option<f64>,
}

impl BashTool {
    /// A tool that runs commands in the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        let local = || Arc::new(LocalBash::new(options.shell_path.clone())) as Arc<dyn BashOperations>;
        Self {
            definition: Arc::new(definition()),
            cwd: options.cwd.clone(),
            command_prefix: options.shell_command_prefix.clone(),
            agent_bin_dir: options.agent_bin_dir.clone(),
            command_env: options.command_env.clone(),
            temp_dir: options.spill_dir(),
            spill_names: options.spill_names.clone().unwrap_or_else(|| Arc::new(RandomSpillNames)),
            spawn_hook: options.spawn_hook.clone(),
            policy: options.policy.clone(),
            operations: options.bash_operations.clone().unwrap_or_else(local),
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let args: BashArgs = parse(&self.definition.name, call.arguments)?;
        self.policy.admit_bash()?;
        call.updates.send(ToolOutput::default());
        let mut collector = OutputCollector::new(self.temp_dir.clone(), self.spill_names.clone());
        let (output, chunks) = mpsc::channel(OUTPUT_QUEUE);
        let timeout = args.timeout.unwrap_or(0.0);
        let request = BashRequest {
            spawn: self.spawn(&args.command),
            output,
            cancel: call.cancel,
            // Fails for what is no duration: negative, not a number, longer than the age of the universe.
            timeout: Duration::try_from_secs_f64(timeout).ok().filter(|timeout| !timeout.is_zero()),
        };
        let ended = collect(self.operations.exec(request), chunks, &mut collector, &call.updates).await;
        report::result(ended, &collector.finish().await, timeout)
    }

    fn spawn(&self, command: &str) -> BashSpawn {
        let command = match &self.command_prefix {
            Some(prefix) => format!("{prefix}\n{command}"),
            None => command.to_owned(),
        };
        let mut env = shell::command_env(self.agent_bin_dir.as_deref());
        env.extend_from_slice(&self.command_env);
        let spawn = BashSpawn { command, cwd: self.cwd.clone(), env };
        match &self.spawn_hook {
            Some(hook) => hook.apply(spawn),
            None => spawn,
        }
    }
}

impl Tool for BashTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn coercion_mode(&self) -> CoercionMode {
        CoercionMode::Lenient
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.run(call).boxed()
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "bash".to_owned(),
        description: "Run a command in bash, in the working directory. Returns standard output and standard error, of \
                      long output the last 2000 lines or 50KB, whichever is less; all of it is then kept in a \
                      temporary file whose name is given. A timeout in seconds can be set."
            .to_owned(),
        parameters: object(
            &["command"],
            [
                ("command", string("Command for bash.")),
                ("timeout", number("Seconds after which the command is killed; without it there is no limit.")),
            ],
        ),
    }
}

/// Collects and reports output until the command has ended and everything it wrote is collected.
async fn collect(
    mut exec: BoxFuture<'_, Result<BashExit, BashError>>,
    mut chunks: mpsc::Receiver<Bytes>,
    collector: &mut OutputCollector,
    updates: &ToolUpdates,
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
                    collector.push(&chunk).await;
                    throttle.note();
                }
                (None, Some(result)) => {
                    if throttle.is_pending() {
                        updates.send(report::progress(&collector.snapshot()));
                    }
                    return result;
                }
                // The sender is gone before the command: only the end is left to wait for.
                (None, None) => ended = Some(exec.as_mut().await),
            },
            () = throttle.due() => {
                throttle.reported();
                updates.send(report::progress(&collector.snapshot()));
            }
        }
    }
}
