//! Going to a copy of a branch of this session. What that has in common with going to any other session is in
//! `replace.rs`.

use pi_ai::Message;
use serde::{Deserialize, Serialize};

use super::activity::{Exchange, Request};
use super::next_session::{arrive, enter};
use super::shutdown::stop_for_good;
use super::store::blocking;
use super::{Replacement, StoreHandle, TreeHandle};
use crate::events::{Error, ForkPosition};
use crate::extension::events::{ForkOutcome, StartReason};
use crate::extension::{ReplacementOptions, WithSessionFn};
use crate::session::{self, SessionEntry, SessionManager, StoredEntry};

/// A message of the user to which one can go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForkMessage {
    /// The entry that holds it.
    pub entry_id: String,
    /// Its text.
    pub text: String,
}

impl TreeHandle<'_> {
    /// Leaves this session for a new one that holds the branch up to an entry. The result has the text of the user's
    /// message that it ends in front of. Queued messages are dropped.
    ///
    /// # Errors
    /// [`Error::InvalidForkEntry`] when there is no such entry, or no message of the user to end in front of;
    /// [`session::Error::EntryNotFound`] as long as the session has no file yet. Then nothing has changed. Those of
    /// [`SessionManager::create_branched_session`]; this session then stays, idle.
    pub async fn fork(self, entry: &str, position: ForkPosition) -> Result<Replacement, Error> {
        self.fork_with(entry, position, ReplacementOptions::default()).await
    }

    /// The same, going on in the other session.
    ///
    /// # Errors
    /// As [`Self::fork`].
    pub(crate) async fn fork_with(
        self,
        entry: &str,
        position: ForkPosition,
        options: ReplacementOptions,
    ) -> Result<Replacement, Error> {
        self.0.run.activity().check(Request::Replace)?;
        let ForkOutcome { cancel, skip_conversation_restore } =
            self.0.extensions.emit_before_fork(entry, position).await;
        if cancel {
            return Ok(Replacement::cancelled());
        }
        let exchange = self.0.run.activity().begin_exchange().await?;
        self.check_written(entry)?;
        let entry = entry.to_owned();
        let (target, selected_text) =
            StoreHandle(self.0).read_copy(move |manager| fork_target(manager, &entry, position)).await?;
        stop_for_good(self.0).await;
        let target = if skip_conversation_restore { self.leaf_to_clone().ok() } else { target };
        self.branch_off(target, exchange, options.with_session).await?;
        Ok(Replacement { cancelled: false, selected_text })
    }

    /// Leaves this session for a copy of its current branch.
    ///
    /// # Errors
    /// [`Error::NothingToClone`] and [`session::Error::EntryNotFound`] when nothing was said yet; those of
    /// [`SessionManager::create_branched_session`]. This session then stays, idle.
    pub async fn clone_branch(self) -> Result<Replacement, Error> {
        self.0.run.activity().check(Request::Replace)?;
        let leaf = self.leaf_to_clone();
        if let Ok(leaf) = &leaf
            && self.0.extensions.emit_before_fork(leaf, ForkPosition::At).await.cancel
        {
            return Ok(Replacement::cancelled());
        }
        let exchange = self.0.run.activity().begin_exchange().await?;
        stop_for_good(self.0).await;
        let leaf = self.leaf_to_clone()?;
        self.check_written(&leaf)?;
        self.branch_off(Some(leaf), exchange, None).await?;
        Ok(Replacement::default())
    }

    /// What the user said, in the order of the file, on all branches. Reads the whole file, off the runtime.
    ///
    /// # Errors
    /// When the file cannot be read.
    #[doc(alias = "getUserMessagesForForking")]
    pub async fn fork_messages(self) -> Result<Vec<ForkMessage>, Error> {
        let read = |manager: &SessionManager| {
            let messages =
                manager.entries().iter().filter_map(|entry| entry.map(|entry| fork_message(&entry)).transpose());
            Ok(messages.collect::<Result<_, session::Error>>()?)
        };
        StoreHandle(self.0).read_copy(read).await
    }

    fn leaf_to_clone(self) -> Result<String, Error> {
        self.0.store.manager().leaf_id().map(ToOwned::to_owned).ok_or(Error::NothingToClone)
    }

    /// A session in a file that does not exist yet cannot be branched: its branch would be all there is of it.
    fn check_written(self, entry: &str) -> Result<(), Error> {
        match self.0.store.session_file() {
            Some(file) if !file.exists() => Err(session::Error::EntryNotFound { id: entry.to_owned() }.into()),
            _ => Ok(()),
        }
    }

    async fn branch_off(
        self,
        target: Option<String>,
        exchange: Exchange<'_>,
        with_session: Option<Box<WithSessionFn>>,
    ) -> Result<(), Error> {
        let arrival = blocking(self.0, move |session| {
            let Some(target) = target else {
                let manager = session.store.manager();
                let parent = manager.session_file().map(ToOwned::to_owned);
                let successor = manager.successor(parent)?;
                drop(manager);
                return arrive(session, Some(successor));
            };
            match session.store.copy()? {
                Some(mut copy) => {
                    copy.create_branched_session(&target)?;
                    arrive(session, Some(copy))
                }
                None => {
                    session.store.manager().create_branched_session(&target)?;
                    arrive(session, None)
                }
            }
        });
        let arrival = arrival.await?;
        enter(self.0, arrival, exchange, StartReason::Fork, with_session).await
    }
}

/// The entry that a fork ends with, `None` for an empty one, and the text that it ends in front of.
fn fork_target(
    manager: &SessionManager,
    entry: &str,
    position: ForkPosition,
) -> Result<(Option<String>, Option<String>), Error> {
    let found = manager.entries().get(entry)?.ok_or(Error::InvalidForkEntry)?;
    if position == ForkPosition::At {
        return Ok((Some(entry.to_owned()), None));
    }
    match found.parse() {
        SessionEntry::Message(entry) => match &*entry.message {
            Message::User(user) => Ok((entry.parent_id, Some(user.content.to_text()))),
            _ => Err(Error::InvalidForkEntry),
        },
        _ => Err(Error::InvalidForkEntry),
    }
}

fn fork_message(entry: &StoredEntry) -> Option<ForkMessage> {
    if entry.kind() != "message" {
        return None;
    }
    let SessionEntry::Message(stored) = entry.parse() else { return None };
    let Message::User(user) = &*stored.message else { return None };
    let message = ForkMessage { entry_id: entry.id().to_owned(), text: user.content.to_text() };
    (!message.text.is_empty()).then_some(message)
}
