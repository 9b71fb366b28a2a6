//! `/doctor`: what the terminal can do, what arrives when a key is pressed, and what would work better by which line of which
//! file. What concerns more than the screen is told by `pi doctor`.
//!
//! `report` turns [`Facts`] into sentences; here they are gathered and shown.

mod report;

use pi_coding_agent::env::Env;
use pi_tui::input::{Input, KeyEvent};
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, wrap};

use self::report::{Facts, Finding, TmuxOptions};
use super::app::App;
use super::panel::{Panel, PanelReply, PanelRows};
use super::theme_styles::ThemeStyles;
use super::{clipboard, external_editor, resource_list, tmux};

/// Columns for what a finding is about.
const LABEL: usize = 12;

/// Options of tmux that matter, in its own language of formats.
const TMUX_OPTIONS: &str =
    "#{extended-keys}|#{focus-events}|#{escape-time}|#{allow-passthrough}|#{client_termfeatures}";

/// Shows it, once tmux and the clipboard have been asked.
pub(super) fn doctor(app: &mut App) {
    let (is_in_tmux, env) = (app.surface.is_in_tmux(), app.env().clone());
    let asked = async move {
        let options = if is_in_tmux { tmux::ask(TMUX_OPTIONS).await } else { None };
        let program = tokio::task::spawn_blocking(move || clipboard::program(&env)).await;
        (options, program.ok().flatten())
    };
    app.spawn(asked, |app, (options, program)| {
        let facts = facts(app, options.as_deref(), program);
        let findings = report::findings(&facts);
        app.open(Doctor { findings, pressed: None });
    });
}

fn facts(app: &App, tmux: Option<&str>, clipboard: Option<&'static str>) -> Facts {
    let env = app.env();
    let terminal = app.settings().interface().terminal();
    let (_, key_problems) = resource_list::read_keys(&app.paths);
    Facts {
        name: name(env),
        size: app.surface.size(),
        cell: app.surface.told_cell(),
        colours: app.shared.look().colours(),
        capabilities: app.surface.capabilities(),
        shows_images: terminal.show_images,
        inserts_by_repaint: terminal.inserts_by_repaint,
        notify: terminal.notify,
        reports_focus: app.attention.reports_focus(),
        is_remote: clipboard::is_remote(env),
        clipboard,
        editor: external_editor::command(app),
        tmux: tmux.map(TmuxOptions::read),
        key_problems,
    }
}

/// What the environment calls the terminal.
fn name(env: &Env) -> String {
    let program = env.var("TERM_PROGRAM").filter(|name| !name.is_empty());
    let version = env.var("TERM_PROGRAM_VERSION").filter(|_| program.is_some());
    let term = env.var("TERM").unwrap_or_default();
    let names = [program, version, Some(format!("TERM={term}"))];
    names.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

struct Doctor {
    findings: Vec<Finding>,
    /// What was typed last: what it is, and its bytes.
    pressed: Option<(String, String)>,
}

impl Doctor {
    fn finding(finding: &Finding, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let style = if finding.advice.is_empty() { look.text() } else { look.warning() };
        let room = usize::from(columns).saturating_sub(LABEL + 2).max(10);
        let lines = wrap(&Line::styled(&*finding.text, style), room);
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 { finding.label } else { "" };
            let mut row = Line::styled(format!("  {label:LABEL$}"), look.muted());
            row.append(line);
            out.line(&row, columns);
        }
        for advice in &finding.advice {
            out.line(&Line::styled(format!("  {:LABEL$}{advice}", ""), look.accent()), columns);
        }
    }
}

impl Panel for Doctor {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = PanelRows::titled("Terminal", look, columns);
        for finding in &self.findings {
            Self::finding(finding, &mut out, look, columns);
        }
        out.blank();
        let line = match &self.pressed {
            None => Line::styled("  Press keys to see what arrives", look.dim()),
            Some((what, bytes)) => {
                Line::styled(format!("  {what}"), look.accent()).and(format!("  {bytes}"), look.dim())
            }
        };
        out.line(&line, columns);
        let cancel = keys.hint(action::SELECT_CANCEL);
        out.end(format!("{cancel} close · `pi doctor` tells about keys, models and files"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match input {
            Input::Key(event) if event.is_release() => return PanelReply::Ignored,
            Input::Key(event) if keys.is(event, action::SELECT_CANCEL) => return PanelReply::Close,
            Input::Key(event) => self.pressed = Some((pressed(event, keys), report::shown_bytes(&event.raw))),
            Input::Paste(text) => {
                let what = format!("a paste of {} characters", text.chars().count());
                self.pressed = Some((what, String::new()));
            }
            _ => return PanelReply::Ignored,
        }
        PanelReply::Stay
    }
}

/// What a key may be, and what it does.
fn pressed(event: &KeyEvent, keys: &Keymap) -> String {
    let names: Vec<String> = event.keys.iter().map(ToString::to_string).collect();
    let what = match (names.is_empty(), &event.text) {
        (true, Some(text)) => format!("the text {text:?}"),
        (true, None) => "a sequence that is not known".to_owned(),
        (false, _) => names.join(" or "),
    };
    let bound = keys.all().filter(|(_, bound)| bound.iter().any(|key| event.matches(*key)));
    let actions: Vec<&str> = bound.map(|(spec, _)| spec.action.0).collect();
    if actions.is_empty() { what } else { format!("{what}: {}", actions.join(", ")) }
}
