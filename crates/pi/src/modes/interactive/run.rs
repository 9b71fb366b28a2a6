//! The loop: input, events, what is done beside it, time, signals. Nothing else draws. It runs on the terminal of this
//! process, or on that of a client.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::agent_session::ExtensionBindings;
use pi_coding_agent::extension::{ExtensionUi, Mode, WindowSize};
use pi_tui::input::{Input, Splitter};
use pi_tui::widgets::loader;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::attached::{AttachedError, Attachment, CatchUp, Sender};
use super::chat::NoteKind;
use super::extension_slots::ExtensionScreen;
use super::outside::{Happened, Outside};
use super::surface::{Drawn, Source};
use super::{InteractiveOptions, attached, chrome, draft, events, footer_data, input, releases, ui, welcome};
use super::{extension_ui, full_screen, mirror, panics, program_header, rendering, submit, viewport};
use crate::modes::shut_down;

/// Frames that follow from events are at least this far apart.
const FRAME: Duration = Duration::from_millis(16);

/// Runs the mode; its exit code.
///
/// # Errors
/// When the terminal, signals or threads are not to be had.
pub async fn run_interactive(session: AgentSession, mut options: InteractiveOptions) -> io::Result<u8> {
    let outside = Outside::process()?;
    panics::keep();
    let typed = std::mem::take(&mut options.typed);
    let looks_for_releases = options.looks_for_releases;
    let (ui, requests) = ui::TerminalUi::new();
    let (surface, source) = welcome::surface(&session, &options).map_err(io::Error::other)?;
    let mut app = welcome::app(session, options, surface, ExtensionScreen::new(ui.mirror().clone()));
    let _events = app.mailbox.follow(&app.session);
    let exit = CancellationToken::new();
    let on_shutdown = {
        let exit = exit.clone();
        Arc::new(move || exit.cancel())
    };
    let session = app.session.clone();
    let bindings = ExtensionBindings { mode: Mode::Tui, ui, on_shutdown };
    welcome::begin(&mut app, async move { session.extensions().bind(bindings).await });
    if looks_for_releases && !program_header::is_quiet(&app) {
        releases::look(&mut app);
    }
    let ended = pi_guard::caught(|| Loop::new(source, requests, exit, outside).run(&mut app, &typed)).await;
    let session = app.session.clone();
    // If that panics, too, dropping the app gives the terminal back.
    let left = pi_guard::caught_now(move || {
        leave(&mut app);
        app
    });
    if let Ok(app) = &left {
        welcome::farewell(app);
    }
    panics::tell();
    shut_down(&session, std::future::pending::<()>()).await;
    Ok(ended.unwrap_or(panics::EXIT_CODE))
}

/// Shows a session that others use, too, on the terminal of another process, until its user leaves or that process is gone.
/// The session goes on. `join` is handed the user, for the questions of extensions; what it returns is dropped at the end.
///
/// # Errors
/// When it is no terminal, and when the screen panics.
pub(crate) async fn run_attached<J>(
    session: AgentSession,
    options: InteractiveOptions,
    attachment: Attachment,
    join: impl FnOnce(Arc<dyn ExtensionUi>) -> J,
) -> Result<(), AttachedError> {
    let Attachment { terminal, outside, begun, senders, name } = attachment;
    let (ui, requests) = ui::TerminalUi::new();
    let (surface, source) = welcome::lent_surface(&session, &options, terminal)?;
    let mut app = welcome::app(session, options, surface, ExtensionScreen::new(ui.mirror().clone()));
    app.seat.sender = Some(Sender { name, senders });
    let _events = app.mailbox.follow(&app.session);
    let _joined = join(ui);
    welcome::begin(&mut app, async move { begun.cancelled().await });
    attached::catch_up(&mut app);
    // Its own hangs up with the process of the terminal.
    let exit = CancellationToken::new();
    let client = Outside::Client(outside);
    let ended = pi_guard::caught(|| Loop::new(source, requests, exit, client).run(&mut app, &[])).await;
    // If that panics, too, dropping the app gives the terminal back.
    pi_guard::caught_now(move || leave(&mut app)).and(ended)?;
    Ok(())
}

