//! The RPC protocol: framing, commands, responses, the JSON form of events.
