//! `pi doctor`: what pi would work with here, where each part comes from, and what is in the way. Nothing is changed,
//! no command of a configuration is run, and without `--online` nothing is sent.
//!
//! # Layout
//! `examined` holds what is looked at, `report` what was found. One module per section: `keys`, `models`, `network`
//! (proxies, certificates, `--online`), `places` (directories and permissions), `programs`, `resources` (settings, trust,
//! what would be loaded), `servers` (of MCP).

mod examined;
pub(in crate::cli) mod keys;
mod models;
mod network;
mod places;
mod programs;
mod report;
mod resources;
#[cfg(feature = "mcp")]
mod servers;

use std::io;

use clap::Parser;

pub(in crate::cli) use self::examined::Examined;
pub(in crate::cli) use self::report::{Finding, Level};
use self::report::{Report, Section};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::Screen;
use crate::cli::console::usage::parse;

/// Explains what pi would work with in this directory: keys, models, network, permissions, programs, and what is loaded
/// from where.
///
/// Nothing is changed and no secret is shown.
#[derive(Debug, Parser)]
#[command(name = "pi doctor", after_help = AFTER_HELP)]
pub(in crate::cli) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also ask the server of the default model for an answer; no key is sent
    #[arg(long)]
    online: bool,
}

const AFTER_HELP: &str = "\
Exit codes: 0 fine, 1 something needs attention, 2 wrong usage

Examples:
  pi doctor
  pi doctor --online
  pi doctor --json | jq '.sections[].findings[] | select(.level == \"attention\")'";

/// Runs the command; `argv` is what stands behind `pi doctor`. Returns the exit code.
pub(in crate::cli) fn run(argv: impl IntoIterator<Item = String>) -> u8 {
    let args: DoctorArgs = match parse("doctor", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let examined = match Examined::of_process() {
        Ok(examined) => examined,
        Err(message) => {
            complain(&format!("Error: {message}"));
            return 1;
        }
    };
    let report = Report::new(sections(&examined, args.online));
    let mut screen = Screen::stdout(args.json);
    match report.print(&mut screen).and_then(|()| screen.finish()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("Error: cannot write to standard output: {error}"));
            1
        }
        _ => u8::from(report.attention > 0),
    }
}

fn sections(examined: &Examined, online: bool) -> Vec<Section> {
    let mut sections = vec![
        keys::section(examined),
        models::section(examined),
        network::section(examined),
        places::section(examined),
        programs::section(examined),
        resources::settings(examined),
        resources::trust(examined),
        resources::loaded(examined),
        #[cfg(feature = "mcp")]
        servers::section(examined),
    ];
    if online {
        sections.push(network::online(examined));
    }
    sections
}
