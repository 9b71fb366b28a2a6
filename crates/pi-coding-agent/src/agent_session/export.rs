//! The conversation as a page, and its current branch as a file. The work is done on another thread, on a snapshot.

use std::sync::Arc;

use super::Inner;
use crate::events::Error;
use crate::export::Error as ExportError;
use crate::export::{
    HtmlOptions, SessionSnapshot, default_html_name, default_jsonl_name, export_html_to, export_jsonl_to,
};

/// Exports of a session: [`AgentSession::export`](super::AgentSession::export).
#[derive(Debug, Clone, Copy)]
pub struct ExportHandle<'a>(pub(super) &'a Arc<Inner>);

impl ExportHandle<'_> {
    /// Makes a page of the session with its system prompt and tools, all branches in it. `output` is expanded and
    /// relative to the directory in which the program was started; absent: `pi-session-<file>.html` there. Returns the
    /// path as it was given or made up.
    ///
    /// # Errors
    /// [`ExportError::InMemory`]; [`ExportError::NothingSaid`] before the first answer; [`ExportError::OverSource`];
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    #[doc(alias = "exportToHtml")]
    pub async fn html(self, output: Option<&str>) -> Result<String, Error> {
        let (input, snapshot, paths) = {
            let manager = self.0.store.manager();
            let input = manager.session_file().ok_or(ExportError::InMemory)?.to_owned();
            (input, SessionSnapshot::of(&manager)?, manager.paths().clone())
        };
        if !input.exists() {
            return Err(ExportError::NothingSaid.into());
        }
        let (system_prompt, tools) =
            self.0.run.agent().with_state(|state| (state.system_prompt.to_string(), state.tools.definitions()));
        let options = HtmlOptions { system_prompt, tools };
        let shown = output.map_or_else(|| default_html_name(&input).to_string_lossy().into_owned(), ToOwned::to_owned);
        let target = paths.resolve(&shown);
        blocking(move || export_html_to(&snapshot, &options, Some(&input), &target).map_err(Into::into)).await?;
        Ok(shown)
    }

    /// Writes the current branch to a session file of its own, also for a session in memory. `output` is expanded and
    /// relative to the directory in which the program was started; absent: `session-<time>.jsonl` there. Returns the
    /// path as it was given or made up.
    ///
    /// # Errors
    /// [`ExportError::OverSource`]; [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    #[doc(alias = "exportToJsonl")]
    pub async fn jsonl(self, output: Option<&str>) -> Result<String, Error> {
        let now = self.0.store.now_ms();
        let (input, snapshot, paths) = {
            let manager = self.0.store.manager();
            (manager.session_file().map(ToOwned::to_owned), SessionSnapshot::of(&manager)?, manager.paths().clone())
        };
        let shown = output.map_or_else(|| default_jsonl_name(now).to_string_lossy().into_owned(), ToOwned::to_owned);
        let target = paths.resolve(&shown);
        blocking(move || export_jsonl_to(&snapshot, now, input.as_deref(), &target).map_err(Into::into)).await?;
        Ok(shown)
    }
}

async fn blocking(work: impl FnOnce() -> Result<(), Error> + Send + 'static) -> Result<(), Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(ExportError::Write { source: std::io::Error::other(stopped) }.into()))
}
