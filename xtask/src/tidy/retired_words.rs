//! Words that `docs/glossary.md` retired: they may not come back in the names of files and types. Tests may use any.

use crate::code::{File, Source, is_test};

/// Each has a word of the field in its place; the glossary says which.
const RETIRED: &[&str] = &[
    "told",
    "brought",
    "displaced",
    "begun",
    "beginning",
    "climb",
    "placing",
    "furnishing",
    "equipment",
    "surroundings",
    "arrival",
    "carried",
    "peek",
    "gist",
    "sieve",
    "counted",
    "taped",
    "halves",
    "usual",
    "talk",
    "complaints",
    "unanswered",
];

/// Names of this file, and of types that it declares, that hold a retired word.
pub(super) fn retired_words(file: &File, source: &Source) -> Vec<String> {
    if is_test(file) {
        return Vec::new();
    }
    let stem = file.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
    let of_file = stem.split('_').filter(|word| RETIRED.contains(word)).map(|word| sentence(&file.path, stem, word));
    let types = source.lines_outside_tests().filter_map(|(_, line)| declared_type(line));
    let of_types = types.filter_map(|name| {
        let words = camel_words(name);
        let word = words.iter().find(|word| RETIRED.contains(&word.as_str()))?;
        Some(sentence(&file.path, name, word))
    });
    of_file.chain(of_types).collect()
}

fn sentence(path: &str, name: &str, word: &str) -> String {
    format!("{path}: `{name}` holds the word \"{word}\", which docs/glossary.md retired: take the one that it names")
}

/// The name of the type that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) => {
            rest.trim_start().split_once(") ").filter(|_| rest.starts_with('(')).map_or(rest, |(_, rest)| rest)
        }
        None => line,
    };
    let (keyword, rest) = line.trim_start().split_once(' ')?;
    let name = ["struct", "enum", "trait", "type"].contains(&keyword).then_some(rest)?;
    name.split(|c: char| !c.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

fn camel_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in name.chars() {
        if c.is_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<String> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        retired_words(&file, &Source::new(text))
            .into_iter()
            .filter_map(|s| Some(s.split('`').nth(1)?.to_owned()))
            .collect()
    }

    #[test]
    fn files_and_types_are_read_by_words() {
        let text =
            "pub(super) struct ToldTwice;\nenum Untold { A }\npub type SieveOf<T> = T;\nfn told() {}\n// struct Peek\n";
        assert_eq!(names("crates/a/src/before/climb.rs", text), ["climb", "ToldTwice", "SieveOf"]);
        assert_eq!(names("crates/a/src/climbing.rs", "struct Climbing;"), Vec::<String>::new());
        assert_eq!(names("crates/a/tests/told.rs", text), Vec::<String>::new());
    }
}
