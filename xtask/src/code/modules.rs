//! A crate as a tree of modules, read from its root file along its `mod` items. Code for tests is left out.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, ItemMod, Meta, Token};

use super::File;
use super::scope::Scope;

/// A module, in a file of its own or in the file of its parent.
pub(crate) struct Module {
    /// Names from the crate's root to it; empty for the root itself.
    pub(crate) path: Vec<String>,
    /// The file in which it stands.
    pub(crate) file: String,
    /// The module around it; the root is its own.
    pub(crate) parent: usize,
    /// Modules in it, by name.
    pub(crate) children: BTreeMap<String, usize>,
    /// Its other items, without those for tests.
    pub(crate) items: Vec<Item>,
    /// What names mean in it.
    pub(crate) scope: Scope,
}

/// The modules of one target (a library or a program).
pub(crate) struct Tree {
    /// The root is the first.
    pub(crate) modules: Vec<Module>,
}

impl Tree {
    /// Reads the target whose root file is given.
    ///
    /// # Errors
    /// When a file is missing or is no Rust.
    pub(crate) fn read(root: &str, files: &[File]) -> Result<Self> {
        let mut reader = Reader { files, modules: Vec::new() };
        reader.file(root, Vec::new(), 0)?;
        Ok(Self { modules: reader.modules })
    }

    /// Whether it has modules in files of their own: a folder, and no loose file.
    pub(crate) fn is_folder(&self, module: usize) -> bool {
        let module = &self.modules[module];
        module.children.values().any(|&child| self.modules[child].file != module.file)
    }

    /// The module with a path.
    pub(crate) fn find(&self, path: &[String]) -> Option<usize> {
        path.iter().try_fold(0, |at, name| self.modules[at].children.get(name).copied())
    }
}

/// The root files of a crate that lies in a directory: its library and its program, whichever there are.
pub(crate) fn roots(directory: &str, files: &[File]) -> Vec<String> {
    let candidates = ["lib.rs", "main.rs"].map(|name| format!("{directory}/src/{name}"));
    candidates.into_iter().filter(|path| files.iter().any(|file| file.path == *path)).collect()
}

/// Collects modules.
struct Reader<'a> {
    files: &'a [File],
    modules: Vec<Module>,
}

impl Reader<'_> {
    /// Reads the module that a file is.
    fn file(&mut self, file: &str, path: Vec<String>, parent: usize) -> Result<usize> {
        let text = self.text(file).with_context(|| format!("{file} is missing"))?;
        let parsed = syn::parse_file(text).with_context(|| format!("{file} is no Rust"))?;
        self.module(parsed.items, file, &folder_of(file, path.is_empty()), path, parent)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    /// Adds a module with these items, whose own modules lie in a folder.
    fn module(
        &mut self,
        items: Vec<Item>,
        file: &str,
        folder: &str,
        path: Vec<String>,
        parent: usize,
    ) -> Result<usize> {
        let at = self.modules.len();
        let (modules, items): (Vec<Item>, Vec<Item>) =
            items.into_iter().filter(|item| !is_for_tests(attributes(item))).partition(|i| matches!(i, Item::Mod(_)));
        let scope = Scope::of(&items);
        let file = file.to_owned();
        self.modules.push(Module { path, file, parent, children: BTreeMap::new(), items, scope });
        for item in modules {
            if let Item::Mod(item) = item {
                self.child(item, folder, at)?;
            }
        }
        Ok(at)
    }

    fn child(&mut self, item: ItemMod, folder: &str, parent: usize) -> Result<()> {
        let name = item.ident.to_string().trim_start_matches("r#").to_owned();
        let mut path = self.modules[parent].path.clone();
        path.push(name.clone());
        let child = if let Some((_, items)) = item.content {
            let file = self.modules[parent].file.clone();
            self.module(items, &file, &format!("{folder}/{name}"), path, parent)?
        } else {
            let file = self.file_of(&item.attrs, folder, &name);
            self.file(&file, path, parent)?
        };
        self.modules[parent].children.insert(name, child);
        Ok(())
    }

    /// Where `mod name;` is.
    fn file_of(&self, attributes: &[Attribute], folder: &str, name: &str) -> String {
        if let Some(path) = attributes.iter().find_map(path_attribute) {
            return format!("{folder}/{path}");
        }
        let in_folder = format!("{folder}/{name}/mod.rs");
        if self.text(&in_folder).is_some() { in_folder } else { format!("{folder}/{name}.rs") }
    }
}

/// The folder in which modules of a file lie.
fn folder_of(file: &str, is_root: bool) -> String {
    let (folder, name) = file.rsplit_once('/').unwrap_or((".", file));
    let stem = name.trim_end_matches(".rs");
    if is_root || stem == "mod" { folder.to_owned() } else { format!("{folder}/{stem}") }
}

/// The value of `#[path = "…"]`.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(value) = &attribute.meta else { return None };
    let syn::Expr::Lit(literal) = &value.value else { return None };
    match &literal.lit {
        syn::Lit::Str(text) if value.path.is_ident("path") => Some(text.value()),
        _ => None,
    }
}

/// Whether something is compiled for tests only: `#[cfg(test)]`, or `test` among what `all(…)` asks for.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    let cfg = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    cfg.filter_map(|attribute| attribute.parse_args::<Meta>().ok()).any(|meta| needs_test(&meta))
}

fn needs_test(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(needs_test))
        }
        _ => false,
    }
}

/// The attributes of an item.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    fn paths(sources: &[(&str, &str)]) -> Vec<String> {
        let tree = Tree::read("c/src/lib.rs", &files_of(sources)).unwrap();
        tree.modules.iter().map(|module| format!("{} in {}", module.path.join("/"), module.file)).collect()
    }

    #[test]
    fn modules_are_found_in_files_folders_and_inline() {
        let found = paths(&[
            ("c/src/lib.rs", "mod a; mod b; #[path = \"odd.rs\"] mod c;"),
            ("c/src/a.rs", "mod deep; mod inline { mod below; }"),
            ("c/src/a/deep.rs", ""),
            ("c/src/a/inline/below.rs", ""),
            ("c/src/b/mod.rs", "pub(super) mod r#in;"),
            ("c/src/b/in.rs", ""),
            ("c/src/odd.rs", ""),
        ]);
        assert_eq!(
            found,
            [
                " in c/src/lib.rs",
                "a in c/src/a.rs",
                "a/deep in c/src/a/deep.rs",
                "a/inline in c/src/a.rs",
                "a/inline/below in c/src/a/inline/below.rs",
                "b in c/src/b/mod.rs",
                "b/in in c/src/b/in.rs",
                "c in c/src/odd.rs",
            ]
        );
    }

    #[test]
    fn modules_for_tests_are_left_out() {
        let lib = "#[cfg(test)] mod tests; #[cfg(all(test, unix))] mod a { use x::y; } #[cfg(any(test, feature = \"f\"))] mod kit {} #[cfg(not(test))] mod b {}";
        assert_eq!(paths(&[("c/src/lib.rs", lib)]).len(), 3, "the root, kit and b");
    }

    #[test]
    fn a_missing_or_broken_file_is_named() {
        let error = Tree::read("c/src/lib.rs", &files_of(&[("c/src/lib.rs", "mod a;")])).err().unwrap();
        assert_eq!(error.to_string(), "c/src/a.rs is missing");
        let error = Tree::read("c/src/lib.rs", &files_of(&[("c/src/lib.rs", "fn {")])).err().unwrap();
        assert_eq!(error.to_string(), "c/src/lib.rs is no Rust");
    }
}
