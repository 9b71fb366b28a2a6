//! Logins and renewals, end to end: against an authorization server on loopback that checks what real ones check.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail loudly")]

mod anthropic;
mod api_key;
mod callback;
mod codex;
mod copilot;
mod device_grants;
mod openrouter;
mod secrets;
mod support;
