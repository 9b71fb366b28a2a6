//! Going to another session: a new one, one in another file, a branch of this one.
//!
//! Everything that can fail happens before anything is given up, so whoever is refused stays where they are. Then what is
//! going on is stopped and stored, the old file is closed and stays as it is, and the agent gets the other conversation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Inner;
use super::activity::Request;
use super::next_session::{arrive, enter};
use super::shutdown::stop_for_good;
use super::store::blocking;
use crate::events::{Error, Replacement};
use crate::extension::events::{StartReason, SwitchReason};
use crate::extension::{NewSessionOptions, ReplacementOptions};

/// Going to another session: [`AgentSession::switch`](super::AgentSession::switch).
#[derive(Debug, Clone, Copy)]
pub struct SwitchHandle<'a>(pub(super) &'a Arc<Inner>);

impl SwitchHandle<'_> {
    /// Leaves this conversation for a new, empty one of the same working directory, with the model and thinking level
    /// that the program was asked for, else the defaults. Queued messages are dropped.
    ///
    /// `parent_session` is named in the new file as the one that this continues.
    ///
    /// # Errors
    /// When the new session cannot be made; the old one then stays, idle.
    #[doc(alias = "newSession")]
    pub async fn to_new(self, parent_session: Option<PathBuf>) -> Result<Replacement, Error> {
        self.to_new_with(NewSessionOptions { parent_session, ..NewSessionOptions::default() }).await
    }

    /// The same, with first entries, and going on in the new session.
    ///
    /// # Errors
    /// As [`Self::to_new`], and those of the set-up.
    pub async fn to_new_with(self, options: NewSessionOptions) -> Result<Replacement, Error> {
        self.0.run.activity().check(Request::Replace)?;
        if self.0.extensions.is_switch_cancelled(SwitchReason::New, None).await {
            return Ok(Replacement::cancelled());
        }
        let NewSessionOptions { parent_session, setup, with_session } = options;
        let exchange = self.0.run.activity().begin_exchange().await?;
        stop_for_good(self.0).await;
        let arrival = blocking(self.0, move |session| {
            let successor = session.store.manager().successor(parent_session)?;
            let arrival = arrive(session, Some(successor))?;
            match setup {
                Some(setup) => arrival.set_up(setup),
                None => Ok(arrival),
            }
        });
        let arrival = arrival.await?;
        enter(self.0, arrival, exchange, StartReason::New, with_session).await?;
        Ok(Replacement::default())
    }

    /// Leaves this conversation for the one in `file`, which is relative to the directory in which the program was
    /// started; a file that does not exist becomes a new session. Model and thinking level are those that the program was
    /// asked for, else those of the session. Queued messages are dropped.
    ///
    /// # Errors
    /// Those of [`SessionManager::open`](crate::session::SessionManager::open),
    /// [`MissingCwd`](crate::session::Error::MissingCwd) and [`ReadOnly`](crate::session::Error::ReadOnly). Then nothing has
    /// changed, and a run that is in progress goes on.
    #[doc(alias = "switchSession")]
    pub async fn to(self, file: &Path) -> Result<Replacement, Error> {
        self.to_with(file, ReplacementOptions::default()).await
    }

    /// The same, going on in the other session.
    ///
    /// # Errors
    /// As [`Self::to`].
    pub async fn to_with(self, file: &Path, options: ReplacementOptions) -> Result<Replacement, Error> {
        self.0.run.activity().check(Request::Replace)?;
        if self.0.extensions.is_switch_cancelled(SwitchReason::Resume, Some(file)).await {
            return Ok(Replacement::cancelled());
        }
        let exchange = self.0.run.activity().begin_exchange().await?;
        let (file, cwd, missing) = (file.to_owned(), options.cwd, options.missing_cwd);
        let arrival = blocking(self.0, move |session| match session.store.open(&file, cwd.as_deref(), missing)? {
            Some(manager) => arrive(session, Some(manager)).map(Some),
            None => Ok(None),
        });
        let arrival = arrival.await?;
        stop_for_good(self.0).await;
        // The file that is open already has everything that was said only now.
        let arrival = match arrival {
            Some(arrival) => arrival,
            None => blocking(self.0, move |session| arrive(session, session.store.settle_own_cwd(missing)?)).await?,
        };
        enter(self.0, arrival, exchange, StartReason::Resume, options.with_session).await?;
        Ok(Replacement::default())
    }
}
