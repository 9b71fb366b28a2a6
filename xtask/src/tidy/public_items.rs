//! How many public items the library of the coding agent declares: a ratchet that only falls.
//!
//! Counted is every line outside tests that declares a `pub` function, type, trait, constant, static or module, methods
//! included. Fields, variants, re-exports (`pub use`) and items that a macro writes are not.

use crate::code::{File, Source, is_test};

/// The library whose items are counted.
const LIBRARY: &str = "crates/pi-coding-agent/src/";
/// As many it may have. Lower it when items go; raising it is an architectural change.
const MOST: usize = 1414;

/// Words that may stand between `pub` and the kind of item.
const MODIFIERS: &[&str] = &["async", "const", "unsafe"];
/// The kinds of items.
const KINDS: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "mod"];

/// The public items of the library.
#[derive(Debug, Default)]
pub(super) struct PublicItems(usize);

impl PublicItems {
    /// Counts those of a file.
    pub(super) fn add(&mut self, file: &File, source: &Source) {
        if file.path.starts_with(LIBRARY) && !is_test(file) {
            self.0 += source.lines_outside_tests().filter(|(_, line)| is_public_item(line)).count();
        }
    }

    /// What there is to say, and the problem if there are too many.
    pub(super) fn report(&self) -> (String, Option<String>) {
        let Self(count) = self;
        let problem = format!("{LIBRARY} declares {count} public items, {MOST} allowed: make new ones pub(crate)");
        (format!("tidy: {count} public items in {LIBRARY}, {MOST} allowed"), (*count > MOST).then_some(problem))
    }
}

fn is_public_item(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    if words.next() != Some("pub") {
        return false;
    }
    // `const` is a modifier before `fn` and a kind before a name.
    let mut kind = words.next();
    while kind.is_some_and(|word| MODIFIERS.contains(&word)) && words.peek().is_some_and(|next| is_keyword(next)) {
        kind = words.next();
    }
    kind.is_some_and(|word| KINDS.contains(&word))
}

fn is_keyword(word: &str) -> bool {
    KINDS.contains(&word) || MODIFIERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(files: &[(&str, &str)]) -> PublicItems {
        let mut items = PublicItems::default();
        for (path, text) in files {
            items.add(&File { path: (*path).to_owned(), text: (*text).to_owned() }, &Source::new(text));
        }
        items
    }

    #[test]
    fn items_count_and_fields_and_re_exports_do_not() {
        for line in [
            "pub fn a() {}",
            "    pub const fn a(&self) {}",
            "pub async fn a() {}",
            "pub const A: u8 = 1;",
            "pub mod a;",
            "pub type A = u8;",
        ] {
            assert!(is_public_item(line), "{line}");
        }
        for line in
            ["pub(crate) fn a() {}", "pub use a::B;", "    pub name: String,", "fn a() {}", "pub const_like: u8,"]
        {
            assert!(!is_public_item(line), "{line}");
        }
    }

    #[test]
    fn only_the_library_is_counted_and_too_many_fail() {
        let inline = "pub fn a() {}\n// pub fn b() {}\n#[cfg(test)]\nmod tests {\n    pub fn c() {}\n}\n";
        let (program, tests) = (("crates/pi/src/a.rs", inline), ("crates/pi-coding-agent/src/a/tests.rs", inline));
        let one = counted(&[program, tests, ("crates/pi-coding-agent/src/a.rs", inline)]);
        assert_eq!((one.0, one.report().1), (1, None));
        let many = counted(&[("crates/pi-coding-agent/src/b.rs", &"pub fn a() {}\n".repeat(MOST + 1))]);
        assert!(many.report().1.is_some_and(|problem| problem.starts_with("crates/pi-coding-agent/src/ declares ")));
    }
}
