//! Questions and notices to the user. Each mode answers in its own way; without a user every question is answered at once,
//! as if it had been cancelled.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::permission::{PermissionAnswer, PermissionRequest};
use super::screen::{OverlayOptions, Screen, View};

/// When a dialog ends without an answer.
#[derive(Debug, Clone, Default)]
pub struct DialogOptions {
    /// After this time.
    pub timeout: Option<Duration>,
    /// When this fires.
    pub cancel: Option<CancellationToken>,
}

impl DialogOptions {
    /// Waits until the dialog is to end without an answer.
    pub async fn ended(self) {
        let late = async {
            match self.timeout {
                Some(timeout) => tokio::time::sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        let cancelled = async {
            match self.cancel {
                Some(cancel) => cancel.cancelled_owned().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = late => {}
            () = cancelled => {}
        }
    }
}

/// How a notice is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NotifyKind {
    /// Good to know.
    Info,
    /// Worth a look.
    Warning,
    /// Something failed.
    Error,
}

/// Where a widget stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WidgetPlacement {
    /// Above the editor.
    AboveEditor,
    /// Below it.
    BelowEditor,
}

/// Answers to the question whether a call may run.
const ALLOW: &str = "Allow once";
const REJECT: &str = "Reject";
const REJECT_WITH_WORD: &str = "Reject, and say what to do instead";

/// How extensions talk to the user. The provided methods are those of a mode without a user.
///
/// Dropping the future of a dialog closes it.
#[doc(alias = "ExtensionUIContext")]
pub trait ExtensionUi: Send + Sync {
    /// Whether there is a user who can answer.
    fn is_available(&self) -> bool {
        false
    }

    /// Lets the user choose; `None` when they cancel or nobody answers.
    fn select(&self, _title: &str, _options: &[String], _dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        ready(None).boxed()
    }

    /// Asks for a yes; everything else is a no.
    fn confirm(&self, _title: &str, _message: &str, _dialog: DialogOptions) -> BoxFuture<'_, bool> {
        ready(false).boxed()
    }

    /// Asks for a line of text.
    fn input(&self, _title: &str, _placeholder: Option<&str>, _dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        ready(None).boxed()
    }

    /// Lets the user write or change a longer text.
    fn editor(&self, _title: &str, _prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        ready(None).boxed()
    }

    /// Asks whether a call may run; `None` when nobody answers.
    fn permit(&self, request: &PermissionRequest, dialog: DialogOptions) -> BoxFuture<'_, Option<PermissionAnswer>> {
        let request = request.clone();
        async move {
            let mut answers = vec![(ALLOW.to_owned(), PermissionAnswer::Once)];
            answers.extend(request.always.map(|label| (label, PermissionAnswer::Always)));
            answers.push((REJECT.to_owned(), PermissionAnswer::Reject(None)));
            let mut labels: Vec<String> = answers.iter().map(|(label, _)| label.clone()).collect();
            labels.push(REJECT_WITH_WORD.to_owned());
            let chosen = self.select(&request.title, &labels, dialog.clone()).await?;
            if chosen == REJECT_WITH_WORD {
                let word = self.input("What shall the model do instead?", None, dialog).await;
                return Some(PermissionAnswer::Reject(word.filter(|word| !word.trim().is_empty())));
            }
            answers.into_iter().find(|(label, _)| *label == chosen).map(|(_, answer)| answer)
        }
        .boxed()
    }

    /// Tells the user something.
    fn notify(&self, _message: &str, _kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Sets or clears a line of status.
    fn set_status(&self, _key: &str, _text: Option<&str>) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Sets or clears lines beside the editor.
    fn set_widget(
        &self,
        _key: &str,
        _lines: Option<&[String]>,
        _placement: Option<WidgetPlacement>,
    ) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Sets the title of the window.
    fn set_title(&self, _title: &str) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Replaces what is in the editor.
    fn set_editor_text(&self, _text: &str) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Shows a view in the editor's place, or over everything else, until the future is dropped.
    fn show(&self, _owner: &str, _view: Arc<dyn View>, _overlay: Option<OverlayOptions>) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// The screen, where there is one.
    fn screen(&self) -> Option<Arc<dyn Screen>> {
        None
    }

    /// The extensions are gone that used it: what they put anywhere goes with them.
    fn reset(&self) {}
}

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoUi;

impl ExtensionUi for NoUi {}

/// A surface that counts the dialogs which wait for the user.
pub(super) struct WatchedUi {
    ui: Arc<dyn ExtensionUi>,
    dialogs: watch::Sender<usize>,
}

impl WatchedUi {
    pub(super) fn new(ui: Arc<dyn ExtensionUi>, dialogs: watch::Sender<usize>) -> Self {
        Self { ui, dialogs }
    }

    fn open(&self) -> OpenDialog<'_> {
        self.dialogs.send_modify(|open| *open += 1);
        OpenDialog(&self.dialogs)
    }
}

/// A dialog, closed when this is dropped.
struct OpenDialog<'a>(&'a watch::Sender<usize>);

impl Drop for OpenDialog<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}

impl ExtensionUi for WatchedUi {
    fn is_available(&self) -> bool {
        self.ui.is_available()
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let answer = self.ui.select(title, options, dialog);
        self.watched(answer)
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let answer = self.ui.confirm(title, message, dialog);
        self.watched(answer)
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let answer = self.ui.input(title, placeholder, dialog);
        self.watched(answer)
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let answer = self.ui.editor(title, prefill);
        self.watched(answer)
    }

    fn permit(&self, request: &PermissionRequest, dialog: DialogOptions) -> BoxFuture<'_, Option<PermissionAnswer>> {
        let answer = self.ui.permit(request, dialog);
        self.watched(answer)
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        self.ui.notify(message, kind)
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
        self.ui.set_status(key, text)
    }

    fn set_widget(&self, key: &str, lines: Option<&[String]>, placement: Option<WidgetPlacement>) -> BoxFuture<'_, ()> {
        self.ui.set_widget(key, lines, placement)
    }

    fn set_title(&self, title: &str) -> BoxFuture<'_, ()> {
        self.ui.set_title(title)
    }

    fn set_editor_text(&self, text: &str) -> BoxFuture<'_, ()> {
        self.ui.set_editor_text(text)
    }

    fn show(&self, owner: &str, view: Arc<dyn View>, overlay: Option<OverlayOptions>) -> BoxFuture<'_, ()> {
        let shown = self.ui.show(owner, view, overlay);
        self.watched(shown)
    }

    fn screen(&self) -> Option<Arc<dyn Screen>> {
        self.ui.screen()
    }
}

impl WatchedUi {
    fn watched<'a, T: 'a>(&'a self, answer: BoxFuture<'a, T>) -> BoxFuture<'a, T> {
        async move {
            let _open = self.open();
            answer.await
        }
        .boxed()
    }
}
