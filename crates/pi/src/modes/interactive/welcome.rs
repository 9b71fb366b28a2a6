//! What is shown first: header, what was loaded, notices; then the prompts of the command line.

use std::rc::Rc;
use std::sync::Arc;

use pi_ai::Clock;
use pi_coding_agent::agent_session::{AgentSession, StreamingBehavior};
use pi_coding_agent::env::Env;
use pi_coding_agent::gate::PermissionGate;
use pi_coding_agent::paths::Paths;
use pi_tui::keymap::Keymap;
use pi_tui::screen::Insert;
use pi_tui::term::{Keyboard, Modes, TermError};
use pi_tui::text::{Line, Row};
use tokio_util::sync::CancellationToken;

use super::app::{App, Pressed};
use super::attached::Seat;
use super::attention::Attention;
use super::chat::{Margins, NoteKind, Picture, Transcript, indented};
use super::conversation_view::ConversationView;
use super::draft::Draft;
use super::extension_slots::ExtensionScreen;
use super::footer::Footer;
use super::lent::LentTerminal;
use super::mailbox::Mailbox;
use super::notices::Notices;
use super::paste_image::PastedImages;
use super::prompt_box::PromptBox;
use super::queued::{Pending, QueueView};
use super::shared::Shared;
use super::status::Activity;
use super::surface::{Source, Surface};
use super::theme_styles::ThemeStyles;
use super::theming::{self, Theming};
use super::{
    attention, commands, draft, footer_data, keys, models, preferences, resource_list, restore, submit, tmux, warnings,
    whats_new,
};
use super::{mirror, program_header, shortcuts};
use crate::common::run_trust::RunTrust;
use crate::modes::InitialPrompts;
use crate::modes::resume_hint::resume_hint;

/// What the mode begins with.
#[derive(Debug, Clone)]
pub struct InteractiveOptions {
    /// Directories and environment.
    pub paths: Paths,
    /// What was decided about projects in this run.
    pub trust: RunTrust,
    /// Bytes that were typed before, and are for the mode.
    pub typed: Vec<u8>,
    /// What is said first.
    pub prompts: InitialPrompts,
    /// What goes wrong beside the session's events.
    pub notices: Notices,
    /// Whether the start says more.
    pub verbose: bool,
    /// What is new in each version, as Markdown.
    pub changelog: fn() -> Option<String>,
    /// Whether it may be found out if there is a newer version.
    pub looks_for_releases: bool,
    /// What asks before calls.
    pub gate: PermissionGate,
    /// The real time, for what is stored.
    pub clock: Arc<dyn Clock>,
}

/// Takes the terminal, as the settings want it.
///
/// # Errors
/// When there is none.
pub(super) fn surface(session: &AgentSession, options: &InteractiveOptions) -> Result<(Surface, Source), TermError> {
    Surface::open(options.paths.env(), insert(session), MODES)
}

/// The same on the terminal of another process.
///
/// # Errors
/// When it is none.
pub(super) fn lent_surface(
    session: &AgentSession,
    options: &InteractiveOptions,
    terminal: LentTerminal,
) -> Result<(Surface, Source), TermError> {
    Surface::open_lent(options.paths.env(), insert(session), MODES, terminal)
}

/// What is wanted of the terminal.
const MODES: Modes = Modes { focus: true, colors: true, keyboard: Keyboard::Unknown };

fn insert(session: &AgentSession) -> Insert {
    let by_repaint = session.settings().interface().terminal().inserts_by_repaint;
    if by_repaint { Insert::Repaint } else { Insert::Line }
}

/// What blocks are drawn with.
fn shared(session: &AgentSession, surface: &Surface, theming: &Theming, env: &Env) -> Rc<Shared> {
    let cwd = session.store().read(|manager| manager.cwd().to_owned());
    let mut look = ThemeStyles::of_terminal(theming.theme(session), env);
    look.links = surface.links();
    Shared::new(look, cwd, env.home())
}

