//! Sessions whose directory is gone: what `--missing-cwd` says, else the user on a terminal, else the way out.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::plain;
use crate::cli::error::Error;
use crate::cli::grammar::args::Args;
use crate::modes::Asker;
use pi_coding_agent::session::{self, MissingCwd, NewSession, SessionManager, settle_cwd};

/// Follows the error where nobody can be asked.
const WAY_OUT: &str = "Add --missing-cwd here to go on in the current directory, or --missing-cwd fork to go on with a copy that belongs there.";

/// What was decided about a session whose directory is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CwdChoice {
    Wanted(MissingCwd),
    Cancelled,
}

/// What the option says.
///
/// # Errors
/// A sentence that names the values there are.
pub(super) fn option(args: &Args) -> Result<Option<MissingCwd>, String> {
    let Some(name) = &args.missing_cwd else { return Ok(None) };
    let known = MissingCwd::parse(name).map(Some);
    known.ok_or_else(|| format!("Invalid --missing-cwd \"{name}\". Valid values: {}", MissingCwd::NAMES.join(", ")))
}

/// The session, in a directory that exists. `None` when the user was asked and declined.
///
/// # Errors
/// [`session::Error::MissingCwd`](pi_coding_agent::session::Error::MissingCwd) where nobody can be asked.
pub(super) fn settle(
    manager: SessionManager,
    wanted: Option<MissingCwd>,
    options: &NewSession,
    asker: Option<&mut Asker>,
) -> Result<Option<SessionManager>, Error> {
    let may_ask = wanted.is_none() && io::stdin().is_terminal();
    if !may_ask || manager.check_cwd().is_ok() {
        return settle_cwd(manager, wanted, options).map(Some).map_err(Into::into);
    }
    let here = manager.host().paths.cwd().to_owned();
    let answer = match asker {
        Some(asker) => {
            let wanted = tokio::runtime::Handle::current().block_on(asker.missing_cwd(manager.cwd(), &here))?;
            wanted.map_or(CwdChoice::Cancelled, CwdChoice::Wanted)
        }
        None => ask(manager.cwd(), &here, &mut io::stdin().lock(), &mut io::stderr()),
    };
    match answer {
        CwdChoice::Wanted(wanted) => settle_cwd(manager, Some(wanted), options).map(Some).map_err(Into::into),
        CwdChoice::Cancelled => {
            complain("Aborted.");
            Ok(None)
        }
    }
}

/// An error with the way out, where it has one here.
pub(super) fn with_way_out(error: &Error) -> String {
    match error.as_session() {
        Some(session::Error::MissingCwd { .. }) => format!("{error}\n{WAY_OUT}"),
        _ => error.to_string(),
    }
}

/// Asks until the answer is one. An empty line and the end of the input cancel.
fn ask(gone: &Path, here: &Path, input: &mut impl BufRead, out: &mut impl Write) -> CwdChoice {
    let shown = |path: &Path| plain(&path.to_string_lossy()).into_owned();
    let question = format!(
        "The directory of this session is gone: {}\n  h  go on in {}\n  f  go on with a copy of the session that belongs there\n",
        shown(gone),
        shown(here)
    );
    // Who cannot be asked has not agreed.
    let mut asked = out.write_all(question.as_bytes());
    loop {
        asked = asked.and_then(|()| write!(out, "[h/f, Enter cancels] ")).and_then(|()| out.flush());
        let mut answer = String::new();
        if asked.is_err() || !input.read_line(&mut answer).is_ok_and(|length| length > 0) {
            return CwdChoice::Cancelled;
        }
        match answer.trim().to_lowercase().as_str() {
            "" | "n" | "no" => return CwdChoice::Cancelled,
            "h" | "here" => return CwdChoice::Wanted(MissingCwd::Here),
            "f" | "fork" => return CwdChoice::Wanted(MissingCwd::Fork),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_counts() {
        for (typed, expected) in [
            ("h\n", CwdChoice::Wanted(MissingCwd::Here)),
            ("what\nFORK\n", CwdChoice::Wanted(MissingCwd::Fork)),
            ("\n", CwdChoice::Cancelled),
            ("", CwdChoice::Cancelled),
            ("x", CwdChoice::Cancelled),
        ] {
            let mut out = Vec::new();
            assert_eq!(ask(Path::new("/gone\u{1b}"), Path::new("/here"), &mut typed.as_bytes(), &mut out), expected);
            let out = String::from_utf8(out).unwrap();
            assert!(out.contains("/gone␛\n") && out.contains("go on in /here\n"), "{out}");
        }
    }
}
