//! What goes wrong, as errors of the protocol.

use agent_client_protocol_schema::v1::{Error, ErrorCode, SessionId};
use serde_json::Value;

use super::agent::Agent;
use super::sign_in;
use crate::agent_session;
use crate::sdk;
use crate::sdk::session_pool::PoolError;

const STILL_RUNNING: &str = "The session is closed and takes no more prompts, but something in it, such as a command or an \
                             extension, has not stopped yet. It ends with pi at the latest: restart the agent if it is in the way.";

/// The client asks for something that it cannot have so.
pub(super) fn invalid_params(reason: impl Into<String>) -> Error {
    Error::invalid_params().data(Value::from(reason.into()))
}

/// Something failed here.
pub(super) fn internal(reason: impl Into<String>) -> Error {
    Error::new(ErrorCode::InternalError.into(), reason)
}

/// There is no such session.
pub(super) fn not_found(id: &SessionId) -> Error {
    let message = format!("There is no session {id}; session/list names those that there are.");
    Error::new(ErrorCode::ResourceNotFound.into(), message)
}

/// What a provider has said.
pub(super) fn of_provider(agent: &Agent, message: String) -> Error {
    if message.starts_with("401") {
        return sign_in::required(agent, &message);
    }
    internal(if message.is_empty() { "The model gave no answer.".to_owned() } else { message })
}

/// What a session refuses.
pub(super) fn of_session(agent: &Agent, error: &agent_session::Error) -> Error {
    match error {
        agent_session::Error::NoApiKey { .. } | agent_session::Error::NoModelSelected => {
            sign_in::required(agent, &error.to_string())
        }
        _ => internal(error.to_string()),
    }
}

/// A session that cannot be made, opened or closed.
pub(super) fn of_sdk(agent: &Agent, error: &sdk::Error) -> Error {
    match error {
        sdk::Error::AgentSession(error) => of_session(agent, error),
        sdk::Error::Pool(PoolError::Unknown { id }) => not_found(&SessionId::new(id.as_str())),
        _ => internal(words(error)),
    }
}

/// What the user of an editor is told.
fn words(error: &sdk::Error) -> String {
    match error {
        // Its own words are for programmers.
        sdk::Error::Pool(PoolError::StillRunning { .. }) => STILL_RUNNING.to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_not_told_what_programmers_should_do() {
        let error = sdk::Error::from(PoolError::StillRunning { ids: vec!["1".to_owned()] });
        assert!(words(&error).contains("restart the agent"));
    }
}
