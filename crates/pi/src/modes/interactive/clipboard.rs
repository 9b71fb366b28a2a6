//! Text into the clipboard: by a program of the system, by the terminal (OSC 52) where there is none or it is far away.

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

/// Copies a text and says so.
pub(super) fn copy(app: &mut App, text: String, said: &'static str) {
    let env = app.env().clone();
    let copied = text.clone();
    app.spawn(async move { !is_remote(&env) && by_program(&env, &copied).await }, move |app, is_copied| {
        if is_copied {
            return app.status(said);
        }
        if text.len().div_ceil(3) * 4 > OSC52_LIMIT {
            return app.error("The text is too long for the terminal's clipboard, and there is no clipboard program");
        }
        app.surface.copy(&text);
        app.status(said);
    });
}

async fn by_program(env: &Env, text: &str) -> bool {
    for program in PROGRAMS.iter().filter(|program| program.is_of_use(env)) {
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
