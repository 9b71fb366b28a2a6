//! Floors of `pi-coding-agent`: every folder of its root is one, each imports only those below it, none is too large.

use std::collections::{BTreeMap, BTreeSet};

use super::floors_table::{Floor, Floors};
use super::inside::Target;
use crate::code::{File, Import, Source};

/// Code lines (as `cargo xtask tidy` counts them, inline tests left out) that a floor may have.
pub(super) const MOST_LINES: usize = 12_000;

/// How many imports a message lists.
const LISTED: usize = 10;

/// Checks who stands at the root, and the direction of imports.
pub(super) fn check(targets: &[Target], rules: &Floors) -> Vec<String> {
    let Some(target) = targets.iter().find(|target| target.krate == rules.krate) else { return Vec::new() };
    let upward = not_down(target, rules);
    let upward = upward.iter().map(|((from, to), imports)| describe(from, to, imports));
    homeless(target, rules).into_iter().chain(upward).collect()
}

/// What stands at the root, and is no floor and does not belong there.
fn homeless(target: &Target, rules: &Floors) -> Vec<String> {
    let names = target.tree.modules[0].children.keys();
    let names = names.filter(|name| {
        !rules.floors.iter().any(|floor| floor.name == *name) && !rules.at_root.contains(&name.as_str())
    });
    let sentence = |name: &String| {
        format!(
            "{name} at the root of {} is no floor: give it a row in floors_table.rs, or move it into a floor",
            rules.krate
        )
    };
    names.map(sentence).collect()
}

/// The imports of a floor from one that is not below it, as `file -> file (path)`.
fn not_down<'a>(target: &Target, rules: &'a Floors) -> Vec<((&'a Floor, &'a Floor), Vec<String>)> {
    let mut found: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for import in &target.imports.inside {
        let (Some(from), Some(to)) = (floor_of(target, rules, import.from), floor_of(target, rules, import.to)) else {
            continue;
        };
        if from.name != to.name && to.level >= from.level {
            found.entry((from.name, to.name)).or_default().push(text(target, import));
        }
    }
    let named = |name: &str| rules.floors.iter().find(|floor| floor.name == name);
    found.into_iter().filter_map(|((from, to), imports)| Some(((named(from)?, named(to)?), imports))).collect()
}

fn floor_of<'a>(target: &Target, rules: &'a Floors, module: usize) -> Option<&'a Floor> {
    let name = target.tree.modules[module].path.first()?;
    rules.floors.iter().find(|floor| floor.name == name)
}

fn text(target: &Target, import: &Import) -> String {
    let file = |at: usize| &target.tree.modules[at].file;
    format!("{} -> {} ({})", file(import.from), file(import.to), import.path)
}

fn describe(from: &Floor, to: &Floor, imports: &[String]) -> String {
    let mut text = format!(
        "floor {} (level {}) imports {} (level {}), which is not below it, {} times: move what it needs further down",
        from.name,
        from.level,
        to.name,
        to.level,
        imports.len()
    );
    for import in imports.iter().take(LISTED) {
        text += &format!("\n    {import}");
    }
    if imports.len() > LISTED {
        text += &format!("\n    and {} more", imports.len() - LISTED);
    }
    text
}

/// Size and imports of a crate or a part of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Code lines.
    pub(super) lines: usize,
    /// Files.
    pub(super) files: usize,
    /// Names of the parts that it imports.
    pub(super) imports: BTreeSet<String>,
}

/// The children of a target's root with their extents; the root file has an empty name.
pub(super) fn extents(target: &Target, files: &[File]) -> BTreeMap<String, Extent> {
    let part = |at: usize| target.tree.modules[at].path.first().cloned().unwrap_or_default();
    let mut extents: BTreeMap<String, Extent> = BTreeMap::new();
    let mut counted = BTreeSet::new();
    for (at, module) in target.tree.modules.iter().enumerate() {
        let extent = extents.entry(part(at)).or_default();
        if !counted.insert(&module.file) {
            continue;
        }
        let text = files.iter().find(|file| file.path == module.file).map_or("", |file| file.text.as_str());
        extent.files += 1;
        extent.lines += Source::new(text).code_lines();
    }
    for import in &target.imports.inside {
        let (from, to) = (part(import.from), part(import.to));
        if from != to && !to.is_empty() {
            extents.entry(from).or_default().imports.insert(to);
        }
    }
    extents
}

