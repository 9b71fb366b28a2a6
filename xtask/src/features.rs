//! Builds crates with parts of their features: a workspace build hides what is missing by having all of them.

use std::process::Command;

use anyhow::{Result, bail};
use cargo_metadata::MetadataCommand;

use crate::workspace::{exit_code, root};

/// The crates whose features users choose.
const CRATES: [&str; 3] = ["pi-ai", "pi-agent-core", "pi-coding-agent"];

/// What to build.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Every combination, instead of none, each alone, and all.
    #[arg(long)]
    powerset: bool,
}

/// Checks the combinations, with warnings denied.
///
/// # Errors
/// Naming the combinations that do not build.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut broken = Vec::new();
    for name in CRATES {
        broken.extend(check(name, options)?);
    }
    crate::settle("features", &broken, "Guard what needs a feature with `#[cfg(feature = …)]`.")
}

/// Checks the combinations of one crate.
fn check(name: &str, options: &Options) -> Result<Vec<String>> {
    let features = features(name)?;
    let sets = sets(&features, options.powerset);
    println!("features: {} combinations of {name}", sets.len());
    let mut broken = Vec::new();
    for set in sets {
        let list = set.join(",");
        let mut command = Command::new(env!("CARGO"));
        command.args(["clippy", "--quiet", "--locked", "-p", name, "--no-default-features", "--features", &list]);
        if exit_code(command.args(["--", "-D", "warnings"]))? != 0 {
            broken.push(format!("{name} does not build with --no-default-features --features \"{list}\""));
        }
    }
    Ok(broken)
}

/// The features of a crate, `default` left out.
fn features(name: &str) -> Result<Vec<String>> {
    let metadata = MetadataCommand::new().manifest_path(root()?.join("Cargo.toml")).no_deps().exec()?;
    let Some(package) = metadata.packages.iter().find(|package| package.name.as_str() == name) else {
        bail!("the workspace has no crate {name}");
    };
    Ok(package.features.keys().filter(|name| *name != "default").cloned().collect())
}

/// The combinations to build.
fn sets(features: &[String], powerset: bool) -> Vec<Vec<&str>> {
    if powerset {
        let subset = |bits: u32| {
            let chosen = features.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1);
            chosen.map(|(_, name)| name.as_str()).collect()
        };
        return (0..1u32 << features.len()).map(subset).collect();
    }
    let each = features.iter().map(|name| vec![name.as_str()]);
    let all = (features.len() > 1).then(|| features.iter().map(String::as_str).collect());
    std::iter::once(Vec::new()).chain(each).chain(all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations() {
        let features = ["a", "b"].map(str::to_owned);
        assert_eq!(sets(&features, false), [vec![], vec!["a"], vec!["b"], vec!["a", "b"]]);
        let one = ["a".to_owned()];
        assert_eq!(sets(&one, false), [vec![], vec!["a"]], "nothing is built twice");
        let three = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(sets(&three, true).len(), 8);
        assert!(sets(&three, true).contains(&vec!["a", "c"]));
    }

    #[test]
    fn the_crates_have_features() {
        for (name, feature) in [("pi-ai", "http"), ("pi-agent-core", "schemars"), ("pi-coding-agent", "ssh")] {
            assert!(features(name).unwrap().contains(&feature.to_owned()));
        }
    }
}
