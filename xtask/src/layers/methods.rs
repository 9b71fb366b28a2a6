//! No type with more methods than a reader can hold, over all its `impl` blocks in a crate.

use super::exceptions_table::OpenType;
use super::inside::{Target, too_wide};
use crate::code::{Type, types};

/// Methods that a type may have, inherent ones and those of traits together.
const MOST: usize = 40;

/// Compares the types with the limit, and with the known exceptions from it, which must not be wider than they need to be.
pub(super) fn check(targets: &[Target], known: &[OpenType]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = vec![0; known.len()];
    for target in targets {
        for found in types(&target.tree) {
            let row = known.iter().position(|row| row.krate == target.krate && row.name == found.name);
            if let Some(row) = row.filter(|_| found.methods > MOST) {
                seen[row] = found.methods;
            }
            if found.methods > row.map_or(MOST, |row| known[row].methods) {
                problems.push(describe(&target.krate, &found));
            }
        }
    }
    problems.extend(
        known.iter().zip(seen).filter_map(|(row, found)| {
            too_wide(&format!("methods of {} in {}", row.name, row.krate), found, row.methods)
        }),
    );
    problems
}

fn describe(krate: &str, found: &Type) -> String {
    let files: Vec<String> = found.files.iter().map(|(file, methods)| format!("{file} ({methods})")).collect();
    let (name, methods) = (&found.name, found.methods);
    format!(
        "{name} in {krate} has {methods} methods, {MOST} allowed: give its parts types of their own; they stand in {}",
        files.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    /// A type with so many methods in each of two files.
    fn targets(each: usize) -> Vec<Target> {
        let methods: String = (0..each).map(|number| format!("fn f{number}() {{}}")).collect();
        let files = files_of(&[("crates/c/Cargo.toml", ""), ("crates/c/src/lib.rs", "mod a; mod b;")]);
        let a = format!("pub struct Big; impl Big {{ {methods} }}");
        let b = format!("use crate::a::Big; impl Many for Big {{ {methods} }}");
        let mut files = files;
        files.extend(files_of(&[("crates/c/src/a.rs", &a), ("crates/c/src/b.rs", &b)]));
        inside::read(&files).unwrap()
    }

    #[test]
    fn a_type_with_too_many_methods_fails_and_its_files_are_named() {
        assert!(check(&targets(20), &[]).is_empty());
        let problems = check(&targets(21), &[]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("a::Big in c has 42 methods, 40 allowed: "), "{problems:?}");
        assert!(problems[0].ends_with("crates/c/src/a.rs (21), crates/c/src/b.rs (21)"), "{problems:?}");
    }

    #[test]
    fn a_known_type_passes_as_long_as_it_neither_grows_nor_shrinks() {
        let known = |methods| [OpenType { krate: "c", name: "a::Big", methods }];
        assert!(check(&targets(25), &known(50)).is_empty());
        assert_eq!(check(&targets(25), &known(49)).len(), 1);
        let wide = check(&targets(25), &known(51));
        assert_eq!(wide, ["methods of a::Big in c: 50, and the exception says 51: lower its limit to 50"]);
        let needless = check(&targets(20), &known(51));
        assert!(needless.len() == 1 && needless[0].ends_with("remove the row"), "{needless:?}");
    }
}