/// Puts the mode together. Nothing is drawn.
pub(super) fn app(
    session: AgentSession,
    options: InteractiveOptions,
    surface: Surface,
    extensions: ExtensionScreen,
) -> App {
    let InteractiveOptions { paths, trust, prompts, notices, verbose, changelog, gate, clock, .. } = options;
    let theming = Theming::of_env(paths.env());
    let shared = shared(&session, &surface, &theming, paths.env());
    shared.set_expanded(verbose);
    App {
        transcript: Transcript::new(&shared),
        viewport: ConversationView::default(),
        has_begun: false,
        extensions_begun: CancellationToken::new(),
        full_screen: None,
        surface,
        // They are read when the mode begins.
        keys: Keymap::new(&[]),
        prompt: PromptBox::new(&shared.look()),
        gate,
        pasted_images: PastedImages::default(),
        files: super::files::FileIndex::default(),
        theming,
        panels: Vec::new(),
        pending: Pending::default(),
        queue_view: QueueView::default(),
        attention: Attention::default(),
        activity: Activity::None,
        footer: Footer::default(),
        watched_head: None,
        extensions,
        jobs: super::jobs::Jobs::default(),
        mailbox: Mailbox::default(),
        pressed: Pressed::default(),
        user_shell: None,
        sharing: None,
        compaction_failed: false,
        leaving: None,
        draft: Draft::default(),
        prompts: Some(prompts),
        notices,
        changelog,
        has_warned_of_costs: false,
        clock,
        refused: None,
        seat: Seat::default(),
        session,
        paths,
        trust,
        shared,
    }
}

/// Shows what is there, waits until the extensions have begun, and then sends the prompts of the command line.
pub(super) fn begin(app: &mut App, begun: impl Future<Output = ()> + Send + 'static) {
    let key_problems = resource_list::keys(app);
    for problem in key_problems {
        app.note(NoteKind::Warning, problem);
    }
    preferences::apply(app);
    let is_quiet = program_header::is_quiet(app);
    if !is_quiet {
        let header = app.transcript.push_picture(program_header::header(app));
        super::header::pushed(app, header);
        if let Some(scope) = ModelScope::of(app) {
            app.transcript.push_picture(scope);
        }
        resource_list::resources(app);
    }
    resource_list::problems(app);
    footer_data::session_changed(app);
    app.transcript.set_tools(app.session.tools().all().into_iter().map(|tool| tool.name).collect());
    if !is_quiet {
        whats_new::show(app);
    }
    restore::messages(app);
    app.has_begun = true;
    if !models::has_one(app) {
        app.note(NoteKind::Warning, "There is no model yet. /login signs in or stores an API key");
    }
    warnings::of_subscription(app);
    if app.env().var("TERM").is_some_and(|term| term == "dumb") {
        app.note(
            NoteKind::Warning,
            "TERM=dumb: where the terminal understands no sequences, `pi --plain` talks in lines",
        );
    }
    theming::begin(app);
    draft::restore(app);
    if !is_quiet {
        tmux::check_keys(app);
    }
    mirror::update(app);
    attention::look_behind_tmux(app);
    app.spawn(tokio::spawn(begun), |app, _| {
        app.extensions_begun.cancel();
        app.transcript.set_tools(app.session.tools().all().into_iter().map(|tool| tool.name).collect());
        let ours: Vec<&str> = commands::COMMANDS.iter().map(|command| command.name).collect();
        resource_list::shadowed_commands(app, &ours);
        shortcuts::find(app);
        if let Some(prompts) = app.prompts.take() {
            send_all(app, prompts);
        }
    });
}

/// Sends the prompts one after the other; while one runs the others wait as follow-ups.
fn send_all(app: &mut App, prompts: InitialPrompts) {
    let mut images = prompts.images;
    for text in prompts.texts {
        submit::send(app, text, std::mem::take(&mut images), StreamingBehavior::FollowUp);
    }
}

/// Says how to go on, once the terminal is the shell's again.
pub(super) fn farewell(app: &App) {
    let Some(text) = resume_hint(&app.session) else { return };
    let look = app.shared.look();
    println_dim(&look, &text);
}

fn println_dim(look: &ThemeStyles, text: &str) {
    use std::io::Write;

    let row = Row::new(&Line::styled(text, look.dim()), u16::MAX);
    // A terminal that is gone needs no hint.
    let _ = writeln!(std::io::stdout(), "{}", row.text());
}

/// The models that the cycle keys go through, where they are not all.
struct ModelScope(String);

impl ModelScope {
    fn of(app: &App) -> Option<Self> {
        let scope = app.session.models().scoped();
        let names = scope.iter().map(|scoped| match scoped.thinking_level {
            Some(level) => format!("{}:{}", scoped.model.id, level.as_str()),
            None => scoped.model.id.clone(),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        let key = app.keys.hint(keys::MODEL_CYCLE_FORWARD);
        let by_key = if key.is_empty() { String::new() } else { format!(" ({key} cycles)") };
        (!scope.is_empty()).then(|| Self(format!("Model scope: {names}{by_key}")))
    }
}

impl Picture for ModelScope {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        indented(&[Line::styled(&*self.0, shared.look().dim())], Margins::LEFT, columns)
    }
}
