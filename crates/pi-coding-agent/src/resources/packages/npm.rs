//! Packages of npm, by npm or the program that the setting `npmCommand` names.
//!
//! npm checks the integrity of what it downloads, and keeps the sums in its `package-lock.json`. Scripts of packages run
//! only where the user asks for that.

use std::path::Path;

use super::programs::{Needed, Programs};
use crate::resources::PackageError;

const NEEDED: Needed = Needed {
    purpose: "packages of npm, and repositories with a package.json,",
    way_out: "Install Node.js (https://nodejs.org), or name the command in the setting npmCommand.",
};

/// Whether programs of packages run while these are installed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InstallScripts {
    /// They do not.
    #[default]
    Ignore,
    /// They do, with all rights of the user.
    Run,
}

/// The command that installs packages.
#[derive(Debug, Clone)]
pub(super) struct Npm {
    command: Vec<String>,
    /// Whether it is the user's own.
    custom: bool,
}

/// The programs whose options are known. What is unknown is taken for npm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Npm,
    Pnpm,
    Bun,
}

impl Npm {
    /// The command of the setting, else `npm`.
    pub(super) fn new(setting: Option<Vec<String>>) -> Self {
        let custom = setting.filter(|command| !command.is_empty());
        Self { custom: custom.is_some(), command: custom.unwrap_or_else(|| vec!["npm".to_owned()]) }
    }

    /// Installs a package below `root`, which is prepared.
    pub(super) async fn install(
        &self,
        spec: &str,
        root: &Path,
        scripts: InstallScripts,
        programs: &Programs,
    ) -> Result<(), PackageError> {
        let prefix = root.to_string_lossy();
        let mut arguments = match self.flavour() {
            Flavour::Npm => vec!["install", "--prefix", &prefix, "--legacy-peer-deps", "--no-audit", "--no-fund"],
            Flavour::Pnpm => vec![
                "add",
                "--dir",
                &prefix,
                "--config.auto-install-peers=false",
                "--config.strict-peer-dependencies=false",
            ],
            Flavour::Bun => vec!["add", "--cwd", &prefix, "--omit=peer"],
        };
        if scripts == InstallScripts::Ignore {
            arguments.push("--ignore-scripts");
        }
        // Names and versions were checked: none begins with a hyphen. npm also knows the end of options.
        if self.flavour() == Flavour::Npm {
            arguments.push("--");
        }
        arguments.push(spec);
        self.run(&arguments, root, programs).await
    }

    /// Removes a package from below `root`.
    pub(super) async fn uninstall(&self, name: &str, root: &Path, programs: &Programs) -> Result<(), PackageError> {
        let prefix = root.to_string_lossy();
        let arguments = match self.flavour() {
            Flavour::Npm => vec![
                "uninstall",
                "--prefix",
                &prefix,
                "--legacy-peer-deps",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--",
                name,
            ],
            Flavour::Pnpm => vec!["remove", "--dir", &prefix, name],
            Flavour::Bun => vec!["remove", "--cwd", &prefix, name],
        };
        self.run(&arguments, root, programs).await
    }

    /// Installs what the `package.json` in `dir` depends on.
    pub(super) async fn dependencies(
        &self,
        dir: &Path,
        scripts: InstallScripts,
        programs: &Programs,
    ) -> Result<(), PackageError> {
        let mut arguments = vec!["install"];
        if !self.custom {
            arguments.extend(["--omit=dev", "--legacy-peer-deps", "--no-audit", "--no-fund"]);
        }
        if scripts == InstallScripts::Ignore {
            arguments.push("--ignore-scripts");
        }
        self.run(&arguments, dir, programs).await
    }

    async fn run(&self, arguments: &[&str], dir: &Path, programs: &Programs) -> Result<(), PackageError> {
        let argv: Vec<String> =
            self.command.iter().cloned().chain(arguments.iter().map(|argument| (*argument).to_owned())).collect();
        programs.run(&argv, dir, NEEDED).await.map(drop)
    }

    fn flavour(&self) -> Flavour {
        let names = self.command.iter().filter_map(|part| Path::new(part).file_stem()?.to_str());
        names
            .filter_map(|name| match name {
                "npm" => Some(Flavour::Npm),
                "pnpm" => Some(Flavour::Pnpm),
                "bun" => Some(Flavour::Bun),
                _ => None,
            })
            .next_back()
            .unwrap_or(Flavour::Npm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_names() {
        let flavour =
            |command: &[&str]| Npm::new(Some(command.iter().map(|part| (*part).to_owned()).collect())).flavour();
        for (command, expected) in [
            (&[][..], Flavour::Npm),
            (&["/opt/pnpm.cjs"], Flavour::Pnpm),
            (&["mise", "exec", "node@20", "--", "npm"], Flavour::Npm),
            (&["mise", "exec", "bun@1", "--", "bun"], Flavour::Bun),
            (&["my-wrapper"], Flavour::Npm),
        ] {
            assert_eq!(flavour(command), expected, "{command:?}");
        }
    }
}
