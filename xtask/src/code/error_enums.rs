//! The error enums of a target: enums that derive `thiserror::Error`, with their number of variants.

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Path, Token};

use super::modules::{Tree, is_for_tests};

/// An enum that derives `Error`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ErrorEnum {
    /// The module in which it is defined, and its name: `session/error::Error`.
    pub(crate) name: String,
    /// Its file.
    pub(crate) file: String,
    /// Its variants, test code left out.
    pub(crate) variants: usize,
}

/// The error enums of a target, in the order of its modules.
pub(crate) fn error_enums(tree: &Tree) -> Vec<ErrorEnum> {
    let mut found = Vec::new();
    for module in &tree.modules {
        for item in &module.items {
            let Item::Enum(item) = item else { continue };
            if !item.attrs.iter().any(derives_error) {
                continue;
            }
            let name = format!("{}::{}", module.path.join("/"), item.ident);
            let variants = item.variants.iter().filter(|variant| !is_for_tests(&variant.attrs)).count();
            found.push(ErrorEnum { name, file: module.file.clone(), variants });
        }
    }
    found
}

/// `#[derive(thiserror::Error)]`, or `#[derive(Error)]` after an import.
fn derives_error(attribute: &Attribute) -> bool {
    if !attribute.path().is_ident("derive") {
        return false;
    }
    let derived = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).unwrap_or_default();
    derived.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == "Error"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    #[test]
    fn only_enums_that_derive_error_are_counted() {
        let files = files_of(&[
            (
                "c/src/lib.rs",
                "mod a;\n#[derive(Debug)] enum Plain { A, B }\n#[derive(thiserror::Error)] struct NoEnum;",
            ),
            (
                "c/src/a.rs",
                "#[derive(Debug, Clone)]\n#[derive(thiserror::Error)]\n#[non_exhaustive]\npub enum First { A, B { b: u8 }, #[cfg(test)] T }\n#[derive(Error)] enum Second {}\n#[cfg(test)] mod tests { #[derive(thiserror::Error)] enum Third { A } }",
            ),
        ]);
        let found = error_enums(&Tree::read("c/src/lib.rs", &files).unwrap());
        let found: Vec<(&str, usize)> = found.iter().map(|of| (of.name.as_str(), of.variants)).collect();
        assert_eq!(found, [("a::First", 2), ("a::Second", 0)]);
    }
}
