//! How many methods a type has over all its `impl` blocks, inherent ones and those of traits.

use std::collections::{BTreeMap, BTreeSet};

use syn::{ImplItem, Item, ItemImpl};

use super::modules::{Tree, is_for_tests};
use super::scope::Place;

/// A type of a crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Type {
    /// The module in which it is defined, and its name: `session/log::Log`.
    pub(crate) name: String,
    /// Functions in its `impl` blocks, test code left out.
    pub(crate) methods: usize,
    /// Files in which these blocks stand, with the number of functions.
    pub(crate) files: BTreeMap<String, usize>,
}

/// The types of a target that have methods.
pub(crate) fn types(tree: &Tree) -> Vec<Type> {
    let mut types: BTreeMap<String, Type> = BTreeMap::new();
    for (at, module) in tree.modules.iter().enumerate() {
        for item in &module.items {
            let Item::Impl(item) = item else { continue };
            let Some(name) = self_type(tree, at, item) else { continue };
            let methods = methods(item);
            let found = types.entry(name.clone()).or_insert_with(|| Type { name, ..Type::default() });
            found.methods += methods;
            *found.files.entry(module.file.clone()).or_default() += methods;
        }
    }
    types.into_values().collect()
}

fn methods(item: &ItemImpl) -> usize {
    item.items.iter().filter(|item| matches!(item, ImplItem::Fn(item) if !is_for_tests(&item.attrs))).count()
}

/// Where the type of an `impl` is defined, and its name; nothing for types of others.
fn self_type(tree: &Tree, at: usize, item: &ItemImpl) -> Option<String> {
    let mut of = item.self_ty.as_ref();
    while let syn::Type::Reference(reference) = of {
        of = &reference.elem;
    }
    let syn::Type::Path(of) = of else { return None };
    let path: Vec<String> = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let generic: BTreeSet<String> = item.generics.type_params().map(|param| param.ident.to_string()).collect();
    if path.len() == 1 && generic.contains(&path[0]) {
        return None;
    }
    match tree.resolve(at, &path) {
        Place::Item(home) => Some(format!("{}::{}", tree.modules[home].path.join("/"), path.last()?)),
        Place::Module(_) | Place::Outside(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    #[test]
    fn methods_are_counted_over_all_impls_of_a_crate() {
        let files = files_of(&[
            ("c/src/lib.rs", "mod a; mod b; struct Thing; impl Thing { fn other(&self) {} }"),
            (
                "c/src/a.rs",
                "pub struct Thing<T>(T); impl<T> Thing<T> { fn new() -> Self {} const A: u8 = 1; }\n#[cfg(test)] mod tests { impl super::Thing<u8> { fn t() {} } }",
            ),
            (
                "c/src/b.rs",
                "use crate::a::Thing; impl Clone for Thing<u8> { fn clone(&self) -> Self {} }\nimpl Iterator for &Thing<u8> { type Item = u8; fn next(&mut self) {} #[cfg(test)] fn t() {} }\nimpl<T> Named for T { fn name() {} } impl Named for String { fn name() {} }",
            ),
        ]);
        let found = types(&Tree::read("c/src/lib.rs", &files).unwrap());
        let names: Vec<String> = found.iter().map(|of| format!("{} {} {:?}", of.name, of.methods, of.files)).collect();
        assert_eq!(names, [r#"::Thing 1 {"c/src/lib.rs": 1}"#, r#"a::Thing 3 {"c/src/a.rs": 1, "c/src/b.rs": 2}"#]);
    }
}
