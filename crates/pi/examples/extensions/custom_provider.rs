//! `pi` with the models of a company: a provider at an address of its own, which speaks a format that `pi` knows.
//!
//! `CORP_URL=http://localhost:8080 CORP_KEY=… cargo run -p pi --example custom_provider -- --model corp/m1 -p hi`
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]

use std::process::ExitCode;

use pi::cli;
use pi_coding_agent::extension::{ProviderRegistration, extension_fn};
use serde_json::json;

fn main() -> ExitCode {
    let corp = extension_fn("corp", |pi| async move {
        let registration = ProviderRegistration {
            name: Some("Corp".to_owned()),
            // Without an address the registration is refused, and the program says so.
            base_url: std::env::var("CORP_URL").ok(),
            // The name of a variable; the key itself is in no file.
            api_key: Some("$CORP_KEY".to_owned()),
            api: Some("anthropic-messages".to_owned()),
            models: Some(vec![json!({
                "id": "m1", "name": "Corp One", "reasoning": false, "input": ["text"],
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                "contextWindow": 100_000, "maxTokens": 8_000,
            })]),
            ..ProviderRegistration::default()
        };
        Ok(pi.register_provider("corp", registration)?)
    });
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![corp]))
}
