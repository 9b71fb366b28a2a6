//! Counters for whoever wants to know how well connections are used.

/// What happened on the WebSockets of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodexSessionStats {
    /// Requests sent over a WebSocket.
    pub requests: u64,
    /// WebSockets that were opened.
    pub connections_created: u64,
    /// Requests that found the session's WebSocket open.
    pub connections_reused: u64,
    /// Requests that were allowed to send only what is new.
    pub cached_context_requests: u64,
    /// Of those, the ones that sent everything.
    pub full_context_requests: u64,
    /// Of those, the ones that sent only what is new.
    pub delta_requests: u64,
    /// Input items of the last request that was allowed to send only what is new, sent or not.
    pub last_input_items: usize,
    /// Input items that the last such request sent, if it left some out.
    pub last_delta_input_items: Option<usize>,
    /// The response that the last such request continued, if it left some out.
    pub last_previous_response_id: Option<String>,
    /// WebSockets that could not be opened or broke.
    pub websocket_failures: u64,
    /// Calls that used server-sent events because a WebSocket had failed, then or before.
    pub sse_fallbacks: u64,
}
