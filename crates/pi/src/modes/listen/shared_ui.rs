//! Several clients as extensions meet them: all are asked, the first answer counts and closes the question elsewhere. While
//! there is no client a question waits for one. What was set beside an editor is told to those who come later, too.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use pi_coding_agent::extension::{
    DialogOptions, ExtensionUi, NotifyKind, OverlayOptions, Screen, View, WidgetPlacement,
};
use pi_guard::Unpoisoned;
use tokio::sync::watch;

/// The clients of a session.
#[derive(Default)]
pub(super) struct SharedUi {
    state: Mutex<State>,
    /// How often clients have come or gone.
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// In the order in which they came.
    clients: Vec<Client>,
    statuses: BTreeMap<String, String>,
    widgets: BTreeMap<String, (Vec<String>, Option<WidgetPlacement>)>,
    title: Option<String>,
}

#[derive(Clone)]
struct Client {
    number: u64,
    ui: Arc<dyn ExtensionUi>,
}

/// A client, until this is dropped.
pub(super) struct Joined {
    shared: Arc<SharedUi>,
    number: u64,
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.shared.state().clients.retain(|client| client.number != self.number);
        self.shared.changed.send_modify(|count| *count += 1);
    }
}

impl SharedUi {
    /// Another client. It is told what was set before.
    pub(super) fn join(self: &Arc<Self>, ui: Arc<dyn ExtensionUi>) -> Joined {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.clients.push(Client { number, ui: Arc::clone(&ui) });
        let (statuses, widgets, title) = (state.statuses.clone(), state.widgets.clone(), state.title.clone());
        drop(state);
        self.changed.send_modify(|count| *count += 1);
        tokio::spawn(async move {
            for (key, text) in &statuses {
                ui.set_status(key, Some(text)).await;
            }
            for (key, (lines, placement)) in &widgets {
                ui.set_widget(key, Some(lines), *placement).await;
            }
            if let Some(title) = title {
                ui.set_title(&title).await;
            }
        });
        Joined { shared: Arc::clone(self), number }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.state().clients.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unpoisoned()
    }

    fn clients(&self) -> Vec<Client> {
        self.state().clients.clone()
    }

    fn has(&self, client: &Client) -> bool {
        client.ui.is_available() && self.state().clients.iter().any(|other| other.number == client.number)
    }

    /// Asks everybody who is there, and everybody who comes, until somebody answers.
    async fn first<T>(&self, ask: impl Fn(Arc<dyn ExtensionUi>) -> BoxFuture<'static, T>) -> T {
        let mut changes = self.changed.subscribe();
        let mut asked: HashSet<u64> = HashSet::new();
        let mut open = FuturesUnordered::new();
        loop {
            changes.mark_unchanged();
            for client in self.clients() {
                if asked.insert(client.number) {
                    let answer = ask(Arc::clone(&client.ui));
                    open.push(async move { (client, answer.await) });
                }
            }
            tokio::select! {
                Some((client, answer)) = open.next() => {
                    // Who has gone has not answered.
                    if self.has(&client) {
                        return answer;
                    }
                }
                // The sender lives in `self`.
                _ = changes.changed() => {}
            }
        }
    }

    /// The same for a dialog, which may end without an answer.
    fn ask<T: Default + Send + 'static>(
        &self,
        dialog: DialogOptions,
        ask: impl Fn(Arc<dyn ExtensionUi>) -> BoxFuture<'static, T> + Send + 'static,
    ) -> BoxFuture<'_, T> {
        async move {
            tokio::select! {
                biased;
                answer = self.first(ask) => answer,
                () = dialog.ended() => T::default(),
            }
        }
        .boxed()
    }

    /// Tells everybody.
    fn tell(
        &self,
        tell: impl Fn(Arc<dyn ExtensionUi>) -> BoxFuture<'static, ()> + Send + 'static,
    ) -> BoxFuture<'_, ()> {
        let clients = self.clients();
        async move {
            futures::future::join_all(clients.into_iter().map(|client| tell(client.ui))).await;
        }
        .boxed()
    }

    /// The client with a screen that came last.
    fn front(&self) -> Option<(Arc<dyn ExtensionUi>, Arc<dyn Screen>)> {
        self.clients().into_iter().rev().find_map(|client| client.ui.screen().map(|screen| (client.ui, screen)))
    }
}

