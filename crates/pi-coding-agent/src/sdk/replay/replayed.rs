//! Calls of a tool that are answered from a cassette. The tool never runs.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput};

use super::call_order::CallOrder;
use super::recorded_tool::Tape;

impl Tape for Arc<CallOrder> {
    fn call<'a>(&'a self, tool: &'a dyn Tool, call: ToolInvocation) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        self.answer(&tool.definition().name, call).boxed()
    }
}

impl CallOrder {
    async fn answer(&self, tool: &str, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let mut recorded = self.begin(tool, &call.arguments)?;
        self.reach(&recorded, recorded.began.step, &call.cancel).await?;
        self.passed(recorded.began);
        for update in std::mem::take(&mut recorded.updates) {
            self.reach(&recorded, update.step, &call.cancel).await?;
            call.updates.send(update.output);
            self.done(update.step);
        }
        let Some(end) = recorded.end.take() else {
            return Err(self.diverged(recorded.n, &recorded.name, "nobody waited for its end in the recording"));
        };
        self.reach(&recorded, end.moment.step, &call.cancel).await?;
        self.passed(end.moment);
        end.result.into_result()
    }
}
