//! Opening a session that another process may be about to give back: whoever sits at the terminal reads what pi waits for.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use pi_coding_agent::SessionIdError;
use pi_coding_agent::session::{Error, patiently};

/// A program that is just ending is gone by then, and nothing need be said.
const SILENCE: Duration = Duration::from_millis(250);

/// [`patiently`], with a line on a terminal when it takes long.
pub(super) fn wait_for<T>(attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() { telling(attempt, &mut stderr) } else { patiently(attempt) }
}

fn telling<T>(mut attempt: impl FnMut() -> Result<T, Error>, to: &mut impl Write) -> Result<T, Error> {
    let (begun, mut has_told) = (Instant::now(), false);
    patiently(|| {
        let opened = attempt();
        if !has_told
            && begun.elapsed() >= SILENCE
            && let Some(holder) = opened.as_ref().err().and_then(holder)
        {
            has_told = true;
            // Without a reader there is nobody to be told.
            let _ = writeln!(to, "The session is in use by {holder}. Waiting a moment for it to end…");
        }
        opened
    })
}

/// Who has the session that could not be opened, if that is the reason.
fn holder(error: &Error) -> Option<String> {
    match error {
        Error::Locked { pid, .. } | Error::Id(SessionIdError::InUse { pid, .. }) => {
            Some(pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn locked() -> Error {
        Error::Locked { path: PathBuf::from("s.jsonl"), pid: Some(7) }
    }

    #[test]
    fn a_wait_is_told_once_and_only_when_it_is_long() {
        let mut told = Vec::new();
        // Whoever has it keeps it.
        assert!(telling(|| Err::<(), _>(locked()), &mut told).is_err());
        let expected = "The session is in use by process 7. Waiting a moment for it to end…\n";
        assert_eq!(String::from_utf8_lossy(&told), expected);
        told.clear();
        assert!(telling(|| Ok(()), &mut told).is_ok());
        assert!(told.is_empty());
    }
}
