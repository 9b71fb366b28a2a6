//! Which way to run was asked for.

use std::io::IsTerminal;

use super::args::Args;
use crate::modes::EventFormat;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension;
use pi_coding_agent::rpc::{EventDetail, ProtocolLevel};

/// What `--mode` takes.
pub(in crate::cli) const NAMES: [&str; 4] = ["text", "json", "rpc", "acp"];
/// What `--output-format` takes.
pub(in crate::cli) const FORMATS: [&str; 3] = ["text", "json", "stream-json"];

/// A way to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Mode {
    /// Print the last answer.
    Print,
    /// Print events as JSON.
    Json,
    /// Serve commands.
    Rpc,
    /// Serve an editor.
    Acp,
    /// Talk with a person at a terminal.
    Interactive,
    /// The same in lines, without drawing anything.
    Plain,
}

impl Mode {
    /// `--mode` decides, else the terminal does.
    ///
    /// # Errors
    /// A sentence that names what cannot be done and the way out.
    pub(in crate::cli) fn choose(args: &Args) -> Result<Self, String> {
        match (args.output_format.as_deref(), args.mode.as_deref()) {
            (None, _) => {}
            (Some(format), Some(mode)) => {
                return Err(format!(
                    "--output-format {format} and --mode {mode} cannot be combined: --mode is for the lines of events and for RPC, --output-format for what is printed otherwise"
                ));
            }
            (Some("stream-json"), None) => return Ok(Self::Json),
            (Some("text" | "json"), None) => return Self::text(args),
            (Some(other), None) => {
                return Err(format!("Unknown output format \"{other}\". Valid values: {}", FORMATS.join(", ")));
            }
        }
        match args.mode.as_deref() {
            Some("rpc") => Ok(Self::Rpc),
            Some("acp") => Ok(Self::Acp),
            Some("json") => Ok(Self::Json),
            Some("text") | None => Self::text(args),
            Some(other) => Err(format!("Unknown mode \"{other}\". Valid values: {}", NAMES.join(", "))),
        }
    }

    /// How events are written.
    ///
    /// # Errors
    /// A sentence that names the values there are.
    pub(in crate::cli) fn event_format(args: &Args, env: &Env) -> Result<EventFormat, String> {
        let detail = match args.event_detail.as_deref() {
            None | Some("full") => EventDetail::Full,
            Some("delta") => EventDetail::Delta,
            Some(other) => return Err(format!("Unknown event detail \"{other}\". Valid values: full, delta")),
        };
        Ok(EventFormat { detail, level: ProtocolLevel::of(env)? })
    }

    /// The protocol of a mode whose prompts come from a client, and not from the command line.
    pub(in crate::cli) fn protocol(self) -> Option<&'static str> {
        match self {
            Self::Rpc => Some("RPC"),
            Self::Acp => Some("ACP"),
            Self::Print | Self::Json | Self::Interactive | Self::Plain => None,
        }
    }

    /// What extensions call it.
    pub(in crate::cli) fn for_extensions(self) -> extension::Mode {
        match self {
            Self::Print | Self::Plain => extension::Mode::Print,
            Self::Json => extension::Mode::Json,
            Self::Rpc | Self::Acp => extension::Mode::Rpc,
            Self::Interactive => extension::Mode::Tui,
        }
    }

    fn text(args: &Args) -> Result<Self, String> {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let is_for_print =
            args.print || args.mode.is_some() || args.output_format.is_some() || args.json_schema.is_some();
        if !terminal || is_for_print {
            return Ok(Self::Print);
        }
        Ok(if args.plain { Self::Plain } else { Self::Interactive })
    }
}
