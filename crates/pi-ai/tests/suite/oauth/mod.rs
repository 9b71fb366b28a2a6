//! Logins and renewals, end to end: against an authorization server on loopback that checks what real ones check.

mod anthropic;
mod api_key;
mod callback;
mod codex;
mod copilot;
mod device_grants;
mod openrouter;
mod secrets;
mod support;
