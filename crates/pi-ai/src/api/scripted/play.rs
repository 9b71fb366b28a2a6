//! Plays one step: cuts its message into pieces and streams them at the configured pace.

use std::future::Future;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_stream::stream;
use tokio_util::sync::CancellationToken;

use super::estimate;
use super::options::ScriptedOptions;
use super::shared::Shared;
use super::step::{ScriptedCall, ScriptedStep};
use crate::builder::MessageBuilder;
use crate::error::Error;
use crate::event::AssistantMessageEvent as Event;
use crate::message::{AssistantMessage, ContentBlock, StopReason, ThinkingContent};
use crate::options::ResponseInfo;
use crate::stream::AssistantMessageStream;
use crate::usage::Usage;

/// Characters per token.
const TOKEN: usize = 4;

/// Streams what a step says.
pub(super) fn play(shared: Arc<Shared>, step: Option<ScriptedStep>, call: ScriptedCall) -> AssistantMessageStream {
    AssistantMessageStream::new(stream! {
        let cancel = call.options.cancel.clone();
        let mut builder = MessageBuilder::new(&call.model, call.options.clock.now_ms());
        let mut answer = match unless_cancelled(&cancel, make_answer(&shared, step, call)).await {
            Ok(answer) => answer,
            Err(cause) => {
                yield builder.fail(cause);
                return;
            }
        };
        let blocks = std::mem::take(&mut answer.content);
        builder.edit(|message| announce(message, &answer));
        builder.start();
        for piece in blocks.into_iter().flat_map(|block| cut(block, &shared.options)) {
            while let Some(event) = builder.next_event() {
                yield event;
            }
            if let Err(cause) = unless_cancelled(&cancel, pace(&piece, &shared.options)).await {
                yield builder.fail(cause);
                return;
            }
            apply(piece, &mut builder);
        }
        while let Some(event) = builder.next_event() {
            yield event;
        }
        yield end(builder, answer);
    })
}

/// Runs something until it ends or the caller cancels.
async fn unless_cancelled<T>(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Error::Aborted),
        outcome = work => outcome,
    }
}

/// Lets the step make its message and estimates the usage.
async fn make_answer(
    shared: &Shared,
    step: Option<ScriptedStep>,
    call: ScriptedCall,
) -> Result<AssistantMessage, Error> {
    if let Some(hook) = &call.options.on_response {
        let info = ResponseInfo { status: 200, headers: Default::default() };
        let called = (hook.0)(info, Arc::clone(&call.model)).await;
        called.map_err(|message| Error::Hook { hook: "on_response", message })?;
    }
    let step = step.ok_or_else(|| Error::Script { message: "No more faux responses queued".to_owned() })?;
    let mut answer = step.run(call.clone()).await.map_err(|message| Error::Script { message })?;
    let prompt = shared.prompt_usage(&call);
    if answer.usage == Usage::default() {
        answer.usage = estimate::with_answer(prompt, &answer);
    }
    Ok(answer)
}

/// What is known of a message before its content: everything but its end. The identity of the model stays.
fn announce(message: &mut AssistantMessage, answer: &AssistantMessage) {
    message.usage = answer.usage.clone();
    message.response_id = answer.response_id.clone();
    message.response_model = answer.response_model.clone();
    message.diagnostics = answer.diagnostics.clone();
    message.extra = answer.extra.clone();
    if answer.timestamp != 0 {
        message.timestamp = answer.timestamp;
    }
}

/// One thing that happens to the message.
enum Piece {
    Open(ContentBlock),
    Delta(String),
    /// The block as it was scripted: signatures come last.
    Close(ContentBlock),
    /// A block of a kind that has no events.
    Whole(ContentBlock),
}

