//! Makes the summary requests and puts the result together.

use std::future::Future;
use std::sync::Arc;

use futures::future::try_join;
use pi_ai::{AssistantMessage, ContentBlock, Context, Message, Model, StopReason, ThinkingLevel, UserMessage};
use serde_json::json;

use super::chunks::portions;
use super::prepare::{Preparation, summary_tokens};
use super::prompts;
use super::serialize::serialize_conversation;
use super::summary_footer::{cut_results, pinned, without_appendix, without_pinned};
use super::tokens::units;
use crate::session::Compaction;
use crate::session::messages::convert_to_llm;

/// Stands where history would, when a turn is cut through that is the first.
const NO_HISTORY: &str = "No prior history.";
/// Stands between the history and the beginning of the turn that was cut through.
const SPLIT_TURN: &str = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/// What all requests of one compaction share.
#[derive(Debug, Clone, Copy)]
pub struct SummaryRequest<'a> {
    /// The model that summarises.
    pub model: &'a Model,
    /// The session's thinking level; models that cannot think do without.
    pub thinking_level: ThinkingLevel,
    /// What the user wants the summary to dwell on.
    pub custom_instructions: Option<&'a str>,
    /// Unix time in milliseconds, for the request's message.
    pub now_ms: i64,
}

/// Options of one completion. There are no tools and no session id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryOptions {
    /// Output limit in tokens.
    pub max_tokens: u64,
    /// Thinking level.
    pub reasoning: ThinkingLevel,
}

/// Why there is no summary. The session is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompactionError {
    /// The summary of the history failed.
    #[error("Summarization failed: {0}")]
    History(
        /// What the provider said.
        String,
    ),
    /// The summary of the beginning of the turn failed.
    #[error("Turn prefix summarization failed: {0}")]
    TurnPrefix(
        /// What the provider said.
        String,
    ),
    /// The user aborted.
    #[error("Compaction cancelled")]
    Cancelled,
    /// The summary is larger than the history.
    #[error(
        "the summary takes about {summary} tokens, more than the {replaced} that it would replace, so the history was kept; go on until there is more to summarise"
    )]
    NoGain {
        /// Size of the summary, estimated in tokens.
        summary: u64,
        /// Size of what it would have replaced.
        replaced: u64,
    },
}

/// Summarises what was prepared and returns what is to be appended to the session.
///
/// Behind the model's words come the ends of tool results that were cut through, what is pinned, and the lists of
/// files.
///
/// `complete` makes one model call; it is called twice at the same time when a turn is cut through, and several times in
/// a row when the history does not fit into one request. Dropping the future drops the calls.
///
/// # Errors
/// When a call fails, is aborted, or answers nothing (an empty summary would lose the history), and when the summary is
/// larger than what it replaces.
pub async fn compact<F, C>(
    preparation: &Preparation,
    request: &SummaryRequest<'_>,
    complete: F,
) -> Result<Compaction, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let history = history(preparation, request, &complete);
    let summary = if preparation.is_split_turn() {
        let (history, prefix) = try_join(history, prefix(preparation, request, &complete)).await?;
        format!("{history}{SPLIT_TURN}{prefix}")
    } else {
        history.await?
    };
    let details = preparation.file_ops.details();
    let results = cut_results(&preparation.cut_results, preparation.settings.keep_recent_tokens);
    let summary = summary + &results + &pinned(&preparation.pinned) + &details.text();
    check_gain(summary_tokens(&summary), preparation.replaced_tokens)?;
    Ok(Compaction {
        summary,
        first_kept_entry_id: preparation.first_kept_entry_id.clone().unwrap_or_default(),
        tokens_before: preparation.tokens_before,
        details: Some(json!(details)),
        from_hook: Some(false),
    })
}

/// A compaction never makes a context larger.
fn check_gain(summary: u64, replaced: u64) -> Result<(), CompactionError> {
    if summary > replaced { Err(CompactionError::NoGain { summary, replaced }) } else { Ok(()) }
}

async fn ask<F, C>(
    complete: &F,
    (context, options): (Context, SummaryOptions),
    failure: fn(String) -> CompactionError,
) -> Result<String, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let answer = complete(context, options).await;
    summary_of(&answer, failure)
}

