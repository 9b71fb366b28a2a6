//! What was said in a session, told as if it happened now.

use agent_client_protocol_schema::v1::{ContentBlock, ContentChunk, MessageId, SessionUpdate};
use pi_agent_core::NestedCallRecord;
use pi_ai::{AssistantMessage, Message, ToolResultMessage, UserContent};

use super::content;
use super::open_session::OpenSession;
use super::tool_calls::{CallView, ToolCalls};
use super::updates::chunk;

/// Tells the client what the model knows of the conversation.
pub(super) async fn replay(open: &OpenSession) {
    let (session, updates) = (open.session(), open.updates());
    for message in session.messages() {
        let told = updates.with_calls(|calls| of_message(&message, calls, || updates.message_id()));
        for update in told {
            updates.send(update).await;
        }
    }
    // What a crash cut off has no result and never will have.
    for update in updates.with_calls(ToolCalls::dead) {
        updates.send(update).await;
    }
}

fn of_message(message: &Message, calls: &mut ToolCalls, id: impl Fn() -> MessageId) -> Vec<SessionUpdate> {
    match message {
        Message::User(user) => {
            let id = id();
            let piece = |block| SessionUpdate::UserMessageChunk(ContentChunk::new(block).message_id(id.clone()));
            of_user(&user.content).into_iter().map(piece).collect()
        }
        Message::Assistant(answer) => of_answer(answer, calls, &id()),
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
    told
}

fn of_answer(answer: &AssistantMessage, calls: &mut ToolCalls, id: &MessageId) -> Vec<SessionUpdate> {
    let piece = |block: &pi_ai::ContentBlock| match block {
        pi_ai::ContentBlock::Text(text) if !text.text.is_empty() => {
            Some(SessionUpdate::AgentMessageChunk(chunk(&text.text, id.clone())))
        }
        pi_ai::ContentBlock::Thinking(thinking) if !thinking.thinking.is_empty() => {
            Some(SessionUpdate::AgentThoughtChunk(chunk(&thinking.thinking, id.clone())))
        }
        pi_ai::ContentBlock::ToolCall(call) => {
            calls.recorded(&CallView { id: &call.id, tool: &call.name, arguments: &call.arguments })
        }
        _ => None,
    };
    answer.content.iter().filter_map(piece).collect()
}
