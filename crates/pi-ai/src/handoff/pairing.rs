//! Calls and their results: providers reject a call without a result and a result without a call, so a missing one is
//! made up and a stray one left out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::message::{AssistantMessage, ContentBlock, Message, ToolResultMessage};
use crate::unknown_fields::Extra;

/// What an unanswered call gets; it also stands in sessions of other programs.
const NO_RESULT: &str = "No result provided";

/// The converted transcript so far.
#[derive(Debug)]
pub(super) struct Pairing {
    paired: Vec<Arc<Message>>,
    /// The calls of the latest answer.
    pending: Vec<Call>,
    /// Unanswered ones by the id that they have in the transcript, in order.
    open: HashMap<String, VecDeque<usize>>,
    /// Unix time in milliseconds.
    now: i64,
}

#[derive(Debug)]
struct Call {
    /// Id in the request.
    id: String,
    tool_name: String,
    answered: bool,
}

impl Pairing {
    /// Nothing so far, of about so many messages; `now` is what made-up results carry.
    pub(super) fn new(messages: usize, now: i64) -> Self {
        Self { paired: Vec::with_capacity(messages), pending: Vec::new(), open: HashMap::new(), now }
    }

    /// Appends a message.
    pub(super) fn push(&mut self, message: Arc<Message>) {
        self.paired.push(message);
    }

    /// Expects results for the calls of an answer; `ids` are those in the request.
    pub(super) fn expect(&mut self, answer: &AssistantMessage, ids: Vec<String>) {
        for (at, (call, id)) in answer.tool_calls().zip(ids).enumerate() {
            self.open.entry(call.id.clone()).or_default().push_back(at);
            self.pending.push(Call { id, tool_name: call.name.clone(), answered: false });
        }
    }

    /// The id in the request of the call that a result answers; `None` when no call waits for it. Of several calls with
    /// one id the first gets the first result.
    pub(super) fn answered(&mut self, original_id: &str) -> Option<&str> {
        let at = self.open.get_mut(original_id)?.pop_front()?;
        let call = self.pending.get_mut(at)?;
        call.answered = true;
        Some(&call.id)
    }

    /// Ends the run of results: what is still unanswered gets a result that says so.
    pub(super) fn flush(&mut self) {
        self.open.clear();
        let open = self.pending.drain(..).filter(|call| !call.answered);
        self.paired.extend(open.map(|call| Arc::new(no_result(call, self.now))));
    }

    /// The whole transcript.
    pub(super) fn finish(mut self) -> Vec<Arc<Message>> {
        self.flush();
        self.paired
    }
}

fn no_result(call: Call, timestamp: i64) -> Message {
    ToolResultMessage {
        tool_call_id: call.id,
        tool_name: call.tool_name,
        content: vec![ContentBlock::text(NO_RESULT)],
        details: None,
        is_error: true,
        timestamp,
        extra: Extra::new(),
    }
    .into()
}
