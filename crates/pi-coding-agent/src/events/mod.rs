//! Session events, and the value types that appear in them and in answers of a session.
//!
//! Only data is here; nothing may know a session, an extension or a protocol. `agent_session` makes these values,
//! [`crate::extension`] and the modes read them, and [`crate::wire`] gives events their JSON form.
//!
//! | File | What is in it |
//! |---|---|
//! | `session_event` | [`SessionEvent`], and its details about compactions |
//! | `error`, `call_error` | why a session, or a call of an extension, fails |
//! | `failure` | failures of extensions |
//! | `limit` | limits that are reached, and what is left of them |
//! | `prompt`, `bash` | where prompts go; results of the user's commands |
//! | `navigation` | going to another session or another place in the tree |
//! | `stats`, `tool_summary` | figures of a session, its tools |

mod bash;
mod call_error;
mod error;
mod failure;
mod limit;
mod missing_key_hint;
mod navigation;
mod prompt;
mod session_event;
mod stats;
mod tool_summary;

pub use bash::BashResult;
pub use call_error::ExtensionCallError;
pub use error::Error;
pub use failure::{ExtensionError, HandlerError};
pub use limit::{LimitReached, LimitStatus};
pub use navigation::{ForkPosition, NavigateOptions, NavigateOutcome, Replacement};
pub use prompt::StreamingBehavior;
pub use session_event::{CompactionOutcome, CompactionReason, SessionEvent, SummarySource};
pub use stats::{ContextUsage, SessionStats};
pub use tool_summary::ToolSummary;
