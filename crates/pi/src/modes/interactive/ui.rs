//! Extensions and the user: their questions and notices on the way to the loop, and what becomes of them there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind, WidgetPlacement};
use tokio::sync::{mpsc, oneshot};

use super::app::App;
use super::chat::NoteKind;
use super::dialogs;
use super::panel::Question;

/// What an extension wants.
pub(super) enum Request {
    Select {
        id: u64,
        title: String,
        options: Vec<String>,
        reply: oneshot::Sender<Option<String>>,
    },
    Confirm {
        id: u64,
        title: String,
        message: String,
        reply: oneshot::Sender<bool>,
    },
    Input {
        id: u64,
        title: String,
        placeholder: String,
        reply: oneshot::Sender<Option<String>>,
    },
    Editor {
        id: u64,
        title: String,
        prefill: String,
        reply: oneshot::Sender<Option<String>>,
    },
    Notify {
        message: String,
        kind: NotifyKind,
    },
    Status {
        key: String,
        text: Option<String>,
    },
    Widget {
        key: String,
        lines: Option<Vec<String>>,
        is_below: bool,
    },
    Title(String),
    EditorText(String),
    /// A dialog ended without an answer: its panel goes away.
    Withdrawn(u64),
}

/// The user, as extensions meet them.
pub(super) struct TerminalUi {
    requests: mpsc::UnboundedSender<Request>,
    /// How many questions there have been.
    asked: AtomicU64,
}

impl TerminalUi {
    /// The user, and where the loop reads what extensions want.
    pub(super) fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<Request>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Arc::new(Self { requests: sender, asked: AtomicU64::new(0) }), receiver)
    }

    fn tell(&self, request: Request) -> BoxFuture<'_, ()> {
        // Without a loop nobody listens any more.
        let _ = self.requests.send(request);
        std::future::ready(()).boxed()
    }

    /// Waits for the answer, and withdraws the question when it is no longer wanted.
    fn ask<T: Default + Send + 'static>(
        &self,
        request: impl FnOnce(u64, oneshot::Sender<T>) -> Request,
        dialog: DialogOptions,
    ) -> BoxFuture<'static, T> {
        let (reply, answer) = oneshot::channel();
        let id = self.asked.fetch_add(1, Ordering::Relaxed);
        let sender = self.requests.clone();
        let sent = sender.send(request(id, reply));
        async move {
            if sent.is_err() {
                return T::default();
            }
            // Dropped with the future, too: that closes the dialog.
            let withdraw = Withdraw(Some((sender, id)));
            let timeout = async {
                match dialog.timeout {
                    Some(timeout) => tokio::time::sleep(timeout.max(Duration::from_millis(1))).await,
                    None => std::future::pending().await,
                }
            };
            let cancelled = async {
                match &dialog.cancel {
                    Some(cancel) => cancel.cancelled().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                answer = answer => {
                    withdraw.settled();
                    answer.unwrap_or_default()
                }
                () = timeout => T::default(),
                () = cancelled => T::default(),
            }
        }
        .boxed()
    }
}

/// Tells the loop that a question is no longer wanted, when it is dropped.
struct Withdraw(Option<(mpsc::UnboundedSender<Request>, u64)>);

impl Withdraw {
    fn settled(mut self) {
        self.0 = None;
    }
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        if let Some((sender, id)) = self.0.take() {
            let _ = sender.send(Request::Withdrawn(id));
        }
    }
}

impl ExtensionUi for TerminalUi {
    fn is_available(&self) -> bool {
        true
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, options) = (title.to_owned(), options.to_vec());
        self.ask(|id, reply| Request::Select { id, title, options, reply }, dialog)
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let (title, message) = (title.to_owned(), message.to_owned());
        self.ask(|id, reply| Request::Confirm { id, title, message, reply }, dialog)
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, placeholder) = (title.to_owned(), placeholder.unwrap_or_default().to_owned());
        self.ask(|id, reply| Request::Input { id, title, placeholder, reply }, dialog)
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let (title, prefill) = (title.to_owned(), prefill.unwrap_or_default().to_owned());
        self.ask(|id, reply| Request::Editor { id, title, prefill, reply }, DialogOptions::default())
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        self.tell(Request::Notify { message: message.to_owned(), kind: kind.unwrap_or(NotifyKind::Info) })
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
        self.tell(Request::Status { key: key.to_owned(), text: text.map(str::to_owned) })
    }

    fn set_widget(&self, key: &str, lines: Option<&[String]>, placement: Option<WidgetPlacement>) -> BoxFuture<'_, ()> {
        let is_below = placement == Some(WidgetPlacement::BelowEditor);
        self.tell(Request::Widget { key: key.to_owned(), lines: lines.map(<[String]>::to_vec), is_below })
    }

    fn set_title(&self, title: &str) -> BoxFuture<'_, ()> {
        self.tell(Request::Title(title.to_owned()))
    }

    fn set_editor_text(&self, text: &str) -> BoxFuture<'_, ()> {
        self.tell(Request::EditorText(text.to_owned()))
    }
}

/// Does what an extension wants.
pub(super) fn handle(app: &mut App, request: Request) {
    match request {
        Request::Select { id, title, options, reply } => {
            let items = options.iter().map(dialogs::item).collect();
            dialogs::choose(app, title, "", items, move |_, index| {
                let _ = reply.send(index.and_then(|index| options.into_iter().nth(index)));
            });
            app.asked(Question::Extension(id));
        }
        Request::Confirm { id, title, message, reply } => {
            dialogs::confirm(app, title, message, move |_, yes| {
                let _ = reply.send(yes);
            });
            app.asked(Question::Extension(id));
        }
        Request::Input { id, title, placeholder, reply } => {
            dialogs::line(app, title, "", &placeholder, false, move |_, text| {
                let _ = reply.send(text);
            });
            app.asked(Question::Extension(id));
        }
        Request::Editor { id, title, prefill, reply } => {
            dialogs::text(app, title, &prefill, move |_, text| {
                let _ = reply.send(text);
            });
            app.asked(Question::Extension(id));
        }
        Request::Notify { message, kind } => match kind {
            NotifyKind::Info => app.status(message),
            NotifyKind::Warning => app.note(NoteKind::Warning, message),
            NotifyKind::Error => app.error(message),
        },
        Request::Status { key, text } => {
            match text {
                Some(text) => app.footer.statuses.insert(key, text),
                None => app.footer.statuses.remove(&key),
            };
        }
        Request::Widget { key, lines, is_below } => app.slots.set(&key, lines, is_below),
        Request::Title(title) => app.slots.title = Some(title),
        Request::EditorText(text) => app.prompt.set_text(&text),
        Request::Withdrawn(id) => app.take_back(Question::Extension(id)),
    }
}
