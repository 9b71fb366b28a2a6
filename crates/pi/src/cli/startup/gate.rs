//! `--ask`: who is asked before calls, an extension of the program.

use std::sync::Arc;

use super::Startup;
use crate::cli::grammar::args::Args;
use crate::cli::grammar::mode::Mode;
use pi_coding_agent::gate::GateMode;

/// What the option says.
///
/// # Errors
/// A sentence that names the values there are.
pub(super) fn option(args: &Args) -> Result<GateMode, String> {
    let Some(name) = &args.ask else { return Ok(GateMode::Never) };
    GateMode::parse(name).ok_or_else(|| {
        let names = GateMode::ALL.map(GateMode::as_str).join(", ");
        format!("Invalid --ask \"{name}\". Valid values: {names}")
    })
}

/// Adds the gate to the extensions of the run where somebody may be asked: on the screen a key switches it on.
pub(super) fn add(start: &mut Startup) {
    let is_on_screen = matches!(Mode::choose(&start.line.args), Ok(Mode::Interactive));
    if is_on_screen || start.gate.mode() != GateMode::Never {
        start.extensions.add(Arc::new(start.gate.clone()));
    }
}
