//! `session/prompt`: a message of the user, and how its run ended.

use std::sync::{Arc, Mutex};

use agent_client_protocol_schema::v1::{Error, PromptRequest, PromptResponse, StopReason};
use futures::FutureExt;
use pi_guard::lock;
use tokio_util::sync::CancellationToken;

use super::agent::{Agent, Answer};
use super::open_session::{OpenSession, Turn};
use super::updates::Outcome;
use super::{commands, content, errors};
use crate::agent_session::{AgentSession, Limit, PromptDisposition, PromptOptions, StreamingBehavior};
use crate::extension::events::InputSource;

/// Runs a prompt; the answer comes when its run is over. One that arrives during a run waits for its end, and joins it where
/// `_meta.steering` says so; both are answered then.
///
/// # Errors
/// What the provider says where it does not answer; what is wrong with the prompt.
pub(super) async fn prompt(
    agent: &Arc<Agent>,
    request: PromptRequest,
    cancel: &CancellationToken,
) -> Result<Answer, Error> {
    agent.session(&request.session_id)?;
    let content = content::read(&request.prompt)?;
    let open = agent.begun_session(&request.session_id).await?;
    let turn = open.turn().await;
    let steers = request.meta.as_ref().and_then(|meta| meta.get("steering")?.as_bool()).unwrap_or(false);
    let behavior = if steers { StreamingBehavior::Steer } else { StreamingBehavior::FollowUp };
    let mut work = std::pin::pin!(run(agent, &open, &turn, content, behavior));
    let reason = tokio::select! {
        reason = &mut work => reason?,
        () = cancel.cancelled() => {
            open.request_cancel();
            // Both are polled: the run, and what stops it.
            let _ = tokio::join!(work, open.cancelled());
            return Err(Error::request_cancelled());
        }
    };
    Answer::of(&PromptResponse::new(reason))
}

async fn run(
    agent: &Agent,
    open: &OpenSession,
    turn: &Turn<'_>,
    prompt: content::PromptContent,
    behavior: StreamingBehavior,
) -> Result<StopReason, Error> {
    if let Some(command) = commands::Builtin::called_in(&prompt.text, open.session()) {
        command.run(open).await;
        return Ok(if turn.is_cancelled() { StopReason::Cancelled } else { StopReason::EndTurn });
    }
    let session = open.session();
    let disposition = send(session, prompt, behavior).await.map_err(|error| errors::of_session(agent, &error))?;
    if disposition != Some(PromptDisposition::Started) {
        // A command of an extension may have begun a run; and who queues waits with it.
        session.wait_for_idle().await;
    }
    if turn.is_cancelled() {
        return Ok(StopReason::Cancelled);
    }
    reason(agent, open.updates().outcome())
}

async fn send(
    session: &AgentSession,
    prompt: content::PromptContent,
    behavior: StreamingBehavior,
) -> Result<Option<PromptDisposition>, crate::agent_session::Error> {
    let became = Arc::new(Mutex::new(None));
    let note = Arc::clone(&became);
    let options = PromptOptions {
        images: prompt.images,
        streaming_behavior: Some(behavior),
        source: InputSource::Rpc,
        on_accepted: Some(Box::new(move |disposition| {
            *lock(&note) = Some(disposition);
            async {}.boxed()
        })),
        ..PromptOptions::default()
    };
    session.prompt(&prompt.text, options).await?;
    let became = *lock(&became);
    Ok(became)
}

/// Why a run ended.
///
/// # Errors
/// What the provider says: an error must not look like an empty answer.
fn reason(agent: &Agent, outcome: Outcome) -> Result<StopReason, Error> {
    if outcome.limit == Some(Limit::MaxTurns) {
        return Ok(StopReason::MaxTurnRequests);
    }
    match outcome.answer {
        Some((pi_ai::StopReason::Length, _)) => Ok(StopReason::MaxTokens),
        Some((pi_ai::StopReason::Aborted, _)) if outcome.limit.is_none() => Ok(StopReason::Cancelled),
        Some((pi_ai::StopReason::Error, message)) if outcome.limit.is_none() => {
            Err(errors::of_provider(agent, message.unwrap_or_default()))
        }
        _ => Ok(StopReason::EndTurn),
    }
}
