//! An answer that is arriving, as far as the client was told of it.

use agent_client_protocol_schema::v1::{MessageId, SessionUpdate};

use super::updates::chunk;

/// The answer.
pub(super) struct Arriving {
    pub(super) id: MessageId,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Thinking(String),
    /// A call, by its id.
    Call(String),
}

impl Arriving {
    pub(super) fn new(id: MessageId) -> Self {
        Self { id, parts: Vec::new() }
    }

    /// A piece of text.
    pub(super) fn text(&mut self, piece: &str) -> SessionUpdate {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push_str(piece),
            _ => self.parts.push(Part::Text(piece.to_owned())),
        }
        SessionUpdate::AgentMessageChunk(chunk(piece, self.id.clone()))
    }

    /// A piece of a thought.
    pub(super) fn thinking(&mut self, piece: &str) -> SessionUpdate {
        match self.parts.last_mut() {
            Some(Part::Thinking(text)) => text.push_str(piece),
            _ => self.parts.push(Part::Thinking(piece.to_owned())),
        }
        SessionUpdate::AgentThoughtChunk(chunk(piece, self.id.clone()))
    }

    /// A call begins.
    pub(super) fn call(&mut self, id: &str) {
        self.parts.push(Part::Call(id.to_owned()));
    }

    /// All of it once more; of calls this tells what `of_call` says.
    pub(super) fn retold(&self, mut of_call: impl FnMut(&str) -> Option<SessionUpdate>) -> Vec<SessionUpdate> {
        let update = |part: &Part| match part {
            Part::Text(text) => Some(SessionUpdate::AgentMessageChunk(chunk(text, self.id.clone()))),
            Part::Thinking(text) => Some(SessionUpdate::AgentThoughtChunk(chunk(text, self.id.clone()))),
            Part::Call(id) => of_call(id),
        };
        self.parts.iter().filter_map(update).collect()
    }
}
