//! Finds the paths that code names: in `use` items, types, expressions and patterns, in what macros are given, and in
//! attributes (`#[derive(clap::Args)]`, `#[serde(with = "crate::x")]`). What they mean is for others to say.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemUse, Macro, Meta, Path, UseTree, Visibility};

use super::modules::{attributes, is_for_tests};
use super::scope::leaves;

/// A path as it stands in source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Named {
    /// Its parts; the first is empty for `::name`.
    pub(crate) path: Vec<String>,
    /// Whether a `use` item brings in everything below it.
    pub(crate) is_glob: bool,
}

/// The paths that items name, tests left out, in the order of the source.
pub(super) fn named_paths(items: &[Item]) -> Vec<Named> {
    let mut walker = Walker::default();
    for item in items {
        walker.visit_item(item);
    }
    walker.found
}

#[derive(Default)]
struct Walker {
    found: Vec<Named>,
}

impl Walker {
    fn add(&mut self, path: Vec<String>) {
        self.found.push(Named { path, is_glob: false });
    }

    /// Paths in tokens that are not parsed: `a::b`, also after the `$` of a macro's definition.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.flush(&mut path);
                    }
                    path.push(ident.to_string().trim_start_matches("r#").to_owned());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Group(group) => {
                    self.flush(&mut path);
                    self.add_tokens(group.stream());
                }
                _ => self.flush(&mut path),
            }
        }
        self.flush(&mut path);
    }

    /// Takes over what was gathered; a single name in tokens says nothing.
    fn flush(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.add(path);
        }
    }

    /// Paths that serde and others take as strings.
    fn add_strings(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_strings(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let path = syn::parse_str::<Path>(text.trim_matches('"'));
                    if let Some(path) = path.ok().filter(|path| path.segments.len() > 1) {
                        self.add(parts(&path));
                    }
                }
                _ => {}
            }
        }
    }
}

fn parts(path: &Path) -> Vec<String> {
    let names = path.segments.iter().map(|segment| segment.ident.to_string().trim_start_matches("r#").to_owned());
    path.leading_colon.iter().map(|_| String::new()).chain(names).collect()
}

impl<'ast> Visit<'ast> for Walker {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if !is_for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let prefix: Vec<String> = item.leading_colon.iter().map(|_| String::new()).collect();
        let tree: &UseTree = &item.tree;
        let leaves = leaves(tree, prefix).into_iter();
        self.found.extend(leaves.map(|leaf| Named { path: leaf.path, is_glob: leaf.name.is_none() }));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.add(parts(path));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.add(parts(&mac.path));
        self.add_tokens(mac.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        self.add(parts(attribute.path()));
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
            self.add_strings(list.tokens.clone());
        }
    }

    /// `pub(in crate::a)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let found = named_paths(&syn::parse_file(text).unwrap().items).into_iter();
        let long = found.filter(|named| named.path.len() > 1 || named.is_glob);
        long.map(|named| format!("{}{}", named.path.join("::"), if named.is_glob { "::*" } else { "" })).collect()
    }

    #[test]
    fn paths_are_found_wherever_they_stand() {
        for (text, wanted) in [
            ("use a::{b, c::*, d as e, self};", "a::b a::c::* a::d"),
            ("pub(in crate::x) fn f(a: b::C<d::E>) -> impl f::G {}", "b::C d::E f::G"),
            ("fn f() { match x { a::B::C => d::e(), _ => <g::H as i::J>::k() } }", "a::B::C d::e g::H i::J::k"),
            ("fn f() { vec![1, a::b(c::D), e: f] ; use g::h; }", "a::b c::D g::h"),
            ("macro_rules! m { ($x:expr) => { $crate::a::b($x) } }", "crate::a::b"),
            (
                "#[derive(Debug, clap::Args)] struct S { #[serde(with = \"crate::hex\")] a: u8 }",
                "clap::Args crate::hex",
            ),
            ("/// See [`crate::a::b`].\n#[cfg(feature = \"a\")] struct S;", ""),
            (
                "#[cfg(test)] mod tests { use a::b; } #[cfg(test)] use c::d; impl S { #[cfg(test)] fn f() { e::g() } }",
                "",
            ),
            ("fn f(a: ::std::fmt::Result) {}", "::std::fmt::Result"),
        ] {
            let found = named(text);
            let found: Vec<&str> = found.iter().map(String::as_str).filter(|path| *path != "a").collect();
            assert_eq!(found.join(" "), wanted, "{text}");
        }
    }
}
