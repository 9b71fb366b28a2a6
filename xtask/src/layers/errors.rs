//! No error enum with more variants than a caller can match: areas get enums of their own, composed with `#[from]`.

use super::inside::Target;
use crate::code::{ErrorEnum, error_enums};

/// Variants that an error enum may have.
const MOST: usize = 20;

/// The error enums that are too large, in words.
pub(super) fn check(targets: &[Target]) -> Vec<String> {
    let large = |target: &Target| {
        let found = error_enums(&target.tree).into_iter().filter(|found| found.variants > MOST);
        found.map(|found| describe(&target.krate, &found)).collect::<Vec<_>>()
    };
    targets.iter().flat_map(large).collect()
}

fn describe(krate: &str, found: &ErrorEnum) -> String {
    let ErrorEnum { name, file, variants } = found;
    format!(
        "{name} in {krate} has {variants} variants, {MOST} allowed: give an area an enum of its own and compose it with #[from]; it stands in {file}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::inside;
    use super::*;
    use crate::code::files_of;

    fn problems(variants: usize) -> Vec<String> {
        let variants: String = (0..variants).map(|number| format!("#[error(\"{number}\")] V{number},")).collect();
        let text = format!("//! Docs.\n#[derive(Debug, thiserror::Error)] pub enum Error {{ {variants} }}");
        let files = files_of(&[("crates/c/Cargo.toml", ""), ("crates/c/src/lib.rs", &text)]);
        check(&inside::read(&files).unwrap())
    }

    #[test]
    fn an_error_enum_with_too_many_variants_fails_and_its_file_is_named() {
        assert_eq!(problems(20), Vec::<String>::new());
        let problems = problems(21);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("::Error in c has 21 variants, 20 allowed: "), "{problems:?}");
        assert!(problems[0].ends_with("crates/c/src/lib.rs"), "{problems:?}");
    }
}
