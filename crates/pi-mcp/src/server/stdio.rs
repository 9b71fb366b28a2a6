//! The program of an entry: started with its values, and what is said of it when it is gone.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use pi_coding_agent::processes::PipedProgram;

use super::connection::Place;
use super::program::{self, MAX_MESSAGE_MB, Observed};
use crate::config::ServerEntry;
use crate::error::Error;

/// How long the exit status of a program is waited for that has closed its output.
const STATUS_TIME: Duration = Duration::from_millis(500);
/// How long the end of its standard error is waited for then: what it has started may hold that open.
const LAST_WORDS_TIME: Duration = Duration::from_secs(2);

/// Starts the program of an entry.
///
/// # Errors
/// A sentence: what is not there, or which value cannot be had.
pub(super) async fn start(
    entry: &ServerEntry,
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    cwd: Option<&str>,
    place: &Place,
) -> Result<PipedProgram, Error> {
    let command = entry.path(command, &place.env)?;
    let args: Vec<String> = args.iter().map(|text| entry.path(text, &place.env)).collect::<Result<_, _>>()?;
    let cwd = match cwd {
        Some(cwd) => place.cwd.join(entry.path(cwd, &place.env)?),
        None => place.cwd.clone(),
    };
    let env = expand_all(entry, env, place, &cwd).await?;
    program::start(&command, &args, &cwd, &env).await.map_err(|error| {
        let server = entry.name.clone();
        if !cwd.is_dir() {
            return Error::Start { server, detail: format!("there is no directory {}", cwd.display()) };
        }
        match error.kind() {
            std::io::ErrorKind::NotFound => Error::NoProgram { server, command },
            _ => Error::Start { server, detail: format!("{command}: {error}") },
        }
    })
}

/// The values of variables or headers.
///
/// # Errors
/// A sentence about one that cannot be had.
pub(super) async fn expand_all(
    entry: &ServerEntry,
    values: &BTreeMap<String, String>,
    place: &Place,
    cwd: &Path,
) -> Result<BTreeMap<String, String>, Error> {
    let mut expanded = BTreeMap::new();
    for (key, value) in values {
        expanded.insert(key.clone(), entry.secret(key, value, &place.env, cwd).await?);
    }
    Ok(expanded)
}

/// The sentence for a program that is gone, or that does not speak.
pub(super) async fn ended(name: &str, program: Option<&mut PipedProgram>, observed: &Observed) -> Error {
    let server = name.to_owned();
    if observed.is_too_large() {
        return Error::TooLarge { server, limit: MAX_MESSAGE_MB };
    }
    let Some(program) = program else {
        // An address has neither an end nor an output, but a connection.
        return Error::Ended { server, how: " the connection before it answered".to_owned() };
    };
    let status = tokio::time::timeout(STATUS_TIME, program.wait()).await.ok().and_then(Result::ok);
    // Its last words may still be in the pipe.
    let _ = tokio::time::timeout(LAST_WORDS_TIME, observed.stderr_ended()).await;
    let how = match status {
        Some(status) => match (status.code(), std::os::unix::process::ExitStatusExt::signal(&status)) {
            (Some(code), _) => format!(" with exit code {code}"),
            (None, Some(signal)) => format!(" by signal {signal}"),
            (None, None) => String::new(),
        },
        None => ", or closed its output".to_owned(),
    };
    Error::Ended { server, how: format!("{how}{}", observed.hint()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_that_breaks_off_has_ended_the_connection() {
        let error = ended("h", None, &Observed::default()).await;
        assert_eq!(error.to_string(), "MCP server \"h\" ended the connection before it answered");
    }
}