impl ExtensionUi for SharedUi {
    fn is_available(&self) -> bool {
        true
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, options, same) = (title.to_owned(), options.to_vec(), dialog.clone());
        self.ask(dialog, move |ui| {
            let (title, options, dialog) = (title.clone(), options.clone(), same.clone());
            async move { ui.select(&title, &options, dialog).await }.boxed()
        })
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let (title, message, same) = (title.to_owned(), message.to_owned(), dialog.clone());
        self.ask(dialog, move |ui| {
            let (title, message, dialog) = (title.clone(), message.clone(), same.clone());
            async move { ui.confirm(&title, &message, dialog).await }.boxed()
        })
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, placeholder, same) = (title.to_owned(), placeholder.map(str::to_owned), dialog.clone());
        self.ask(dialog, move |ui| {
            let (title, placeholder, dialog) = (title.clone(), placeholder.clone(), same.clone());
            async move { ui.input(&title, placeholder.as_deref(), dialog).await }.boxed()
        })
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let (title, prefill) = (title.to_owned(), prefill.map(str::to_owned));
        self.ask(DialogOptions::default(), move |ui| {
            let (title, prefill) = (title.clone(), prefill.clone());
            async move { ui.editor(&title, prefill.as_deref()).await }.boxed()
        })
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        let message = message.to_owned();
        self.tell(move |ui| {
            let message = message.clone();
            async move { ui.notify(&message, kind).await }.boxed()
        })
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
        let (key, text) = (key.to_owned(), text.map(str::to_owned));
        match &text {
            Some(text) => self.state().statuses.insert(key.clone(), text.clone()),
            None => self.state().statuses.remove(&key),
        };
        self.tell(move |ui| {
            let (key, text) = (key.clone(), text.clone());
            async move { ui.set_status(&key, text.as_deref()).await }.boxed()
        })
    }

    fn set_widget(&self, key: &str, lines: Option<&[String]>, placement: Option<WidgetPlacement>) -> BoxFuture<'_, ()> {
        let (key, lines) = (key.to_owned(), lines.map(<[String]>::to_vec));
        match &lines {
            Some(lines) => self.state().widgets.insert(key.clone(), (lines.clone(), placement)),
            None => self.state().widgets.remove(&key),
        };
        self.tell(move |ui| {
            let (key, lines) = (key.clone(), lines.clone());
            async move { ui.set_widget(&key, lines.as_deref(), placement).await }.boxed()
        })
    }

    fn set_title(&self, title: &str) -> BoxFuture<'_, ()> {
        let title = title.to_owned();
        self.state().title = Some(title.clone());
        self.tell(move |ui| {
            let title = title.clone();
            async move { ui.set_title(&title).await }.boxed()
        })
    }

    fn set_editor_text(&self, text: &str) -> BoxFuture<'_, ()> {
        let text = text.to_owned();
        // One editor gets it: what others have typed in theirs stays.
        let Some(client) = self.front().map(|(ui, _)| ui).or_else(|| self.clients().pop().map(|client| client.ui))
        else {
            return std::future::ready(()).boxed();
        };
        async move { client.set_editor_text(&text).await }.boxed()
    }

    fn show(&self, owner: &str, view: Arc<dyn View>, overlay: Option<OverlayOptions>) -> BoxFuture<'_, ()> {
        let owner = owner.to_owned();
        let Some((ui, _)) = self.front() else { return std::future::ready(()).boxed() };
        async move { ui.show(&owner, view, overlay).await }.boxed()
    }

    fn screen(&self) -> Option<Arc<dyn Screen>> {
        self.front().map(|(_, screen)| screen)
    }

    fn reset(&self) {
        let mut state = self.state();
        (state.statuses, state.widgets, state.title) = Default::default();
        let clients = state.clients.clone();
        drop(state);
        clients.iter().for_each(|client| client.ui.reset());
    }
}