/// Keeps what was typed, and gives the terminal back.
fn leave(app: &mut App) {
    full_screen::close(app);
    draft::keep(app);
    app.panels.clear();
    app.surface.leave(app.transcript.document_mut());
    app.surface.close();
}

struct Loop {
    source: Source,
    requests: mpsc::UnboundedReceiver<ui::Request>,
    splitter: Splitter,
    /// When the last frame was drawn.
    last_frame: Option<Duration>,
    /// When the window has kept its size for long enough.
    retry_at: Option<Duration>,
    /// Whether a frame was left out because the one before was on its way.
    is_behind: bool,
    /// Whether events wait for the next frame.
    has_unheard: bool,
    exit: CancellationToken,
    outside: Outside,
    /// When the screen catches up with what another client did to the session.
    catch_up: Option<CatchUp>,
}

impl Loop {
    fn new(
        source: Source,
        requests: mpsc::UnboundedReceiver<ui::Request>,
        exit: CancellationToken,
        outside: Outside,
    ) -> Self {
        Self {
            source,
            requests,
            splitter: Splitter::default(),
            last_frame: None,
            retry_at: None,
            is_behind: false,
            has_unheard: false,
            exit,
            outside,
            catch_up: None,
        }
    }

    /// `typed` was typed before.
    async fn run(mut self, app: &mut App, typed: &[u8]) -> u8 {
        self.draw(app);
        if !typed.is_empty() {
            self.typed(app, typed);
        }
        while app.leaving.is_none() {
            let draft = draft::watch(app).map(Duration::from_millis);
            let wait = [self.wait(app), draft].into_iter().flatten().min();
            let (mailbox, notices) = (app.mailbox.clone(), app.notices.clone());
            let is_free = Arc::clone(&self.source.is_free);
            tokio::select! {
                biased;
                chunk = self.source.bytes.recv() => match chunk.flatten() {
                    Some(chunk) => self.typed(app, &chunk),
                    None => return self.hung_up(app),
                },
                happened = self.outside.next() => match happened {
                    Happened::Interrupted if app.surface.is_lent => {}
                    Happened::Ended | Happened::Interrupted => return 0,
                    Happened::Gone => return self.hung_up(app),
                    Happened::Resized => self.draw(app),
                    Happened::Replaced => self.catch_up = Some(CatchUp::from(app.now_ms())),
                },
                () = self.exit.cancelled() => return 0,
                then = app.jobs.next() => {
                    // What the session said before comes first.
                    self.take_events(app);
                    then(app);
                    submit::send_due(app);
                    self.draw(app);
                }
                Some(request) = self.requests.recv() => {
                    ui::handle(app, request);
                    // What came together is drawn together.
                    while let Ok(request) = self.requests.try_recv() {
                        ui::handle(app, request);
                    }
                    self.draw(app);
                }
                () = mailbox.arrived() => self.arrived(app),
                () = notices.arrived() => {
                    for notice in notices.take() {
                        app.note(NoteKind::Warning, notice);
                    }
                    self.draw(app);
                }
                () = is_free.notified() => {
                    if app.surface.is_gone() {
                        return self.hung_up(app);
                    }
                    if self.is_behind {
                        self.draw(app);
                    }
                }
                () = sleep(wait) => self.woken(app),
            }
        }
        app.leaving.unwrap_or_default()
    }

    /// The terminal is gone. What the session does ends with it, unless others use it, too.
    fn hung_up(&self, app: &mut App) -> u8 {
        if matches!(self.outside, Outside::Process { .. }) {
            app.session.request_abort();
        }
        129
    }

