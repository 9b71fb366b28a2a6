//! The tool itself: from arguments to a running command to a result.

use std::time::Duration;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde::Deserialize;

use super::collector::OutputSnapshot;
use super::report;
use super::runner::{BashRun, BashRunner};
use crate::tools::arguments::parse;
use crate::tools::impl_tool::impl_tool;
use crate::tools::options::ToolOptions;
use crate::tools::schema::{number, object, string};

/// Runs shell commands.
#[derive(Debug)]
pub struct BashTool {
    runner: BashRunner,
}

#[derive(Debug, Deserialize)]
struct BashArgs {
    command: String,
    timeout: Option<f64>,
}

impl BashTool {
    /// A tool that runs commands in the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self { runner: BashRunner::new(options) }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let args: BashArgs = parse(&DEFINITION.name, call.arguments)?;
        self.runner.admit()?;
        call.updates.send(ToolOutput::default());
        let timeout = args.timeout.unwrap_or(0.0);
        let progress = |output: &OutputSnapshot| call.updates.send(report::progress(output));
        let run = BashRun {
            command: &args.command,
            // Fails for what is no duration: negative, not a number, longer than the age of the universe.
            timeout: Duration::try_from_secs_f64(timeout).ok().filter(|timeout| !timeout.is_zero()),
            cancel: call.cancel,
            plain: false,
            operations: None,
            pieces: None,
            progress: Some(&progress),
        };
        let (ended, output) = self.runner.run(run).await;
        report::result(ended, &output, timeout)
    }
}

impl_tool!(BashTool);

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
