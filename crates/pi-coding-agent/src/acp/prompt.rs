//! `session/prompt`: a message of the user, and how its run ended.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use agent_client_protocol_schema::v1::{Error, NoticeSeverity, PromptRequest, PromptResponse, StopReason};
use futures::FutureExt;
use pi_ai::ContentBlock;
use pi_guard::lock;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::agent::{Agent, Answer};
use super::open_session::{OpenSession, Turn};
use super::updates::{Ended, Outcome};
use super::{commands, content, errors};
use crate::agent_session::{
    AgentSession, Limit, PromptDisposition, PromptOptions, QueueChange, QueuedPrompt, StreamingBehavior, prompt_noting,
};
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
    let open = agent.session(&request.session_id)?;
    let called_off = open.called_off();
    let content = content::read(&request.prompt)?;
    let (turn, text, images) = tokio::select! {
        biased;
        () = called_off => return Answer::of(&PromptResponse::new(StopReason::Cancelled)),
        () = cancel.cancelled() => return Err(Error::request_cancelled()),
        ready = ready(agent, &open, content) => ready?,
    };
    let steers = request.meta.as_ref().and_then(|meta| meta.get("steering")?.as_bool()).unwrap_or(false);
    let behavior = if steers { StreamingBehavior::Steer } else { StreamingBehavior::FollowUp };
    let progress = watch::Sender::new(Progress::Arrives);
    let seen = progress.subscribe();
    let mut work = std::pin::pin!(run(agent, &turn, &text, options(images, behavior), progress));
    tokio::select! {
        reason = &mut work => return Answer::of(&PromptResponse::new(reason?)),
        () = cancel.cancelled() => {}
    }
    take_back(&turn, work, seen).await;
    Err(Error::request_cancelled())
}

/// How far a prompt is.
#[derive(Clone)]
enum Progress {
    /// Extensions look at it.
    Arrives,
    /// It waits for the end of a run.
    Waits(QueuedPrompt),
    /// It runs, or did.
    Goes,
}

/// Waits until a prompt can go to its session; its text and images.
async fn ready(
    agent: &Agent,
    open: &OpenSession,
    content: content::PromptContent,
) -> Result<(Turn, String, Vec<ContentBlock>), Error> {
    let _first = open.arrival().await;
    let begun = agent.begun_session(open.id()).await?;
    let resizes = begun.session().settings().tools().images().auto_resize;
    let mut images = Vec::with_capacity(content.images.len());
    for image in content.images {
        images.push(image.fitted(resizes).await?);
    }
    // Comes last: whoever has a turn goes on at once.
    Ok((begun.turn().await, content.text, images))
}

fn options(images: Vec<ContentBlock>, behavior: StreamingBehavior) -> PromptOptions {
    PromptOptions { images, streaming_behavior: Some(behavior), source: InputSource::Rpc, ..PromptOptions::default() }
}

/// Takes a prompt back. One that waits is taken out of the queue, and what others have begun goes on; a run stops as a whole.
async fn take_back(turn: &Turn, mut work: Pin<&mut impl Future>, mut progress: watch::Receiver<Progress>) {
    let open = turn.open();
    if !turn.is_alone() {
        tokio::select! {
            _ = &mut work => return,
            // Its sender lives as long as the work.
            _ = progress.wait_for(|progress| !matches!(progress, Progress::Arrives)) => {}
        }
        let progress = progress.borrow().clone();
        if let Progress::Waits(prompt) = progress
            && open.session().queue().change(&prompt, QueueChange::Remove).await
        {
            return;
        }
    }
    open.request_cancel();
    // Both are polled: the run, and what stops it.
    let _ = tokio::join!(work, open.cancelled());
}

async fn run(
    agent: &Agent,
    turn: &Turn,
    text: &str,
    options: PromptOptions,
    progress: watch::Sender<Progress>,
) -> Result<StopReason, Error> {
    let open = turn.open();
    if let Some(command) = commands::Builtin::called_in(text, open.session()) {
        progress.send_replace(Progress::Goes);
        command.run(open).await;
        return Ok(if turn.is_cancelled() { StopReason::Cancelled } else { StopReason::EndTurn });
    }
    let session = open.session();
    let disposition =
        send(session, text, options, &progress).await.map_err(|error| errors::of_session(agent, &error))?;
    if disposition != Some(PromptDisposition::Started) {
        // A command of an extension may have begun a run; and who queues waits with it.
        session.wait_for_idle().await;
    }
    if turn.is_cancelled() {
        return Ok(StopReason::Cancelled);
    }
    reason(agent, open).await
}

async fn send(
    session: &AgentSession,
    text: &str,
    options: PromptOptions,
    progress: &watch::Sender<Progress>,
) -> Result<Option<PromptDisposition>, crate::agent_session::Error> {
    let became = Arc::new(Mutex::new(None));
    let (note, goes) = (Arc::clone(&became), progress.clone());
    let options = PromptOptions {
        on_accepted: Some(Box::new(move |disposition| {
            *lock(&note) = Some(disposition);
            if disposition != PromptDisposition::Queued {
                goes.send_replace(Progress::Goes);
            }
            async {}.boxed()
        })),
        ..options
    };
    let on_queued = |prompt| drop(progress.send_replace(Progress::Waits(prompt)));
    prompt_noting(session, on_queued, text, options).await?;
    let became = *lock(&became);
    Ok(became)
}

/// Why a run ended.
///
/// # Errors
/// What the provider says: an error must not look like an empty answer.
async fn reason(agent: &Agent, open: &OpenSession) -> Result<StopReason, Error> {
    let Outcome { answer, limit } = open.updates().outcome();
    if limit == Some(Limit::MaxTurns) {
        return Ok(StopReason::MaxTurnRequests);
    }
    let Some(Ended { reason, error, refused }) = answer else { return Ok(StopReason::EndTurn) };
    match reason {
        pi_ai::StopReason::Length => Ok(StopReason::MaxTokens),
        pi_ai::StopReason::Aborted if limit.is_none() => Ok(StopReason::Cancelled),
        pi_ai::StopReason::Error if limit.is_none() && refused => {
            // The stop reason alone does not say why.
            open.updates().notify(NoticeSeverity::Warning, &error.unwrap_or_default()).await;
            Ok(StopReason::Refusal)
        }
        pi_ai::StopReason::Error if limit.is_none() => Err(errors::of_provider(agent, error.unwrap_or_default())),
        _ => Ok(StopReason::EndTurn),
    }
}
