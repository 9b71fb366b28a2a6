//! Asks the sources again. A source that fails, or whose answer cannot be right, keeps its old data.
//!
//! One file per source turns an answer into rows; `fetch.rs` does the network.

mod fetch;
mod models_dev;
mod openrouter;
mod prices;
mod vercel;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::provider_table::Source;
use super::rows::SourceRow;
use super::snapshot::Snapshot;
use fetch::fetch;

/// Where to ask, and how long to wait.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    pub(super) models_dev: String,
    pub(super) openrouter: String,
    pub(super) vercel: String,
    pub(super) timeout: Duration,
}

impl Addresses {
    fn of(&self, source: Source) -> &str {
        match source {
            Source::ModelsDev => &self.models_dev,
            Source::OpenRouter => &self.openrouter,
            Source::VercelGateway => &self.vercel,
        }
    }
}

/// Replaces what each source said, in the folder and in `snapshot`. Returns a sentence for whatever was kept.
///
/// # Errors
/// When a file cannot be written, or there is no network at all to be set up.
pub(super) fn refresh(folder: &Path, snapshot: &mut Snapshot, addresses: &Addresses) -> Result<Vec<String>> {
    let mut kept = Vec::new();
    for source in Source::ALL {
        let old = snapshot.sources.get(&source).map_or(&[][..], Vec::as_slice);
        let answer = fetch(addresses.of(source), addresses.timeout).and_then(|answer| rows(source, &answer));
        match answer.and_then(|new| plausible(old, new)) {
            Ok((rows, missing)) => {
                snapshot.replace(folder, source, rows)?;
                kept.extend(missing.into_iter().map(|it| format!("{}: {it}", source.name())));
            }
            Err(error) => kept.push(format!("{}: its old data is kept: {error:#}", source.name())),
        }
    }
    Ok(kept)
}

/// Reads a source's answer.
fn rows(source: Source, answer: &Value) -> Result<Vec<SourceRow>> {
    match source {
        Source::ModelsDev => models_dev::rows(answer),
        Source::OpenRouter => openrouter::rows(answer),
        Source::VercelGateway => vercel::rows(answer),
    }
}

/// Refuses an answer that has lost more than half of the models. A provider that has vanished keeps its old models;
/// the sentences say which.
fn plausible(old: &[SourceRow], mut new: Vec<SourceRow>) -> Result<(Vec<SourceRow>, Vec<String>)> {
    ensure!(!new.is_empty(), "it lists no models");
    ensure!(new.len() * 2 >= old.len(), "it lists {} models, it used to list {}", new.len(), old.len());
    let mut missing: BTreeMap<&str, Vec<&SourceRow>> = BTreeMap::new();
    for row in old {
        missing.entry(&row.key.provider).or_default().push(row);
    }
    for row in &new {
        missing.remove(row.key.provider.as_str());
    }
    let sentence =
        |(provider, rows): (&&str, &Vec<_>)| format!("{provider} is gone, its {} old models are kept", rows.len());
    let sentences = missing.iter().map(sentence).collect();
    new.extend(missing.into_values().flatten().cloned());
    Ok((new, sentences))
}

/// The name of a model on one line; its id where it has none.
fn name(model: &Value, id: &str) -> String {
    let name = model["name"].as_str().unwrap_or_default();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { id.to_owned() } else { name }
}

/// Tokens; an absent or impossible number is replaced.
fn limit(tokens: &Value, default: u64) -> u64 {
    tokens.as_u64().filter(|tokens| *tokens > 0).unwrap_or(default)
}

fn input(sees: bool) -> Vec<String> {
    let kinds: &[&str] = if sees { &["text", "image"] } else { &["text"] };
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// Whether a list of texts has this one.
fn lists(list: &Value, text: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|item| item == text))
}

#[cfg(test)]
mod tests;
