//! Takes an edit back: by another edit, which is stored and told to the model, and only while the file is as it was left there.

use std::path::Path;

use pi_agent_core::{NestedCalls, ToolInvocation, ToolUpdates};
use pi_ai::{Model, UserContent};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::SendMessageOptions;
use pi_coding_agent::host::{FileKind, read_text};
use pi_coding_agent::session::CustomMessageContent;
use pi_coding_agent::tools::{PathBase, ToolOptions, create_tool};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::super::app::App;
use super::super::jobs::flat;
use super::recorded::{Change, TAKEN_BACK};

/// Takes it back, beside the loop.
pub(super) fn take_back(app: &mut App, change: Change) {
    let (session, cwd) = (app.session.clone(), app.shared.cwd());
    let work = tokio::spawn(async move { undo(&session, &cwd, &change).await });
    app.spawn(work, |app, done| match flat(done) {
        Ok(done) => app.status(done),
        Err(error) => app.error(error),
    });
}

/// What was done.
async fn undo(session: &AgentSession, cwd: &Path, change: &Change) -> Result<String, String> {
    let Change { path, line, old, new, .. } = change;
    let old = old.as_deref().unwrap_or_default();
    let file = PathBase::new(cwd).resolve(path).map_err(|error| error.to_string())?;
    let text = tokio::task::spawn_blocking(move || read(&file)).await.map_err(|error| error.to_string())??;
    is_as_left(path, &text, new)?;
    let patch = edit(cwd, path, new, old).await?;
    let told = format!(
        "The user took back an edit of {path} (line {line}). These lines of the file are now as they were before:\n\
         ```diff\n{patch}```"
    );
    let message = CustomMessageContent {
        custom_type: TAKEN_BACK.to_owned(),
        content: UserContent::Text(told),
        display: true,
        details: Some(change.undo_details(&patch)),
    };
    let sent = session.queue().send_custom_message(message, SendMessageOptions::default()).await;
    sent.map_err(|error| format!("{path} is as it was before, but the model could not be told: {error}"))?;
    Ok(format!("Took back the edit of {path}; the model is told"))
}

fn read(file: &Path) -> Result<String, String> {
    read_text(file, FileKind::Attachment).map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

/// Whether the file still has, in one place, what the edit left there.
fn is_as_left(path: &str, text: &str, left: &str) -> Result<(), String> {
    if left.trim().is_empty() {
        return Err(format!("Nothing is left of this edit of {path} by which its place could be found"));
    }
    match text.replace("\r\n", "\n").matches(left).count() {
        1 => Ok(()),
        0 => Err(format!("{path} is not as this edit left it any more: nothing was changed")),
        count => Err(format!("What this edit left occurs {count} times in {path}: nothing was changed")),
    }
}

/// Replaces a text of a file as the tool does; the patch of it.
async fn edit(cwd: &Path, path: &str, old: &str, new: &str) -> Result<String, String> {
    let tool = create_tool("edit", &ToolOptions::builder().cwd(cwd).build()).map_err(|error| error.to_string())?;
    let call = ToolInvocation {
        id: "take-back".into(),
        arguments: json!({ "path": path, "edits": [{ "oldText": old, "newText": new }] }),
        cancel: CancellationToken::new(),
        updates: ToolUpdates::ignored(),
        model: Model::unknown(),
        calls: NestedCalls::none(),
    };
    let output = tool.execute(call).await.map_err(|error| error.to_string())?;
    let patch = output.details.as_ref().and_then(|details| details.get("patch")).and_then(Value::as_str);
    Ok(patch.unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_must_be_as_it_was_left() {
        for (text, left, expected) in [
            ("a\nb\nc\n", "b\n", Ok(())),
            ("a\r\nb\r\nc\r\n", "a\nb\n", Ok(())),
            ("a\n", "b\n", Err("f is not as this edit left it any more: nothing was changed")),
            ("b\nb\n", "b\n", Err("What this edit left occurs 2 times in f: nothing was changed")),
            ("a\n", "\n", Err("Nothing is left of this edit of f by which its place could be found")),
        ] {
            assert_eq!(is_as_left("f", text, left), expected.map_err(str::to_owned), "{text:?}");
        }
    }

    #[tokio::test]
    async fn an_edit_is_undone_by_another_with_a_patch() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("f"), "one\r\ntwo\r\n").unwrap();
        let patch = edit(dir.path(), "f", "two\n", "zwei\n").await.unwrap();
        assert!(patch.contains("-two\n+zwei\n"), "{patch}");
        assert_eq!(std::fs::read_to_string(dir.path().join("f")).unwrap(), "one\r\nzwei\r\n");
        assert!(edit(dir.path(), "none", "a", "b").await.unwrap_err().contains("ENOENT"));
    }
}
