//! What extensions ask the user before there is a session, while they decide whether a project is trusted.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind};
use tokio::sync::{mpsc, oneshot};

use crate::cli::console::diagnostics::complain;
use crate::modes::{AskError, Asker, question_in_parts};

/// A question on its way to the user.
pub(super) struct TrustQuestion {
    title: String,
    kind: Kind,
    dialog: DialogOptions,
    answer: oneshot::Sender<Option<String>>,
}

enum Kind {
    Select(Vec<String>),
    Line(String),
}

/// The user, as extensions meet them then; nobody is asked without a terminal. What they say goes to standard error as it is.
pub(super) struct TrustUi(Option<mpsc::UnboundedSender<TrustQuestion>>);

impl TrustUi {
    /// The user, and what extensions ask them, if anybody can answer.
    pub(super) fn new(is_somebody_there: bool) -> (Arc<Self>, mpsc::UnboundedReceiver<TrustQuestion>) {
        let (sender, questions) = mpsc::unbounded_channel();
        (Arc::new(Self(is_somebody_there.then_some(sender))), questions)
    }

    fn ask(&self, title: &str, kind: Kind, dialog: DialogOptions) -> BoxFuture<'static, Option<String>> {
        let (answer, answered) = oneshot::channel();
        let question = TrustQuestion { title: title.to_owned(), kind, dialog, answer };
        let is_asked = self.0.as_ref().is_some_and(|questions| questions.send(question).is_ok());
        async move { if is_asked { answered.await.ok().flatten() } else { None } }.boxed()
    }
}

impl ExtensionUi for TrustUi {
    fn is_available(&self) -> bool {
        self.0.is_some()
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        self.ask(title, Kind::Select(options.to_vec()), dialog)
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let answers = ["Yes", "No"].map(str::to_owned).to_vec();
        let asked = self.ask(&format!("{title}\n{message}"), Kind::Select(answers), dialog);
        async move { asked.await.is_some_and(|answer| answer == "Yes") }.boxed()
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        self.ask(title, Kind::Line(placeholder.unwrap_or_default().to_owned()), dialog)
    }

    fn notify(&self, message: &str, _: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        complain(message);
        ready(()).boxed()
    }
}

/// Has the user answer.
///
/// # Errors
/// [`AskError`]; the extension has no answer then.
pub(super) async fn answer(asker: &mut Asker, question: TrustQuestion) -> Result<(), AskError> {
    let TrustQuestion { title, kind, dialog, answer } = question;
    let (title, text) = question_in_parts(&title);
    let asked = async {
        match kind {
            Kind::Select(options) => {
                let chosen = asker.choose(title, text.to_owned(), options.clone()).await?;
                Ok(chosen.and_then(|index| options.into_iter().nth(index)))
            }
            Kind::Line(placeholder) => asker.line(title, text, &placeholder).await,
        }
    };
    let answered = tokio::select! {
        answered = asked => answered?,
        () = dialog.ended() => None,
    };
    // The extension may have stopped waiting.
    let _ = answer.send(answered);
    Ok(())
}
