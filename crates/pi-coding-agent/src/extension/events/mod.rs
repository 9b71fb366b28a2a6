//! Every event that extensions can subscribe to: what it says, what a handler may answer, and what becomes of the answers.
//!
//! Handlers are called in the order in which their extensions were loaded, inside an extension in the order of
//! subscription, one after the other; what caused the event waits for all of them (`thinking_level_select` excepted).
//! A handler that fails is reported and the next one is called. The exception is `tool_call`: it fails closed, the call
//! is then blocked.
//!
//! [`EVENTS`] lists them, with what may be answered to each and what becomes of several answers. What one handler changes
//! of an event is what the next one sees.
//!
//! | File | What is in it |
//! |---|---|
//! | `table` | the table of events, from which all is made that goes through all of them |
//! | `startup`, `session`, `agent`, `provider`, `tool` | the events and their answers |

mod agent;
mod provider;
mod session;
mod startup;
mod table;
mod tool;

use crate::extension::context::{ExtensionContext, TrustContext};
pub use crate::resources::prompt::SystemPromptOptions;

// By glob, so that a new event needs no line here.
pub use agent::*;
pub use provider::*;
pub use session::*;
pub use startup::*;
pub use table::EventInfo;
pub(super) use table::event_table;
pub use tool::*;

/// Something that handlers can be subscribed to. Cloning is cheap: every handler gets its own copy.
pub trait Event: Clone + Send + Sync + 'static {
    /// The name, as in reports.
    const NAME: &'static str;
    /// What a handler answers; its default changes nothing.
    type Outcome: Default + Send + 'static;
    /// What a handler is given besides the event.
    type Context: Clone + Send + Sync + 'static;
}

/// What goes through all events.
macro_rules! declare {
    (
        before_session { $($early:ident = $early_name:literal => $early_outcome:ty { $($early_key:ident: $early_value:expr),* $(,)? })* }
        session { $($event:ident = $name:literal => $outcome:ty { $($key:ident: $value:expr),* $(,)? })* }
    ) => {
        /// All events, in the order of a session's life.
        ///
        /// | Name | Event | Answer |
        /// |---|---|---|
        $(#[doc = concat!("| `", $early_name, "` | [`", stringify!($early), "`] | `", stringify!($early_outcome), "` |")])*
        $(#[doc = concat!("| `", $name, "` | [`", stringify!($event), "`] | `", stringify!($outcome), "` |")])*
        pub const EVENTS: &[EventInfo] = &[
            $(EventInfo { name: $early_name, $($early_key: $early_value,)* ..EventInfo::PLAIN },)*
            $(EventInfo { name: $name, $($key: $value,)* ..EventInfo::PLAIN },)*
        ];

        /// The names of all events that the handlers of a session hear of: all but `project_trust`, which comes before
        /// there is one.
        pub const NAMES: &[&str] = &[$($name),*];

        $(impl Event for $early {
            const NAME: &'static str = $early_name;
            type Outcome = $early_outcome;
            type Context = TrustContext;
        })*
        $(impl Event for $event {
            const NAME: &'static str = $name;
            type Outcome = $outcome;
            type Context = ExtensionContext;
        })*
    };
}

event_table!(declare);
