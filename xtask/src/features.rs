//! Builds crates with parts of their features: a workspace build hides what is missing by having all of them.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Result;
use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::code::{File, read_files};
use crate::workspace::{exit_code, root};

/// What to build.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Every combination, instead of a selection in which every two features occur in every way.
    #[arg(long)]
    powerset: bool,
}

/// Checks the combinations, with warnings denied.
///
/// # Errors
/// Naming the combinations that do not build.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut broken = Vec::new();
    for package in packages()? {
        broken.extend(check(&package, options)?);
    }
    crate::settle("features", &broken, "Guard what needs a feature with `#[cfg(feature = …)]`.")
}

/// A crate that has features.
#[derive(Debug)]
struct Features {
    /// The crate.
    package: String,
    /// Those of its features that its source asks for.
    all: Vec<String>,
    /// Those that are on by default.
    default: BTreeSet<String>,
}

/// Checks the combinations of one crate.
fn check(features: &Features, options: &Options) -> Result<Vec<String>> {
    let name = &features.package;
    let mut sets = if options.powerset { powerset(&features.all) } else { pairs(&features.all) };
    // What is on by default is checked with the workspace.
    sets.retain(|set| {
        set.iter().copied().collect::<BTreeSet<_>>() != features.default.iter().map(String::as_str).collect()
    });
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

/// The crates of the workspace that have features. A feature that the source does not name only passes on one of another
/// crate, with which it is checked.
fn packages() -> Result<Vec<Features>> {
    let metadata = MetadataCommand::new().manifest_path(root()?.join("Cargo.toml")).no_deps().exec()?;
    let files = read_files()?;
    let of = |package: &Package| {
        let source = format!("{}/src/", directory(package, &metadata));
        let sources: Vec<&File> = files.iter().filter(|file| file.path.starts_with(&source)).collect();
        let lives = |name: &String| sources.iter().any(|file| names_feature(&file.text, name));
        let all: Vec<String> = package.features.keys().filter(|name| lives(name)).cloned().collect();
        let default = package.features.get("default").into_iter().flatten();
        let default = default.filter(|name| all.contains(name)).cloned().collect();
        Features { package: package.name.to_string(), all, default }
    };
    Ok(metadata.packages.iter().map(of).filter(|features| !features.all.is_empty()).collect())
}

/// The directory of a crate, from the workspace root.
fn directory(package: &Package, metadata: &Metadata) -> String {
    let directory = package.manifest_path.parent().unwrap_or(&package.manifest_path);
    directory.strip_prefix(&metadata.workspace_root).unwrap_or(directory).to_string()
}

fn names_feature(text: &str, name: &str) -> bool {
    text.contains(&format!("feature = \"{name}\""))
}

/// Every combination.
fn powerset(features: &[String]) -> Vec<Vec<&str>> {
    (0..1u32 << features.len()).map(|bits| chosen(features, |at| bits >> at & 1 == 1)).collect()
}

/// Few combinations, none of the features first, in which any two of the features are both on, both off, and each on
/// without the other: a missing guard is code of one feature that uses, or leaves unused, what another one brings.
///
/// Each feature is on in a set of its own of half the combinations, never in the first (Kleitman and Spencer, 1973). Two
/// different sets of more than half the places share one, and each has one that the other lacks.
fn pairs(features: &[String]) -> Vec<Vec<&str>> {
    if let [feature] = features {
        return vec![vec![], vec![feature]];
    }
    let sizes = (2u32..).map(|sets| (sets - 1, sets.div_ceil(2)));
    let halves = sizes.map(|(places, on)| halves(places, on)).find(|halves| halves.len() >= features.len());
    let halves = halves.unwrap_or_default();
    let places = halves.iter().fold(0, |all, half| all | half);
    let later =
        (0..u32::BITS - places.leading_zeros()).map(|place| chosen(features, |at| halves[at] >> place & 1 == 1));
    std::iter::once(Vec::new()).chain(later).collect()
}

/// The sets of so many places in which so many are on, as bits.
fn halves(places: u32, on: u32) -> Vec<u32> {
    (0..1u32 << places).filter(|bits| bits.count_ones() == on).collect()
}

fn chosen(features: &[String], is_on: impl Fn(usize) -> bool) -> Vec<&str> {
    features.iter().enumerate().filter(|(at, _)| is_on(*at)).map(|(_, name)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("f{number}")).collect()
    }

    #[test]
    fn every_two_features_occur_in_every_way() {
        for count in 2..=10 {
            let names = names(count);
            let sets = pairs(&names);
            assert!(sets[0].is_empty());
            for (at, a) in names.iter().enumerate() {
                for b in &names[at + 1..] {
                    let ways: BTreeSet<(bool, bool)> =
                        sets.iter().map(|set| (set.contains(&a.as_str()), set.contains(&b.as_str()))).collect();
                    assert_eq!(ways.len(), 4, "{a} and {b} of {count} in {sets:?}");
                }
            }
        }
    }

    #[test]
    fn few_combinations_do() {
        let counts: Vec<usize> = [1, 2, 3, 4, 5, 7, 10].iter().map(|&count| pairs(&names(count)).len()).collect();
        assert_eq!(counts, [2, 4, 4, 5, 6, 6, 6]);
        assert_eq!(powerset(&names(3)).len(), 8);
    }

    #[test]
    fn the_crates_have_features() {
        let packages = packages().unwrap();
        for (name, feature) in [("pi-ai", "http"), ("pi-agent-core", "schemars"), ("pi-coding-agent", "ssh")] {
            let found = packages.iter().find(|features| features.package == name).unwrap();
            assert!(found.all.contains(&feature.to_owned()));
        }
        assert!(packages.iter().all(|features| features.package != "xtask"));
    }

    #[test]
    fn a_feature_lives_where_the_source_names_it() {
        assert!(names_feature("#[cfg(all(unix, feature = \"ssh\"))]", "ssh"));
        assert!(!names_feature("#[cfg(feature = \"ssh2\")] // ssh", "ssh"));
    }
}
