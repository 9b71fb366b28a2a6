//! Who imports what: every path in a crate, resolved to the module that it leads to.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::Tree;
use super::scope::Place;
use super::walk::{Named, named_paths};

/// One module names something of another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    /// The module that names it.
    pub(crate) from: usize,
    /// The module in which it is defined.
    pub(crate) to: usize,
    /// As it is written.
    pub(crate) path: String,
}

/// What a target names.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// Inside the target, sorted; a module's own items are left out.
    pub(crate) inside: BTreeSet<Import>,
    /// Other crates by the name they have in source, each with the files that name them.
    pub(crate) outside: BTreeMap<String, BTreeSet<String>>,
}

/// The imports of a target.
pub(crate) fn imports(tree: &Tree) -> Imports {
    let mut imports = Imports::default();
    for (from, module) in tree.modules.iter().enumerate() {
        for named in named_paths(&module.items) {
            imports.add(tree, from, &named);
        }
    }
    imports
}

impl Imports {
    fn add(&mut self, tree: &Tree, from: usize, named: &Named) {
        let place = match named.path.as_slice() {
            // A bare name is explained by the `use` item that brought it, unless that is a glob. No bare name is a module.
            [name] if !named.is_glob && !["crate", "self", "super"].contains(&name.as_str()) => {
                match tree.resolve_by_glob(from, name) {
                    Some(Place::Item(to)) => Place::Item(to),
                    _ => return,
                }
            }
            // So is the name with which a longer path begins, unless it is a module.
            [first, _, ..] if tree.is_imported_item(from, first) => return,
            path => tree.resolve(from, path),
        };
        match place {
            Place::Module(to) | Place::Item(to) if to != from => {
                self.inside.insert(Import { from, to, path: named.path.join("::") });
            }
            Place::Module(_) | Place::Item(_) => {}
            Place::Outside(name) => {
                self.outside.entry(name).or_default().insert(tree.modules[from].file.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    fn found(sources: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let tree = Tree::read("c/src/lib.rs", &files_of(sources)).unwrap();
        let imports = imports(&tree);
        let name = |at: usize| tree.modules[at].path.join("/");
        let inside =
            imports.inside.iter().map(|import| format!("{} > {} {}", name(import.from), name(import.to), import.path));
        (inside.collect(), imports.outside.into_keys().collect())
    }

    #[test]
    fn imports_lead_through_re_exports() {
        let (inside, outside) = found(&[
            ("c/src/lib.rs", "mod a; mod b; mod facade { pub use crate::b::deep::Thing; }"),
            (
                "c/src/a.rs",
                "use crate::facade::Thing; use crate::b as c; fn g() { Thing::new(c::Other) } fn f(tools: super::b::Other) { let deep = tools; deep() }",
            ),
            ("c/src/b.rs", "pub mod deep; pub struct Other; fn f() -> serde_json::Value { Self::g(); String::new() }"),
            ("c/src/b/deep.rs", "use super::*; pub struct Thing(Other);"),
        ]);
        assert_eq!(
            inside,
            [
                "a > b c::Other",
                "a > b crate::b",
                "a > b super::b::Other",
                "a > b/deep crate::facade::Thing",
                "b/deep > b Other",
                "b/deep > b super",
                "facade > b/deep crate::b::deep::Thing",
            ]
        );
        assert!(outside.contains(&"serde_json".to_owned()), "{outside:?}");
    }
}
