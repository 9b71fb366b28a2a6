//! Extensions and the user: their questions and notices on the way to the loop, and what becomes of them there.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{
    DialogOptions, ExtensionUi, NotifyKind, OverlayOptions, Screen, View, WidgetPlacement,
};
use pi_tui::text::Line;
use tokio::sync::{mpsc, oneshot};

use super::app::App;
use super::chat::NoteKind;
use super::extension_slots::Mirror;
use super::extension_ui;
use super::panel::Question;
use super::{attention, dialogs};

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
    /// A view in the editor's place or over everything, until the answer is dropped or it is withdrawn.
    Show {
        id: u64,
        owner: String,
        view: Arc<dyn View>,
        overlay: Option<Box<OverlayOptions>>,
        reply: oneshot::Sender<()>,
    },
    /// Something to be done in the loop.
    Act(Box<dyn FnOnce(&mut App) + Send>),
    Title(String),
    EditorText(String),
    /// A dialog ended without an answer: its panel goes away.
    Withdrawn(u64),
}

/// The user, as extensions meet them.
pub(super) struct TerminalUi {
    me: Weak<Self>,
    pub(super) requests: mpsc::UnboundedSender<Request>,
    /// Numbers of questions and hooks.
    pub(super) numbers: Numbers,
    /// What extensions read without waiting.
    mirror: Mirror,
}

/// Numbers that nothing else has.
#[derive(Debug, Default)]
pub(super) struct Numbers(AtomicU64);

impl Numbers {
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

impl TerminalUi {
    /// The user, and where the loop reads what extensions want.
    pub(super) fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<Request>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let made = |me: &Weak<Self>| Self {
            me: Weak::clone(me),
            requests: sender,
            numbers: Numbers::default(),
            mirror: Mirror::default(),
        };
        (Arc::new_cyclic(made), receiver)
    }

    pub(super) fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Does something in the loop.
    pub(super) fn act_on(&self, act: impl FnOnce(&mut App) + Send + 'static) {
        // Without a loop nobody listens any more.
        let _ = self.requests.send(Request::Act(Box::new(act)));
    }

    /// Waits for the answer, and withdraws the question when it is no longer wanted.
    fn ask<T: Default + Send + 'static>(
        &self,
        request: impl FnOnce(u64, oneshot::Sender<T>) -> Request,
        dialog: DialogOptions,
    ) -> BoxFuture<'static, T> {
        let (reply, answer) = oneshot::channel();
        let id = self.numbers.next();
        let sender = self.requests.clone();
        let sent = sender.send(request(id, reply));
        async move {
            if sent.is_err() {
                return T::default();
            }
            // Dropped with the future, too: that closes the dialog.
            let withdraw = Withdraw(Some((sender, id)));
            tokio::select! {
                answer = answer => {
                    withdraw.settled();
                    answer.unwrap_or_default()
                }
                () = dialog.ended() => T::default(),
            }
        }
        .boxed()
    }
}

/// Tells the loop of it.
fn sent(requests: &mpsc::UnboundedSender<Request>, request: Request) -> BoxFuture<'static, ()> {
    // Without a loop nobody listens any more.
    let _ = requests.send(request);
    std::future::ready(()).boxed()
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
        sent(&self.requests, Request::Notify { message: message.to_owned(), kind: kind.unwrap_or(NotifyKind::Info) })
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
        sent(&self.requests, Request::Status { key: key.to_owned(), text: text.map(str::to_owned) })
    }

    fn set_widget(&self, key: &str, lines: Option<&[String]>, placement: Option<WidgetPlacement>) -> BoxFuture<'_, ()> {
        self.put_lines("", key, lines.map(<[String]>::to_vec), placement.unwrap_or(WidgetPlacement::AboveEditor));
        std::future::ready(()).boxed()
    }

    fn set_title(&self, title: &str) -> BoxFuture<'_, ()> {
        sent(&self.requests, Request::Title(title.to_owned()))
    }

    fn set_editor_text(&self, text: &str) -> BoxFuture<'_, ()> {
        self.mirror.set_text(text);
        sent(&self.requests, Request::EditorText(text.to_owned()))
    }

    fn show(&self, owner: &str, view: Arc<dyn View>, overlay: Option<OverlayOptions>) -> BoxFuture<'_, ()> {
        let owner = owner.to_owned();
        let shown = {
            let view = Arc::clone(&view);
            self.ask(
                |id, reply| Request::Show { id, owner, view, overlay: overlay.map(Box::new), reply },
                DialogOptions::default(),
            )
        };
        async move {
            // Dropped in the other order: the screen is the last to let go of the view.
            let mut shown = shown;
            let view = view;
            (&mut shown).await;
            // It was not dropped: the screen has closed it.
            view.closed();
        }
        .boxed()
    }

    fn screen(&self) -> Option<Arc<dyn Screen>> {
        Some(self.me.upgrade()?)
    }

    fn reset(&self) {
        self.act_on(extension_ui::reset);
    }
}

/// Does what an extension wants.
pub(super) fn handle(app: &mut App, request: Request) {
    if let Request::Select { title, .. }
    | Request::Confirm { title, .. }
    | Request::Input { title, .. }
    | Request::Editor { title, .. } = &request
    {
        attention::question(app, title);
    }
    match request {
        Request::Select { id, title, options, reply } => {
            let items = options.iter().map(dialogs::item).collect();
            let (title, text) = dialogs::in_parts(&title);
            dialogs::choose(app, title, text, items, move |_, index| {
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
            let (title, text) = dialogs::in_parts(&title);
            dialogs::line(app, title, text, &placeholder, false, move |_, text| {
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
            NotifyKind::Info => notice(app, message),
            NotifyKind::Warning => app.note(NoteKind::Warning, message),
            NotifyKind::Error => app.error(message),
        },
        Request::Status { key, text } => {
            match text {
                Some(text) => app.footer.statuses.insert(key, text),
                None => app.footer.statuses.remove(&key),
            };
        }
        Request::Show { id, owner, view, overlay, reply } => {
            extension_ui::show(app, id, &owner, view, overlay.map(|overlay| *overlay), reply);
        }
        Request::Act(act) => act(app),
        Request::Title(title) => app.extensions.title = Some(title),
        Request::EditorText(text) => app.prompt.set_text(&text),
        Request::Withdrawn(id) => {
            app.take_back(Question::Extension(id));
            app.extensions.close_overlay(id);
        }
    }
}

/// Shows a notice. What a script writes to its console may be nothing but sequences for a terminal.
fn notice(app: &mut App, text: String) {
    if !text.contains('\x1b') || !Line::from_ansi(&text).text().trim().is_empty() {
        app.note(NoteKind::Notice, text);
    }
}
