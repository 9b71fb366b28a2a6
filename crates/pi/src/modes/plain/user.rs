//! The user, as extensions meet them: a question is a few lines, the next line that is typed is its answer.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind};
use pi_coding_agent::host::plain;
use tokio::sync::{mpsc, oneshot};

use crate::modes::Output;

/// A question.
#[derive(Debug)]
pub(super) struct Question {
    title: String,
    kind: QuestionKind,
    pub(super) reply: oneshot::Sender<Option<String>>,
}

#[derive(Debug)]
enum QuestionKind {
    /// One of these.
    Choice(Vec<String>),
    /// Yes or no.
    Confirm,
    /// A line.
    Line,
    /// Lines, until one that is a dot.
    Text { prefill: String, typed: Vec<String> },
}

impl Question {
    /// The question as it is asked, with how to answer it.
    pub(super) fn text(&self) -> String {
        let title = &self.title;
        match &self.kind {
            QuestionKind::Choice(options) => {
                let options = options.iter().zip(1..).map(|(option, number)| format!("{number}. {option}\n"));
                format!("Question: {title}\n{}Number, or Enter for none: ", options.collect::<String>())
            }
            QuestionKind::Confirm => format!("Question: {title}\ny or n: "),
            QuestionKind::Line => format!("Question: {title}\nAnswer, or Enter for none: "),
            QuestionKind::Text { prefill, .. } => {
                let now = if prefill.is_empty() { String::new() } else { format!("It is now:\n{prefill}\n") };
                format!(
                    "Question: {title}\n{now}Lines, and a line with a dot at the end; only the dot leaves it as it is:\n"
                )
            }
        }
    }

    /// Takes a line: the answer, nothing yet, or what is wrong with it.
    pub(super) fn take(&mut self, line: &str) -> Result<Option<Option<String>>, String> {
        match &mut self.kind {
            QuestionKind::Choice(_) if line.is_empty() => Ok(Some(None)),
            QuestionKind::Choice(options) => chosen(line, options.len()).map(|at| options.get(at).cloned()).map(Some),
            QuestionKind::Confirm => match line.to_lowercase().as_str() {
                "y" | "yes" => Ok(Some(Some(String::new()))),
                "n" | "no" | "" => Ok(Some(None)),
                _ => Err(format!("\"{line}\" is neither y nor n.")),
            },
            QuestionKind::Line => Ok(Some(Some(line.to_owned()).filter(|line| !line.is_empty()))),
            QuestionKind::Text { prefill, typed } if line == "." => Ok(Some(Some(match typed.is_empty() {
                true => std::mem::take(prefill),
                false => typed.join("\n"),
            }))),
            QuestionKind::Text { typed, .. } => {
                typed.push(line.to_owned());
                Ok(None)
            }
        }
    }

    /// Hands the answer on.
    pub(super) fn answer(self, answer: Option<String>) {
        // Nobody may want it any more.
        let _ = self.reply.send(answer);
    }
}

/// The place in a list of so many that a line names, from 0.
///
/// # Errors
/// What is wrong with the line.
pub(super) fn chosen(line: &str, count: usize) -> Result<usize, String> {
    let number = line.parse().ok().and_then(|number: usize| number.checked_sub(1));
    let named = number.filter(|number| *number < count);
    named.ok_or_else(|| format!("\"{line}\" is none of the numbers 1 to {count}."))
}

/// Asks and tells.
pub(super) struct PlainUi {
    questions: mpsc::UnboundedSender<Question>,
    output: Output,
}

impl PlainUi {
    /// The user, and where the loop reads what they are asked.
    pub(super) fn new(output: Output) -> (Arc<Self>, mpsc::UnboundedReceiver<Question>) {
        let (questions, asked) = mpsc::unbounded_channel();
        (Arc::new(Self { questions, output }), asked)
    }

    /// Asks; `None` when the time is over, or nobody wants the answer.
    fn ask(&self, title: &str, kind: QuestionKind, dialog: DialogOptions) -> BoxFuture<'static, Option<String>> {
        let (reply, answer) = oneshot::channel();
        let sent = self.questions.send(Question { title: title.to_owned(), kind, reply });
        async move {
            sent.ok()?;
            tokio::select! {
                answer = answer => answer.ok().flatten(),
                () = dialog.ended() => None,
            }
        }
        .boxed()
    }
}

impl ExtensionUi for PlainUi {
    fn is_available(&self) -> bool {
        true
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        self.ask(title, QuestionKind::Choice(options.to_vec()), dialog)
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let title = if message.is_empty() { title.to_owned() } else { format!("{title}\n{message}") };
        self.ask(&title, QuestionKind::Confirm, dialog).map(|answer| answer.is_some()).boxed()
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let title = placeholder.map_or_else(|| title.to_owned(), |example| format!("{title} (such as {example})"));
        self.ask(&title, QuestionKind::Line, dialog)
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let kind = QuestionKind::Text { prefill: prefill.unwrap_or_default().to_owned(), typed: Vec::new() };
        self.ask(title, kind, DialogOptions::default())
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        let label = match kind {
            Some(NotifyKind::Error) => "Error",
            Some(NotifyKind::Warning) => "Warning",
            Some(NotifyKind::Info) | None => "Note",
        };
        self.output.write(format!("{label}: {}\n", plain(message)).into_bytes()).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(kind: QuestionKind) -> Question {
        Question { title: "Which?".to_owned(), kind, reply: oneshot::channel().0 }
    }

    #[test]
    fn lines_answer_questions() {
        let choice = || QuestionKind::Choice(vec!["red".to_owned(), "blue".to_owned()]);
        let text = |prefill: &str| QuestionKind::Text { prefill: prefill.to_owned(), typed: Vec::new() };
        let some = |text: &str| Ok(Some(Some(text.to_owned())));
        for (kind, lines, expected) in [
            (choice(), vec!["2"], some("blue")),
            (choice(), vec![""], Ok(Some(None))),
            (choice(), vec!["3"], Err("\"3\" is none of the numbers 1 to 2.".to_owned())),
            (QuestionKind::Confirm, vec!["Yes"], some("")),
            (QuestionKind::Confirm, vec!["n"], Ok(Some(None))),
            (QuestionKind::Confirm, vec!["maybe"], Err("\"maybe\" is neither y nor n.".to_owned())),
            (QuestionKind::Line, vec!["a line"], some("a line")),
            (text("before"), vec!["one", "two"], Ok(None)),
            (text("before"), vec!["one", "two", "."], some("one\ntwo")),
            (text("before"), vec!["."], some("before")),
        ] {
            let mut question = question(kind);
            let answers: Vec<_> = lines.iter().map(|line| question.take(line)).collect();
            assert_eq!(answers.last(), Some(&expected), "{lines:?}");
        }
        assert_eq!(question(choice()).text(), "Question: Which?\n1. red\n2. blue\nNumber, or Enter for none: ");
    }
}
