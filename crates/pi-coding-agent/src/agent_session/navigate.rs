//! Going to another place in the tree of this session, with a summary of what is left if that is wanted.
//!
//! The file only grows: what is left stays in it. A summary is made before anything moves, so whoever has to do without
//! one stays where they are.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{Message, UserContent};
use tokio_util::sync::CancellationToken;

use super::activity::{ActiveSummary, Exchange, Request, SummaryKind};
use super::completion::{Completion, end_retries_of_summary};
use super::extensions::{emit_before_tree, emit_tree};
use super::model_switch::check_ready;
use super::shutdown::stop;
use super::store::blocking;
use super::{Inner, StoreHandle, recorder};
use crate::compaction::{
    BranchEntry, BranchRequest, BranchSummaryError, branch_entries_of, left_behind, summarize_branch,
};
use crate::events::{Error, NavigateOptions, NavigateOutcome};
use crate::session::{self, BranchSummary, BranchSummaryEntry, SessionEntry, SessionManager};

/// What is about to happen. Whoever is asked before may change the options and bring a summary along.
pub(super) struct Journey {
    /// The entry that was chosen.
    pub(super) target: String,
    /// Where the session is.
    pub(super) old_leaf: Option<String>,
    /// Where it goes on; `None` is in front of everything.
    new_leaf: Option<String>,
    editor_text: Option<String>,
    /// What is left, oldest first.
    left: Vec<BranchEntry>,
    pub(super) options: NavigateOptions,
    /// The summary, once there is one.
    pub(super) summary: Option<BranchSummary>,
}

/// The branches of a session: [`AgentSession::tree`](super::AgentSession::tree).
#[derive(Debug, Clone, Copy)]
pub struct TreeHandle<'a>(pub(super) &'a Arc<Inner>);

