//! Summaries of branches that are left, so that what was learned there is known where the conversation goes on.
//!
//! [`left_behind`] says what is left, [`prepare_branch_summary`] chooses what of it fits into a request,
//! [`summarize_branch`] asks for the summary. Moving the leaf and storing the result is the caller's business:
//! [`SessionManager::branch_with_summary`](crate::session::SessionManager::branch_with_summary).

use std::future::Future;
use std::sync::Arc;

use pi_ai::{AssistantMessage, Context, Message, Model, StopReason, ThinkingLevel};
use serde_json::json;

use super::entry::{BranchEntry, EntryContent};
use super::file_ops::FileOps;
use super::prompts;
use super::summarize::{SummaryOptions, context, conversation, text_of};
use super::tokens::estimate_tokens;
use crate::session::BranchSummary;
use crate::session::messages::CompactionSummaryMessage;

/// Output limit in tokens.
const MAX_TOKENS: u64 = 2048;
/// The window of a model that does not name one.
const DEFAULT_WINDOW: u64 = 128_000;
/// Summaries of earlier history may still come in as long as less than this share of the budget is used.
const SUMMARY_SHARE: f64 = 0.9;

/// The entries of the branch `old` (from its root) that are not on the branch `target`: what is left when the
/// conversation moves there. Compactions do not end them.
pub fn left_behind<'a>(old: &'a [BranchEntry], target: &[BranchEntry]) -> &'a [BranchEntry] {
    let common = old.iter().zip(target).take_while(|(old, target)| old.id == target.id).count();
    &old[common..]
}

/// What is told of a branch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BranchPreparation {
    /// Messages, oldest first; without tool results.
    pub messages: Vec<Arc<Message>>,
    /// Files that were read and changed.
    pub file_ops: FileOps,
    /// Estimated size of the messages in tokens.
    pub tokens: u64,
}

/// Takes the newest messages that fit into `budget` tokens; zero means all. A summary that would not fit is still
/// taken as long as less than nine tenths are used, because it stands for much.
pub fn prepare_branch_summary(entries: &[BranchEntry], budget: u64) -> BranchPreparation {
    let mut prepared = BranchPreparation::default();
    for entry in entries {
        if let EntryContent::BranchSummary { files: Some(details), .. } = &entry.content {
            prepared.file_ops.add_details(details);
        }
    }
    for entry in entries.iter().rev() {
        let Some(message) = message_for_summary(entry) else { continue };
        // Also of the message that no longer fits: its files cost nothing.
        prepared.file_ops.add_calls(std::iter::once(&message));
        let tokens = estimate_tokens(&message);
        let fits = budget == 0 || prepared.tokens + tokens <= budget;
        if fits || (is_summary(entry) && (prepared.tokens as f64) < SUMMARY_SHARE * budget as f64) {
            prepared.messages.push(message);
            prepared.tokens += tokens;
        }
        if !fits {
            break;
        }
    }
    prepared.messages.reverse();
    prepared
}

/// The message that stands for an entry here; compactions have one, tool results have none.
fn message_for_summary(entry: &BranchEntry) -> Option<Arc<Message>> {
    match &entry.content {
        EntryContent::Compaction(compaction) => {
            let summary = compaction.summary.clone();
            let message = CompactionSummaryMessage { summary, tokens_before: compaction.tokens_before, timestamp: 0 };
            Some(Arc::new(message.into()))
        }
        _ => entry.message().filter(|message| !matches!(***message, Message::ToolResult(_))).cloned(),
    }
}

fn is_summary(entry: &BranchEntry) -> bool {
    matches!(entry.content, EntryContent::Compaction(_) | EntryContent::BranchSummary { .. })
}

/// How a branch is to be summarised.
#[derive(Debug, Clone, Copy)]
pub struct BranchRequest<'a> {
    /// The model that summarises.
    pub model: &'a Model,
    /// Tokens of its window that stay free.
    pub reserve_tokens: u64,
    /// What the user wants of the summary.
    pub custom_instructions: Option<&'a str>,
    /// Whether that stands in place of our instructions instead of behind them.
    pub replace_instructions: bool,
    /// Unix time in milliseconds, for the request's message.
    pub now_ms: i64,
}

impl BranchRequest<'_> {
    /// Tokens that messages may take.
    fn budget(&self) -> u64 {
        let window = Some(self.model.context_window).filter(|window| *window > 0).unwrap_or(DEFAULT_WINDOW);
        // Never zero, which would mean no limit.
        window.saturating_sub(self.reserve_tokens).max(1)
    }

    fn instructions(&self) -> String {
        match self.custom_instructions.filter(|custom| !custom.is_empty()) {
            Some(custom) if self.replace_instructions => custom.to_owned(),
            Some(custom) => format!("{}\n\nAdditional focus: {custom}", prompts::BRANCH),
            None => prompts::BRANCH.to_owned(),
        }
    }
}

/// Why a branch has no summary. The session is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BranchSummaryError {
    /// The provider failed.
    #[error("{0}")]
    Failed(
        /// What it said.
        String,
    ),
    /// The user aborted.
    #[error("Branch summary cancelled")]
    Cancelled,
    /// No model is selected. Clients match on this text.
    #[error("No model available for summarization")]
    NoModel,
}

/// Summarises a branch and returns what is to be appended where the conversation goes on.
///
/// `complete` makes one model call. Dropping the future drops the call.
///
/// # Errors
/// When the call fails or is aborted, or answers nothing.
pub async fn summarize_branch<F, C>(
    entries: &[BranchEntry],
    request: &BranchRequest<'_>,
    complete: F,
) -> Result<BranchSummary, BranchSummaryError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let prepared = prepare_branch_summary(entries, request.budget());
    if prepared.messages.is_empty() {
        return Ok(stored(prompts::NOTHING_ON_BRANCH.to_owned(), &FileOps::default()));
    }
    let text = conversation(&prepared.messages) + &request.instructions();
    let options = SummaryOptions { max_tokens: MAX_TOKENS, reasoning: ThinkingLevel::Off };
    let answer = complete(context(text, request.now_ms), options).await;
    let summary = summary_of(&answer)?;
    let lists = prepared.file_ops.details().text();
    Ok(stored(format!("{}\n\n{summary}{lists}", prompts::BRANCH_PREAMBLE), &prepared.file_ops))
}

fn stored(summary: String, files: &FileOps) -> BranchSummary {
    BranchSummary { summary, details: Some(json!(files.details())), from_hook: Some(false) }
}

fn summary_of(answer: &AssistantMessage) -> Result<String, BranchSummaryError> {
    match &answer.stop_reason {
        StopReason::Aborted => return Err(BranchSummaryError::Cancelled),
        StopReason::Error => {
            let message = answer.error_message.clone().filter(|message| !message.is_empty());
            return Err(BranchSummaryError::Failed(message.unwrap_or_else(|| "Summarization failed".to_owned())));
        }
        _ => {}
    }
    text_of(answer).ok_or_else(|| {
        BranchSummaryError::Failed("the model answered without any text; try again, or go on without a summary".into())
    })
}
