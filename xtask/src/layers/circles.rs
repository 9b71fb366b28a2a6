//! No circle of imports between sibling folders, in any crate, at any depth.

use super::exceptions_table::OpenCircle;
use super::inside::{Findings, Target};
use crate::code::{Circle, circles};

/// How many imports of one edge a message lists.
const LISTED: usize = 3;

/// Compares the circles that there are with those that are known.
pub(super) fn check(targets: &[Target], known: &[OpenCircle]) -> Findings {
    let mut findings = Findings::default();
    let mut seen = vec![0; known.len()];
    for target in targets {
        for circle in circles(&target.tree, &target.imports) {
            let row = known.iter().position(|row| row.krate == target.krate && row.parent == circle.parent);
            if let Some(row) = row {
                seen[row] += circle.folders.len();
            }
            if row.is_none_or(|row| seen[row] > known[row].folders) {
                findings.problems.push(describe(&target.krate, &circle));
            }
        }
    }
    for (row, found) in known.iter().zip(seen) {
        findings.ratchet(&format!("circle {}", place(row.krate, row.parent)), found, row.folders);
    }
    findings
}

/// The circles that are there, in words.
pub(super) fn all(targets: &[Target]) -> Vec<String> {
    let of = |target: &Target| {
        let circles = circles(&target.tree, &target.imports).into_iter();
        circles.map(|circle| describe(&target.krate, &circle)).collect::<Vec<_>>()
    };
    targets.iter().flat_map(of).collect()
}

fn place(krate: &str, parent: &str) -> String {
    if parent.is_empty() { format!("at the root of {krate}") } else { format!("in {krate}, {parent}") }
}

/// The circle and its edges; those with the fewest imports first, as they are the first to cut.
fn describe(krate: &str, circle: &Circle) -> String {
    let by_way_of =
        if circle.loose.is_empty() { String::new() } else { format!(" by way of {}", circle.loose.join(", ")) };
    let mut text = format!(
        "circle {}: the folders {} import each other{by_way_of}: move what both need below them",
        place(krate, &circle.parent),
        circle.folders.join(", ")
    );
    let mut edges: Vec<_> = circle.edges.iter().collect();
    edges.sort_by_key(|edge| edge.imports.len());
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
        assert!(check(&targets("pub struct Y;"), &[]).problems.is_empty());
        assert_eq!(
            check(&targets(BACK), &[]).problems,
            ["circle at the root of c: the folders a, b import each other: move what both need below them\
              \n  a imports b, 1 imports:\n    crates/c/src/a/x.rs -> crates/c/src/b/y.rs (crate::b::y::Y)\
              \n  b imports a, 1 imports:\n    crates/c/src/b/y.rs -> crates/c/src/a/x.rs (crate::a::x::X)"]
        );
    }

    #[test]
    fn a_known_circle_passes_until_it_grows() {
        let known = |folders| [OpenCircle { krate: "c", parent: "", folders }];
        assert!(check(&targets(BACK), &known(2)).problems.is_empty());
        assert_eq!(check(&targets(BACK), &known(1)).problems.len(), 1);
        assert_eq!(check(&targets(BACK), &known(3)).notes.len(), 1);
        let elsewhere = [OpenCircle { krate: "c", parent: "a", folders: 2 }];
        assert_eq!(check(&targets(BACK), &elsewhere).problems.len(), 1);
    }
}
