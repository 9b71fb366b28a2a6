//! The terminal, as the mode uses it: frames out, keys in, and handing it over for a while. What is drawn on the alternate
//! screen is in `window`; `loan` has programs that extensions run on the terminal.

pub(super) mod loan;
mod window;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pi_coding_agent::env::Env;
use pi_tui::document::{Block, Document};
use pi_tui::screen::{Frame, Insert, Screen, Size, Turn};
use pi_tui::term::{self, Capabilities, Chunk, Images, Modes, Notification, Query, Term, TermError};
use pi_tui::text::Row;
use pi_tui::widgets::image::{ImageOptions, ImageProtocol, Pixels};
use tokio::sync::{Notify, mpsc};

use self::window::Alternate;
use super::covered::Covered;
use super::lent::{self, Ended, Lender, LentTerminal};

/// The terminal and what it shows of ours.
pub(super) struct Surface {
    term: Term,
    screen: Screen,
    capabilities: Capabilities,
    insert: Insert,
    /// The window's size, as of the frame that was begun last: a frame is drawn in one size, and asking costs a system call.
    size: Size,
    began: Instant,
    /// Whether the terminal's own cursor is shown.
    pub(super) shows_cursor: bool,
    /// The window's title, as it was set.
    title: String,
    /// Whether the terminal's tab is told when something goes on.
    pub(super) shows_progress: bool,
    /// What it was told.
    is_busy: bool,
    cell: Pixels,
    alternate: Alternate,
    /// The process of the terminal, where that is another one.
    lender: Option<Box<dyn Lender>>,
    /// Whether a program that an extension runs uses the terminal now.
    pub(super) is_lent: bool,
}

/// What lies over the rest of the window.
#[derive(Debug)]
pub(super) struct Overlaid {
    /// The window's row of its top, and the column of its left edge.
    pub(super) row: u16,
    pub(super) column: u16,
    /// Its width.
    pub(super) wide: u16,
    pub(super) rows: Vec<Row>,
    /// Where the caret stands in it.
    pub(super) caret: Option<(usize, u16)>,
}

type OnInput = Box<dyn Fn(Chunk<'_>) + Send + Sync>;
type OnFree = Box<dyn Fn() + Send>;

/// What comes from the terminal.
pub(super) struct Source {
    /// Bytes that were typed; nothing more when the terminal is gone.
    pub(super) bytes: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
    /// Told whenever everything is written.
    pub(super) is_free: Arc<Notify>,
}

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// It is on its way.
    Yes,
    /// The window is changing its size: again at this time.
    Later(Duration),
    /// The one before is still on its way: again when it is written.
    Busy,
}

impl Surface {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn open(env: &Env, insert: Insert, modes: Modes) -> Result<(Self, Source), TermError> {
        Self::on(env, insert, None, |on_input, on_free| Term::open(modes, on_input, on_free))
    }

