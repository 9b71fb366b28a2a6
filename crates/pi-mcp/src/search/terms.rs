//! Texts as terms: words in small letters without their endings, parts of names, pairs of characters where a script has no blanks.

/// Words that tell nothing of a tool.
const STOPWORDS: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "did", "do", "does", "every", "for", "from",
    "give", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me", "much", "my", "of", "on", "one", "or",
    "our", "out", "so", "some", "tell", "that", "the", "their", "them", "there", "this", "to", "up", "was", "we",
    "what", "when", "where", "which", "who", "whose", "why", "with", "you", "your",
];

/// The terms of a text, in order.
pub(super) fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for word in words(text) {
        if word.chars().any(is_unspaced) {
            unspaced(&word, &mut terms);
        } else if !STOPWORDS.contains(&&*word) {
            terms.push(stem(&word));
        }
    }
    terms
}

/// Words in small letters; `getUserName` has three of them.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut before = ' ';
    for character in text.chars() {
        let begins = before.is_lowercase() && character.is_uppercase();
        if (begins || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Whether the script of a character is written without blanks: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af)
}

/// Each character, and each pair of neighbours.
fn unspaced(word: &str, terms: &mut Vec<String>) {
    let characters: Vec<char> = word.chars().collect();
    terms.extend(characters.iter().map(char::to_string));
    terms.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
}

/// A word without the endings that English words have: both sides of a comparison lose them alike.
fn stem(word: &str) -> String {
    let is_long = |stem: &str| stem.chars().count() >= 3;
    let mut stem = word.to_owned();
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")] {
        if let Some(begin) = word.strip_suffix(ending).filter(|begin| is_long(begin) && !word.ends_with("ss")) {
            stem = format!("{begin}{instead}");
            break;
        }
    }
    for ending in ["ing", "ed", "er"] {
        if let Some(begin) = stem.strip_suffix(ending).filter(|begin| is_long(begin)) {
            stem = begin.to_owned();
            break;
        }
    }
    // `running` and `run`, `create` and `creating`.
    let mut letters: Vec<char> = stem.chars().collect();
    if letters.len() > 3 && letters[letters.len() - 1] == letters[letters.len() - 2] {
        letters.pop();
    }
    if letters.len() > 3 && letters.last() == Some(&'e') {
        letters.pop();
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_as_terms() {
        for (text, expected) in [
            ("getUserName", ["get", "user", "name"].map(stem).to_vec()),
            ("list_pull-requests", vec!["list".to_owned(), "pul".to_owned(), "request".to_owned()]),
            ("what is on my calendar", vec!["calendar".to_owned()]),
            ("天気", vec!["天".to_owned(), "気".to_owned(), "天気".to_owned()]),
            ("", Vec::new()),
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
        for (one, other) in [
            ("queries", "query"),
            ("running", "run"),
            ("created", "creating"),
            ("statuses", "statuse"),
            ("playing", "play"),
        ] {
            assert_eq!(terms(one), terms(other));
        }
    }

    proptest! {
        #[test]
        fn any_text_has_terms(text in ".*") {
            prop_assert!(terms(&text).iter().all(|term| !term.is_empty()));
        }
    }
}
