//! `--export FILE [OUT]`: makes a page of a session file, without settings, models or a session of its own.

use std::path::PathBuf;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::grammar::args::Args;
use crate::cli::process_env;
use pi_coding_agent::export::{default_html_name, export_file};
use pi_coding_agent::session::SessionHost;

/// Exports `file` to the first message of the command line, or to a name made of the file's, and says where that is.
pub(in crate::cli) fn run(file: &str, args: &Args) -> u8 {
    match export(file, args.messages.first()) {
        Ok(output) => print(&format!("Exported to: {output}\n")),
        Err(message) => {
            complain(&format!("Error: {message}"));
            1
        }
    }
}

fn export(file: &str, output: Option<&String>) -> Result<String, String> {
    let SessionHost { paths, clock, .. } = process_env::of_process()?;
    let input: PathBuf = paths.resolve(file);
    let output = output.cloned().unwrap_or_else(|| default_html_name(&input).to_string_lossy().into_owned());
    export_file(&input, &paths.resolve(&output), clock.now_ms()).map_err(|error| error.to_string())?;
    Ok(output)
}
