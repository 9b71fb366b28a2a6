//! A provider that plays a script instead of asking a model: for tests of everything that calls one.
//!
//! It behaves like a wire format in every respect that a caller can see — deltas, usage, cancellation, failures —
//! and is deterministic: chunk sizes come from a seeded source, and without a speed limit nothing waits.
//!
//! ```
//! use std::sync::Arc;
//!
//! use pi_ai::scripted::{self, ScriptedProvider};
//! use pi_ai::{ApiRegistry, Context, StreamOptions};
//!
//! # async fn demo() -> Result<(), pi_ai::Error> {
//! let provider = ScriptedProvider::playing([
//!     scripted::tool_use([scripted::tool_call("call-1", "read", serde_json::json!({ "path": "README.md" }))]),
//!     scripted::message([scripted::text("It says hello.")]),
//! ]);
//! let registry = ApiRegistry::empty();
//! registry.register(Arc::new(provider.clone()));
//!
//! let context = Context::prompt("What does the README say?");
//! let first = registry.stream(provider.model(), context.clone(), StreamOptions::default())?.result().await;
//! assert_eq!(first.tool_calls().count(), 1);
//! let second = registry.stream(provider.model(), context, StreamOptions::default())?.result().await;
//! assert_eq!(second.text(), "It says hello.");
//! assert_eq!((provider.call_count(), provider.pending()), (2, 0));
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(demo()).unwrap();
//! ```

mod estimate;
mod options;
mod play;
mod provider;
mod shared;
mod step;

pub use options::{ScriptedOptions, model};
pub use provider::ScriptedProvider;
pub use step::{ScriptedCall, ScriptedStep, failure, message, text, thinking, tool_call, tool_use};

#[cfg(test)]
mod tests;
