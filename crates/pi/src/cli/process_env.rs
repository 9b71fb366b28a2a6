//! The doors of the program: clock, ids, environment and directory of this process enter here, as one value per command.
//! Whatever a command does takes them from that value.

use std::collections::BTreeMap;

pub(in crate::cli) use crate::modes::TERMINAL_VARIABLES;
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::RandomIds;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::SessionHost;

/// The surroundings of this process.
///
/// # Errors
/// A sentence, when there is no current directory.
#[expect(clippy::disallowed_methods, reason = "the door of the program")]
pub(in crate::cli) fn of_process() -> Result<SessionHost, String> {
    let cwd = std::env::current_dir()
        .map_err(|error| format!("cannot tell the current directory ({error}): change to one that exists"))?;
    Ok(SessionHost { paths: Paths::new(Env::process(), cwd), clock: pi_ai::system_clock(), ids: RandomIds::shared() })
}

/// The environment of this process on the terminal of another one, with what the environment of that says of it.
pub(in crate::cli) fn on_terminal(terminal: BTreeMap<String, String>) -> Env {
    #[expect(clippy::disallowed_methods, reason = "the door of the program")]
    let own =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let own = own.filter(|(name, _)| !TERMINAL_VARIABLES.contains(&name.as_str()));
    let known = |name: &String| TERMINAL_VARIABLES.contains(&name.as_str());
    let theirs = terminal.into_iter().filter(|(name, _)| known(name));
    Env::fixed(own.chain(theirs).collect::<BTreeMap<_, _>>())
}
