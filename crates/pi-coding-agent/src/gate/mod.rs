//! A gate for people who want to be asked: before commands, or before edits and commands. It is one client of the seam for
//! extensions, and a question, not a wall: what is allowed once may do anything, and a model may put a command in other words.
//!
//! `call` says what a call is to the gate, `single_command` which commands can be allowed for good, `allowed` keeps what is.

mod allowed;
mod call;
mod single_command;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::Clock;

use self::allowed::Allowed;
use self::call::GatedCall;
use crate::extension::events::{ToolCallEvent, ToolCallOutcome};
use crate::extension::{
    DialogOptions, Extension, ExtensionApi, ExtensionContext, HandlerError, NotifyKind, PermissionAnswer,
    PermissionRequest,
};
use crate::host::paths::Paths;

const BLOCKED: &str = "The user did not allow this call.";
const NOBODY: &str = "This call needs the user's permission, and there is nobody to ask. Find another way.";

/// Before what the user is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GateMode {
    /// Before nothing.
    #[default]
    Never,
    /// Before commands, and tools of which nothing is known.
    Commands,
    /// Before edits, too.
    Edits,
}

impl GateMode {
    /// All of them, from the least asking to the most.
    pub const ALL: [Self; 3] = [Self::Never, Self::Commands, Self::Edits];

    /// Its name: `never`, `commands` or `edits`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Commands => "commands",
            Self::Edits => "edits",
        }
    }

    /// The one of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }
}

/// The gate of one session. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct PermissionGate(Arc<GateState>);

#[derive(Debug)]
struct GateState {
    mode: AtomicU8,
    paths: Paths,
    clock: Arc<dyn Clock>,
    /// What is allowed for good, once it was read. Held while a question waits: the answer to one may settle the next.
    allowed: tokio::sync::Mutex<Option<Allowed>>,
}

impl PermissionGate {
    /// A gate that asks so; what is allowed for good is kept in the configuration directory.
    pub fn new(mode: GateMode, paths: Paths, clock: Arc<dyn Clock>) -> Self {
        let state = GateState { mode: AtomicU8::new(mode as u8), paths, clock, allowed: tokio::sync::Mutex::default() };
        Self(Arc::new(state))
    }

    /// Before what it asks.
    pub fn mode(&self) -> GateMode {
        GateMode::ALL[usize::from(self.0.mode.load(Ordering::Relaxed)).min(GateMode::ALL.len() - 1)]
    }

    /// From the next call on it asks so.
    pub fn set_mode(&self, mode: GateMode) {
        self.0.mode.store(mode as u8, Ordering::Relaxed);
    }

    async fn decide(self, event: ToolCallEvent, context: ExtensionContext) -> Result<ToolCallOutcome, HandlerError> {
        let cwd = context.cwd()?;
        let Some(call) = GatedCall::of(self.mode(), &event, &cwd) else { return Ok(ToolCallOutcome::allow()) };
        let mut allowed = self.0.allowed.lock().await;
        let allowed = match &mut *allowed {
            Some(allowed) if allowed.is_of(&cwd) => allowed,
            other => other.insert(Allowed::read(&self.0.paths, &cwd).await),
        };
        if call.key.as_ref().is_some_and(|key| allowed.has(key)) {
            return Ok(ToolCallOutcome::allow());
        }
        if !context.has_ui() {
            return Ok(ToolCallOutcome::block(NOBODY));
        }
        let ui = context.ui();
        let ToolCallEvent { tool_call_id, tool_name, input, .. } = event;
        let request = PermissionRequest { title: call.title, tool_call_id, tool_name, input, always: call.always };
        let dialog = DialogOptions { timeout: None, cancel: context.signal()? };
        Ok(match ui.permit(&request, dialog).await {
            Some(PermissionAnswer::Once) => ToolCallOutcome::allow(),
            Some(PermissionAnswer::Always) => {
                if let Some(key) = call.key
                    && let Err(error) = allowed.add(key, &self.0.paths, &self.0.clock).await
                {
                    let text = format!("This is allowed until the program ends, and could not be stored: {error}");
                    ui.notify(&text, Some(NotifyKind::Warning)).await;
                }
                ToolCallOutcome::allow()
            }
            Some(PermissionAnswer::Reject(Some(word))) => {
                ToolCallOutcome::block(format!("{BLOCKED} The user says: {word}"))
            }
            Some(PermissionAnswer::Reject(None)) | None => ToolCallOutcome::block(BLOCKED),
        })
    }
}

impl Extension for PermissionGate {
    fn name(&self) -> &str {
        "<gate>"
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        let gate = self.clone();
        pi.on(move |event: ToolCallEvent, context| gate.clone().decide(event, context));
        std::future::ready(Ok(())).boxed()
    }
}
