//! tmux, where the program runs in it: what its options keep from working, and the terminal behind it.

use std::process::Stdio;
use std::time::Duration;

use super::app::App;
use super::chat::NoteKind;

/// How long tmux may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Says so when tmux keeps modified keys to itself. Kitty's format and xterm's are understood alike, so it does not matter
/// which of them it passes on.
pub(super) fn check_keys(app: &mut App) {
    if app.env().var("TMUX").is_none() {
        return;
    }
    app.spawn(option("extended-keys"), |app, value| {
        if value.as_deref() == Some("off") {
            app.note(
                NoteKind::Warning,
                "tmux passes Shift+Enter on as Enter, and other modified keys likewise. `set -s extended-keys on` in \
                 ~/.tmux.conf changes that; Ctrl+J makes a line break in any case",
            );
        }
    });
}

/// What tmux says about itself, in its own language of formats; `None` where it does not answer.
pub(super) async fn ask(format: &'static str) -> Option<String> {
    output(&["display-message", "-p", format]).await
}

/// The value of an option of the tmux server; `None` from one that does not have it.
async fn option(name: &'static str) -> Option<String> {
    output(&["show-options", "-sv", name]).await
}

async fn output(arguments: &[&str]) -> Option<String> {
    let mut command = tokio::process::Command::new("tmux");
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
