//! Agent loop of pi: turns, tools, state and queues on top of `pi-ai`.

mod tool;

pub use tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput, ToolUpdates};
