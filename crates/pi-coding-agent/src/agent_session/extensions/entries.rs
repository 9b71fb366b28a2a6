//! Data that extensions store in the session.

use std::sync::Arc;

use futures::FutureExt;
use serde_json::Value;
use tokio::runtime::Handle;

use crate::agent_session::{Inner, SessionEvent};
use crate::events::Error;

/// Stores data, and tells the listeners. Returns the id of the entry.
///
/// # Errors
/// Those of [`Append::custom_entry`](crate::session::Append::custom_entry).
pub(super) fn append(session: &Arc<Inner>, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
    let (id, entry) = {
        let mut manager = session.store.manager();
        let id = manager.append().custom_entry(custom_type, data)?;
        (id, manager.entries().leaf().ok().flatten())
    };
    if let Some(entry) = entry.and_then(|entry| serde_json::from_str(entry.raw()).ok()) {
        tell(session, SessionEvent::EntryAppended { entry: Arc::new(entry) });
    }
    Ok(id)
}

/// Whoever stores data does not wait: listeners that take an event at once hear of it in order.
fn tell(session: &Arc<Inner>, event: SessionEvent) {
    let session = Arc::clone(session);
    let mut told = async move { session.listeners.emit(event).await }.boxed();
    if (&mut told).now_or_never().is_none()
        && let Ok(runtime) = Handle::try_current()
    {
        runtime.spawn(told);
    }
}
