//! Makes the summary requests and puts the result together.

use std::future::Future;
use std::sync::Arc;

use futures::future::try_join;
use pi_ai::{AssistantMessage, ContentBlock, Context, Message, Model, StopReason, ThinkingLevel, UserMessage};
use serde_json::json;

use super::file_ops::without_file_lists;
use super::prepare::Preparation;
use super::prompts;
use super::serialize::serialize_conversation;
use crate::messages::convert_to_llm;
use crate::session::Compaction;

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
}

/// Summarises what was prepared and returns what is to be appended to the session.
///
/// `complete` makes one model call; it is called twice at the same time when a turn is cut through. Dropping the
/// future drops the calls.
///
/// # Errors
/// When a call fails, is aborted, or answers nothing: an empty summary would lose the history.
pub async fn compact<F, C>(
    preparation: &Preparation,
    request: &SummaryRequest<'_>,
    complete: F,
) -> Result<Compaction, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let history = async {
        match history_request(preparation, request) {
            Some(asked) => ask(&complete, asked, CompactionError::History).await,
            None => Ok(without_history(preparation)),
        }
    };
    let summary = if preparation.is_split_turn() {
        let prefix = ask(&complete, prefix_request(preparation, request), CompactionError::TurnPrefix);
        let (history, prefix) = try_join(history, prefix).await?;
        format!("{history}{SPLIT_TURN}{prefix}")
    } else {
        history.await?
    };
    let details = preparation.file_ops.details();
    Ok(Compaction {
        summary: summary + &details.text(),
        first_kept_entry_id: preparation.first_kept_entry_id.clone(),
        tokens_before: preparation.tokens_before,
        details: Some(json!(details)),
        from_hook: Some(false),
    })
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

/// The request about the history; `None` when there is none.
fn history_request(preparation: &Preparation, request: &SummaryRequest<'_>) -> Option<(Context, SummaryOptions)> {
    if preparation.messages_to_summarize.is_empty() {
        return None;
    }
    let previous = preparation.previous_summary.as_deref();
    let mut text = conversation(&preparation.messages_to_summarize);
    if let Some(previous) = previous {
        text.push_str(&format!("<previous-summary>\n{previous}\n</previous-summary>\n\n"));
    }
    text.push_str(if previous.is_some() { prompts::UPDATE } else { prompts::INITIAL });
    if let Some(focus) = request.custom_instructions.filter(|focus| !focus.is_empty()) {
        text.push_str(&format!("\n\nAdditional focus: {focus}"));
    }
    // Eight tenths of the reserve: the summary has to fit into what stays free.
    Some((context(text, request), options(preparation.settings.reserve_tokens * 4 / 5, request)))
}

/// The request about the beginning of the turn that is cut through.
fn prefix_request(preparation: &Preparation, request: &SummaryRequest<'_>) -> (Context, SummaryOptions) {
    let text = conversation(&preparation.turn_prefix_messages) + prompts::TURN_PREFIX;
    (context(text, request), options(preparation.settings.reserve_tokens / 2, request))
}

/// What stands for a history without messages: the earlier summary. Its lists of files are written anew at the end.
fn without_history(preparation: &Preparation) -> String {
    preparation.previous_summary.as_deref().map_or(NO_HISTORY, without_file_lists).to_owned()
}

fn conversation(messages: &[Arc<Message>]) -> String {
    format!("<conversation>\n{}\n</conversation>\n\n", serialize_conversation(&convert_to_llm(messages)))
}

fn context(text: String, request: &SummaryRequest<'_>) -> Context {
    let message = UserMessage::blocks(vec![ContentBlock::text(text)], request.now_ms);
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
    let texts: Vec<&str> = answer.content.iter().filter_map(ContentBlock::as_text).collect();
    let summary = texts.join("\n");
    if summary.trim().is_empty() {
        return Err(failure("the model answered without any text, so the history was kept; try again".to_owned()));
    }
    Ok(summary)
}
