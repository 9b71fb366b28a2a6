//! Calls of a tool that are written down.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput};

use super::recorded_tool::Tape;
use super::track::{Take, Track};

impl Tape for Arc<Track> {
    fn call<'a>(&'a self, tool: &'a dyn Tool, call: ToolInvocation) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        async move {
            let take = Take::begin(self, &tool.definition().name, &call.arguments);
            let updates = take.updates(call.updates);
            let result = tool.execute(ToolInvocation { updates, ..call }).await;
            take.end(&result);
            result
        }
        .boxed()
    }
}
