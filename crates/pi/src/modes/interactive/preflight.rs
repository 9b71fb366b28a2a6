//! Questions at a terminal before there is a session: which session, whether a project is trusted, where to go on. One
//! panel at a time is shown, alone, and taken away again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::packages::ResourceSwitch;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{MissingCwd, SessionHost, SessionInfo};
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::trust::TrustChoice;
use pi_tui::document::{Block, Document};
use pi_tui::input::{Input, KeyKind, Splitter};
use pi_tui::keymap::Keymap;
use pi_tui::screen::Insert;
use pi_tui::term::Modes;
use pi_tui::text::Row;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::task::AbortOnDropHandle;

use super::dialogs::{self, Choice, LineQuestion};
use super::panel::{Panel, PanelReply};
use super::selectors::{FindSwitches, Picker, Resources, Resume, Source as Sessions};
use super::surface::{Drawn, Source, Surface};
use super::theme_styles::ThemeStyles;
use super::{chrome, resource_list};
use crate::common::run_trust::question;
use crate::modes::Signals;

/// Why there is no answer, not even a no.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    /// The program is to end with this code.
    #[error("ended by a signal")]
    Ended(u8),
}

/// Asks at the terminal.
#[derive(Debug)]
pub struct Asker {
    paths: Paths,
    settings: Arc<SettingsManager>,
    /// What was typed after the last answer.
    typed: Vec<u8>,
    /// Once signals were taken over from the system, somebody has to act on them until the mode does.
    exit: Option<AbortOnDropHandle<()>>,
}

/// The answer to a question.
struct PanelAnswer<T>(Option<T>);

impl Asker {
    /// Nothing is opened until something is asked.
    pub fn new(paths: Paths, settings: Arc<SettingsManager>) -> Self {
        Self { paths, settings, typed: Vec::new(), exit: None }
    }

    /// Which session is to go on.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn session(&mut self, host: &SessionHost, dir: Option<&Path>) -> Result<Option<PathBuf>, AskError> {
        let source = Sessions { host: host.clone(), cwd: host.paths.cwd().to_owned(), dir: dir.map(ToOwned::to_owned) };
        let picker = Picker::new(source, None, false);
        let chosen = |answer: &mut PanelAnswer<PathBuf>, session: SessionInfo| answer.0 = Some(session.path);
        // No session is open yet.
        let named = |_: &mut PanelAnswer<PathBuf>, _| {};
        self.ask(|_| Box::new(Resume { picker, chosen, named })).await
    }

    /// Whether the project in `cwd`, which has these parts, is trusted.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn trust(&mut self, cwd: &Path, subjects: &[PathBuf]) -> Result<Option<TrustChoice>, AskError> {
        let choices = TrustChoice::all(cwd);
        let labels = choices.iter().map(TrustChoice::label).collect();
        let index = self.choose("Do you trust this project?", question(cwd, subjects), labels).await?;
        Ok(index.and_then(|index| choices.into_iter().nth(index)))
    }

    /// Where a session goes on whose directory is gone.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn missing_cwd(&mut self, gone: &Path, here: &Path) -> Result<Option<MissingCwd>, AskError> {
        let (title, text, items) = dialogs::missing_cwd(&gone.display().to_string(), &here.display().to_string());
        let labels = items.into_iter().map(|item| item.label).collect();
        Ok(self.choose(title, text, labels).await?.and_then(dialogs::wanted_cwd))
    }

    /// One of several answers, by its index.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn choose(&mut self, title: &str, text: String, labels: Vec<String>) -> Result<Option<usize>, AskError> {
        let items = labels.into_iter().map(dialogs::item).collect();
        let take = |answer: &mut PanelAnswer<usize>, index| answer.0 = index;
        self.ask(|look| Box::new(Choice::new(look, title, text, items, 0, take))).await
    }

    /// A line, written by the user.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn line(&mut self, title: &str, text: &str, placeholder: &str) -> Result<Option<String>, AskError> {
        let words = (title.to_owned(), text.to_owned());
        let take = |answer: &mut PanelAnswer<String>, line| answer.0 = line;
        self.ask(|look| Box::new(LineQuestion::new(look, words, placeholder, false, take))).await
    }

    /// Lets the user switch resources, which `find` lists, until they have enough.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn switch_resources(&mut self, find: impl Fn() -> Vec<ResourceSwitch> + 'static) -> Result<(), AskError> {
        let (settings, find): (_, FindSwitches) = (Arc::clone(&self.settings), Box::new(find));
        let nothing: Option<()> = self.ask(|look| Box::new(Resources::new(look, settings, find))).await?;
        debug_assert!(nothing.is_none(), "the list has no answer");
        Ok(())
    }

    /// What was typed after the last answer: it is for the mode.
    pub fn into_typed(self) -> Vec<u8> {
        self.typed
    }

    /// Shows a panel until there is an answer.
    async fn ask<T>(
        &mut self,
        panel: impl FnOnce(&ThemeStyles) -> Box<dyn Panel<PanelAnswer<T>>>,
    ) -> Result<Option<T>, AskError> {
        self.exit = None;
        let mut signals = Signals::install()?;
        let answer = self.show(panel, &mut signals).await;
        // Also where the terminal cannot be used: the start may go on.
        self.exit = Some(AbortOnDropHandle::new(tokio::spawn(async move {
            std::process::exit(signals.next().await.into());
        })));
        answer
    }

    async fn show<T>(
        &mut self,
        panel: impl FnOnce(&ThemeStyles) -> Box<dyn Panel<PanelAnswer<T>>>,
        signals: &mut Signals,
    ) -> Result<Option<T>, AskError> {
        let modes = Modes { colors: false, ..Modes::default() };
        let (surface, source) = Surface::open(self.paths.env(), Insert::Line, modes).map_err(io::Error::other)?;
        let look = ThemeStyles::early(&self.settings, self.paths.env());
        // What is wrong with the keys is said when the mode begins.
        let (keys, _) = resource_list::read_keys(&self.paths);
        let panel = panel(&look);
        let mut shown = Shown { panel, look, keys, surface, nothing: Document::new(|_, _| Row::blank()) };
        let answer = shown.run(source, &mut self.typed, signals).await;
        shown.surface.hide(&mut shown.nothing);
        shown.surface.close();
        answer
    }
}

