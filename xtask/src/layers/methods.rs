//! No type with more methods than a reader can hold, over all its `impl` blocks in a crate.

use super::inside::Target;
use crate::code::{Type, types};

/// Methods that a type may have, inherent ones and those of traits together.
const MOST: usize = 40;

/// Types with more methods than that.
pub(super) fn check(targets: &[Target]) -> Vec<String> {
    let of = |target: &Target| -> Vec<String> {
        let large = types(&target.tree).into_iter().filter(|found| found.methods > MOST);
        large.map(|found| describe(&target.krate, &found)).collect()
    };
    targets.iter().flat_map(of).collect()
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
        assert!(check(&targets(20)).is_empty());
        let problems = check(&targets(21));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("a::Big in c has 42 methods, 40 allowed: "), "{problems:?}");
        assert!(problems[0].ends_with("crates/c/src/a.rs (21), crates/c/src/b.rs (21)"), "{problems:?}");
    }
}
