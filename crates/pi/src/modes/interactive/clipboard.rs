//! Text into the clipboard: by a program of the system, by the terminal (OSC 52) where there is none or it is far away.
//!
//! Terminals do not confirm what they take, so what is said then is what was done, and what else there is.

use std::path::Path;
use std::process::Stdio;

use pi_coding_agent::env::Env;
use tokio::io::AsyncWriteExt;

use super::app::App;

/// Terminals take no more than this, encoded.
const OSC52_LIMIT: usize = 100_000;

/// A program of the clipboard.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) arguments: &'static [&'static str],
    /// The variable that tells that it is of use here; empty for one that is where it is of use.
    variable: &'static str,
}

impl Program {
    pub(super) const fn new(name: &'static str, arguments: &'static [&'static str], variable: &'static str) -> Self {
        Self { name, arguments, variable }
    }

    /// Whether it may know the clipboard of this desktop.
    pub(super) fn is_of_use(&self, env: &Env) -> bool {
        self.variable.is_empty() || env.var(self.variable).is_some()
    }
}

/// Whether the user's clipboard is on another machine.
pub(super) fn is_remote(env: &Env) -> bool {
    ["SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"].iter().any(|name| env.var(name).is_some())
}

/// Programs that take a text on standard input.
const PROGRAMS: &[Program] = &[
    Program::new("pbcopy", &[], ""),
    Program::new("termux-clipboard-set", &[], "TERMUX_VERSION"),
    Program::new("wl-copy", &[], "WAYLAND_DISPLAY"),
    Program::new("xclip", &["-selection", "clipboard"], "DISPLAY"),
    Program::new("xsel", &["--clipboard", "--input"], "DISPLAY"),
    Program::new("clip.exe", &[], "WSL_DISTRO_NAME"),
];

/// Programs that take a text into tmux's own buffer. The first has tmux hand it on to the terminal, too.
const TMUX: &[Program] =
    &[Program::new("tmux", &["load-buffer", "-w", "-"], "TMUX"), Program::new("tmux", &["load-buffer", "-"], "TMUX")];

/// Where a text is for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    Clipboard,
    TmuxBuffer,
    Nothing,
}

/// The name of the program that the clipboard has here, if it has one.
pub(super) fn program(env: &Env) -> Option<&'static str> {
    let of_use = PROGRAMS.iter().filter(|program| program.is_of_use(env));
    of_use.map(|program| program.name).find(|name| is_on_path(env, name))
}

fn is_on_path(env: &Env, program: &str) -> bool {
    let path = env.var("PATH").unwrap_or_default();
    path.split(':').filter(|dir| !dir.is_empty()).any(|dir| Path::new(dir).join(program).is_file())
}

/// Copies the last answer and says what became of it.
pub(super) fn copy(app: &mut App, text: String) {
    copy_as(app, text, "The last answer", " /copy FILE writes it into a file");
}

/// Copies what was selected and says what became of it.
pub(super) fn copy_selection(app: &mut App, text: String) {
    copy_as(app, text, "The selection", "");
}

/// Copies a text that is called so; `way_out` is what else there is.
fn copy_as(app: &mut App, text: String, name: &'static str, way_out: &'static str) {
    let env = app.env().clone();
    let copied = text.clone();
    app.spawn(async move { reach(&env, &copied).await }, move |app, reached| {
        let fits = text.len().div_ceil(3) * 4 <= OSC52_LIMIT;
        if fits && reached != Reached::Clipboard {
            app.surface.copy(&text);
        }
        match outcome(reached, fits, app.surface.is_in_tmux()) {
            Ok(done) if reached == Reached::Clipboard => app.status(format!("{name} {done}")),
            Ok(done) => app.status(format!("{name} {done}{way_out}")),
            Err(reason) => app.error(format!("{name} {reason}{way_out}")),
        }
    });
}

/// What to say. `fits` tells whether the terminal could be asked.
fn outcome(reached: Reached, fits: bool, is_in_tmux: bool) -> Result<&'static str, &'static str> {
    match (reached, fits) {
        (Reached::Clipboard, _) => Ok("is in the clipboard"),
        (Reached::TmuxBuffer, _) => {
            Ok("is in the buffer of tmux, for its paste key. The terminal's clipboard may have \
             it, too; terminals do not tell.")
        }
        (Reached::Nothing, true) if is_in_tmux => {
            Ok("was sent to the terminal for its clipboard. tmux drops that unless \
             it has `set -g allow-passthrough on`, and terminals do not tell whether they took it.")
        }
        (Reached::Nothing, true) => {
            Ok("was sent to the terminal for its clipboard. Terminals do not tell whether they \
             took it.")
        }
        (Reached::Nothing, false) => {
            Err("is too long for the terminal's clipboard, and there is no clipboard program.")
        }
    }
}

async fn reach(env: &Env, text: &str) -> Reached {
    if !is_remote(env) && by_one_of(PROGRAMS, env, text).await {
        Reached::Clipboard
    } else if by_one_of(TMUX, env, text).await {
        Reached::TmuxBuffer
    } else {
        Reached::Nothing
    }
}

async fn by_one_of(programs: &[Program], env: &Env, text: &str) -> bool {
    for program in programs.iter().filter(|program| program.is_of_use(env)) {
        // One that is missing or fails gives way to the next.
        if run(program, text).await.unwrap_or_default() {
            return true;
        }
    }
    false
}

async fn run(program: &Program, text: &str) -> std::io::Result<bool> {
    let mut child = tokio::process::Command::new(program.name)
        .args(program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).await?;
    }
    Ok(child.wait().await?.success())
}
