//! What cargo says about our crates: the edges that they declare, and what each reaches when it is built alone.
//!
//! `cargo metadata` unifies the features of the whole workspace, so the second half comes from `cargo tree`, which
//! resolves one package's normal dependencies by themselves.

use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::workspace::{output_of, root};

/// Our crates.
#[derive(Debug)]
pub(super) struct Workspace {
    /// In the order in which cargo lists them.
    pub(super) crates: Vec<Crate>,
}

impl Workspace {
    /// Number of packages that were looked at, with repetitions.
    pub(super) fn reached_count(&self) -> usize {
        self.crates.iter().map(|krate| krate.reached.len()).sum()
    }
}

/// One of our crates.
#[derive(Debug)]
pub(super) struct Crate {
    /// Its name.
    pub(super) name: String,
    /// What its manifest names.
    pub(super) direct: Vec<Direct>,
    /// Everything below it, itself excluded.
    pub(super) reached: Vec<Reached>,
}

/// A dependency that a manifest names.
#[derive(Debug)]
pub(super) struct Direct {
    /// The package.
    pub(super) name: String,
    /// Whether only tests use it.
    pub(super) is_dev: bool,
}

/// A package that is built whenever the crate is built.
#[derive(Debug)]
pub(super) struct Reached {
    /// The package.
    pub(super) name: String,
    /// Names from the crate to the package, both included, along the first way found.
    pub(super) path: Vec<String>,
    /// Features it is built with.
    pub(super) features: Vec<String>,
}

/// Asks cargo.
pub(super) fn read() -> Result<Workspace> {
    let metadata = MetadataCommand::new().current_dir(root()?).no_deps().exec().context("cargo metadata failed")?;
    let read_crate = |package: &cargo_metadata::Package| {
        let direct = package.dependencies.iter();
        let direct = direct.map(|d| Direct { name: d.name.clone(), is_dev: d.kind == DependencyKind::Development });
        Ok(Crate { name: package.name.to_string(), direct: direct.collect(), reached: reached_by(&package.name)? })
    };
    let crates = metadata.packages.iter().map(read_crate).collect::<Result<_>>()?;
    Ok(Workspace { crates })
}

fn reached_by(name: &str) -> Result<Vec<Reached>> {
    tree(name, &["--target", "all"])
}

/// What a crate reaches with all its features when it is built for one target, which need not be installed.
pub(super) fn reached_on(name: &str, target: &str) -> Result<Vec<Reached>> {
    tree(name, &["--target", target, "--all-features"])
}

/// What a crate reaches on any target without a single feature.
pub(super) fn reached_without_features(name: &str) -> Result<Vec<Reached>> {
    tree(name, &["--target", "all", "--no-default-features"])
}

fn tree(name: &str, selection: &[&str]) -> Result<Vec<Reached>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["tree", "--quiet", "--edges", "normal", "--prefix", "depth"];
    let mut command = Command::new(cargo);
    command.current_dir(root()?).args(arguments).args(selection).args(["--format", "|{p}|{f}", "--package", name]);
    parse_tree(&output_of(&mut command)?).with_context(|| format!("cannot read the dependency tree of {name}"))
}

/// Reads lines like `2|tokio v1.50.0|macros,sync (*)`, depth first.
fn parse_tree(text: &str) -> Result<Vec<Reached>> {
    let mut path: Vec<String> = Vec::new();
    let mut reached = Vec::new();
    for line in text.lines() {
        let mut fields = line.trim_end_matches(" (*)").split('|');
        let (Some(depth), Some(package), Some(features)) = (fields.next(), fields.next(), fields.next()) else {
            anyhow::bail!("unexpected line: {line}");
        };
        let depth: usize = depth.parse().with_context(|| format!("no depth in line: {line}"))?;
        let name = package.split(' ').next().unwrap_or(package).to_owned();
        path.truncate(depth);
        path.push(name.clone());
        if depth > 0 {
            let features = features.split(',').filter(|feature| !feature.is_empty()).map(str::to_owned).collect();
            reached.push(Reached { name, path: path.clone(), features });
        }
    }
    anyhow::ensure!(!path.is_empty(), "it is empty");
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_read_with_ways_and_features() {
        let tree = "0|pi-ai v0.1.0 (/x/pi-ai)|default,http\n1|reqwest v0.13.0|http2,rustls\n2|tokio v1.50.0|net (*)\n1|serde v1.0.0|\n";
        let reached = parse_tree(tree).unwrap();
        let ways: Vec<String> = reached.iter().map(|r| r.path.join(">")).collect();
        assert_eq!(ways, ["pi-ai>reqwest", "pi-ai>reqwest>tokio", "pi-ai>serde"]);
        assert_eq!(reached[1].features, ["net"]);
        assert!(reached[2].features.is_empty());
    }

    #[test]
    fn an_empty_or_garbled_tree_is_an_error() {
        assert!(parse_tree("").is_err());
        assert!(parse_tree("error: nothing").is_err());
    }

    #[test]
    fn this_workspace_can_be_read() {
        let workspace = read().unwrap();
        let core = workspace.crates.iter().find(|krate| krate.name == "pi-agent-core").unwrap();
        assert!(core.reached.iter().any(|reached| reached.name == "pi-ai"));
    }
}
