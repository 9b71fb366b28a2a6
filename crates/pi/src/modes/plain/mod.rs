//! Plain mode: a conversation in lines, for screen readers, terminals that understand no sequences, and people who want rows that
//! never change. Nothing is redrawn, nothing moves: the terminal's own line editing takes what is typed, answers are appended as
//! they arrive, choices are numbered, and a line and the bell say that a run is over.
//!
//! `reader` reads lines, `user` asks the questions of extensions, `commands` are those that begin with a slash, `announce` says what
//! the session does.

mod announce;
mod commands;
mod reader;
mod user;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use pi_ai::ContentBlock;
use pi_coding_agent::agent_session::{
    AgentSession, BashOptions, Error, ExtensionBindings, PromptOptions, StreamingBehavior,
};
use pi_coding_agent::extension::Mode;
use pi_coding_agent::host::plain;
use tokio_util::sync::CancellationToken;

use self::user::{PlainUi, Question};
use super::progress::{self, View};
use super::resume_hint::resume_hint;
use super::{End, InitialPrompts, Output, Signals, finish, user_bash};

/// Pressing Ctrl+C twice within this time ends the program.
const TWICE: Duration = Duration::from_secs(2);

/// The mode.
struct Plain {
    session: AgentSession,
    output: Output,
    /// What goes on.
    work: FuturesUnordered<BoxFuture<'static, Done>>,
    /// Questions that wait; the first is asked.
    questions: VecDeque<Question>,
    /// What to do with the number of the next line, where it chooses from a list.
    choosing: Option<commands::Choosing>,
    /// What was typed before the extensions had begun: they may have to do with it.
    early: Option<Vec<String>>,
    /// Ends the question who runs the command of the user, while one runs.
    shell: Option<CancellationToken>,
    interrupted: Option<Instant>,
    leaving: Option<u8>,
}

/// Something that is over.
enum Done {
    /// A prompt: why it was refused.
    Prompt(Result<(), Error>),
    /// A command: what to say.
    Said(String),
    /// What the next line chooses from, as it is shown.
    Choose(String, commands::Choosing),
    /// A command of the user.
    Shell(String),
    /// The extensions have begun; these are sent now.
    Begun(InitialPrompts),
}

/// Runs the mode; its exit code.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_plain(session: AgentSession, prompts: InitialPrompts) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    let (ui, mut asked) = PlainUi::new(output.clone());
    let view = View { text: true, calls: true, output: true, is_filtered: true, ..View::default() };
    progress::follow(&session, &output, view);
    announce::follow(&session, &output);
    let mut lines = reader::start()?;
    let exit = CancellationToken::new();
    let on_shutdown = Arc::new({
        let exit = exit.clone();
        move || exit.cancel()
    });
    let bindings = ExtensionBindings { mode: Mode::Print, ui, on_shutdown };
    let mut plain = Plain {
        session: session.clone(),
        output: output.clone(),
        work: FuturesUnordered::new(),
        questions: VecDeque::new(),
        choosing: None,
        early: Some(Vec::new()),
        shell: None,
        interrupted: None,
        leaving: None,
    };
    plain.greet().await;
    let begin = session.clone();
    plain.spawn(async move {
        begin.extensions().bind(bindings).await;
        Done::Begun(prompts)
    });
    let end = loop {
        if let Some(code) = plain.leaving {
            break End::Done(code);
        }
        tokio::select! {
            line = lines.recv() => match line {
                Some(line) => plain.line(line.trim()).await,
                None => {
                    // The cursor stands behind the prompt.
                    output.write(b"\n".to_vec()).await;
                    break End::Done(0);
                }
            },
            code = signals.next() => match code {
                130 => plain.interrupt().await,
                code => break End::Signal(code),
            },
            () = exit.cancelled() => break End::Done(0),
            () = output.closed().cancelled() => break End::Done(0),
            Some(question) = asked.recv() => plain.asked(question).await,
            () = withdrawn(plain.questions.front_mut()) => plain.withdraw().await,
            Some(done) = plain.work.next(), if !plain.work.is_empty() => plain.done(done).await,
        }
    };
    plain.say(&resume_hint(&session).unwrap_or_default()).await;
    let mut work = std::mem::take(&mut plain.work);
    let rest = async { while work.next().await.is_some() {} };
    Ok(finish(&session, rest.fuse(), end, &output, &mut signals).await)
}

/// Waits until nobody wants the answer any more.
async fn withdrawn(question: Option<&mut Question>) {
    match question {
        Some(question) => question.reply.closed().await,
        None => std::future::pending().await,
    }
}

impl Plain {
    fn spawn(&mut self, work: impl Future<Output = Done> + Send + 'static) {
        let lost = |_| Done::Said("Error: a task of the program failed".to_owned());
        self.work.push(tokio::spawn(work).map(move |done| done.unwrap_or_else(lost)).boxed());
    }

    /// Writes lines. Nothing of them moves the cursor.
    async fn say(&self, text: &str) {
        if !text.is_empty() {
            self.output.write(format!("{}\n", plain(text)).into_bytes()).await;
        }
    }

    /// Says that something can be typed.
    async fn ready(&self) {
        self.output.write(b"> ".to_vec()).await;
    }

    async fn greet(&self) {
        let model = self.session.model();
        let text = if model.id.is_empty() || model.provider == "unknown" {
            "There is no model yet: `pi auth login` in a shell signs in or stores a key.".to_owned()
        } else {
            format!("Model {}/{}.", model.provider, model.id)
        };
        let version = env!("CARGO_PKG_VERSION");
        self.say(&format!(
            "pi {version}, plain mode. {text} Type a message and press Enter; /help lists commands; Ctrl+D ends."
        ))
        .await;
        if !self.session.messages().is_empty() {
            self.say(&commands::resumed(&self.session)).await;
        }
    }

