//! Commands that take something out of the conversation: files, the clipboard, a gist.

use std::process::Stdio;

use tokio_util::sync::CancellationToken;

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::jobs::flat;
use super::super::{clipboard, keys};

/// `/export`
pub(super) fn export(app: &mut App, argument: &str) {
    let file = argument.trim_matches(['"', '\'']).to_owned();
    let session = app.session.clone();
    let work = tokio::spawn(async move {
        let file = Some(file.as_str()).filter(|file| !file.is_empty());
        match file {
            Some(file) if file.ends_with(".jsonl") => session.export().jsonl(Some(file)).await,
            file => session.export().html(file).await,
        }
    });
    app.spawn(work, |app, result| match flat(result) {
        Ok(file) => app.status(format!("Session exported to {file}")),
        Err(error) => app.error(error),
    });
}

/// `/copy`
pub(super) fn copy(app: &mut App, argument: &str) {
    let Some(text) = app.session.last_assistant_text() else {
        return app.note(NoteKind::Warning, "There is no answer to copy yet");
    };
    let file = argument.trim_matches(['"', '\'']);
    if file.is_empty() {
        return clipboard::copy(app, text);
    }
    let file = app.paths.resolve(file);
    let name = app.shared.shorten(&file);
    let work = tokio::task::spawn_blocking(move || write_new(&file, &text));
    app.spawn(work, move |app, result| match flat(result) {
        Ok(()) => app.status(format!("The last answer is in {name}")),
        Err(error) => app.error(format!("{name} cannot be written: {error}")),
    });
}

/// Writes a text into a file that is not there yet: a mistyped name must cost nothing.
fn write_new(file: &std::path::Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;

    let mut file = std::fs::File::create_new(file)?;
    file.write_all(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { file.write_all(b"\n") }
}

/// `/share`
pub(super) fn share(app: &mut App) {
    if app.sharing.is_some() {
        return app.note(NoteKind::Warning, "The session is being shared already");
    }
    let session = app.session.clone();
    let cancelled = CancellationToken::new();
    app.sharing = Some(cancelled.clone());
    app.status(format!("Sharing the session... ({} to cancel)", app.key(keys::INTERRUPT)));
    let work = cancelled.run_until_cancelled_owned(async move { upload(&session).await });
    app.spawn(work, |app, result| {
        app.sharing = None;
        match result {
            Some(Ok(urls)) => app.status(urls),
            Some(Err(error)) => app.error(error),
            None => app.note(
                NoteKind::Aborted,
                "Sharing was cancelled. A gist that was made in the last moment is listed at https://gist.github.com",
            ),
        }
    });
}

/// Writes the page and hands it to `gh`.
async fn upload(session: &pi_coding_agent::agent_session::AgentSession) -> Result<String, String> {
    let status = |arguments: &'static [&'static str]| {
        tokio::process::Command::new("gh")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .status()
    };
    match status(&["auth", "status"]).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err("Sharing needs the GitHub CLI (gh), which is not installed: https://cli.github.com".to_owned());
        }
        Err(error) => return Err(format!("gh cannot be started: {error}")),
        Ok(status) if !status.success() => {
            return Err("The GitHub CLI is not signed in. Run: gh auth login".to_owned());
        }
        Ok(_) => {}
    }
    let dir = tempfile::tempdir().map_err(|error| format!("There is no room for the page: {error}"))?;
    let page = dir.path().join("session.html");
    session.export().html(page.to_str()).await.map_err(|error| error.to_string())?;
    let output = tokio::process::Command::new("gh")
        .args(["gist", "create", "--public=false"])
        .arg(&page)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| format!("gh cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("gh could not make the gist: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let gist = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(format!("Gist: {gist}"))
}
