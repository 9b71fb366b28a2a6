//! Tool calls whose results never came, because the program died: what the model is told about them.
//!
//! Such a session ends with an answer that calls tools, behind which results are missing. Each missing one is made up
//! here, from what the file beside the session knows (`effect_journal.rs`). Where there is no such file, nothing is made up, and
//! requests say by themselves that nothing is known. No call is ever run again by itself.

use std::path::Path;
use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Extra, Message, ToolCall, ToolResultMessage};
use serde_json::{Map, Value};

use super::ancestors::Ancestors;
use super::effect_journal::{Effects, Fate, held_messages, only_reads};
use super::entry::SessionEntry;
use super::kind::Kind;
use super::store::EntryStore;
use crate::session::Error;

const STARTED: &str = "Outcome unknown: the run was cut off while this call was under way. It may have taken effect in \
    full, in part or not at all. Find out what happened before you repeat it.";
const NOT_STARTED: &str = "Not run: the run was cut off before this call began. It had no effect.";
const ONLY_READS: &str = "No result: the run was cut off before this call gave one. It reads only and changed nothing.";

/// What the session would have if its last run had not been cut off: results of calls, and the commands that the user ran
/// meanwhile.
pub(super) fn left_by_crash(
    store: &EntryStore,
    leaf: Option<&str>,
    session: Option<&Path>,
) -> Result<Vec<Arc<Message>>, Error> {
    let mut left = made_up_results(store, leaf, session)?;
    let mut held = session.map(held_messages).unwrap_or_default();
    if !held.is_empty() {
        let stored = commands_at_the_end(store, leaf)?;
        held.retain(|message| !stored.contains(message));
    }
    left.append(&mut held);
    Ok(left)
}

/// The commands of the user behind the last turn.
fn commands_at_the_end(store: &EntryStore, leaf: Option<&str>) -> Result<Vec<Arc<Message>>, Error> {
    let mut found = Vec::new();
    let mut climb = Ancestors::new(store, leaf)?;
    while let Some(rung) = climb.next()? {
        if rung.kind != Kind::Message {
            continue;
        }
        match rung.entry()?.parse() {
            SessionEntry::Message(entry) if matches!(&*entry.message, Message::Other(_)) => found.push(entry.message),
            _ => break,
        }
    }
    Ok(found)
}

/// Results for the calls of the last answer that have none, in the order of the calls. Reads no more of the session than
/// what is behind that answer.
fn made_up_results(store: &EntryStore, leaf: Option<&str>, session: Option<&Path>) -> Result<Vec<Arc<Message>>, Error> {
    let mut answered = Vec::new();
    let mut climb = Ancestors::new(store, leaf)?;
    while let Some(rung) = climb.next()? {
        match rung.kind {
            Kind::Message => match rung.entry()?.parse() {
                SessionEntry::Message(entry) => match &*entry.message {
                    Message::ToolResult(result) => answered.push(result.tool_call_id.clone()),
                    // Of a failed answer the model never sees the calls.
                    Message::Assistant(answer) if !answer.stop_reason.is_failure() => {
                        let open = unanswered(answer, answered);
                        return Ok(results_of(answer, &open, || Effects::of(session, &entry.id)));
                    }
                    _ => break,
                },
                _ => break,
            },
            // Somebody has gone on since: it is too late for a result.
            Kind::Compaction | Kind::BranchSummary | Kind::CustomMessage => break,
            _ => {}
        }
    }
    Ok(Vec::new())
}

/// The calls without a result. Of several calls with one id, the first has the first result.
fn unanswered(answer: &AssistantMessage, mut answered: Vec<String>) -> Vec<&ToolCall> {
    let has_none = |call: &&ToolCall| match answered.iter().position(|id| *id == call.id) {
        Some(at) => {
            answered.swap_remove(at);
            false
        }
        None => true,
    };
    answer.tool_calls().filter(has_none).collect()
}

fn results_of(answer: &AssistantMessage, open: &[&ToolCall], known: impl FnOnce() -> Effects) -> Vec<Arc<Message>> {
    if open.is_empty() {
        return Vec::new();
    }
    let known = known();
    if known.is_empty() {
        // Every request says then that it is not known what the call did; that is nothing to put on record.
        return Vec::new();
    }
    let made_up = |call: &&ToolCall| {
        let (fate, nested) = (known.fate(&call.id), known.nested(&call.id));
        Arc::new(made_up(call, fate, &nested, answer.timestamp).into())
    };
    open.iter().map(made_up).collect()
}

/// The time is that of the answer, so that everybody who looks sees the same result.
fn made_up(call: &ToolCall, fate: Fate, nested: &[(String, bool)], timestamp: i64) -> ToolResultMessage {
    let text = match fate {
        Fate::Ended(outcome) => {
            return ToolResultMessage {
                tool_call_id: call.id.clone(),
                tool_name: call.name.clone(),
                content: outcome.output.content,
                details: outcome.output.details,
                is_error: outcome.is_error,
                timestamp,
                extra: Extra::new(),
            };
        }
        Fate::Started => format!("{STARTED}{}", calls_of(nested)),
        Fate::NotStarted if only_reads(&call.name) => ONLY_READS.to_owned(),
        Fate::NotStarted => NOT_STARTED.to_owned(),
    };
    ToolResultMessage {
        tool_call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![ContentBlock::text(text)],
        details: Some(Value::Object(Map::new())),
        is_error: true,
        timestamp,
        extra: Extra::new(),
    }
}

/// What is known of the calls that a call had made itself.
fn calls_of(nested: &[(String, bool)]) -> String {
    let one = |(name, has_ended): &(String, bool)| {
        format!("{name} ({})", if *has_ended { "ended" } else { "outcome unknown" })
    };
    let calls: Vec<String> = nested.iter().map(one).collect();
    if calls.is_empty() { String::new() } else { format!("\n\nIt had made these calls: {}.", calls.join(", ")) }
}
