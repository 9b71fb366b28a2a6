//! Circles of imports among the children of one folder. A child's own imports are those of everything below it; what
//! leads from a folder to its own children, or back to it, is no import between siblings.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Import, Imports};
use super::modules::Tree;

/// Children of one module that import each other, directly or by way of others.
#[derive(Debug)]
pub(crate) struct Circle {
    /// The module around them; empty for the root.
    pub(crate) parent: String,
    /// Those that are folders.
    pub(crate) folders: Vec<String>,
    /// Loose files on the way.
    pub(crate) loose: Vec<String>,
    /// Who imports whom in the circle, with every import.
    pub(crate) edges: Vec<Edge>,
}

/// Imports of one child from another one.
#[derive(Debug)]
pub(crate) struct Edge {
    /// The child that imports.
    pub(crate) from: String,
    /// The child that is imported.
    pub(crate) to: String,
    /// The imports, as `file -> file (path)`.
    pub(crate) imports: Vec<String>,
}

/// Children of a module, and the imports between them.
type Siblings<'a> = BTreeMap<(usize, usize), Vec<&'a Import>>;

/// The circles that lead through two or more folders, at every depth.
pub(crate) fn circles(tree: &Tree, imports: &Imports) -> Vec<Circle> {
    let mut by_parent: BTreeMap<usize, Siblings<'_>> = BTreeMap::new();
    for import in &imports.inside {
        if let Some((parent, from, to)) = siblings(tree, import) {
            by_parent.entry(parent).or_default().entry((from, to)).or_default().push(import);
        }
    }
    let components = by_parent.iter().flat_map(|(&parent, edges)| {
        let nodes = components(edges.keys().copied()).into_iter();
        nodes.map(move |nodes| circle(tree, parent, &nodes, edges))
    });
    components.filter(|circle| circle.folders.len() > 1).collect()
}

/// The module where the ways to both ends part, and its two children; nothing when one end lies in the other.
fn siblings(tree: &Tree, import: &Import) -> Option<(usize, usize, usize)> {
    let (from, to) = (&tree.modules[import.from].path, &tree.modules[import.to].path);
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    if common == from.len() || common == to.len() {
        return None;
    }
    Some((tree.find(&from[..common])?, tree.find(&from[..=common])?, tree.find(&to[..=common])?))
}

fn circle(tree: &Tree, parent: usize, nodes: &BTreeSet<usize>, edges: &Siblings<'_>) -> Circle {
    let name = |at: usize| tree.modules[at].path.last().cloned().unwrap_or_default();
    let (folders, loose): (Vec<usize>, Vec<usize>) = nodes.iter().partition(|&&node| tree.is_folder(node));
    let inside = edges.iter().filter(|((from, to), _)| nodes.contains(from) && nodes.contains(to));
    let file = |at: usize| tree.modules[at].file.as_str();
    let text = |import: &&Import| format!("{} -> {} ({})", file(import.from), file(import.to), import.path);
    let edge = |((from, to), imports): (&(usize, usize), &Vec<&Import>)| Edge {
        from: name(*from),
        to: name(*to),
        imports: imports.iter().map(text).collect(),
    };
    Circle {
        parent: tree.modules[parent].path.join("/"),
        folders: folders.into_iter().map(name).collect(),
        loose: loose.into_iter().map(name).collect(),
        edges: inside.map(edge).collect(),
    }
}

/// Sets of two or more nodes that reach each other.
fn components(edges: impl Iterator<Item = (usize, usize)>) -> Vec<BTreeSet<usize>> {
    let mut next: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().insert(to);
    }
    let reach: BTreeMap<usize, BTreeSet<usize>> = next.keys().map(|&node| (node, reached(node, &next))).collect();
    let mut components: Vec<BTreeSet<usize>> = Vec::new();
    for (&node, from_here) in &reach {
        if components.iter().any(|component| component.contains(&node)) {
            continue;
        }
        let comes_back = |other: &usize| reach.get(other).is_some_and(|back| back.contains(&node));
        let component: BTreeSet<usize> = from_here.iter().copied().filter(comes_back).collect();
        if component.len() > 1 {
            components.push(component);
        }
    }
    components
}