impl std::fmt::Debug for SharedUi {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedUi").field("clients", &self.count()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// Answers when it is told to, and says what became of its dialogs.
    struct Person {
        name: &'static str,
        answers: tokio::sync::Mutex<mpsc::UnboundedReceiver<Option<String>>>,
        log: mpsc::UnboundedSender<String>,
    }

    struct Closed(mpsc::UnboundedSender<String>, &'static str);

    impl Drop for Closed {
        fn drop(&mut self) {
            let _ = self.0.send(format!("{} closed", self.1));
        }
    }

    impl ExtensionUi for Person {
        fn is_available(&self) -> bool {
            true
        }

        fn input(&self, title: &str, _: Option<&str>, _: DialogOptions) -> BoxFuture<'_, Option<String>> {
            self.log.send(format!("{} asked {title}", self.name)).unwrap();
            let closed = Closed(self.log.clone(), self.name);
            async move {
                let _closed = closed;
                self.answers.lock().await.recv().await.flatten()
            }
            .boxed()
        }

        fn set_status(&self, key: &str, text: Option<&str>) -> BoxFuture<'_, ()> {
            self.log.send(format!("{} {key} {}", self.name, text.unwrap_or("gone"))).unwrap();
            std::future::ready(()).boxed()
        }
    }

    type Log = mpsc::UnboundedReceiver<String>;
    type Answers = mpsc::UnboundedSender<Option<String>>;

    fn person(name: &'static str, log: &mpsc::UnboundedSender<String>) -> (Arc<dyn ExtensionUi>, Answers) {
        let (sender, answers) = mpsc::unbounded_channel();
        (Arc::new(Person { name, answers: answers.into(), log: log.clone() }), sender)
    }

    async fn next(log: &mut Log) -> String {
        log.recv().await.unwrap()
    }

    #[tokio::test]
    async fn the_first_answer_counts_and_closes_the_question_elsewhere() {
        let (log, mut said) = mpsc::unbounded_channel();
        let shared = Arc::new(SharedUi::default());
        let question = {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move { shared.input("where?", None, DialogOptions::default()).await })
        };
        // Nobody is there: the question waits for somebody.
        let ((ann, _ann_answers), (ben, ben_answers)) = (person("ann", &log), person("ben", &log));
        let ann = shared.join(ann);
        assert_eq!(next(&mut said).await, "ann asked where?");
        let _ben = shared.join(ben);
        assert_eq!(next(&mut said).await, "ben asked where?");
        ben_answers.send(Some("here".to_owned())).unwrap();
        assert_eq!(question.await.unwrap().as_deref(), Some("here"));
        let mut closed = [next(&mut said).await, next(&mut said).await];
        closed.sort();
        assert_eq!(closed, ["ann closed", "ben closed"]);
        drop(ann);
        assert_eq!(shared.count(), 1);
    }

    #[tokio::test]
    async fn who_has_gone_has_not_answered() {
        let (log, mut said) = mpsc::unbounded_channel();
        let shared = Arc::new(SharedUi::default());
        let ((ann, ann_answers), (ben, ben_answers)) = (person("ann", &log), person("ben", &log));
        let (ann, _ben) = (shared.join(ann), shared.join(ben));
        let question = {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move { shared.input("where?", None, DialogOptions::default()).await })
        };
        next(&mut said).await;
        next(&mut said).await;
        drop(ann);
        // Its dialog ends with it, as if it had been cancelled.
        ann_answers.send(None).unwrap();
        ben_answers.send(Some("there".to_owned())).unwrap();
        assert_eq!(question.await.unwrap().as_deref(), Some("there"));
    }

    #[tokio::test]
    async fn who_comes_later_is_told_what_was_set() {
        let (log, mut said) = mpsc::unbounded_channel();
        let shared = Arc::new(SharedUi::default());
        shared.set_status("branch", Some("main")).await;
        shared.set_status("gone", Some("soon")).await;
        shared.set_status("gone", None).await;
        let (ann, _answers) = person("ann", &log);
        let _ann = shared.join(ann);
        assert_eq!(next(&mut said).await, "ann branch main");
        assert!(said.try_recv().is_err());
    }
}