fn cut(block: ContentBlock, options: &ScriptedOptions) -> Vec<Piece> {
    let (opening, text) = match &block {
        ContentBlock::Text(text) => (ContentBlock::text(""), text.text.clone()),
        ContentBlock::Thinking(thinking) => {
            (ContentBlock::Thinking(ThinkingContent::default()), thinking.thinking.clone())
        }
        ContentBlock::ToolCall(call) => (block.clone(), call.arguments.to_string()),
        ContentBlock::Image(_) | ContentBlock::Other(_) => return vec![Piece::Whole(block)],
    };
    let mut pieces = vec![Piece::Open(opening)];
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let length = rest.char_indices().nth(chunk_size(options)).map_or(rest.len(), |(index, _)| index);
        let (chunk, tail) = rest.split_at(length);
        pieces.push(Piece::Delta(chunk.to_owned()));
        rest = tail;
    }
    pieces.push(Piece::Close(block));
    pieces
}

/// Length of the next chunk in characters.
fn chunk_size(options: &ScriptedOptions) -> usize {
    let smallest = (*options.token_size.start()).max(1);
    let choices = u64::from(options.token_size.end().saturating_sub(smallest)) + 1;
    (smallest as usize + (options.random.next_u64() % choices) as usize) * TOKEN
}

/// Waits as long as a model would take for a chunk.
async fn pace(piece: &Piece, options: &ScriptedOptions) -> Result<(), Error> {
    let Piece::Delta(chunk) = piece else { return Ok(()) };
    let tokens = chunk.chars().count().div_ceil(TOKEN) as f64;
    match options.tokens_per_second.and_then(|speed| Duration::try_from_secs_f64(tokens / speed).ok()) {
        Some(time) => tokio::time::sleep(time).await,
        None => yield_once().await,
    }
    Ok(())
}

/// Lets other tasks run, on any runtime.
async fn yield_once() {
    let mut yielded = false;
    let wait = std::future::poll_fn(|cx| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    wait.await;
}

fn apply(piece: Piece, builder: &mut MessageBuilder) {
    let last = builder.partial().with(|message| message.content.len()).saturating_sub(1);
    match piece {
        Piece::Whole(block) => builder.edit(|message| message.content.push(block)),
        Piece::Open(block) => open(builder, block),
        Piece::Delta(chunk) => add_delta(builder, last, &chunk),
        Piece::Close(block) => close(builder, last, block),
    }
}

fn open(builder: &mut MessageBuilder, block: ContentBlock) {
    match block {
        ContentBlock::Thinking(thinking) => builder.start_thinking(thinking),
        ContentBlock::ToolCall(call) => builder.start_tool_call(&call.id, &call.name),
        _ => builder.start_text(),
    };
}

/// The builder ignores those of the three calls that do not fit the block.
fn add_delta(builder: &mut MessageBuilder, index: usize, chunk: &str) {
    builder.text_delta(index, chunk);
    builder.thinking_delta(index, chunk);
    builder.tool_call_delta(index, chunk);
}

fn close(builder: &mut MessageBuilder, index: usize, scripted: ContentBlock) {
    builder.edit_block(index, |block| match (block, scripted) {
        // The arguments are read from the deltas, as those of a model are.
        (ContentBlock::ToolCall(call), ContentBlock::ToolCall(scripted)) => {
            let (call, scripted) = (Arc::make_mut(call), Arc::unwrap_or_clone(scripted));
            call.thought_signature = scripted.thought_signature;
            call.extra = scripted.extra;
        }
        (block, scripted) => *block = scripted,
    });
    builder.end_text(index);
    builder.end_thinking(index);
    builder.end_tool_call(index);
}

/// The terminal event. A scripted failure has no cause: the message says it all.
fn end(mut builder: MessageBuilder, answer: AssistantMessage) -> Event {
    let reason = answer.stop_reason;
    let text = match reason {
        StopReason::Error => answer.error_message.or_else(|| Some("An unknown error occurred".to_owned())),
        StopReason::Aborted => answer.error_message.or_else(|| Some(Error::Aborted.to_string())),
        _ => None,
    };
    builder.edit(|message| {
        message.stop_reason = reason.clone();
        message.error_message = text;
    });
    if reason.is_failure() {
        Event::Error { reason, error: builder.partial().snapshot(), cause: None }
    } else {
        builder.done()
    }
}
