//! Failures on their way between program and script.

use pi_script::{OpError, ScriptError};

use pi_coding_agent::agent_session::Error;
use pi_coding_agent::extension::HandlerError;

/// A failure of the program, for the script to catch.
pub(super) fn to_op(error: &Error) -> OpError {
    OpError::new(error.to_string())
}

/// The same for `map_err`.
pub(super) fn failed(error: impl std::fmt::Display) -> OpError {
    OpError::new(error.to_string())
}

/// A failure of a script, for the program to report.
pub(super) fn to_handler(error: pi_script::Error) -> HandlerError {
    match error {
        pi_script::Error::Script(error) => script_error(error),
        other => HandlerError::new(other.to_string()),
    }
}

/// What a script threw, with its place in the script.
pub(super) fn script_error(error: ScriptError) -> HandlerError {
    let ScriptError { message, stack, name, .. } = error;
    let message = if message.is_empty() { name } else { message };
    match stack {
        Some(stack) => HandlerError::new(message).with_stack(stack),
        None => HandlerError::new(message),
    }
}
