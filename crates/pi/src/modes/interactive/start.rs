//! What is shown first: header, what was loaded, notices; then the prompts of the command line.

use std::rc::Rc;

use pi_coding_agent::agent_session::{AgentSession, ExtensionBindings, StreamingBehavior};
use pi_coding_agent::host::{FileKind, read_text};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::theme::ColourMode;
use pi_tui::keymap::{Keymap, action};
use pi_tui::screen::ScreenOptions;
use pi_tui::text::{Line, Row, wrap};

use super::app::{App, Pressed};
use super::before::Asker;
use super::chat::{NoteKind, Picture, Section, Sections, Transcript};
use super::footer::Footer;
use super::look::Look;
use super::mailbox::Mailbox;
use super::notices::Notices;
use super::pending::Pending;
use super::prompt_box::PromptBox;
use super::shared::Shared;
use super::slots::Slots;
use super::status::Activity;
use super::surface::Surface;
use super::{figures, keys, look, models, restore, submit, term_stand_in};
use crate::common::run_trust::RunTrust;
use crate::modes::InitialPrompts;

/// What the mode begins with.
#[derive(Debug)]
pub struct InteractiveOptions {
    /// The terminal, where something was asked already.
    pub asker: Option<Asker>,
    /// Directories and environment.
    pub paths: Paths,
    /// What was decided about projects in this run.
    pub trust: RunTrust,
    /// What is said first.
    pub prompts: InitialPrompts,
    /// What goes wrong beside the session's events.
    pub notices: Notices,
    /// Whether the start says more.
    pub verbose: bool,
}

/// Puts the mode together. Nothing is drawn.
pub(super) fn app(session: AgentSession, options: InteractiveOptions, term: term_stand_in::Term) -> App {
    let InteractiveOptions { asker: _, paths, trust, prompts, notices, verbose } = options;
    let cwd = session.with_manager(|manager| manager.cwd().to_owned());
    let env = paths.env().clone();
    let look = look::of(&session, ColourMode::detect(&env), env.var("NO_COLOR").is_none_or(|value| value.is_empty()));
    let shared = Shared::new(look, cwd, env.home());
    shared.set_hides_thinking(session.settings().interface().hide_thinking_block());
    shared.set_expanded(verbose);
    let interface = session.settings().interface();
    let visible = usize::try_from(interface.autocomplete_max_visible()).unwrap_or(5);
    let padding = u16::try_from(interface.editor_padding_x()).unwrap_or_default();
    App {
        transcript: Transcript::new(&shared),
        surface: Surface::new(term, ScreenOptions { synchronized: true, ..ScreenOptions::default() }),
        keys: Keymap::new(&[action::TABLE, keys::ACTIONS]),
        prompt: PromptBox::new(&shared.look(), visible, padding),
        panels: Vec::new(),
        pending: Pending::default(),
        activity: Activity::None,
        footer: Footer::default(),
        slots: Slots::default(),
        jobs: super::jobs::Jobs::default(),
        mailbox: Mailbox::default(),
        pressed: Pressed::default(),
        shells: 0,
        leaving: None,
        is_dirty: true,
        prompts: Some(prompts),
        refused: None,
        notices,
        session,
        paths,
        trust,
        shared,
    }
}

