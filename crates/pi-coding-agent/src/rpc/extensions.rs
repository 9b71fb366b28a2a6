//! The client from the side of the session's extensions: who answers their questions, and how they ask the program to
//! end. The lines themselves are made in `ui.rs`.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::command::{Command, Request, ShutdownMode};
use super::framing::{Incoming, Lines};
use super::ui::{RpcUi, UiReply};
use crate::agent_session::{AgentSession, ExtensionBindings};
use crate::extension::{ExtensionUi, Mode};
use crate::host::ids::Ids;
use crate::rpc::Output;

/// A client that has hung up has no use for extensions that take longer than this to begin.
const PATIENCE: Duration = Duration::from_secs(5);

/// What extensions want of the client and of the program. Clones are handles to the same.
#[derive(Debug, Clone)]
pub struct ExtensionLink {
    ui: Arc<RpcUi>,
    exit: Arc<Exit>,
    /// Where somebody else lets the session's extensions begin: fires when they have.
    joins_when: Option<CancellationToken>,
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
        Self { ui: Arc::new(RpcUi::new(output, ids)), exit: Arc::default(), joins_when: None }
    }

    /// The same for one of several clients, and that client as extensions meet it: it waits until the extensions have begun,
    /// and is no longer [available](ExtensionUi::is_available) once it has hung up.
    pub(super) fn joining(self, begun: CancellationToken) -> (Self, Arc<dyn ExtensionUi>) {
        self.ui.may_leave();
        let ui = Arc::clone(&self.ui) as _;
        (Self { joins_when: Some(begun), ..self }, ui)
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

    /// Begins the session's extensions. Meanwhile replies to their questions are taken; all other commands have to wait and
    /// are returned, in order. Once there is nobody left to wait for them, they get little time.
    pub(super) async fn begin(&self, session: &AgentSession, lines: &mut Lines) -> VecDeque<Incoming> {
        let mut waiting = VecDeque::new();
        let (mut has_ended, mut is_ending) = (false, false);
        let mut begun = pin!(async {
            match &self.joins_when {
                Some(begun) => begun.cancelled().await,
                None => session.extensions().bind(self.bindings()).await,
            }
        });
        loop {
            tokio::select! {
                biased;
                () = &mut begun => return waiting,
                incoming = lines.next(), if !has_ended => match incoming {
                    Some(mut incoming) => {
                        if !self.take_reply(&mut incoming.request) {
                            is_ending |= incoming.request.shutdown() == Some(ShutdownMode::Abort);
                            waiting.push_back(incoming);
                        }
                    }
                    None => (has_ended, is_ending) = (true, true),
                },
                () = tokio::time::sleep(PATIENCE), if is_ending => return waiting,
            }
            if is_ending {
                self.hang_up();
            }
        }
    }

    /// Takes the command if it is a reply to a question.
    pub(super) fn take_reply(&self, request: &mut Request) -> bool {
        let Ok(Command::ExtensionUiResponse { value, confirmed, cancelled }) = &mut request.command else {
            return false;
        };
        let reply = UiReply { value: value.take(), confirmed: confirmed.take(), cancelled: cancelled.take() };
        if let Some(id) = request.id.as_ref().and_then(Value::as_str) {
            self.ui.reply(id, reply);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension::events::SessionStartEvent;
    use crate::extension::{LoadOptions, extension_fn, load_extensions};
    use crate::host::ids::SequentialIds;
    use crate::rpc::read_lines;
    use crate::sdk::{CreateAgentSessionOptions, create_agent_session};

    #[tokio::test(start_paused = true)]
    async fn who_ends_does_not_wait_for_extensions_that_never_begin() {
        let slow = extension_fn("slow", |pi| async move {
            pi.on(|_: SessionStartEvent, _| std::future::pending());
            Ok(())
        });
        for (input, held) in [
            ("", vec![]),
            ("{\"type\":\"get_messages\"}\n{\"type\":\"extension_ui_response\"}\n{oops", vec!["get_messages", "parse"]),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let options = LoadOptions { handler_timeout: None, ..LoadOptions::default() };
            let extensions = load_extensions(&[Arc::clone(&slow)], options).await;
            let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
            let options = CreateAgentSessionOptions {
                extensions: extensions.into(),
                ..CreateAgentSessionOptions::in_memory(dir.path(), model, "key")
            };
            let session = create_agent_session(options).unwrap().session;
            let (output, _thread) = Output::start(std::io::sink()).unwrap();
            let link = ExtensionLink::new(output, SequentialIds::shared());
            let waiting = link.begin(&session, &mut read_lines(input.as_bytes()).unwrap()).await;
            let names: Vec<_> = waiting.into_iter().filter_map(|incoming| incoming.request.name).collect();
            assert_eq!(names, held);
        }
    }
}
