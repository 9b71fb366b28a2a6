//! What `cargo xtask layers` prints: a row per crate and per floor with its size and what it imports.

use std::collections::BTreeMap;

use super::floors::{self, Extent};
use super::floors_table::Floors;
use super::graph::Workspace;
use super::inside::Target;
use crate::code::File;

/// Prints the rows.
pub(super) fn print(targets: &[Target], files: &[File], workspace: &Workspace, rules: &Floors) {
    println!("layers: {:<24} {:>7} {:>6}  imports", "crate, floor", "lines", "files");
    for line in rows(targets, files, workspace, rules) {
        println!("layers: {line}");
    }
}

fn rows(targets: &[Target], files: &[File], workspace: &Workspace, rules: &Floors) -> Vec<String> {
    let mut names: Vec<&str> = targets.iter().map(|target| target.krate.as_str()).collect();
    names.dedup();
    let mut rows = Vec::new();
    for name in names {
        let parts: Vec<BTreeMap<String, Extent>> =
            targets.iter().filter(|target| target.krate == name).map(|target| floors::extents(target, files)).collect();
        let sum = |of: fn(&Extent) -> usize| parts.iter().flat_map(BTreeMap::values).map(of).sum();
        rows.push(row(name, sum(|extent| extent.lines), sum(|extent| extent.files), &our_crates(name, workspace)));
        if name == rules.krate {
            rows.extend(parts.first().into_iter().flat_map(|parts| floor_rows(parts, rules)));
        }
    }
    rows
}

/// A row per floor, top-down as the imports go, then one for each part that is none.
fn floor_rows(parts: &BTreeMap<String, Extent>, rules: &Floors) -> Vec<String> {
    let name = |level: u8, name: &str| format!("  {level:>2} {name}");
    let imports = |extent: &Extent| extent.imports.iter().cloned().collect::<Vec<_>>();
    let floors = rules.floors.iter().rev().map(|floor| match parts.get(floor.name) {
        Some(extent) => row(&name(floor.level, floor.name), extent.lines, extent.files, &imports(extent)),
        None => format!("{:<24} not there yet: {}", name(floor.level, floor.name), floor.about),
    });
    let others = parts.iter().filter(|(part, _)| !part.is_empty() && rules.floors.iter().all(|f| f.name != *part));
    let others =
        others.map(|(part, extent)| row(&format!("   – {part}"), extent.lines, extent.files, &imports(extent)));
    floors.chain(others).collect()
}

fn row(name: &str, lines: usize, files: usize, imports: &[String]) -> String {
    let imports = if imports.is_empty() { "–".to_owned() } else { imports.join(", ") };
    format!("{name:<24} {lines:>7} {files:>6}  {imports}")
}

/// Those of our crates that a crate depends on, tests left out.
fn our_crates(name: &str, workspace: &Workspace) -> Vec<String> {
    let Some(krate) = workspace.crates.iter().find(|krate| krate.name == name) else { return Vec::new() };
    let is_ours = |name: &str| workspace.crates.iter().any(|krate| krate.name == name);
    let direct = krate.direct.iter().filter(|direct| !direct.is_dev && is_ours(&direct.name));
    direct.map(|direct| direct.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::floors_table::Floor;
    use super::super::graph::{Crate, Direct};
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    #[test]
    fn there_is_a_row_per_crate_and_per_floor() {
        let files = files_of(&[
            ("crates/a/Cargo.toml", ""),
            ("crates/a/src/lib.rs", "mod old;\nmod tools;\nmod host;\n"),
            ("crates/a/src/host.rs", "\n"),
            ("crates/a/src/tools.rs", "use crate::host::H;\n"),
            ("crates/a/src/old.rs", "use crate::tools::T;\n"),
            ("crates/b/Cargo.toml", ""),
            ("crates/b/src/lib.rs", "\n"),
        ]);
        let floor = |level, name| Floor { name, level, about: "…" };
        let floors = Box::leak(Box::new([floor(1, "host"), floor(2, "tools"), floor(3, "rpc")]));
        let rules = Floors { krate: "a", floors, at_root: &[] };
        let direct =
            vec![Direct { name: "b".to_owned(), is_dev: false }, Direct { name: "serde".to_owned(), is_dev: false }];
        let krate = |name: &str, direct| Crate { name: name.to_owned(), direct, reached: Vec::new() };
        let workspace = Workspace { crates: vec![krate("a", direct), krate("b", Vec::new())] };
        let rows = rows(&inside::read(&files).unwrap(), &files, &workspace, &rules);
        let squeezed: Vec<String> =
            rows.iter().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(
            squeezed,
            ["a 6 4 b", "3 rpc not there yet: …", "2 tools 1 1 host", "1 host 1 1 –", "– old 1 1 tools", "b 1 1 –"]
        );
    }
}
