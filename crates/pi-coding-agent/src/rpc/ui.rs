//! Questions and notices of extensions, as lines to the client and replies from it. What the client is asked for besides
//! that is in `client.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_guard::Unpoisoned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::output::Output;
use crate::extension::{DialogOptions, ExtensionUi, NotifyKind, WidgetPlacement};
use crate::host::ids::Ids;
use crate::wire::put;

/// The client as extensions meet it: every call is an `extension_ui_request` line, a dialog waits for the reply with its
/// id.
pub struct RpcUi {
    output: Output,
    ids: Arc<dyn Ids>,
    pending: Mutex<HashMap<String, oneshot::Sender<UiReply>>>,
    /// Fires when nobody will reply any more.
    closed: CancellationToken,
    /// Whether there are other clients when this one has hung up.
    may_leave: AtomicBool,
}

/// What the client says to a dialog. Nothing is checked: what does not fit the question counts as no answer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct UiReply {
    /// The choice, or the text.
    pub value: Value,
    /// Yes or no.
    pub confirmed: Value,
    /// Whether the user wants to answer nothing.
    pub cancelled: Value,
}

impl UiReply {
    fn is_cancelled(&self) -> bool {
        self.cancelled == Value::Bool(true)
    }

    fn text(self) -> Option<String> {
        let is_cancelled = self.is_cancelled();
        let Value::String(text) = self.value else { return None };
        (!is_cancelled).then_some(text)
    }

    fn is_yes(&self) -> bool {
        self.confirmed == Value::Bool(true) && !self.is_cancelled()
    }
}

/// A line to the client.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    id: &'a str,
    #[serde(flatten)]
    request: &'a Request<'a>,
}

/// What is asked or told.
#[derive(Serialize)]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Request<'a> {
    Select {
        title: &'a str,
        options: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
    },
    Confirm {
        title: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
    },
    Input {
        title: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        placeholder: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
    },
    Editor {
        title: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        prefill: Option<&'a str>,
    },
    Notify {
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        notify_type: Option<NotifyKind>,
    },
    SetStatus {
        status_key: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        status_text: Option<&'a str>,
    },
    SetWidget {
        widget_key: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        widget_lines: Option<&'a [String]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        widget_placement: Option<WidgetPlacement>,
    },
    SetTitle {
        title: &'a str,
    },
    // Clients know this one with underscores.
    #[serde(rename = "set_editor_text")]
    SetEditorText {
        text: &'a str,
    },
}

impl RpcUi {
    /// Writes requests to `output`, with ids from `ids`.
    pub fn new(output: Output, ids: Arc<dyn Ids>) -> Self {
        Self {
            output,
            ids,
            pending: Mutex::default(),
            closed: CancellationToken::new(),
            may_leave: AtomicBool::new(false),
        }
    }

    /// There are other clients when this one has hung up.
    pub(super) fn may_leave(&self) {
        self.may_leave.store(true, Ordering::Relaxed);
    }

    /// Hands a reply to the dialog that waits for it. One that nobody waits for (any more) is ignored.
    pub fn reply(&self, id: &str, reply: UiReply) {
        if let Some(dialog) = self.pending().remove(id) {
            // The dialog may be closing in this instant.
            let _ = dialog.send(reply);
        }
    }

    /// Nobody will reply any more: dialogs are cancelled, those that wait and those to come.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// Asks, and waits for a reply. `None` when there is none.
    fn ask(&self, request: &Request<'_>, dialog: DialogOptions) -> BoxFuture<'_, Option<UiReply>> {
        let (id, line) = self.line(request);
        async move {
            if self.closed.is_cancelled() || dialog.cancel.as_ref().is_some_and(CancellationToken::is_cancelled) {
                return None;
            }
            let (sender, reply) = oneshot::channel();
            self.pending().insert(id.clone(), sender);
            let _open = OpenDialog { ui: self, id };
            let asked = async {
                self.output.write_event(line).await;
                reply.await.ok()
            };
            tokio::select! {
                biased;
                reply = asked => reply,
                () = self.closed.cancelled() => None,
                () = dialog.ended() => None,
            }
        }
        .boxed()
    }

    /// Tells something to which there is no reply.
    fn send(&self, request: &Request<'_>) -> BoxFuture<'_, ()> {
        let (_, line) = self.line(request);
        self.output.write_event(line).boxed()
    }

    fn line(&self, request: &Request<'_>) -> (String, Vec<u8>) {
        let (id, mut line) = (self.ids.uuid(), self.output.buffer());
        put(&mut line, &Line { kind: "extension_ui_request", id: &id, request });
        line.push(b'\n');
        (id, line)
    }

    /// A poisoned lock only means that a caller panicked; the map behind it is whole.
    fn pending(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<UiReply>>> {
        self.pending.lock().unpoisoned()
    }
}

/// A dialog that waits; a reply that comes after its end finds nobody.
struct OpenDialog<'a> {
    ui: &'a RpcUi,
    id: String,
}

impl Drop for OpenDialog<'_> {
    fn drop(&mut self) {
        self.ui.pending().remove(&self.id);
    }
}

fn millis(dialog: &DialogOptions) -> Option<u64> {
    dialog.timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
}

impl ExtensionUi for RpcUi {
    fn is_available(&self) -> bool {
        !(self.may_leave.load(Ordering::Relaxed) && self.closed.is_cancelled())
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let request = Request::Select { title, options, timeout: millis(&dialog) };
        self.ask(&request, dialog).map(|reply| reply?.text()).boxed()
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let request = Request::Confirm { title, message, timeout: millis(&dialog) };
        self.ask(&request, dialog).map(|reply| reply.is_some_and(|reply| reply.is_yes())).boxed()
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let request = Request::Input { title, placeholder, timeout: millis(&dialog) };
        self.ask(&request, dialog).map(|reply| reply?.text()).boxed()
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let request = Request::Editor { title, prefill };
        self.ask(&request, DialogOptions::default()).map(|reply| reply?.text()).boxed()
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        self.send(&Request::Notify { message, notify_type: kind })
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
        self.send(&Request::SetStatus { status_key: key, status_text: text })
    }

    fn set_widget(&self, key: &str, lines: Option<&[String]>, placement: Option<WidgetPlacement>) -> BoxFuture<'_, ()> {
        self.send(&Request::SetWidget { widget_key: key, widget_lines: lines, widget_placement: placement })
    }

    fn set_title(&self, title: &str) -> BoxFuture<'_, ()> {
        self.send(&Request::SetTitle { title })
    }

    fn set_editor_text(&self, text: &str) -> BoxFuture<'_, ()> {
        self.send(&Request::SetEditorText { text })
    }
}

impl std::fmt::Debug for RpcUi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RpcUi").field("pending", &self.pending().len()).finish_non_exhaustive()
    }
}
