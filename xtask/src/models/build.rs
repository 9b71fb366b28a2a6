//! Puts the catalogue together: facts of the sources, what was published before, overrides; then how each model is
//! spoken to. No files.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::overrides::{Action, Override};
use super::provider_table::{Listed, PROVIDERS};
use super::rows::{Entry, Facts, Key, Wire};
use super::rules;
use super::snapshot::Snapshot;

/// The catalogue, sorted, and what a person may want to know about how it came to be.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) entries: Vec<Entry>,
    /// Overrides that had nothing to do.
    pub(super) notices: Vec<String>,
}

/// Facts and the package that the source names.
type Listings<'a> = BTreeMap<Key, (&'a Facts, Option<&'a str>)>;

/// Builds it.
///
/// # Errors
/// When a model belongs to a provider that the table does not know.
pub(super) fn build(snapshot: &Snapshot, overrides: &[Override]) -> Result<Built> {
    let wires = wires(snapshot);
    let listings = listings(snapshot, overrides, &wires)?;
    let mut entries = BTreeMap::new();
    for (key, (facts, npm)) in listings {
        let wire = wire_of(&key, facts, npm, &wires)?;
        entries.insert(key.clone(), Entry { key, facts: facts.clone(), wire });
    }
    let notices = apply(overrides, &mut entries);
    Ok(Built { entries: entries.into_values().collect(), notices })
}

fn wires(snapshot: &Snapshot) -> BTreeMap<&Key, &Wire> {
    let published = snapshot.published.iter().map(|entry| (&entry.key, &entry.wire));
    let newer = snapshot.wire.iter().map(|row| (&row.key, &row.wire));
    // A later row replaces an earlier one.
    published.chain(newer).collect()
}

fn wire_of(key: &Key, facts: &Facts, npm: Option<&str>, wires: &BTreeMap<&Key, &Wire>) -> Result<Wire> {
    match wires.get(key) {
        Some(wire) => Ok((*wire).clone()),
        None => rules::wire(key, facts.reasoning, npm),
    }
}

/// Who is listed: by the sources, by additions, because it was published once, or as a copy of another model.
fn listings<'a>(
    snapshot: &'a Snapshot,
    overrides: &'a [Override],
    wires: &BTreeMap<&Key, &Wire>,
) -> Result<Listings<'a>> {
    let mut listings = Listings::new();
    for row in snapshot.sources.values().flatten() {
        listings.entry(row.key.clone()).or_insert((&row.facts, row.npm.as_deref()));
    }
    for entry in overrides {
        if let Action::Add(facts) = entry.action() {
            entry.keys().for_each(|key| {
                listings.entry(key).or_insert((facts, None));
            });
        }
    }
    copy(&mut listings, wires)?;
    for entry in &snapshot.published {
        listings.entry(entry.key.clone()).or_insert((&entry.facts, None));
    }
    Ok(listings)
}

/// Lists a model of one provider under another one as well, before any correction is made.
fn copy(listings: &mut Listings<'_>, wires: &BTreeMap<&Key, &Wire>) -> Result<()> {
    for provider in PROVIDERS {
        let Listed::Copies(from, api) = provider.listed else { continue };
        let mut copies = Listings::new();
        for (key, (facts, npm)) in listings.iter().filter(|(key, _)| key.provider == from) {
            if wire_of(key, facts, *npm, wires)?.api == api {
                copies.insert(Key::new(provider.name, &key.id), (facts, *npm));
            }
        }
        for (key, facts) in copies {
            listings.entry(key).or_insert(facts);
        }
    }
    Ok(())
}

/// Removes and corrects; returns a sentence per override that found nothing.
fn apply(overrides: &[Override], entries: &mut BTreeMap<Key, Entry>) -> Vec<String> {
    let mut notices = Vec::new();
    for entry in overrides {
        for key in entry.keys() {
            let found = match entry.action() {
                Action::Remove => entries.remove(&key).is_some(),
                Action::Set(patch) => entries.get_mut(&key).map(|entry| patch.apply(entry)).is_some(),
                Action::Add(_) => true,
            };
            if !found {
                notices.push(format!("overrides: there is no {key} to remove or correct"));
            }
        }
    }
    notices
}

/// Settles that a catalogue can be generated from the entries.
///
/// # Errors
/// All entries that break a rule.
pub(super) fn verify(entries: &[Entry]) -> Result<()> {
    let problems: BTreeSet<String> = entries
        .iter()
        .flat_map(|entry| super::verify::problems(entry).map(|it| format!("{}: {it}", entry.key)))
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.into_iter().collect::<Vec<_>>().join("\n"))
}
