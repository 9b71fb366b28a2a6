//! Which theme is in force: the one of the settings, and where these leave it to the terminal, one for what is behind its
//! text. A theme's file is watched.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::env::Env;
use pi_coding_agent::theme::{Theme, ThemeChoice};
use pi_tui::term::{Ground, Query};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::app::App;
use super::chat::NoteKind;
use super::file_watch;
use super::jobs::flat;

/// Editors write a file more than once.
const SETTLE: Duration = Duration::from_millis(100);

/// What the choice of the theme depends on beside the settings.
#[derive(Debug)]
pub(super) struct Theming {
    /// What is behind the terminal's text.
    ground: Ground,
    /// The file of the theme in force, which is watched until this is dropped.
    watched: Option<(PathBuf, DropGuard)>,
    /// What was said about the theme last.
    problem: Option<String>,
}

impl Theming {
    /// As the environment has it; dark where it says nothing. The terminal may answer otherwise.
    pub(super) fn of_env(env: &Env) -> Self {
        let ground = env.var("COLORFGBG").and_then(|value| Ground::of_variable(&value)).unwrap_or(Ground::Dark);
        Self { ground, watched: None, problem: None }
    }

    /// The theme of the settings; the dark one where that cannot be had.
    pub(super) fn theme(&self, session: &AgentSession) -> Theme {
        chosen(session, self.ground).unwrap_or_else(|_| Theme::dark())
    }
}

/// The theme of the settings on this ground.
fn chosen(session: &AgentSession, ground: Ground) -> Result<Theme, String> {
    let is_dark = ground == Ground::Dark;
    let setting = session.settings().interface().theme_setting().unwrap_or_else(|| "light/dark".to_owned());
    named(session, ThemeChoice::parse(&setting).name(is_dark))
}

/// The theme of a name.
fn named(session: &AgentSession, name: &str) -> Result<Theme, String> {
    let resources = session.resources();
    let themes = resources.themes();
    themes.get(name).map(|theme| (*theme).clone()).map_err(|error| {
        // A file of that name that is no theme tells more than that there is no theme.
        let is_of = |path: &Path| path.file_stem().is_some_and(|stem| stem == name);
        let broken = themes.diagnostics().iter().find(|diagnostic| is_of(&diagnostic.path));
        broken.map_or_else(|| error.to_string(), ToString::to_string)
    })
}

/// Whether the settings leave the theme to the terminal.
fn follows_terminal(app: &App) -> bool {
    let setting = app.settings().interface().theme_setting();
    setting.is_none_or(|setting| matches!(ThemeChoice::parse(&setting), ThemeChoice::Pair { .. }))
}

/// Says what is wrong with the theme. The terminal was asked what is behind its text when it was opened.
pub(super) fn begin(app: &mut App) {
    apply(app);
}

/// Takes what the terminal answers, or tells by itself.
pub(super) fn reply(app: &mut App, bytes: &[u8]) {
    let Some(ground) = Ground::of_reply(bytes) else { return };
    if Ground::is_notice(bytes) {
        // What it says now is the system's wish; what is really behind the text, the terminal knows.
        app.surface.ask(&[Query::Background]);
    }
    if app.theming.ground != ground {
        app.theming.ground = ground;
        if follows_terminal(app) {
            apply(app);
        }
    }
}

/// Takes the theme of the settings as they are now.
pub(super) fn reload(app: &mut App) {
    if follows_terminal(app) {
        app.surface.ask(&[Query::Background]);
    }
    apply(app);
}

fn apply(app: &mut App) {
    let theme = chosen(&app.session, app.theming.ground);
    let problem = theme.as_ref().err().cloned();
    set(app, theme.unwrap_or_else(|_| Theme::dark()));
    if let Some(problem) = problem.clone().filter(|problem| app.theming.problem.as_ref() != Some(problem)) {
        app.note(NoteKind::Warning, format!("The dark theme is used instead: {problem}"));
    }
    app.theming.problem = problem;
}

/// Shows a theme without choosing it.
pub(super) fn preview(app: &mut App, name: &str) {
    if let Ok(theme) = named(&app.session, name) {
        set(app, theme);
    }
}

/// Puts a theme in force and watches its file, whatever was watched before.
fn set(app: &mut App, theme: Theme) {
    let file = theme.source().map(|source| PathBuf::from(&source.path));
    show(app, theme);
    // Themes are tried one after the other, often the same one again.
    if app.theming.watched.as_ref().map(|(watched, _)| watched) != file.as_ref() {
        app.theming.watched = None;
        if let Some(file) = file {
            follow(app, file);
        }
    }
}

fn show(app: &App, theme: Theme) {
    let mut look = (*app.shared.look()).clone();
    look.set_theme(theme);
    app.shared.set_look(look);
}

/// Reads a theme's file whenever it changes, as long as it is the one that is watched.
fn follow(app: &mut App, file: PathBuf) {
    let ended = CancellationToken::new();
    app.theming.watched = Some((file.clone(), ended.clone().drop_guard()));
    let read = {
        let file = file.clone();
        async move {
            file_watch::changed(&file).await;
            tokio::time::sleep(SETTLE).await;
            tokio::task::spawn_blocking(move || Theme::load(&file)).await
        }
    };
    app.spawn(ended.clone().run_until_cancelled_owned(read), move |app, theme| {
        let Some(theme) = theme.filter(|_| !ended.is_cancelled()) else { return };
        match flat(theme) {
            Ok(theme) => show(app, theme),
            Err(error) => app.note(NoteKind::Warning, error),
        }
        follow(app, file);
    });
}
