//! Answers that ask back: newer servers end a request with questions, and want it again with the answers.

use rmcp::model::{ClientRequest, ElicitResult, InputRequest, InputRequiredResult, InputResponses};
use serde_json::Value;

use super::client::{Client, NO_SAMPLING};

/// The same request with the answers to what the server asked, which are those of the user.
///
/// # Errors
/// What it asked for that it does not get.
pub(super) async fn answered(
    client: &Client,
    mut request: ClientRequest,
    asked: InputRequiredResult,
) -> Result<ClientRequest, String> {
    let requests = asked.input_requests.unwrap_or_default();
    if requests.is_empty() && asked.request_state.is_none() {
        return Err("a question without words".to_owned());
    }
    let mut responses = InputResponses::new();
    // One after the other: a user has one screen.
    for (key, request) in requests {
        responses.insert(key, response(client, request).await?);
    }
    let (responses, state) = ((!responses.is_empty()).then_some(responses), asked.request_state);
    match &mut request {
        ClientRequest::CallToolRequest(request) => {
            (request.params.input_responses, request.params.request_state) = (responses, state);
        }
        ClientRequest::GetPromptRequest(request) => {
            (request.params.input_responses, request.params.request_state) = (responses, state);
        }
        ClientRequest::ReadResourceRequest(request) => {
            (request.params.input_responses, request.params.request_state) = (responses, state);
        }
        _ => return Err("a question where none is allowed".to_owned()),
    }
    Ok(request)
}

async fn response(client: &Client, request: InputRequest) -> Result<Value, String> {
    let answer = match request {
        InputRequest::Elicitation(request) => {
            let answer: ElicitResult = client.ask(request.params).await;
            serde_json::to_value(answer)
        }
        InputRequest::ListRoots(_) => serde_json::to_value(client.roots()),
        InputRequest::CreateMessage(_) => return Err(format!("the wish to use the model ({NO_SAMPLING})")),
        _ => return Err("a question of a new kind".to_owned()),
    };
    answer.map_err(|error| error.to_string())
}
