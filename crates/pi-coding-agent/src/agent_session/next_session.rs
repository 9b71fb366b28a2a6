//! A session that takes the place of another one: read first, entered when nothing can fail any more.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::Message;

use super::activity::{Exchange, Request};
use super::extensions::{arrive_extensions, enter_extensions, leave_extensions, tools_of_extensions};
use super::{DirectoryState, Inner, StartingModel};
use crate::events::Error;
use crate::extension::events::StartReason;
use crate::extension::{SetupFn, WithSessionFn};
use crate::session::{SessionManager, complaints};

/// A session that is about to be entered.
pub(super) struct NextSession {
    /// Absent when it is in the place of the old one already.
    manager: Option<SessionManager>,
    start: StartingModel,
    messages: Vec<Arc<Message>>,
    /// Present when it has another working directory.
    workspace: Option<DirectoryState>,
}

impl NextSession {
    /// Lets somebody write the first entries.
    pub(super) fn set_up(mut self, setup: Box<SetupFn>) -> Result<Self, Error> {
        if let Some(manager) = &mut self.manager {
            setup(manager)?;
            self.messages = manager.build_session_context()?.messages;
        }
        Ok(self)
    }
}

/// Reads what the agent is to know of a session, `None` being the one that is open. Blocks.
pub(super) fn arrive(session: &Inner, mut manager: Option<SessionManager>) -> Result<NextSession, Error> {
    let mut current = None;
    let other = match &mut manager {
        Some(manager) => manager,
        None => &mut **current.insert(session.store.manager()),
    };
    let context = other.build_session_context()?;
    complaints(other, &context).iter().for_each(|complaint| session.store.warn(complaint));
    let start = session.place.start(other, &context)?;
    let workspace = session.place.workspace_for(other.cwd(), &tools_of_extensions(session));
    drop(current);
    Ok(NextSession { manager, start, messages: context.messages, workspace })
}

/// Makes the other conversation the agent's, and the extensions those of the other session. Once that has begun,
/// nothing fails.
///
/// # Errors
/// [`Error::SessionClosed`].
pub(super) fn enter<'a>(
    session: &'a Arc<Inner>,
    arrival: NextSession,
    exchange: Exchange<'a>,
    reason: StartReason,
    with_session: Option<Box<WithSessionFn>>,
) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(async move {
        session.run.activity().check(Request::Arrive)?;
        let target = arrival.manager.as_ref().and_then(|manager| manager.session_file().map(ToOwned::to_owned));
        let mut departure = leave_extensions(session, reason, target).await;
        exchange_conversation(session, arrival, &exchange).await;
        let errors = enter_extensions(session, &mut departure).await;
        drop(exchange);
        arrive_extensions(session, departure, errors, with_session).await;
        Ok(())
    })
}

async fn exchange_conversation(session: &Inner, arrival: NextSession, exchange: &Exchange<'_>) {
    // Whatever slipped through before the gate was closed, or followed from the last run by itself.
    session.run.abort().await;
    session.run.activity().cancel_summary(None);
    let left = session.store.session_id();
    exchange.exchanged();
    session.store.enter(arrival.manager);
    session.run.enter(arrival.messages, arrival.start.model, arrival.start.thinking_level);
    if let Some(workspace) = arrival.workspace {
        session.place.enter(workspace, session.run.agent());
    }
    let id = session.store.session_id();
    session.run.agent().edit_stream_options(|options| options.session_id = Some(id));
    session.surroundings.apis.cleanup_session_resources(Some(&left));
    if let Some(note) = arrival.start.note {
        session.store.warn(&note);
    }
}
