//! The table of languages: names and file extensions, comments, quotes, keywords. `table` has the rows. Nothing here reads
//! code.

mod table;

pub(super) use table::LANGUAGES;

/// What tells the tokens of a language apart.
#[derive(Debug)]
pub(super) struct Rules {
    /// Names and file extensions, lower case.
    pub(super) names: &'static [&'static str],
    pub(super) line_comments: &'static [&'static str],
    /// What block comments begin and end with.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// What strings begin and end with, longest first.
    pub(super) quotes: &'static [&'static str],
    /// A quote may also begin a lifetime.
    pub(super) lifetimes: bool,
    /// Text with tags in it.
    pub(super) markup: bool,
    /// Keywords in capitals count, too.
    any_case: bool,
    /// Sorted.
    keywords: &'static [&'static str],
}

impl Rules {
    pub(super) fn is_keyword(&self, word: &[u8]) -> bool {
        let find = |word: &[u8]| self.keywords.binary_search_by(|keyword| keyword.as_bytes().cmp(word)).is_ok();
        if self.any_case { find(&word.to_ascii_lowercase()) } else { find(word) }
    }
}

/// A language by name or file extension.
pub(super) fn find(name: &str) -> Option<&'static Rules> {
    let name = name.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.names.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_and_names_unique() {
        let mut names: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for language in LANGUAGES {
            assert!(language.keywords.is_sorted_by(|a, b| a < b), "{:?}", language.names);
        }
    }
}
