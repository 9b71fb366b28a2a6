//! Text into the clipboard: by a program of the system, by the terminal (OSC 52) where there is none or it is far away.

use std::process::Stdio;

use pi_coding_agent::env::Env;
use tokio::io::AsyncWriteExt;

use super::app::App;

/// Terminals take no more than this, encoded.
const OSC52_LIMIT: usize = 100_000;

/// Programs that take a text on standard input, with what tells that they are of use.
const PROGRAMS: &[(&str, &[&str], &str)] = &[
    ("pbcopy", &[], ""),
    ("termux-clipboard-set", &[], "TERMUX_VERSION"),
    ("wl-copy", &[], "WAYLAND_DISPLAY"),
    ("xclip", &["-selection", "clipboard"], "DISPLAY"),
    ("xsel", &["--clipboard", "--input"], "DISPLAY"),
    ("clip.exe", &[], "WSL_DISTRO_NAME"),
];

/// Copies a text and says so.
pub(super) fn copy(app: &mut App, text: String, said: &'static str) {
    let env = app.env().clone();
    let is_remote = ["SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"].iter().any(|name| env.var(name).is_some());
    let copied = text.clone();
    app.spawn(async move { !is_remote && by_program(&env, &copied).await }, move |app, is_copied| {
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
    for (program, arguments, variable) in PROGRAMS {
        if variable.is_empty() || env.var(variable).is_some() {
            // One that is missing or fails gives way to the next.
            if run(program, arguments, text).await.unwrap_or_default() {
                return true;
            }
        }
    }
    false
}

async fn run(program: &str, arguments: &[&str], text: &str) -> std::io::Result<bool> {
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).await?;
    }
    Ok(child.wait().await?.success())
}