impl<'a> TreeHandle<'a> {
    /// Goes on at another entry of this session: behind it, or in front of it if it is a message that can be written
    /// anew. A run, a compaction or a command in progress is stopped first; queued messages are kept for the next run.
    /// Model and thinking level stay. Prompts that arrive meanwhile wait.
    ///
    /// # Errors
    /// [`session::Error::EntryNotFound`], [`BranchSummaryError::NoModel`], [`Error::NoApiKey`] and [`Error::SessionClosed`] before
    /// anything is stopped; [`Error::BranchSummary`] when there is no summary, and those of reading and writing the
    /// session. It is then where it was.
    #[doc(alias = "navigateTree")]
    pub fn navigate(self, target: &'a str, options: NavigateOptions) -> BoxFuture<'a, Result<NavigateOutcome, Error>> {
        Box::pin(async move {
            let session = self.0;
            session.run.activity().check(Request::Replace)?;
            if self.is_at(target) {
                return Ok(NavigateOutcome::default());
            }
            if options.summarize {
                check_ready(session).map_err(|error| match error {
                    Error::NoModelSelected => BranchSummaryError::NoModel.into(),
                    other => other,
                })?;
            }
            let exchange = session.run.activity().begin_exchange().await?;
            self.look_up(target).await?;
            stop(session).await;
            if self.is_at(target) {
                return Ok(NavigateOutcome::default());
            }
            let journey = self.plan(target, options).await?;
            let cancelled = NavigateOutcome { cancelled: true, ..NavigateOutcome::default() };
            let Some(journey) = emit_before_tree(session, journey).await? else { return Ok(cancelled) };
            match self.travel(journey, &exchange).await {
                Err(Error::BranchSummary(BranchSummaryError::Cancelled)) => {
                    Ok(NavigateOutcome { aborted: true, ..cancelled })
                }
                outcome => outcome,
            }
        })
    }

    /// Stops the summary of a branch that is being made. Does not wait for its end.
    pub fn abort_summary(self) {
        self.0.run.activity().cancel_summary(Some(SummaryKind::Branch));
    }

    /// Sets or clears the label of an entry.
    ///
    /// # Errors
    /// [`session::Error::EntryNotFound`], and when it cannot be written.
    pub fn set_label(self, entry_id: &str, label: Option<&str>) -> Result<(), Error> {
        self.0.store.manager().append().label_change(entry_id, label).map(drop).map_err(Into::into)
    }

    fn is_at(self, entry: &str) -> bool {
        self.0.store.manager().leaf_id() == Some(entry)
    }

    async fn look_up(self, target: &str) -> Result<(), Error> {
        let id = target.to_owned();
        blocking(self.0, move |session| match session.store.manager().entries().get(&id)? {
            Some(_) => Ok(()),
            None => Err(session::Error::EntryNotFound { id }.into()),
        })
        .await
    }

    /// Reads what there is to know. Takes a copy for that, so that a long branch does not hold up who asks the session.
    async fn plan(self, target: &str, options: NavigateOptions) -> Result<Journey, Error> {
        let target = target.to_owned();
        let old_leaf = self.0.store.manager().leaf_id().map(ToOwned::to_owned);
        StoreHandle(self.0).read_copy(move |manager| Journey::plan(manager, target, old_leaf, options)).await
    }

    /// Summarises, then moves.
    async fn travel(self, mut journey: Journey, exchange: &Exchange<'_>) -> Result<NavigateOutcome, Error> {
        let session = self.0;
        // Held until the end: whoever stops the session stops this, too, and waits for it.
        let (request, cancel) = (Request::SummarizeBranch, CancellationToken::new());
        let active = session.run.activity().begin_summary_now(request, SummaryKind::Branch, cancel)?;
        if journey.options.summarize && journey.summary.is_none() && !journey.left.is_empty() {
            journey.summary = Some(summarise_branch(session, &journey, &active).await?);
        }
        if !journey.options.summarize {
            journey.summary = None;
        }
        // Whatever slipped through before the gate was closed.
        session.run.abort().await;
        let cancel = active.cancel.clone();
        let old_leaf_id = journey.old_leaf.clone();
        let moved = blocking(session, move |session| move_leaf(session, journey, &cancel)).await?;
        exchange.exchanged();
        session.store.recorder().take_last_assistant();
        session.run.forget_attempts();
        recorder::flush(session).await;
        emit_tree(session, &moved, old_leaf_id).await;
        Ok(moved)
    }
}

impl Journey {
    fn plan(
        manager: &SessionManager,
        target: String,
        old_leaf: Option<String>,
        options: NavigateOptions,
    ) -> Result<Self, Error> {
        let Some(chosen) = manager.entries().get(&target)? else {
            return Err(session::Error::EntryNotFound { id: target }.into());
        };
        let parent = chosen.parent_id().map(ToOwned::to_owned);
        let editor_text = rewritable(chosen.parse()).map(|content| content.to_text());
        let new_leaf = if editor_text.is_some() { parent } else { Some(target.clone()) };
        let left = match &old_leaf {
            Some(leaf) if options.summarize => {
                let old = branch_entries_of(manager, leaf)?;
                left_behind(&old, &branch_entries_of(manager, &target)?).to_vec()
            }
            _ => Vec::new(),
        };
        Ok(Self { target, old_leaf, new_leaf, editor_text, left, options, summary: None })
    }
}

/// What was written, of a message that may be written anew.
fn rewritable(entry: SessionEntry) -> Option<UserContent> {
    match entry {
        SessionEntry::Message(entry) => match &*entry.message {
            Message::User(user) => Some(user.content.clone()),
            _ => None,
        },
        SessionEntry::CustomMessage(entry) => Some(entry.content),
        _ => None,
    }
}

async fn summarise_branch(
    session: &Inner,
    journey: &Journey,
    active: &ActiveSummary<'_>,
) -> Result<BranchSummary, Error> {
    let model = session.run.model();
    let request = BranchRequest {
        model: &model,
        reserve_tokens: session.place.settings().branch_summary().reserve_tokens,
        custom_instructions: journey.options.custom_instructions.as_deref(),
        replace_instructions: journey.options.replace_instructions,
        now_ms: session.store.now_ms(),
    };
    let completion = Completion { session, model: &model, active, reason: None };
    let made = tokio::select! {
        biased;
        () = active.cancel.cancelled() => Err(BranchSummaryError::Cancelled),
        made = summarize_branch(&journey.left, &request, |context, options| completion.of(context, options)) => made,
    };
    end_retries_of_summary(session, active).await;
    Ok(made?)
}

/// Moves, unless it was cancelled; the session stays locked from that check on. What fails leaves the leaf where it
/// was.
fn move_leaf(session: &Inner, journey: Journey, cancel: &CancellationToken) -> Result<NavigateOutcome, Error> {
    let mut manager = session.store.manager();
    if cancel.is_cancelled() || session.run.activity().check(Request::Arrive).is_err() {
        return Err(BranchSummaryError::Cancelled.into());
    }
    let old_leaf = journey.old_leaf.clone();
    let moved = move_to(session, &mut manager, journey);
    if moved.is_err() {
        move_leaf_to(&mut manager, old_leaf.as_deref())?;
    }
    moved
}

fn move_to(session: &Inner, manager: &mut SessionManager, journey: Journey) -> Result<NavigateOutcome, Error> {
    let new_leaf = journey.new_leaf.as_deref();
    let summary_entry = match journey.summary {
        Some(summary) => Some(append_summary(session, manager, new_leaf, summary)?),
        None => {
            move_leaf_to(manager, new_leaf)?;
            None
        }
    };
    if let Some(label) = &journey.options.label {
        let labelled = summary_entry.as_ref().map_or(&journey.target, |summary| &summary.id);
        if let Err(error) = manager.append().label_change(labelled, Some(label)) {
            session.store.warn_of_error(&error);
        }
    }
    let context = manager.build_session_context()?;
    session.run.agent().set_messages(context.messages);
    let editor_text = journey.editor_text;
    Ok(NavigateOutcome { editor_text, summary_entry, ..NavigateOutcome::default() })
}

/// An entry that the disk does not take is in the session all the same, and written again with the next one.
fn append_summary(
    session: &Inner,
    manager: &mut SessionManager,
    parent: Option<&str>,
    summary: BranchSummary,
) -> Result<BranchSummaryEntry, Error> {
    let appended = manager.branch_with_summary(parent, summary);
    match (manager.entries().leaf()?.map(|entry| entry.parse()), appended) {
        (Some(SessionEntry::BranchSummary(entry)), appended) if manager.leaf_id() != parent => {
            appended.err().iter().for_each(|error| session.store.warn_of_error(error));
            Ok(entry)
        }
        (_, Err(error)) => Err(error.into()),
        (_, Ok(id)) => Err(session::Error::EntryNotFound { id }.into()),
    }
}

fn move_leaf_to(manager: &mut SessionManager, leaf: Option<&str>) -> Result<(), Error> {
    match leaf {
        Some(leaf) => manager.branch(leaf).map_err(Into::into),
        None => {
            manager.reset_leaf();
            Ok(())
        }
    }
}