/// Floors that are too large.
pub(super) fn too_large(extents: &BTreeMap<String, Extent>, rules: &Floors) -> Vec<String> {
    let floors = rules.floors.iter().filter_map(|floor| Some((floor.name, extents.get(floor.name)?.lines)));
    let large = floors.filter(|(_, lines)| *lines > MOST_LINES);
    large
        .map(|(name, lines)| format!("floor {name} has {lines} code lines, {MOST_LINES} allowed: cut it in two"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    const RULES: Floors = Floors {
        krate: "c",
        floors: &[
            Floor { name: "host", level: 1, about: "" },
            Floor { name: "tools", level: 2, about: "" },
            Floor { name: "session", level: 2, about: "" },
        ],
        at_root: &["prelude", "old"],
    };

    fn files(host: &str, tools: &str, root: &str) -> Vec<File> {
        files_of(&[
            ("crates/c/Cargo.toml", ""),
            ("crates/c/src/lib.rs", root),
            ("crates/c/src/host.rs", host),
            ("crates/c/src/tools.rs", tools),
            ("crates/c/src/session.rs", "pub struct S;"),
            ("crates/c/src/old.rs", "use crate::tools::T;"),
            ("crates/c/src/prelude.rs", "pub use crate::tools::T;"),
            ("crates/c/src/new.rs", ""),
        ])
    }

    const ROOT: &str = "mod host; mod tools; mod session; mod old; mod prelude;";

    fn problems(host: &str, tools: &str, root: &str) -> Vec<String> {
        check(&inside::read(&files(host, tools, root)).unwrap(), &RULES)
    }

    #[test]
    fn imports_go_down() {
        let found = problems("pub struct H;", "use crate::host::H; use crate::old; pub struct T;", ROOT);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn an_import_upwards_or_of_the_same_level_fails() {
        let found = problems("use crate::tools::T;", "use crate::session::S; pub struct T;", ROOT);
        assert_eq!(
            found,
            [
                "floor host (level 1) imports tools (level 2), which is not below it, 1 times: move what it needs further down\
                 \n    crates/c/src/host.rs -> crates/c/src/tools.rs (crate::tools::T)",
                "floor tools (level 2) imports session (level 2), which is not below it, 1 times: move what it needs further down\
                 \n    crates/c/src/tools.rs -> crates/c/src/session.rs (crate::session::S)",
            ]
        );
    }

    #[test]
    fn what_stands_at_the_root_is_a_floor() {
        let found = problems("", "pub struct T;", &format!("{ROOT} mod new;"));
        assert_eq!(
            found,
            ["new at the root of c is no floor: give it a row in floors_table.rs, or move it into a floor"]
        );
    }

    #[test]
    fn a_floor_that_is_too_large_fails_and_tests_do_not_count() {
        let line = "const A: u8 = 1;\n";
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", line.repeat(MOST_LINES));
        for (text, count) in [(line.repeat(MOST_LINES), 0), (line.repeat(MOST_LINES + 1), 1), (tests, 0)] {
            let files = files("", &text, "mod host; mod tools; mod session;");
            let targets = inside::read(&files).unwrap();
            let extents = extents(&targets[0], &files);
            assert_eq!(too_large(&extents, &RULES).len(), count);
        }
    }

    #[test]
    fn extents_name_what_is_imported() {
        let files =
            files("pub struct H;\n", "use crate::host::H;\n", "mod host;\nmod tools;\nmod session;\nuse tools::x;\n");
        let extents = extents(&inside::read(&files).unwrap()[0], &files);
        let wanted = Extent { lines: 1, files: 1, imports: BTreeSet::from(["host".to_owned()]) };
        assert_eq!(extents["tools"], wanted);
        assert_eq!((extents[""].lines, extents[""].imports.len()), (4, 1));
    }
}