    /// A line was typed.
    async fn line(&mut self, line: &str) {
        if !self.questions.is_empty() {
            return self.answer(line).await;
        }
        if let Some(early) = &mut self.early {
            return early.push(line.to_owned());
        }
        if let Some(choosing) = self.choosing.take() {
            return commands::chosen(self, choosing, line).await;
        }
        if line.is_empty() {
            return self.ready().await;
        }
        if commands::run(self, line).await {
            return;
        }
        match user_bash::command(line) {
            Some((command, is_excluded)) => self.shell(command.to_owned(), is_excluded).await,
            None => self.prompt(line.to_owned(), Vec::new(), StreamingBehavior::Steer).await,
        }
    }

    async fn prompt(&mut self, text: String, images: Vec<ContentBlock>, behavior: StreamingBehavior) {
        if self.session.is_streaming() {
            self.say("Queued: it is delivered before the next step.").await;
        }
        let session = self.session.clone();
        let options = PromptOptions { streaming_behavior: Some(behavior), images, ..PromptOptions::default() };
        self.spawn(async move { Done::Prompt(session.prompt(&text, options).await) });
    }

    async fn shell(&mut self, command: String, is_excluded: bool) {
        if self.shell.is_some() {
            return self.say("A command is running. Ctrl+C ends it.").await;
        }
        let (session, cancel) = (self.session.clone(), CancellationToken::new());
        self.shell = Some(cancel.clone());
        self.spawn(async move {
            let options = BashOptions { exclude_from_context: is_excluded, ..BashOptions::default() };
            Done::Shell(match user_bash::run(&session, &command, options, &cancel).await {
                Ok(result) => announce::of_shell(&result),
                Err(error) => format!("Error: {error}"),
            })
        });
    }

    /// Something is over.
    async fn done(&mut self, done: Done) {
        match done {
            Done::Prompt(Ok(())) => {}
            Done::Prompt(Err(error)) => self.say(&format!("Error: {error}")).await,
            Done::Said(text) => self.say(&text).await,
            Done::Choose(text, choosing) => return self.choose(&text, choosing).await,
            Done::Shell(text) => {
                self.shell = None;
                self.say(&text).await;
            }
            Done::Begun(prompts) => {
                let mut images = prompts.images;
                for text in prompts.texts {
                    self.say(&format!("You: {text}")).await;
                    self.prompt(text, std::mem::take(&mut images), StreamingBehavior::FollowUp).await;
                }
                for line in self.early.take().unwrap_or_default() {
                    Box::pin(self.line(&line)).await;
                }
            }
        }
        if self.work.is_empty() && self.questions.is_empty() {
            self.ready().await;
        }
    }

    /// Shows a list; the next line chooses from it.
    async fn choose(&mut self, text: &str, choosing: commands::Choosing) {
        self.say(text).await;
        self.output.write(b"Number, or Enter for none: ".to_vec()).await;
        self.choosing = Some(choosing);
    }

    /// Ctrl+C: ends what goes on, the first of these; pressed twice at rest it ends the program.
    async fn interrupt(&mut self) {
        if let Some(question) = self.questions.pop_front() {
            drop(question);
            self.say("\nNot answered.").await;
            return self.ask().await;
        }
        if self.choosing.take().is_some() {
            self.say("").await;
            return self.ready().await;
        }
        if let Some(question) = &self.shell {
            question.cancel();
            self.session.shell().abort();
        } else if self.session.retry().is_waiting() {
            self.session.retry().abort();
        } else if self.session.compaction().is_running() {
            self.session.compaction().abort();
        } else if self.session.is_streaming() {
            self.stop().await;
        } else if self.interrupted.replace(Instant::now()).is_some_and(|before| before.elapsed() < TWICE) {
            self.leaving = Some(0);
        } else {
            self.say("\nCtrl+C once more, Ctrl+D or /quit ends pi.").await;
            self.ready().await;
        }
    }

    /// Ends the run; what waited is said, so that it can be typed again.
    async fn stop(&mut self) {
        let queued = self.session.queue().clear().await;
        self.session.request_abort();
        let texts: Vec<String> = queued.steering.into_iter().chain(queued.follow_up).collect();
        let waited = if texts.is_empty() { String::new() } else { format!(" Not sent: {}", texts.join(" / ")) };
        self.say(&format!("\nStopping.{waited}")).await;
    }

    async fn asked(&mut self, question: Question) {
        self.questions.push_back(question);
        if self.questions.len() == 1 {
            self.ask().await;
        }
    }

    /// Asks the first of the questions that wait.
    async fn ask(&self) {
        match self.questions.front() {
            Some(question) => {
                self.output.write(format!("\x07{}", plain(&question.text())).into_bytes()).await;
            }
            None if self.work.is_empty() => self.ready().await,
            None => {}
        }
    }

    async fn answer(&mut self, line: &str) {
        let Some(question) = self.questions.front_mut() else { return };
        match question.take(line) {
            Ok(Some(answer)) => {
                if let Some(question) = self.questions.pop_front() {
                    question.answer(answer);
                }
                self.ask().await;
            }
            Ok(None) => {}
            Err(problem) => {
                self.say(&problem).await;
                self.ask().await;
            }
        }
    }

    async fn withdraw(&mut self) {
        self.questions.pop_front();
        self.say("\nThe question was taken back.").await;
        self.ask().await;
    }
}
