//! Answers that ask back: newer servers end a request with questions, and want it again with the answers.

use rmcp::model::{
    ClientRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorCode, InputRequest, InputRequiredResult,
    InputResponses,
};
use rmcp::service::ServiceError;
use serde_json::Value;

use super::client::{Client, NO_SAMPLING};

/// The code of a refusal for the sake of a page, in revision 2025-11-25.
const URL_ELICITATION_REQUIRED: ErrorCode = ErrorCode(-32042);

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

/// The reason of a server that refuses a request until the user has been to a page, which is put to them; `None` for other
/// errors. Only the user knows when they are done there, so that the request is not sent again.
pub(super) async fn wants_pages(client: &Client, error: &ServiceError) -> Option<String> {
    let ServiceError::McpError(error) = error else { return None };
    let pages = error.data.as_ref()?.get("elicitations").filter(|_| error.code == URL_ELICITATION_REQUIRED)?;
    let pages: Vec<ElicitRequestParams> = serde_json::from_value(pages.clone()).ok()?;
    for page in pages {
        if client.ask(page).await.action != ElicitationAction::Accept {
            return Some("it wants the user to go to a page first, and they did not".to_owned());
        }
    }
    Some(
        "it wants the user to go to a page first, which they have open now. Try again when they say that they are done"
            .to_owned(),
    )
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
