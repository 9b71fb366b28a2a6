//! Heavy dependencies stand only where a table says: in manifests, and inside `pi-coding-agent` also in the source.

use super::graph::Workspace;
use super::heavy_table::{Heavy, Home};
use super::inside::Target;

impl Heavy {
    /// Whether a package is meant.
    fn is(&self, package: &str) -> bool {
        let package = package.replace('_', "-");
        match self.name.strip_suffix('*') {
            Some(prefix) => package.starts_with(prefix),
            None => package == self.name.replace('_', "-"),
        }
    }

    fn home(&self, krate: &str) -> Option<&Home> {
        self.homes.iter().find(|home| home.krate == krate)
    }
}

/// Checks manifests and sources.
pub(super) fn check(rules: &[Heavy], workspace: &Workspace, targets: &[Target]) -> Vec<String> {
    let mut problems = Vec::new();
    for rule in rules {
        problems.extend(in_manifests(rule, workspace));
        for target in targets {
            problems.extend(in_sources(rule, target));
        }
    }
    problems
}

fn in_manifests(rule: &Heavy, workspace: &Workspace) -> Vec<String> {
    let strays = workspace.crates.iter().filter(|krate| rule.home(&krate.name).is_none());
    let named = strays.flat_map(|krate| {
        let direct = krate.direct.iter().filter(|direct| !direct.is_dev && rule.is(&direct.name));
        direct.map(|direct| format!("{} depends on {}: {}", krate.name, direct.name, advice(rule)))
    });
    named.collect()
}

/// Parts of a crate that use it and may not, and parts that may and do not.
fn in_sources(rule: &Heavy, target: &Target) -> Vec<String> {
    let Some(home) = rule.home(&target.krate).filter(|home| !home.parts.is_empty()) else { return Vec::new() };
    let mut problems = Vec::new();
    let users = target.imports.outside.iter().filter(|(name, _)| rule.is(name)).flat_map(|(_, files)| files);
    let mut unused: Vec<&str> = home.parts.to_vec();
    for file in users {
        let part = part_of(file);
        unused.retain(|name| *name != part);
        if !home.parts.contains(&part) {
            problems.push(format!("{file} uses {}: {}", rule.name, advice(rule)));
        }
    }
    unused.retain(|part| target.tree.modules[0].children.contains_key(*part));
    let note = |part| format!("{part} of {} does not use {}: remove it from heavy_table.rs", target.krate, rule.name);
    problems.extend(unused.into_iter().map(note));
    problems
}

/// The child of the crate's root in which a file lies.
fn part_of(file: &str) -> &str {
    let inside = file.split_once("/src/").map_or(file, |(_, inside)| inside);
    inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
}

fn advice(rule: &Heavy) -> String {
    let home = |home: &Home| {
        if home.parts.is_empty() {
            home.krate.to_owned()
        } else {
            format!("{}/{{{}}}", home.krate, home.parts.join(","))
        }
    };
    if rule.homes.is_empty() {
        return "only tests may use it".to_owned();
    }
    let homes: Vec<String> = rule.homes.iter().map(home).collect();
    format!("it may stand in {} only; use what that offers", homes.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Crate, Direct};
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    const RULE: &[Heavy] = &[Heavy {
        name: "grep-*",
        homes: &[Home { krate: "c", parts: &["tools"] }, Home { krate: "whole", parts: &[] }],
    }];

    fn workspace(krate: &str, dependency: &str, is_dev: bool) -> Workspace {
        let direct = vec![Direct { name: dependency.to_owned(), is_dev }];
        Workspace { crates: vec![Crate { name: krate.to_owned(), direct, reached: Vec::new() }] }
    }

    #[test]
    fn a_manifest_without_a_row_fails() {
        let check = |workspace: &Workspace| check(RULE, workspace, &[]);
        assert_eq!(
            check(&workspace("other", "grep-regex", false)),
            ["other depends on grep-regex: it may stand in c/{tools}, whole only; use what that offers"]
        );
        assert!(check(&workspace("other", "grep-regex", true)).is_empty(), "tests may");
        assert!(check(&workspace("other", "grepper", false)).is_empty());
        assert!(check(&workspace("whole", "grep-regex", false)).is_empty());
        let nowhere = [Heavy { name: "grep-regex", homes: &[] }];
        let found = super::check(&nowhere, &workspace("c", "grep-regex", false), &[]);
        assert_eq!(found, ["c depends on grep-regex: only tests may use it"]);
    }

    #[test]
    fn a_part_without_a_row_fails_and_a_row_without_use_fails_too() {
        let found = |tools: &str, session: &str| {
            let files = files_of(&[
                ("crates/c/Cargo.toml", ""),
                ("crates/c/src/lib.rs", "mod tools; mod session;"),
                ("crates/c/src/tools.rs", tools),
                ("crates/c/src/session.rs", session),
            ]);
            check(RULE, &workspace("c", "grep-regex", false), &inside::read(&files).unwrap())
        };
        let fine = found("use grep_regex::Matcher;", "mod grep_own { pub fn f() {} } use grep_own::f;");
        assert!(fine.is_empty(), "{fine:?}");
        let stray = found("fn f() { grep_regex::g() }", "type M = grep_searcher::Searcher;");
        assert_eq!(stray.len(), 1);
        assert!(stray[0].starts_with("crates/c/src/session.rs uses grep-*: "), "{stray:?}");
        assert_eq!(found("", ""), ["tools of c does not use grep-*: remove it from heavy_table.rs"]);
    }
}
