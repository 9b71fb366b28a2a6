//! Whole runs in a cassette: what models answered, what tools returned, the time, and where ids come from.
//!
//! A run that is recorded with a [`RunCassette`] can be repeated without network, keys and tools, to the byte: the same
//! events, the same session file. The first request or tool call that differs stops the replay and is named. What models
//! say is recorded by [`pi_ai::transport::cassette`]; everything else is here. Nothing here knows the command line.
//!
//! # Layout
//! `cassette` puts the pieces together. `lines` is what they write; `recorded_tool` is a tool around a tool, whose
//! calls go through `recorded` or `replayed`; `track` keeps the order while recording, `call_order` in a replay.
//!
//! # Use
//! Give a session the cassette's [clock](RunCassette::clock), [ids](RunCassette::ids) (both also to its
//! [`SessionHost`](crate::session::SessionHost)), [transport](RunCassette::transport), and
//! [`RunCassette::wrap_tool`] as [`wrap_tool`](crate::sdk::CreateAgentSessionOptions::wrap_tool). The example
//! `15_replay` shows it.

mod call_order;
mod cassette;
mod lines;
mod recorded;
mod recorded_tool;
mod replayed;
mod track;

pub use cassette::RunCassette;
pub use cassette::open_cassette;
