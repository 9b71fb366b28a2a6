//! One GET request. Knows nothing about models.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Fetches JSON; proxies come from the environment.
pub(super) fn fetch(url: &str, timeout: Duration) -> Result<Value> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start a runtime")?;
    runtime.block_on(get(url, timeout))
}

async fn get(url: &str, timeout: Duration) -> Result<Value> {
    let client = reqwest::Client::builder().timeout(timeout).user_agent("pi-codegen-models").build()?;
    let response = client.get(url).send().await.with_context(|| format!("cannot reach {url}"))?;
    if !response.status().is_success() {
        bail!("{url} answered {}", response.status());
    }
    let body = response.bytes().await.with_context(|| format!("the answer of {url} broke off"))?;
    serde_json::from_slice(&body).with_context(|| format!("{url} did not answer with JSON"))
}
