//! `pi mcp serve`: another program uses the tools and sessions of pi.

use clap::Args;
use tokio_util::sync::CancellationToken;

use super::mcp::{runtime, user_settings};
use crate::modes::Signals;
use pi_coding_agent::agent_session::tool_options;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::tools::{self, BuiltinTool, create_tools};
use pi_mcp::{Served, SessionProgram, serve};

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// The tools to offer, separated by commas; else all: read, bash, edit, write, grep, find, ls
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "no_tools")]
    tools: Option<Vec<String>>,
    /// Offer no tools but `prompt`
    #[arg(long)]
    no_tools: bool,
    /// Do not offer `prompt`, which has pi do a task
    #[arg(long, conflicts_with = "options")]
    no_prompt: bool,
    /// After `--`: options of pi for the tasks of `prompt`
    #[arg(value_name = "OPTIONS", last = true)]
    options: Vec<String>,
}

/// Serves the client on standard input and output; the exit code.
///
/// # Errors
/// A sentence, when nothing can be served.
pub(super) fn run(host: &SessionHost, args: ServeArgs) -> Result<u8, String> {
    let tools = chosen(&args)?;
    let (settings, is_trusted) = user_settings(host)?;
    settings.set_project_trusted(is_trusted);
    let paths = &host.paths;
    let tools = create_tools(&tools, &tool_options(&settings, paths.agent_dir(), paths.cwd()));
    let program = || std::env::current_exe().map_err(|error| format!("cannot tell the file of pi: {error}"));
    let sessions = match args.no_prompt {
        true => None,
        false => Some(SessionProgram { program: program()?, options: args.options, cwd: paths.cwd().to_owned() }),
    };
    let runtime = runtime()?;
    let served = runtime.block_on(until_told(Served { tools, sessions }));
    // A read of standard input that waits would keep the process.
    runtime.shutdown_background();
    served
}

async fn until_told(served: Served) -> Result<u8, String> {
    let mut signals = Signals::install().map_err(|error| format!("cannot start: {error}"))?;
    let stop = CancellationToken::new();
    let mut work = serve(served, Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout()), &stop);
    let ended = tokio::select! {
        ended = &mut work => ended.map(|()| 0),
        code = signals.next() => {
            stop.cancel();
            // What the client did wrong does not matter any more.
            let _ = work.await;
            Ok(code)
        }
    };
    tools::kill_all();
    ended
}

fn chosen(args: &ServeArgs) -> Result<Vec<BuiltinTool>, String> {
    let tools = match &args.tools {
        _ if args.no_tools && args.no_prompt => {
            return Err("--no-tools and --no-prompt leave nothing to offer".to_owned());
        }
        _ if args.no_tools => return Ok(Vec::new()),
        None => return Ok(BuiltinTool::ALL.to_vec()),
        Some(names) => names.iter().map(|name| BuiltinTool::from_name(name.trim())),
    };
    let known = || BuiltinTool::ALL.iter().map(|tool| tool.info().name).collect::<Vec<_>>().join(", ");
    tools.collect::<Result<_, _>>().map_err(|error| format!("{error}. The tools are {}.", known()))
}
