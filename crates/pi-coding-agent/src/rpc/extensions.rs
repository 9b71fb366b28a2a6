//! The client from the side of the session's extensions: who answers their questions, and how they ask the program to
//! end. The lines themselves are made in `ui.rs`.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::command::{Command, Request};
use super::ui::{RpcUi, UiReply};
use crate::agent_session::{AgentSession, ExtensionBindings};
use crate::extension::Mode;
use crate::ids::Ids;
use crate::modes::Output;

/// What extensions want of the client and of the program. Clones are handles to the same.
#[derive(Debug, Clone)]
pub struct ExtensionLink {
    ui: Arc<RpcUi>,
    exit: Arc<Exit>,
}

/// An extension asks the program to end. That happens when a command has been answered, so that nobody waits in vain for
/// the answer to the command that led to it.
#[derive(Debug, Default)]
struct Exit {
    asked: AtomicBool,
    due: CancellationToken,
}

impl ExtensionLink {
    /// A client that reads `output`.
    pub fn new(output: Output, ids: Arc<dyn Ids>) -> Self {
        Self { ui: Arc::new(RpcUi::new(output, ids)), exit: Arc::default() }
    }

    /// A reply of the client to a question.
    pub(crate) fn reply(&self, id: Option<&Value>, reply: UiReply) {
        if let Some(id) = id.and_then(Value::as_str) {
            self.ui.reply(id, reply);
        }
    }

    /// Nobody will reply any more: questions are answered as if they had been cancelled.
    pub fn hang_up(&self) {
        self.ui.close();
    }

    /// A command has been answered.
    pub(crate) fn answered(&self) {
        if self.exit.asked.load(Ordering::Acquire) {
            self.exit.due.cancel();
        }
    }

    /// Fires when the program is to end because an extension asked for it.
    pub fn exit(&self) -> &CancellationToken {
        &self.exit.due
    }

    fn bindings(&self) -> ExtensionBindings {
        let exit = Arc::clone(&self.exit);
        let on_shutdown = Arc::new(move || exit.asked.store(true, Ordering::Release));
        ExtensionBindings { mode: Mode::Rpc, ui: Arc::clone(&self.ui) as _, on_shutdown }
    }

    /// Begins the session's extensions. Meanwhile replies to their questions are taken; all other lines have to wait and
    /// are returned, in order.
    pub(super) async fn begin(&self, session: &AgentSession, lines: &mut mpsc::Receiver<Vec<u8>>) -> VecDeque<Vec<u8>> {
        let mut waiting = VecDeque::new();
        let mut has_ended = false;
        let mut begun = pin!(session.bind_extensions(self.bindings()));
        loop {
            tokio::select! {
                biased;
                () = &mut begun => return waiting,
                line = lines.recv(), if !has_ended => match line {
                    Some(line) => waiting.extend(self.take_reply(line)),
                    None => {
                        has_ended = true;
                        self.hang_up();
                    }
                },
            }
        }
    }

    /// The line, if it is no reply.
    fn take_reply(&self, line: Vec<u8>) -> Option<Vec<u8>> {
        let request = Request::parse(&line);
        match request.command {
            Ok(Command::ExtensionUiResponse(reply)) => {
                self.reply(request.id.as_ref(), reply);
                None
            }
            _ => Some(line),
        }
    }
}
