//! No circle of imports between sibling folders, in any crate, at any depth.

use super::inside::Target;
use crate::code::{Circle, Edge, circles};

/// How many imports of one edge a message lists.
const LISTED: usize = 3;

/// The circles that are there, in words.
pub(super) fn check(targets: &[Target]) -> Vec<String> {
    let of = |target: &Target| {
        let circles = circles(&target.tree, &target.imports).into_iter();
        circles.map(|circle| describe(&target.krate, &circle)).collect::<Vec<_>>()
    };
    targets.iter().flat_map(of).collect()
}

fn place(krate: &str, parent: &str) -> String {
    if parent.is_empty() { format!("at the root of {krate}") } else { format!("in {krate}, {parent}") }
}

/// The circle and its edges: first those of the shortest way round, then those with the fewest imports, which are the first
/// to cut.
fn describe(krate: &str, circle: &Circle) -> String {
    let by_way_of =
        if circle.loose.is_empty() { String::new() } else { format!(" by way of {}", circle.loose.join(", ")) };
    let round = shortest(circle);
    let mut text = format!(
        "circle {}: the folders {} import each other{by_way_of}: move what both need below them\n  the shortest: {}",
        place(krate, &circle.parent),
        circle.folders.join(", "),
        round.join(" -> ")
    );
    let on_it = |edge: &Edge| round.windows(2).any(|pair| pair[0] == edge.from && pair[1] == edge.to);
    let mut edges: Vec<_> = circle.edges.iter().collect();
    edges.sort_by_key(|edge| (!on_it(edge), edge.imports.len()));
    for edge in edges {
        text += &format!("\n  {} imports {}, {} imports:", edge.from, edge.to, edge.imports.len());
        for import in edge.imports.iter().take(LISTED) {
            text += &format!("\n    {import}");
        }
        if edge.imports.len() > LISTED {
            text += &format!("\n    and {} more", edge.imports.len() - LISTED);
        }
    }
    text
}

/// The shortest way from a folder through another one and back, both ends named.
fn shortest(circle: &Circle) -> Vec<&str> {
    let pairs = circle.folders.iter().flat_map(|a| circle.folders.iter().map(move |b| (a, b))).filter(|(a, b)| a < b);
    let rounds = pairs.filter_map(|(a, b)| {
        let mut there = way(circle, a, b)?;
        there.extend(way(circle, b, a)?.into_iter().skip(1));
        Some(there)
    });
    rounds.min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest way along edges, both ends included.
fn way<'a>(circle: &'a Circle, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let mut ways = vec![vec![from]];
    let mut seen = vec![from];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let end = *way.last()?;
            for edge in circle.edges.iter().filter(|edge| edge.from == end) {
                let next: Vec<&str> = way.iter().copied().chain([edge.to.as_str()]).collect();
                if edge.to == to {
                    return Some(next);
                }
                if !seen.contains(&edge.to.as_str()) {
                    seen.push(&edge.to);
                    longer.push(next);
                }
            }
        }
        ways = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    fn targets(second: &str) -> Vec<Target> {
        let files = files_of(&[
            ("crates/c/Cargo.toml", ""),
            ("crates/c/src/lib.rs", "mod a; mod b;"),
            ("crates/c/src/a.rs", "pub mod x;"),
            ("crates/c/src/a/x.rs", "use crate::b::y::Y; pub struct X;"),
            ("crates/c/src/b.rs", "pub mod y;"),
            ("crates/c/src/b/y.rs", second),
        ]);
        inside::read(&files).unwrap()
    }

    const BACK: &str = "use crate::a::x::X; pub struct Y;";

    #[test]
    fn a_circle_fails_and_its_edges_are_named() {
        assert!(check(&targets("pub struct Y;")).is_empty());
        assert_eq!(
            check(&targets(BACK)),
            ["circle at the root of c: the folders a, b import each other: move what both need below them\
              \n  the shortest: a -> b -> a\
              \n  a imports b, 1 imports:\n    crates/c/src/a/x.rs -> crates/c/src/b/y.rs (crate::b::y::Y)\
              \n  b imports a, 1 imports:\n    crates/c/src/b/y.rs -> crates/c/src/a/x.rs (crate::a::x::X)"]
        );
    }
}