/// The summary of the history. What is too long for one request is summarised portion by portion, each answer being the
/// earlier summary of the next request.
async fn history<F, C>(
    preparation: &Preparation,
    request: &SummaryRequest<'_>,
    complete: &F,
) -> Result<String, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    if preparation.messages_to_summarize.is_empty() {
        return Ok(without_history(preparation));
    }
    // Eight tenths of the reserve: the summary has to fit into what stays free.
    let options = options(preparation.settings.reserve_tokens * 4 / 5, request);
    let mut summary = preparation.previous_summary.as_deref().map(without_pinned);
    let text = as_text(&preparation.messages_to_summarize);
    for portion in portions(&text, request.model, options.max_tokens, summary.as_deref().map_or(0, units)) {
        let asked = context(history_text(portion, summary.as_deref(), request), request.now_ms);
        summary = Some(ask(complete, (asked, options), CompactionError::History).await?);
    }
    Ok(summary.unwrap_or_default())
}

fn history_text(portion: &str, previous: Option<&str>, request: &SummaryRequest<'_>) -> String {
    let mut text = wrapped(portion);
    if let Some(previous) = previous {
        text.push_str(&format!("<previous-summary>\n{previous}\n</previous-summary>\n\n"));
    }
    text.push_str(if previous.is_some() { prompts::UPDATE } else { prompts::INITIAL });
    if let Some(focus) = request.custom_instructions.filter(|focus| !focus.is_empty()) {
        text.push_str(&format!("\n\nAdditional focus: {focus}"));
    }
    text
}

/// The summary of the beginning of the turn that is cut through, or those of its portions.
async fn prefix<F, C>(
    preparation: &Preparation,
    request: &SummaryRequest<'_>,
    complete: &F,
) -> Result<String, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let options = options(preparation.settings.reserve_tokens / 2, request);
    let text = as_text(&preparation.turn_prefix_messages);
    let mut summaries = Vec::new();
    for portion in portions(&text, request.model, options.max_tokens, 0) {
        let asked = context(wrapped(portion) + prompts::TURN_PREFIX, request.now_ms);
        summaries.push(ask(complete, (asked, options), CompactionError::TurnPrefix).await?);
    }
    Ok(summaries.join("\n\n"))
}

/// What stands for a history without messages: the earlier summary. What follows it is written anew at the end.
fn without_history(preparation: &Preparation) -> String {
    preparation.previous_summary.as_deref().map_or(NO_HISTORY, without_appendix).to_owned()
}

/// The part of a request that is summarised.
pub(super) fn conversation(messages: &[Arc<Message>]) -> String {
    wrapped(&as_text(messages))
}

fn as_text(messages: &[Arc<Message>]) -> String {
    serialize_conversation(&convert_to_llm(messages))
}

fn wrapped(text: &str) -> String {
    format!("<conversation>\n{text}\n</conversation>\n\n")
}

/// The whole of a request.
pub(super) fn context(text: String, now_ms: i64) -> Context {
    let message = UserMessage::blocks(vec![ContentBlock::text(text)], now_ms);
    Context::default().with_system_prompt(prompts::SYSTEM).with_message(message)
}

fn options(limit: u64, request: &SummaryRequest<'_>) -> SummaryOptions {
    let model_limit = Some(request.model.max_tokens).filter(|limit| *limit > 0);
    let reasoning = if request.model.reasoning { request.thinking_level } else { ThinkingLevel::Off };
    SummaryOptions { max_tokens: model_limit.map_or(limit, |model_limit| limit.min(model_limit)), reasoning }
}

fn summary_of(answer: &AssistantMessage, failure: fn(String) -> CompactionError) -> Result<String, CompactionError> {
    match &answer.stop_reason {
        StopReason::Aborted => return Err(CompactionError::Cancelled),
        StopReason::Error => {
            let message = answer.error_message.clone().filter(|message| !message.is_empty());
            return Err(failure(message.unwrap_or_else(|| "Unknown error".to_owned())));
        }
        _ => {}
    }
    text_of(answer)
        .ok_or_else(|| failure("the model answered without any text, so the history was kept; try again".to_owned()))
}

/// The text of an answer; `None` when there is none.
pub(super) fn text_of(answer: &AssistantMessage) -> Option<String> {
    let texts: Vec<&str> = answer.content.iter().filter_map(ContentBlock::as_text).collect();
    Some(texts.join("\n")).filter(|text| !text.trim().is_empty())
}
