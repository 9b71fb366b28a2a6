//! Agent loop of pi: turns, tools, state and queues on top of `pi-ai`.

mod agent;
mod config;
mod error;
mod event;
mod hooks;
mod prompt;
mod queue;
mod run;
mod running;
mod state;
mod tool;
mod tool_set;

pub use agent::{Agent, Subscription};
pub use config::{AgentOptions, Listener};
pub use error::{Error, RunFailure};
pub use event::AgentEvent;
pub use hooks::{ConvertFn, Hooks, StreamFn};
pub use prompt::Prompt;
pub use queue::QueueMode;
pub use state::{AgentState, StreamingMessage};
pub use tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput, ToolUpdates};
pub use tool_set::ToolSet;
