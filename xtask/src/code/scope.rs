//! What a path leads to: through `crate`, `self` and `super`, child modules, `use` items and globs, to the module in
//! which an item is defined. A name that none of them explains belongs to another crate or to the language.

use std::collections::{HashMap, HashSet};

use syn::{Item, UseTree};

use super::modules::Tree;

/// What the names of one module mean, its children apart.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    names: HashMap<String, Vec<Binding>>,
    globs: Vec<Vec<String>>,
}

#[derive(Debug)]
enum Binding {
    /// Defined here.
    Item,
    /// Brought in from this path.
    Use(Vec<String>),
}

/// Where a path ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A module.
    Module(usize),
    /// An item that is defined in a module, or something below it.
    Item(usize),
    /// Another crate, by its name in source.
    Outside(String),
}

impl Scope {
    /// The scope that items make.
    pub(super) fn of(items: &[Item]) -> Self {
        let mut scope = Self::default();
        for item in items {
            if let Item::Use(item) = item {
                scope.add_use(&item.tree, item.leading_colon.is_some());
            } else if let Some(name) = name_of(item) {
                scope.names.entry(name).or_default().push(Binding::Item);
            }
        }
        scope
    }

    fn add_use(&mut self, tree: &UseTree, is_outside: bool) {
        // `::name` is never one of ours.
        let prefix = if is_outside { vec![String::new()] } else { Vec::new() };
        for leaf in leaves(tree, prefix) {
            match leaf.name {
                Some(name) => self.names.entry(name).or_default().push(Binding::Use(leaf.path)),
                None => self.globs.push(leaf.path),
            }
        }
    }
}

/// One name that a `use` item brings in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Where from.
    pub(super) path: Vec<String>,
    /// What it is called here; nothing for a glob.
    pub(super) name: Option<String>,
}

