//! Going to another conversation, or to another place in this one. One at a time; runs, summaries and commands do not begin
//! meanwhile.

use super::{Activity, Refusal, Request};

/// An exchange that goes on until this is dropped.
pub(in crate::agent_session) struct Exchange<'a>(&'a Activity);

impl Exchange<'_> {
    /// From here on it is another conversation.
    pub(in crate::agent_session) fn exchanged(&self) {
        self.0.state.send_modify(|state| state.conversation += 1);
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        self.0.state.send_modify(|state| state.is_exchanging = false);
    }
}

impl Activity {
    /// Waits for its turn and begins.
    ///
    /// # Errors
    /// When the session was closed.
    pub(in crate::agent_session) async fn begin_exchange(&self) -> Result<Exchange<'_>, Refusal> {
        self.begin_exchange_for(Request::Replace).await
    }

    /// Waits until nobody is on the way to another session, and keeps everybody from setting out.
    ///
    /// # Errors
    /// None: a session that was closed comes to its end.
    pub(in crate::agent_session) async fn begin_quitting(&self) -> Result<Exchange<'_>, Refusal> {
        self.begin_exchange_for(Request::Quit).await
    }

    async fn begin_exchange_for(&self, request: Request) -> Result<Exchange<'_>, Refusal> {
        self.start(request, |state| state.is_exchanging = true).await?;
        Ok(Exchange(self))
    }

    /// The number of the conversation: what belongs to another one must not go on in this one.
    pub(in crate::agent_session) fn conversation(&self) -> u64 {
        self.state.borrow().conversation
    }

    /// Waits until no exchange is going on, as a prompt whose run has not begun.
    pub(in crate::agent_session) async fn exchange_is_over(&self) {
        let _waiting = self.wait_for_run();
        self.poll(|state, _| (!state.is_exchanging).then_some(())).await;
    }
}
