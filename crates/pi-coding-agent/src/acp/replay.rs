//! What was said in a session, and what is under way, told as if it happened now.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol_schema::v1::{ContentBlock, ContentChunk, MessageId, SessionUpdate};
use pi_agent_core::{NestedCallRecord, StreamingMessage, ToolOutput};
use pi_ai::{AssistantMessage, Message, ToolResultMessage, UserContent};

use super::open_session::OpenSession;
use super::tool_calls::{CallView, ToolCalls};
use super::updates::{Updates, chunk};
use super::{content, plan};

/// Tells the client what the model knows of the conversation, and what is under way. What happens meanwhile is told behind
/// it.
pub(super) async fn replay(open: &OpenSession) {
    let updates = open.updates();
    let _turn = updates.telling().await;
    let place = Place::of(open);
    let mut history = updates.with_calls(|calls| calls.for_history());
    let mut goes_on = if place.is_at_work { updates.with_calls(|calls| calls.open_ids()) } else { Vec::new() };
    for (at, message) in place.messages.iter().enumerate() {
        let told = match &**message {
            // Its calls may be those that run.
            Message::Assistant(answer) if place.answer_at_work == Some(at) => updates.with_calls(|calls| {
                of_open_answer(answer, calls, &mut history, &place, &mut goes_on, &updates.message_id())
            }),
            message => of_message(message, &mut history, || updates.message_id()),
        };
        send(updates, told).await;
    }
    // What a crash cut off has no result and never will have.
    send(updates, history.dead()).await;
    updates.with_calls(|calls| calls.take_up(history));
    if place.is_arriving {
        let arriving = updates.arriving(|calls, id| {
            goes_on.retain(|other| other != id);
            calls.retold(id, None)
        });
        send(updates, arriving).await;
    }
    // Those that calls have made.
    let rest = updates.with_calls(|calls| goes_on.iter().filter_map(|id| calls.retold(id, place.output(id))).collect());
    send(updates, rest).await;
}

async fn send(updates: &Updates, told: Vec<SessionUpdate>) {
    for update in told {
        updates.send(update).await;
    }
}

/// Where the session is.
struct Place {
    messages: Vec<Arc<Message>>,
    is_at_work: bool,
    /// An answer arrives.
    is_arriving: bool,
    /// The place of the answer whose calls are run.
    answer_at_work: Option<usize>,
    outputs: BTreeMap<String, Arc<ToolOutput>>,
}

impl Place {
    fn of(open: &OpenSession) -> Self {
        open.session().agent().with_state(|state| {
            let is_arriving = match &state.streaming_message {
                Some(StreamingMessage::Partial(_)) => true,
                Some(StreamingMessage::Whole(message)) => message.as_assistant().is_some(),
                None => false,
            };
            let newest = state.messages.iter().rposition(|message| message.as_assistant().is_some());
            Self {
                messages: state.messages.clone(),
                is_at_work: state.is_streaming,
                is_arriving,
                answer_at_work: newest.filter(|_| state.is_streaming && !is_arriving),
                outputs: state.partial_results.clone(),
            }
        })
    }

    fn output(&self, id: &str) -> Option<&ToolOutput> {
        self.outputs.get(id).map(|output| &**output)
    }
}

/// An answer whose calls are run: those that are not over are the same ones that the client knows.
fn of_open_answer(
    answer: &AssistantMessage,
    calls: &mut ToolCalls,
    history: &mut ToolCalls,
    place: &Place,
    goes_on: &mut Vec<String>,
    id: &MessageId,
) -> Vec<SessionUpdate> {
    of_answer(answer, id, |call| {
        let Some(at) = goes_on.iter().position(|other| other == call.id) else { return history.recorded(call) };
        goes_on.remove(at);
        calls.completed(call);
        calls.retold(call.id, place.output(call.id))
    })
}

fn of_message(message: &Message, calls: &mut ToolCalls, id: impl Fn() -> MessageId) -> Vec<SessionUpdate> {
    match message {
        Message::User(user) => {
            let id = id();
            let piece = |block| SessionUpdate::UserMessageChunk(ContentChunk::new(block).message_id(id.clone()));
            of_user(&user.content).into_iter().map(piece).collect()
        }
        Message::Assistant(answer) => of_answer(answer, &id(), |call| calls.recorded(call)),
        Message::ToolResult(result) => of_result(result, calls),
        Message::Other(_) => Vec::new(),
    }
}

fn of_user(content: &UserContent) -> Vec<ContentBlock> {
    match content {
        UserContent::Text(text) => vec![text.as_str().into()],
        UserContent::Blocks(blocks) => blocks.iter().filter_map(content::shown).collect(),
    }
}

/// The calls that the call made come before its own end, as they did when it ran.
fn of_result(result: &ToolResultMessage, calls: &mut ToolCalls) -> Vec<SessionUpdate> {
    let mut told = Vec::new();
    for made in NestedCallRecord::from_details(result.details.as_ref()) {
        told.extend(calls.recorded(&CallView { id: &made.id, tool: &made.name, arguments: &made.arguments }));
        let output = [pi_ai::ContentBlock::text(made.text)];
        told.extend(calls.ended(&made.id, &made.name, &output, made.details.as_ref(), made.is_error));
    }
    let (id, tool) = (&result.tool_call_id, &result.tool_name);
    told.extend(calls.ended(id, tool, &result.content, result.details.as_ref(), result.is_error));
    told.extend(plan::of_details(result.details.as_ref()));
    told
}

fn of_answer(
    answer: &AssistantMessage,
    id: &MessageId,
    mut of_call: impl FnMut(&CallView<'_>) -> Option<SessionUpdate>,
) -> Vec<SessionUpdate> {
    let piece = |block: &pi_ai::ContentBlock| match block {
        pi_ai::ContentBlock::Text(text) if !text.text.is_empty() => {
            Some(SessionUpdate::AgentMessageChunk(chunk(&text.text, id.clone())))
        }
        pi_ai::ContentBlock::Thinking(thinking) if !thinking.thinking.is_empty() => {
            Some(SessionUpdate::AgentThoughtChunk(chunk(&thinking.thinking, id.clone())))
        }
        pi_ai::ContentBlock::ToolCall(call) => {
            of_call(&CallView { id: &call.id, tool: &call.name, arguments: &call.arguments })
        }
        _ => None,
    };
    answer.content.iter().filter_map(piece).collect()
}