/// Takes a `use` tree apart.
pub(super) fn leaves(tree: &UseTree, mut prefix: Vec<String>) -> Vec<Leaf> {
    let text = |ident: &syn::Ident| ident.to_string().trim_start_matches("r#").to_owned();
    let leaf = |mut path: Vec<String>, last: String, name: String| {
        if last != "self" || path.is_empty() {
            path.push(last);
        }
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        vec![Leaf { path, name: Some(name) }]
    };
    match tree {
        UseTree::Path(tree) => {
            prefix.push(text(&tree.ident));
            leaves(&tree.tree, prefix)
        }
        UseTree::Name(tree) => leaf(prefix, text(&tree.ident), text(&tree.ident)),
        UseTree::Rename(tree) => leaf(prefix, text(&tree.ident), text(&tree.rename)),
        UseTree::Glob(_) => vec![Leaf { path: prefix, name: None }],
        UseTree::Group(tree) => tree.items.iter().flat_map(|tree| leaves(tree, prefix.clone())).collect(),
    }
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

impl Tree {
    /// Where a path leads that is written in a module.
    pub(crate) fn resolve(&self, from: usize, path: &[String]) -> Place {
        let named = || path.iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
        self.resolve_once(from, path, &mut HashSet::new()).unwrap_or_else(|| Place::Outside(named()))
    }

    /// Where a bare name leads that only a glob can have brought into a module.
    pub(crate) fn resolve_by_glob(&self, from: usize, name: &str) -> Option<Place> {
        let module = &self.modules[from];
        if module.children.contains_key(name) || module.scope.names.contains_key(name) {
            return None;
        }
        self.look_up(from, name, &mut HashSet::new())
    }

    /// Whether a name is an item that a `use` item of the module brought.
    pub(crate) fn is_imported_item(&self, from: usize, name: &str) -> bool {
        let is_named = self.modules[from].scope.names.contains_key(name);
        is_named && matches!(self.look_up(from, name, &mut HashSet::new()), Some(Place::Item(_)))
    }

    /// Nothing where the way goes in a circle, or the name is unknown. `seen` are the look-ups on the way here.
    fn resolve_once(&self, from: usize, path: &[String], seen: &mut HashSet<(usize, String)>) -> Option<Place> {
        let (first, mut rest) = path.split_first()?;
        let mut place = match first.as_str() {
            "crate" => Place::Module(0),
            "self" => Place::Module(from),
            "super" => Place::Module(self.modules[from].parent),
            name => self.look_up(from, name, seen)?,
        };
        while let (Place::Module(at), Some((name, after))) = (&place, rest.split_first()) {
            place = match name.as_str() {
                "super" => Place::Module(self.modules[*at].parent),
                "self" => Place::Module(*at),
                // An item that a macro defines.
                name => self.look_up(*at, name, seen).unwrap_or(Place::Item(*at)),
            };
            rest = after;
        }
        Some(place)
    }

    fn look_up(&self, at: usize, name: &str, seen: &mut HashSet<(usize, String)>) -> Option<Place> {
        let module = &self.modules[at];
        if let Some(&child) = module.children.get(name) {
            return Some(Place::Module(child));
        }
        if !seen.insert((at, name.to_owned())) {
            return None;
        }
        if let Some(bindings) = module.scope.names.get(name) {
            let found = bindings.iter().find_map(|binding| match binding {
                Binding::Item => Some(Place::Item(at)),
                Binding::Use(path) => self.resolve_once(at, path, seen),
            });
            return Some(found.unwrap_or_else(|| outside(bindings)));
        }
        module.scope.globs.iter().find_map(|path| {
            let Place::Module(source) = self.resolve_once(at, path, seen)? else { return None };
            self.look_up(source, name, seen)
        })
    }
}

/// The crate that a `use` item names.
fn outside(bindings: &[Binding]) -> Place {
    let named = bindings.iter().find_map(|binding| match binding {
        Binding::Use(path) => path.iter().find(|name| !name.is_empty()),
        Binding::Item => None,
    });
    Place::Outside(named.cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    /// The module's path with the kind of place, for a path written in a module.
    fn lead(tree: &Tree, from: &str, path: &str) -> String {
        let split = |text: &str, by: &str| text.split(by).map(str::to_owned).collect::<Vec<_>>();
        let from = if from.is_empty() { 0 } else { tree.find(&split(from, "/")).unwrap() };
        match tree.resolve(from, &split(path, "::")) {
            Place::Module(at) => format!("mod {}", tree.modules[at].path.join("/")),
            Place::Item(at) => format!("in {}", tree.modules[at].path.join("/")),
            Place::Outside(name) => format!("outside {name}"),
        }
    }

    #[test]
    fn paths_lead_to_the_module_of_the_item() {
        let files = files_of(&[
            ("c/src/lib.rs", "pub mod a; pub mod b; pub use b::deep::Thing; use serde::{self, Serialize as Ser};"),
            ("c/src/a.rs", "use super::b; use crate::b::Again as Other; pub(crate) use b::*; fn f() {}"),
            (
                "c/src/b/mod.rs",
                "pub mod deep; pub use self::deep::{Thing as Again, Kind}; pub use crate::b::odd::*;\nmod odd { pub use super::odd::*; }",
            ),
            ("c/src/b/deep.rs", "pub struct Thing; pub enum Kind { A } mod inner { fn g() {} }"),
        ]);
        let tree = Tree::read("c/src/lib.rs", &files).unwrap();
        for (from, path, place) in [
            ("", "a::f", "in a"),
            ("a", "crate::b", "mod b"),
            ("a", "crate::Thing", "in b/deep"),
            ("a", "b::Again", "in b/deep"),
            ("a", "Other::new", "in b/deep"),
            ("a", "super::b::Kind::A", "in b/deep"),
            ("a", "Kind::A", "in b/deep"),
            ("b", "crate::a::Again", "in b/deep"),
            ("b/deep/inner", "super::super::super::a::f", "in a"),
            ("b/deep/inner", "super::Thing", "in b/deep"),
            ("b", "made_by_a_macro::X", "outside made_by_a_macro"),
            ("b", "self::made_by_a_macro", "in b"),
            ("", "serde::Value", "outside serde"),
            ("", "Ser", "outside serde"),
            ("a", "std::fmt::Debug", "outside std"),
            ("a", "::b::Thing", "outside b"),
        ] {
            assert_eq!(lead(&tree, from, path), place, "{path} in {from}");
        }
    }

    #[test]
    fn a_bare_name_may_come_by_a_glob() {
        let files = files_of(&[(
            "c/src/lib.rs",
            "mod a { use super::*; struct Own; } mod b { pub struct Far; } use b::Far; mod tools {}",
        )]);
        let tree = Tree::read("c/src/lib.rs", &files).unwrap();
        let a = tree.find(&["a".to_owned()]).unwrap();
        let b = tree.find(&["b".to_owned()]).unwrap();
        assert_eq!(tree.resolve_by_glob(a, "Far"), Some(Place::Item(b)));
        assert_eq!(tree.resolve_by_glob(a, "Own"), None);
        assert_eq!(tree.resolve_by_glob(a, "String"), None);
    }
}
