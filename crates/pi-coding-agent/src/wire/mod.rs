//! The JSON form of session events: one for JSON mode, the RPC protocol and extensions that are not Rust.
//!
//! Nothing here may do I/O or know a session.
//!
//! | File | What is in it |
//! |---|---|
//! | `agent_form` | what an agent does, for lines and for scripts |
//! | `event_json` | events as lines |
//! | `message_json` | the message that is being streamed, in a form that grows with each delta |
//! | `level` | versions of the protocol |
//! | `put` | any value as JSON |
//! | [`views`] | the session as scripts see it, and parts of events |

mod agent_form;
mod event_json;
mod level;
mod message_json;
mod put;
pub mod views;

pub(crate) use agent_form::AgentForm;
pub(crate) use event_json::open_update;
pub use event_json::{EventDetail, EventDetailSwitch, EventJson};
pub use level::ProtocolLevel;
pub(crate) use message_json::MessageJson;
pub(crate) use put::put;
