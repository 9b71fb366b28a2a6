//! Generates the model catalogue: `cargo xtask codegen-models`.
//!
//! [`snapshot`] the committed facts, in rows of [`rows`] · [`overrides`] what people know better · [`provider_table`]
//! and [`rules`] how models are spoken to, [`format_table`] the wire formats · [`build`] puts them together, [`verify`] what must hold · [`generate`]
//! writes what the library reads · [`summary`] says what changes · [`refresh`] asks the sources again.

mod build;
pub(crate) mod format_table;
mod generate;
mod overrides;
mod provider_table;
mod refresh;
mod rows;
mod rules;
mod snapshot;
mod summary;
#[cfg(test)]
mod tests;
mod verify;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::workspace::root;
use generate::Output;
use refresh::Addresses;
use snapshot::Snapshot;
use summary::Summary;

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Asks the sources again before generating; one that fails keeps its old data.
    #[arg(long, conflicts_with = "check")]
    refresh: bool,
    /// Writes nothing; fails when the committed catalogue is not what would be generated.
    #[arg(long)]
    check: bool,
    /// Where models.dev is.
    #[arg(long, value_name = "URL", default_value = "https://models.dev/api.json")]
    models_dev_url: String,
    /// Where OpenRouter lists its models.
    #[arg(long, value_name = "URL", default_value = "https://openrouter.ai/api/v1/models")]
    openrouter_url: String,
    /// Where the Vercel AI Gateway lists its models.
    #[arg(long, value_name = "URL", default_value = "https://ai-gateway.vercel.sh/v1/models")]
    vercel_url: String,
    /// Seconds to wait for a source.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

/// Where things are.
#[derive(Debug)]
struct Places {
    snapshot: PathBuf,
    overrides: PathBuf,
    output: PathBuf,
}

impl Places {
    fn below(root: &Path) -> Self {
        Self {
            snapshot: root.join("xtask/models/snapshot"),
            overrides: root.join("xtask/models/overrides.jsonl"),
            output: root.join("crates/pi-ai/src/catalog"),
        }
    }
}

/// Generates the catalogue, or checks it.
///
/// # Errors
/// When a file is unreadable or breaks a rule, the committed catalogue is stale (`--check`), or a source kept its old
/// data (`--refresh`); everything else has been written then.
pub(crate) fn run(options: &Options) -> Result<()> {
    let places = Places::below(&root()?);
    let addresses = options.refresh.then(|| Addresses {
        models_dev: options.models_dev_url.clone(),
        openrouter: options.openrouter_url.clone(),
        vercel: options.vercel_url.clone(),
        timeout: Duration::from_secs(options.timeout),
    });
    if options.check { check(&places) } else { update(&places, addresses.as_ref()) }
}

fn update(places: &Places, addresses: Option<&Addresses>) -> Result<()> {
    let mut snapshot = Snapshot::read(&places.snapshot)?;
    let kept = match addresses {
        Some(addresses) => refresh::refresh(&places.snapshot, &mut snapshot, addresses)?,
        None => Vec::new(),
    };
    let new = generated(places, &snapshot)?;
    let old = generate::read(&places.output)?;
    generate::write(&places.output, &old, &new)?;
    println!("codegen-models: {}", Summary::between(&old, &new));
    crate::settle("codegen-models", &kept, "Everything else is up to date; try again later.")
}

fn check(places: &Places) -> Result<()> {
    let new = generated(places, &Snapshot::read(&places.snapshot)?)?;
    let old = generate::read(&places.output)?;
    println!("codegen-models: {}", Summary::between(&old, &new));
    let stale = old.keys().chain(new.keys()).find(|path| old.get(*path) != new.get(*path));
    if let Some(path) = stale {
        let path = places.output.join(path);
        bail!(
            "codegen-models: {} is not what the snapshot and the overrides yield: run `cargo xtask codegen-models` \
             and commit the result",
            path.display()
        );
    }
    Ok(())
}

fn generated(places: &Places, snapshot: &Snapshot) -> Result<Output> {
    let overrides = overrides::read(&places.overrides)?;
    let built = build::build(snapshot, &overrides)?;
    for notice in &built.notices {
        println!("codegen-models: {notice}");
    }
    build::verify(&built.entries)?;
    generate::generate(&built.entries)
}