/// Shows what is there, lets the extensions begin, and then sends the prompts of the command line.
pub(super) fn begin(app: &mut App, bindings: ExtensionBindings) {
    bindings_of_keys(app);
    let is_quiet = app.settings().interface().quiet_startup() && !app.shared.is_expanded();
    if !is_quiet {
        app.transcript.push_picture(Header { keys: app.keys.clone() });
        resources(app);
    }
    figures::session_changed(app);
    app.transcript.set_tools(app.session.all_tools().into_iter().map(|tool| tool.name).collect());
    restore::messages(app);
    if !models::has_one(app) {
        app.note(NoteKind::Warning, "There is no model yet. /login signs in or stores an API key");
    }
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.bind_extensions(bindings).await });
    app.spawn(work, |app, _| {
        app.transcript.set_tools(app.session.all_tools().into_iter().map(|tool| tool.name).collect());
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

/// Reads the user's bindings of keys.
pub(super) fn bindings_of_keys(app: &mut App) {
    let (keys, problems) = read_keys(&app.paths);
    app.keys = keys;
    app.shared.set_expand_key(app.keys.hint(keys::TOOLS_EXPAND));
    for problem in problems {
        app.note(NoteKind::Warning, problem);
    }
}

/// The keys in force, and what is wrong with those of the user.
pub(super) fn read_keys(paths: &Paths) -> (Keymap, Vec<String>) {
    let file = paths.agent_dir().join("keybindings.json");
    let (wanted, complaint) = match read_text(&file, FileKind::Settings) {
        Ok(text) => match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text) {
            Ok(wanted) => (wanted, None),
            Err(error) => {
                let complaint = format!("{} is no JSON object of keys: {error}", file.display());
                (serde_json::Map::new(), Some(complaint))
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (serde_json::Map::new(), None),
        Err(error) => (serde_json::Map::new(), Some(format!("{} cannot be read: {error}", file.display()))),
    };
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE, keys::ACTIONS], &wanted);
    let problems = problems.into_iter().map(|problem| format!("keybindings.json: {problem}"));
    (keys, complaint.into_iter().chain(problems).collect())
}

/// Lists what was loaded.
pub(super) fn resources(app: &mut App) {
    let resources = app.session.resources();
    let shared = Rc::clone(&app.shared);
    let mut sections = Vec::new();
    let mut add = |title: &str, names: Vec<String>, places: Vec<String>| {
        if !names.is_empty() {
            sections.push(Section { title: title.to_owned(), short: names.join(", "), long: places });
        }
    };
    let cwd = app.shared.cwd();
    let relative = |path: &std::path::Path| {
        path.strip_prefix(&cwd).map_or_else(|_| shared.shorten(path), |path| path.display().to_string())
    };
    let files = &resources.context_files().items;
    add(
        "Context",
        files.iter().map(|file| relative(&file.path)).collect(),
        files.iter().map(|file| shared.shorten(&file.path)).collect(),
    );
    let skills = &resources.skills().items;
    let mut names: Vec<String> = skills.iter().map(|skill| skill.name.clone()).collect();
    names.sort();
    add("Skills", names, skills.iter().map(|skill| shared.shorten(&skill.file)).collect());
    let templates = &resources.templates().items;
    let mut names: Vec<String> = templates.iter().map(|template| format!("/{}", template.name)).collect();
    names.sort();
    add("Prompts", names, templates.iter().map(|template| shared.shorten(template.source.path.as_ref())).collect());
    let extensions = &resources.extensions().items;
    let mut names: Vec<String> = extensions.iter().map(|source| file_name(source.path.as_ref())).collect();
    names.sort();
    add("Extensions", names, extensions.iter().map(|source| shared.shorten(source.path.as_ref())).collect());
    let themes: Vec<_> = resources.themes().custom().cloned().collect();
    let names = themes.iter().map(|theme| theme.name().to_owned()).collect();
    let places =
        themes.iter().filter_map(|theme| theme.source()).map(|source| shared.shorten(source.path.as_ref())).collect();
    add("Themes", names, places);
    if !sections.is_empty() {
        app.transcript.push_picture(Sections(sections));
    }
    let diagnostics: Vec<String> = resources
        .skills()
        .diagnostics
        .iter()
        .chain(&resources.templates().diagnostics)
        .map(ToString::to_string)
        .collect();
    for diagnostic in diagnostics {
        app.note(NoteKind::Warning, diagnostic);
    }
}

fn file_name(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    // An entry of a directory says nothing, its directory does.
    match (name.as_str(), path.parent().and_then(std::path::Path::file_name)) {
        ("index.ts" | "index.js", Some(dir)) => dir.to_string_lossy().into_owned(),
        _ => name,
    }
}

/// Says how to go on, once the terminal is the shell's again.
pub(super) fn farewell(app: &App) {
    let Some(file) = app.session.session_file().filter(|file| file.exists()) else { return };
    let is_default = app.session.with_manager(|manager| manager.uses_default_session_dir());
    let dir = file.parent().map(|dir| dir.display().to_string()).unwrap_or_default();
    let place = if is_default { String::new() } else { format!(" --session-dir {}", shell_quoted(&dir)) };
    let look = app.shared.look();
    let text = format!("To resume this session: pi{place} --session {}", app.session.session_id());
    println_dim(&look, &text);
}

fn shell_quoted(text: &str) -> String {
    if text.chars().all(|char| char.is_ascii_alphanumeric() || "/._-".contains(char)) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn println_dim(look: &Look, text: &str) {
    use std::io::Write;

    let row = Row::new(&Line::styled(text, look.dim()), u16::MAX);
    // A terminal that is gone needs no hint.
    let _ = writeln!(std::io::stdout(), "{}", row.text());
}

/// The name of the program, and the keys that matter.
struct Header {
    keys: Keymap,
}

impl Picture for Header {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut lines =
            vec![Line::styled("pi", look.accent().bold()).and(format!(" v{}", env!("CARGO_PKG_VERSION")), look.dim())];
        if shared.is_expanded() {
            lines.extend(
                self.all_keys()
                    .into_iter()
                    .map(|(key, meaning)| Line::styled(format!("{key:<16} "), look.muted()).and(meaning, look.dim())),
            );
        } else {
            lines.push(Line::styled(self.few_keys(), look.muted()));
            let key = self.keys.hint(keys::TOOLS_EXPAND);
            lines.push(Line::styled(
                format!("Press {key} for all keys and for where everything was loaded from."),
                look.dim(),
            ));
        }
        lines.push(Line::new());
        lines.push(Line::styled("pi knows its own documentation: ask how to use or extend it.", look.dim()));
        let inner = usize::from(columns).saturating_sub(1).max(1);
        let mut rows = vec![Row::blank()];
        rows.extend(lines.iter().flat_map(|line| wrap(line, inner)).map(|line| {
            let mut indented = Line::from(" ");
            indented.append(&line);
            Row::new(&indented, columns)
        }));
        rows.extend([Row::blank(), Row::blank()]);
        rows
    }
}

impl Header {
    fn few_keys(&self) -> String {
        let hint = |action| self.keys.hint(action);
        format!(
            "{} interrupt · {}/{} clear/exit · / commands · ! bash · {} more",
            hint(keys::INTERRUPT),
            hint(keys::CLEAR),
            hint(keys::EXIT),
            hint(keys::TOOLS_EXPAND)
        )
    }

    fn all_keys(&self) -> Vec<(String, &'static str)> {
        let hint = |action| self.keys.hint(action);
        vec![
            (hint(keys::INTERRUPT), "abort what is going on"),
            (hint(keys::CLEAR), "clear the editor"),
            (format!("{0} {0}", hint(keys::CLEAR)), "leave"),
            (hint(keys::EXIT), "leave, when the editor is empty"),
            (hint(keys::SUSPEND), "go to the background"),
            (hint(action::EDITOR_DELETE_TO_LINE_END), "delete to the end of the line"),
            (hint(keys::THINKING_CYCLE), "next thinking level"),
            (hint(keys::MODEL_CYCLE_FORWARD), "next model"),
            (hint(keys::MODEL_CYCLE_BACKWARD), "previous model"),
            (hint(keys::MODEL_SELECT), "choose a model"),
            (hint(keys::TOOLS_EXPAND), "show more or less"),
            (hint(keys::THINKING_TOGGLE), "show or hide thinking"),
            (hint(keys::EDITOR_EXTERNAL), "write in the external editor"),
            ("/".to_owned(), "commands"),
            ("!".to_owned(), "run a command"),
            ("!!".to_owned(), "run a command, keep it from the model"),
            (hint(keys::MESSAGE_FOLLOW_UP), "queue a message for when the run is done"),
            (hint(keys::MESSAGE_DEQUEUE), "edit queued messages"),
            (hint(keys::CLIPBOARD_PASTE_IMAGE), "paste an image"),
            ("drop files".to_owned(), "their paths go into the message"),
        ]
    }
}
