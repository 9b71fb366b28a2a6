//! How many words the pages under `docs/` have: a ratchet that only falls, because pages that nobody counts grow until nobody
//! reads them.
//!
//! Counted are sentences and tables that are written by hand. Code blocks, what stands between `<!-- … generated -->` and
//! `<!-- … end -->` (written by tests from the program's own tables), and the pages that only list what is compatible are not.

use crate::code::File;

/// Words that the pages may have in all.
const MOST: usize = 31_201;
/// Pages that are lists of names for those who come from the reference.
const LISTS: &[&str] = &["compatibility.md", "extensions-compatibility.md", "npm-packages.md", "sdk-names.md"];

/// What there is to say about the pages, and the problem if they are too long. Without pages there is nothing to say.
pub(super) fn report(files: &[File]) -> (String, Option<String>) {
    let pages = files.iter().filter_map(|file| Some((page_name(file)?, words(&file.text))));
    let mut pages: Vec<(&str, usize)> = pages.collect();
    let count: usize = pages.iter().map(|(_, words)| words).sum();
    pages.sort_unstable_by_key(|(_, words)| std::cmp::Reverse(*words));
    let longest: Vec<String> = pages.iter().take(5).map(|(name, words)| format!("{name} {words}")).collect();
    let longest = longest.join(", ");
    let problem = format!("docs/ has {count} words, {MOST} allowed; the longest pages: {longest}");
    (format!("tidy: {count} words in docs/, {MOST} allowed; {longest}"), (count > MOST).then_some(problem))
}

fn page_name(file: &File) -> Option<&str> {
    let name = file.path.strip_prefix("docs/")?;
    (name.ends_with(".md") && !name.contains('/') && !LISTS.contains(&name)).then_some(name)
}

fn words(page: &str) -> usize {
    let (mut in_code, mut is_generated, mut count) = (false, false, 0);
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if line.starts_with("<!--") {
            is_generated = line.ends_with("generated -->");
        } else if !in_code && !is_generated {
            let words = line.split(|character: char| character.is_whitespace() || character == '|');
            count += words.filter(|word| word.chars().any(char::is_alphanumeric)).count();
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_tables_count_and_nothing_else() {
        for (page, expected) in [
            ("# Two words\n\n- three `more words` – here\n", 6),
            ("| a | b c |\n|---|---|\n", 3),
            ("one\n```sh\nnot this\n```\ntwo\n", 2),
            ("one\n<!-- commands: generated -->\n| not | this |\n<!-- commands: end -->\ntwo\n", 2),
            ("one\n<!-- generated -->\nnot this, to the end\n", 1),
        ] {
            assert_eq!(words(page), expected, "{page}");
        }
    }

    #[test]
    fn pages_that_are_too_long_are_a_problem_and_lists_are_not() {
        let file = |path: &str, words: usize| File { path: path.to_owned(), text: "word ".repeat(words) };
        assert_eq!(report(&[file("docs/a.md", MOST)]).1, None);
        assert_eq!(report(&[file("docs/sdk-names.md", MOST + 1), file("README.md", MOST + 1)]).1, None);
        let problem = report(&[file("docs/a.md", MOST), file("docs/b.md", 1)]).1.unwrap();
        let more = MOST + 1;
        assert_eq!(problem, format!("docs/ has {more} words, {MOST} allowed; the longest pages: a.md {MOST}, b.md 1"));
    }
}