    fn typed(&mut self, app: &mut App, chunk: &[u8]) {
        let mut inputs: Vec<Input> = Vec::new();
        self.splitter.feed(chunk, &mut inputs);
        // What came together is handled together.
        while let Ok(Some(chunk)) = self.source.bytes.try_recv() {
            self.splitter.feed(&chunk, &mut inputs);
        }
        inputs.iter().for_each(|typed| input::handle(app, typed));
        self.splitter.set_kitty(app.surface.is_kitty());
        self.draw(app);
    }

    /// Events wait until the next frame may be drawn.
    fn is_frame_due(&self, app: &App) -> bool {
        self.last_frame.is_none_or(|last| app.surface.now() >= last + FRAME)
    }

    /// Events have come: they are shown at once, or with the next frame.
    fn arrived(&mut self, app: &mut App) {
        if self.is_frame_due(app) {
            self.drain_events(app);
        } else {
            self.has_unheard = true;
        }
    }

    fn drain_events(&mut self, app: &mut App) {
        self.take_events(app);
        self.draw(app);
    }

    /// Handles all events that have come.
    fn take_events(&mut self, app: &mut App) {
        self.has_unheard = false;
        for event in app.mailbox.take() {
            events::handle(app, event);
        }
        app.transcript.refresh();
    }

    /// Time has passed: a lone Escape is one, a spinner moves, events may be shown.
    fn woken(&mut self, app: &mut App) {
        if self.splitter.timeout().is_some() {
            let mut inputs = Vec::new();
            self.splitter.flush(&mut inputs);
            inputs.iter().for_each(|typed| input::handle(app, typed));
        }
        if self.catch_up.is_some_and(|catch_up| catch_up.is_due(app.now_ms())) {
            self.take_events(app);
            self.catch_up.take().into_iter().for_each(|catch_up| catch_up.run(app));
        }
        self.drain_events(app);
    }

    /// When something has to be done although nothing comes in; never, while nothing moves.
    fn wait(&self, app: &App) -> Option<Duration> {
        let now = app.surface.now();
        let frame = self.has_unheard.then(|| (self.last_frame.unwrap_or_default() + FRAME).saturating_sub(now));
        let spinner = app.activity.moves().then(|| Duration::from_millis(loader::next_frame_in(app.now_ms())));
        let elapsed = app.transcript.is_ticking().then(|| Duration::from_millis(1000 - app.now_ms() % 1000));
        let panel = app.panels.last().and_then(|open| open.panel.moves_after_ms()).map(Duration::from_millis);
        let retry = self.retry_at.map(|at| at.saturating_sub(now));
        let catch_up = self.catch_up.map(|catch_up| catch_up.due_in(app.now_ms()));
        [frame, spinner, elapsed, panel, retry, catch_up, self.splitter.timeout()].into_iter().flatten().min()
    }

    fn draw(&mut self, app: &mut App) {
        app.shared.set_now_ms(app.now_ms());
        if app.full_screen.is_some() {
            self.is_behind = !app.surface.begin_window();
            if !self.is_behind {
                full_screen::draw(app);
                self.last_frame = Some(app.surface.now());
            }
            return;
        }
        match app.surface.begin(app.transcript.document_mut()) {
            Drawn::Later(at) => {
                self.retry_at = Some(at);
                return;
            }
            Drawn::Busy => {
                self.is_behind = true;
                return;
            }
            Drawn::Yes => (self.retry_at, self.is_behind) = (None, false),
        }
        let size = app.surface.size();
        app.shared.set_window(WindowSize { columns: size.columns, rows: size.rows });
        mirror::update(app);
        let chrome = chrome::draw(app, size.columns, size.rows);
        let over = extension_ui::overlays(app);
        let title = footer_data::title(app);
        app.surface.set_title(&title);
        app.surface.set_progress(app.activity.moves());
        if app.surface.is_fullscreen() {
            viewport::draw(app, &chrome.rows, chrome.caret, &over);
        } else {
            app.surface.draw(app.transcript.document_mut(), &chrome.rows, chrome.caret, &over);
        }
        extension_ui::ask(app);
        rendering::ask(app);
        self.last_frame = Some(app.surface.now());
    }
}

async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