/// A panel that is shown.
struct Shown<T> {
    panel: Box<dyn Panel<PanelAnswer<T>>>,
    look: ThemeStyles,
    keys: Keymap,
    surface: Surface,
    /// There is no conversation yet.
    nothing: Document<Nothing>,
}

/// A block that is not there.
enum Nothing {}

impl Block for Nothing {
    fn revision(&self) -> u64 {
        0
    }

    fn draw(&mut self, _: u16, _: &mut Vec<Row>) -> usize {
        0
    }

    fn seal(&mut self, _: usize) {}
}

impl<T> Shown<T> {
    /// Shows it until there is an answer. `typed` is taken first; what was typed after the answer is left in it.
    async fn run(
        &mut self,
        mut source: Source,
        typed: &mut Vec<u8>,
        signals: &mut Signals,
    ) -> Result<Option<T>, AskError> {
        let mut resized = signal(SignalKind::window_change())?;
        let mut splitter = Splitter::default();
        loop {
            let bytes = std::mem::take(typed);
            for (at, byte) in bytes.iter().enumerate() {
                let mut inputs = Vec::new();
                splitter.feed(&[*byte], &mut inputs);
                if let Some(answer) = self.take(&inputs) {
                    *typed = bytes.get(at + 1..).unwrap_or_default().to_vec();
                    return Ok(answer);
                }
            }
            splitter.set_kitty(self.surface.is_kitty());
            let retry = self.draw();
            let moves = self.panel.moves_after_ms().map(Duration::from_millis);
            let wait = [retry, moves, splitter.timeout()].into_iter().flatten().min();
            tokio::select! {
                biased;
                chunk = source.bytes.recv() => match chunk.flatten() {
                    Some(chunk) => *typed = chunk,
                    None => return Err(AskError::Ended(129)),
                },
                code = signals.next() => return Err(AskError::Ended(code)),
                () = source.is_free.notified() => {
                    if self.surface.is_gone() {
                        return Err(AskError::Ended(129));
                    }
                }
                _ = resized.recv() => {}
                () = sleep(wait) => {
                    let mut inputs = Vec::new();
                    if splitter.timeout().is_some() {
                        splitter.flush(&mut inputs);
                    }
                    if let Some(answer) = self.take(&inputs) {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// What inputs lead to: an answer, which may be none.
    fn take(&mut self, inputs: &[Input]) -> Option<Option<T>> {
        for input in inputs {
            match input {
                Input::Key(event) if event.kind == KeyKind::Release => continue,
                Input::Reply(bytes) => {
                    self.surface.reply(bytes);
                    continue;
                }
                Input::Focus(_) | Input::Mouse(_) => continue,
                Input::Key(_) | Input::Paste(_) => {}
            }
            let mut answer = PanelAnswer(None);
            match self.panel.input(input, &self.keys) {
                PanelReply::Ignored | PanelReply::Stay => {}
                PanelReply::Do(act) => act(&mut answer),
                PanelReply::Close => return Some(None),
                PanelReply::CloseAnd(act) => {
                    act(&mut answer);
                    return Some(answer.0);
                }
            }
        }
        None
    }

    /// Draws it; the time until it can be drawn, while the window is changing its size.
    fn draw(&mut self) -> Option<Duration> {
        match self.surface.begin(&mut self.nothing) {
            Drawn::Later(at) => return Some(at.saturating_sub(self.surface.now())),
            // Told when it is written.
            Drawn::Busy => return None,
            Drawn::Yes => {}
        }
        let size = self.surface.size();
        let rows = self.panel.rows(&self.look, &self.keys, size.columns, size.rows);
        let fitting = chrome::fit(rows, usize::from(size.rows));
        self.surface.draw(&mut self.nothing, &fitting.rows, fitting.caret, &[]);
        None
    }
}

async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
