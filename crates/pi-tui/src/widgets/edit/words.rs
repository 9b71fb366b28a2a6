//! Word boundaries for word moves: Unicode segmentation, with ASCII punctuation as boundaries.

use unicode_segmentation::UnicodeSegmentation;

/// Start of the last word, trailing blanks skipped.
pub(super) fn last_word(text: &str) -> usize {
    let text = text.trim_end();
    let mut parts = text.split_word_bounds().rev().flat_map(|segment| WordParts(segment).rev());
    run_length(&mut parts).map_or(0, |length| text.len() - length)
}

/// End of the first word, leading blanks skipped.
pub(super) fn first_word(text: &str) -> usize {
    let blanks = text.len() - text.trim_start().len();
    let mut parts = text[blanks..].split_word_bounds().flat_map(WordParts);
    blanks + run_length(&mut parts).unwrap_or_default()
}

/// The length of the first part; of all leading parts if they are marks.
fn run_length(parts: &mut dyn Iterator<Item = &str>) -> Option<usize> {
    let first = parts.next()?;
    if !is_mark(first) {
        return Some(first.len());
    }
    Some(first.len() + parts.take_while(|part| is_mark(part)).map(str::len).sum::<usize>())
}

/// Punctuation, symbols and emoji: adjacent ones count as one word.
fn is_mark(part: &str) -> bool {
    part.starts_with(is_punctuation) || !part.contains(|char: char| char.is_alphanumeric() || char.is_whitespace())
}

fn is_punctuation(char: char) -> bool {
    char.is_ascii_punctuation()
}

/// Splits a segment into runs of ASCII punctuation and of other text.
struct WordParts<'a>(&'a str);

impl<'a> Iterator for WordParts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let is_punctuated = self.0.chars().next().map(is_punctuation)?;
        let rest = self.0.trim_start_matches(|char| is_punctuation(char) == is_punctuated);
        let (part, rest) = self.0.split_at(self.0.len() - rest.len());
        self.0 = rest;
        Some(part)
    }
}

impl DoubleEndedIterator for WordParts<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let is_punctuated = self.0.chars().next_back().map(is_punctuation)?;
        let rest = self.0.trim_end_matches(|char| is_punctuation(char) == is_punctuated);
        let (rest, part) = self.0.split_at(rest.len());
        self.0 = rest;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_of_words() {
        for (text, last, first) in [
            ("", 0, 0),
            ("   ", 0, 3),
            ("one two", 4, 3),
            ("one two  ", 4, 3),
            ("  one", 2, 5),
            ("a.b", 2, 1),
            ("foo...", 3, 3),
            ("...foo", 3, 3),
            ("snake_case", 6, 5),
            ("can't", 4, 3),
            ("größe über", "größe ".len(), "größe".len()),
            ("日本", "日".len(), "日".len()),
            ("👍🎉", 0, "👍🎉".len()),
            ("a 👍!", 2, 1),
        ] {
            assert_eq!((last_word(text), first_word(text)), (last, first), "{text:?}");
        }
    }
}