/// What one or more steps lead to. Folders have few children: no cleverer algorithm is needed.
fn reached(start: usize, next: &BTreeMap<usize, BTreeSet<usize>>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for &to in next.get(&node).into_iter().flatten() {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{files_of, imports};

    fn found(sources: &[(&str, &str)]) -> Vec<Circle> {
        let tree = Tree::read("c/src/lib.rs", &files_of(sources)).unwrap();
        circles(&tree, &imports(&tree))
    }

    const FOLDERS: [(&str, &str); 4] = [
        ("c/src/lib.rs", "mod a; mod b; mod loose;"),
        ("c/src/a/mod.rs", "pub mod one; use self::one::A;"),
        ("c/src/b/mod.rs", "pub mod two;"),
        ("c/src/b/two.rs", "pub struct B;"),
    ];

    fn with<'a>(others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let kept = FOLDERS.iter().filter(|(path, _)| others.iter().all(|(other, _)| other != path));
        kept.chain(others).copied().collect()
    }

    #[test]
    fn one_way_is_no_circle() {
        let one = ("c/src/a/one.rs", "use crate::b::two::B; use super::super::b; pub struct A;");
        assert!(found(&with(&[one, ("c/src/loose.rs", "")])).is_empty());
    }

    #[test]
    fn a_circle_is_named_with_its_files() {
        let circles = found(&with(&[
            ("c/src/a/one.rs", "use crate::b::two::B; pub struct A;"),
            ("c/src/b/two.rs", "use crate::a::one::A; pub struct B;"),
            ("c/src/loose.rs", ""),
        ]));
        assert_eq!(circles.len(), 1);
        assert_eq!((circles[0].parent.as_str(), circles[0].folders.join(" ")), ("", "a b".to_owned()));
        let imports: Vec<&String> = circles[0].edges.iter().flat_map(|edge| &edge.imports).collect();
        assert_eq!(
            imports,
            [
                "c/src/a/one.rs -> c/src/b/two.rs (crate::b::two::B)",
                "c/src/b/two.rs -> c/src/a/one.rs (crate::a::one::A)"
            ]
        );
    }

    #[test]
    fn a_circle_by_way_of_a_loose_file_counts_and_one_among_loose_files_does_not() {
        let one = ("c/src/a/one.rs", "use crate::b::two::B; pub struct A;");
        let circles = found(&with(&[
            one,
            ("c/src/b/two.rs", "use crate::loose::L; pub struct B;"),
            ("c/src/loose.rs", "use crate::a::one::A; pub struct L;"),
        ]));
        assert_eq!((circles[0].folders.join(" "), circles[0].loose.join(" ")), ("a b".to_owned(), "loose".to_owned()));
        let circles = found(&[
            ("c/src/lib.rs", "mod x; mod y;"),
            ("c/src/x.rs", "use crate::y::Y; pub struct X;"),
            ("c/src/y.rs", "use crate::x::X; pub struct Y;"),
        ]);
        assert!(circles.is_empty());
    }

    #[test]
    fn circles_are_found_at_every_depth_and_tests_do_not_count() {
        let deep = |in_b: &'static str| {
            found(&[
                ("c/src/lib.rs", "mod top;"),
                ("c/src/top.rs", "mod a; mod b;"),
                ("c/src/top/a.rs", "mod x;"),
                ("c/src/top/a/x.rs", "use super::super::b::y::Y; pub struct X;"),
                ("c/src/top/b.rs", "mod y;"),
                ("c/src/top/b/y.rs", in_b),
            ])
        };
        assert_eq!(deep("pub struct Y(crate::top::a::x::X);")[0].parent, "top");
        assert!(deep("pub struct Y; #[cfg(test)] mod tests { use crate::top::a::x::X; }").is_empty());
    }
}
