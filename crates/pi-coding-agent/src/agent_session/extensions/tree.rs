//! Asks extensions before the conversation goes to another place in its tree, and tells them when it is there.

use std::ops::ControlFlow;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::agent_session::navigate::Journey;
use crate::agent_session::{Inner, NavigateOutcome, StoreHandle};
use crate::events::Error;
use crate::extension::events::{BeforeTreeOutcome, SessionBeforeTreeEvent, SessionTreeEvent, TreePreparation};
use crate::session::{BranchSummary, SessionManager, StoredEntry};

/// `None` when an extension calls it off, else the journey as it is to be.
///
/// # Errors
/// When what is left cannot be read.
pub(in crate::agent_session) async fn emit_before_tree(
    session: &Arc<Inner>,
    mut journey: Journey,
) -> Result<Option<Journey>, Error> {
    let runner = session.extensions.runner();
    if !runner.listens::<SessionBeforeTreeEvent>() {
        return Ok(Some(journey));
    }
    let preparation = Arc::new(tree_preparation(session, &journey).await?);
    // Nobody but an extension can call it off at this point, so this never fires.
    let event = SessionBeforeTreeEvent { preparation, cancel: CancellationToken::new() };
    let mut answer = BeforeTreeOutcome::default();
    let asked = runner.fold(event, None, |_, outcome| {
        // Who says nothing takes nothing back.
        if outcome != BeforeTreeOutcome::default() {
            answer = outcome;
        }
        if answer.cancel { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    asked.await;
    if answer.cancel {
        return Ok(None);
    }
    let options = &mut journey.options;
    options.custom_instructions = answer.custom_instructions.or(options.custom_instructions.take());
    options.replace_instructions = answer.replace_instructions.unwrap_or(options.replace_instructions);
    options.label = answer.label.or(options.label.take());
    journey.summary = answer.summary.map(|supplied| BranchSummary {
        summary: supplied.summary,
        details: supplied.details,
        from_hook: Some(true),
    });
    Ok(Some(journey))
}

async fn tree_preparation(session: &Arc<Inner>, journey: &Journey) -> Result<TreePreparation, Error> {
    let (target, old_leaf) = (journey.target.clone(), journey.old_leaf.clone());
    let options = journey.options.clone();
    let prepared = StoreHandle(session).read_copy(move |manager| {
        let (common, left) = left_behind(manager, old_leaf.as_deref(), &target)?;
        Ok(TreePreparation {
            target_id: target,
            old_leaf_id: old_leaf,
            common_ancestor_id: common,
            entries_to_summarize: left.into(),
            user_wants_summary: options.summarize,
            custom_instructions: options.custom_instructions,
            replace_instructions: options.replace_instructions,
            label: options.label,
        })
    });
    prepared.await
}

/// Tells where the conversation is now.
pub(in crate::agent_session) async fn emit_tree(session: &Inner, moved: &NavigateOutcome, old_leaf_id: Option<String>) {
    let runner = session.extensions.runner();
    if !runner.listens::<SessionTreeEvent>() {
        return;
    }
    let event = {
        let manager = session.store.manager();
        let summary = moved.summary_entry.as_ref();
        let summary_entry = summary.and_then(|summary| manager.entries().get(&summary.id).ok().flatten());
        SessionTreeEvent {
            new_leaf_id: manager.leaf_id().map(ToOwned::to_owned),
            old_leaf_id,
            from_extension: summary.is_some_and(|summary| summary.from_hook == Some(true)),
            summary_entry,
        }
    };
    runner.notify(event, None).await;
}

/// The last entry that both branches share, and what of the old one is left.
fn left_behind(
    manager: &SessionManager,
    old_leaf: Option<&str>,
    target: &str,
) -> Result<(Option<String>, Vec<StoredEntry>), Error> {
    let mut old = old_leaf.map(|leaf| manager.entries().branch_of(leaf)).transpose()?.unwrap_or_default();
    let new = manager.entries().branch_of(target)?;
    let common = old.iter().zip(&new).take_while(|(old, new)| old.id() == new.id()).count();
    let left = old.split_off(common);
    Ok((old.last().map(|entry| entry.id().to_owned()), left))
}