    /// Takes the terminal of another process.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn open_lent(
        env: &Env,
        insert: Insert,
        modes: Modes,
        LentTerminal { descriptors, lender }: LentTerminal,
    ) -> Result<(Self, Source), TermError> {
        let open = |on_input: OnInput, on_free: OnFree| Term::open_lent(descriptors, modes, on_input, on_free);
        Self::on(env, insert, Some(lender), open)
    }

    fn on(
        env: &Env,
        insert: Insert,
        lender: Option<Box<dyn Lender>>,
        open: impl FnOnce(OnInput, OnFree) -> Result<Term, TermError>,
    ) -> Result<(Self, Source), TermError> {
        let (sender, bytes) = mpsc::unbounded_channel();
        let on_input = move |chunk: Chunk<'_>| {
            let chunk = match chunk {
                Chunk::Bytes(bytes) => Some(bytes.to_vec()),
                Chunk::Closed => None,
            };
            // Without a loop nobody reads any more.
            let _ = sender.send(chunk);
        };
        let is_free = Arc::new(Notify::new());
        let told = Arc::clone(&is_free);
        let term = open(Box::new(on_input), Box::new(move || told.notify_one()))?;
        let capabilities = Capabilities::from_env(|name| env.var(name));
        term.writer().send(&term::queries(&[Query::Keyboard, Query::Version, Query::Background, Query::CellSize]));
        let surface = Self {
            screen: Screen::new(capabilities.screen(insert)),
            size: term.size(),
            term,
            capabilities,
            insert,
            began: Instant::now(),
            shows_cursor: false,
            title: String::new(),
            shows_progress: false,
            is_busy: false,
            cell: ImageOptions::default().cell,
            alternate: Alternate::default(),
            lender,
            is_lent: false,
        };
        Ok((surface, Source { bytes, is_free }))
    }

    /// Time since the mode began.
    pub(super) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn now_ms(&self) -> u64 {
        u64::try_from(self.now().as_millis()).unwrap_or(u64::MAX)
    }

    /// The window's size, as of the frame that was begun last.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn columns(&self) -> u16 {
        self.size.columns
    }

    /// Whether the terminal shows links.
    pub(super) fn links(&self) -> bool {
        self.capabilities.links
    }

    /// How the terminal shows pictures.
    pub(super) fn images(&self) -> ImageProtocol {
        match self.capabilities.images {
            Images::None => ImageProtocol::None,
            Images::Kitty if self.capabilities.is_tmux => ImageProtocol::KittyInTmux,
            Images::Kitty => ImageProtocol::Kitty,
            Images::Iterm2 => ImageProtocol::Iterm,
        }
    }

    /// The size of a cell in pixels, where the terminal has told it.
    pub(super) fn cell(&self) -> Pixels {
        self.cell
    }

    /// The same, where it is not merely assumed.
    pub(super) fn told_cell(&self) -> Option<Pixels> {
        (self.cell != ImageOptions::default().cell).then_some(self.cell)
    }

    /// What the terminal can do, as far as it is known.
    pub(super) fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// Whether tmux is between the program and the terminal.
    pub(super) fn is_in_tmux(&self) -> bool {
        self.capabilities.is_tmux
    }

    /// Whether keys come by Kitty's protocol.
    pub(super) fn is_kitty(&self) -> bool {
        self.capabilities.keyboard == term::Keyboard::Kitty
    }

    /// Whether the terminal is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.term.writer().error().is_some()
    }

    /// Begins a frame: what the terminal has got meanwhile is no longer the document's.
    pub(super) fn begin<B: Block>(&mut self, document: &mut Document<B>) -> Drawn {
        if self.is_lent || !self.term.writer().is_free() {
            return Drawn::Busy;
        }
        self.size = self.term.size();
        if self.alternate.is_fullscreen {
            return Drawn::Yes;
        }
        match self.screen.begin(self.size, self.began.elapsed()) {
            Turn::Draw { sealed } => {
                document.sealed(sealed);
                Drawn::Yes
            }
            Turn::Wait { until } => Drawn::Later(until),
        }
    }

    /// Draws the document and what stands below it, and over both what lies over them.
    pub(super) fn draw<B: Block>(
        &mut self,
        document: &mut Document<B>,
        below: &[Row],
        caret: Option<(usize, u16)>,
        over: &[Overlaid],
    ) {
        let size = self.size;
        let room = usize::from(size.rows).saturating_sub(below.len());
        let laid = document.rows(size.columns, room);
        let above = laid.rows.len();
        let mut rows = laid.rows;
        rows.extend(below);
        let covered = Covered::of(&rows, over, size);
        let caret = covered.caret.or(caret.map(|(row, column)| (above + row, column)));
        // What lies over a row is no part of it: it may not become the terminal's like this.
        let final_rows = laid.final_rows.min(covered.first.unwrap_or(usize::MAX));
        let rows = covered.rows(rows);
        let frame = Frame { rows: &rows, final_rows, caret, show_cursor: self.shows_cursor };
        let mut out = String::new();
        let sealed = self.screen.frame(&frame, &mut out);
        document.sealed(sealed);
        self.send(&out);
    }

    fn send(&self, text: &str) {
        if !text.is_empty() && !self.is_lent {
            self.term.writer().send(text);
        }
    }

    /// Sets the window's title.
    pub(super) fn set_title(&mut self, title: &str) {
        if self.title != title {
            title.clone_into(&mut self.title);
            self.send(&term::title(title));
        }
    }

    /// Tells the terminal's tab whether something goes on.
    pub(super) fn set_progress(&mut self, is_busy: bool) {
        let is_busy = is_busy && self.shows_progress;
        if self.is_busy != is_busy {
            self.is_busy = is_busy;
            self.send(term::progress(is_busy));
        }
    }

    /// Draws everything anew, from the top of the window.
    pub(super) fn replay(&mut self) {
        if !self.alternate.is_fullscreen {
            self.screen.replay(false);
        }
    }

    /// Asks the terminal something; [`Self::reply`] gets the answers.
    pub(super) fn ask(&mut self, questions: &[Query]) {
        self.send(&term::queries(questions));
    }

    /// An answer of the terminal to a question of ours.
    pub(super) fn reply(&mut self, bytes: &[u8]) {
        if self.capabilities.answer(bytes) {
            let options = self.capabilities.screen(self.insert);
            self.screen.set_options(options);
            self.alternate.set_options(options);
            self.term.set_keyboard(self.capabilities.keyboard);
        } else if let Some((width, height)) = Capabilities::cell_of(bytes) {
            self.cell = Pixels { width, height };
        }
    }

    /// How the terminal notifies its user, as far as it is known.
    pub(super) fn notification(&self) -> Notification {
        self.capabilities.notification
    }

    /// Notifies the user; `passes` says whether tmux has to pass it on to the terminal that it runs in.
    pub(super) fn notify(&mut self, kind: Notification, passes: bool, title: &str, body: &str) {
        let notice = term::notify(kind, title, body);
        self.send(&if passes { term::through_tmux(&notice) } else { notice });
    }

    /// Puts a text into the terminal's clipboard.
    pub(super) fn copy(&mut self, text: &str) {
        let copy = term::copy(text);
        self.send(&if self.capabilities.is_tmux { term::through_tmux(&copy) } else { copy });
    }

    /// Lets a program use the terminal; how it ended.
    ///
    /// # Errors
    /// When the terminal is gone afterwards.
    pub(super) fn run<B: Block>(
        &mut self,
        document: &mut Document<B>,
        command: &[String],
    ) -> Result<io::Result<Ended>, TermError> {
        self.hide(document);
        self.term.hand_over();
        let ended = match &self.lender {
            None => lent::run(command),
            Some(lender) => lender.run(command),
        };
        self.term.take_back()?;
        self.come_back();
        Ok(ended)
    }

    /// Stops the program until the shell lets it go on. The rows that are not final are taken away, since they are drawn again
    /// below whatever the shell prints meanwhile.
    ///
    /// # Errors
    /// When the terminal is gone afterwards.
    pub(super) fn suspend<B: Block>(&mut self, document: &mut Document<B>) -> Result<(), TermError> {
        self.set_progress(false);
        self.hide(document);
        match &self.lender {
            None => self.term.suspend()?,
            Some(lender) => {
                self.term.hand_over();
                lender.suspend()?;
                self.term.take_back()?;
            }
        }
        self.come_back();
        Ok(())
    }

    /// Another program has used the terminal, or the shell has.
    fn come_back(&mut self) {
        self.title.clear();
        if self.alternate.is_fullscreen {
            self.show_window();
        }
    }

    /// Leaves the rows as they are, with the cursor on a free row below them.
    pub(super) fn leave<B: Block>(&mut self, document: &mut Document<B>) {
        self.set_progress(false);
        if self.alternate.is_fullscreen {
            return self.hide_window();
        }
        let mut out = String::new();
        let sealed = self.screen.leave(&mut out);
        document.sealed(sealed);
        self.send(&out);
    }

    /// Takes away the rows that are not final; in full screen, the alternate screen.
    pub(super) fn hide<B: Block>(&mut self, document: &mut Document<B>) {
        if self.alternate.is_fullscreen {
            return self.hide_window();
        }
        let mut out = String::new();
        let sealed = self.screen.withdraw(&mut out);
        document.sealed(sealed);
        self.send(&out);
    }

    /// Gives the terminal back for good.
    pub(super) fn close(&mut self) {
        self.term.hand_over();
    }
}
