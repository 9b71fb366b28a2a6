//! Texts as words: in small letters without their endings, parts of names, pairs of characters where a script has no blanks.

/// Words that tell nothing of a tool.
const STOPWORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "actually",
    "after",
    "again",
    "all",
    "already",
    "also",
    "am",
    "an",
    "and",
    "another",
    "any",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "between",
    "but",
    "by",
    "can",
    "come",
    "could",
    "d",
    "did",
    "do",
    "does",
    "don",
    "down",
    "during",
    "each",
    "else",
    "ever",
    "every",
    "few",
    "for",
    "from",
    "give",
    "go",
    "goes",
    "going",
    "got",
    "had",
    "happen",
    "happened",
    "happens",
    "has",
    "have",
    "he",
    "help",
    "her",
    "here",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "keep",
    "kept",
    "less",
    "let",
    "like",
    "ll",
    "lot",
    "m",
    "many",
    "may",
    "me",
    "mine",
    "more",
    "most",
    "much",
    "must",
    "my",
    "need",
    "not",
    "now",
    "of",
    "off",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "please",
    "put",
    "re",
    "really",
    "s",
    "she",
    "should",
    "since",
    "so",
    "some",
    "something",
    "still",
    "sure",
    "t",
    "take",
    "takes",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "through",
    "to",
    "today",
    "tomorrow",
    "tonight",
    "too",
    "took",
    "under",
    "up",
    "us",
    "use",
    "used",
    "using",
    "ve",
    "very",
    "via",
    "want",
    "was",
    "we",
    "went",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "would",
    "yesterday",
    "yet",
    "you",
    "your",
];

/// Forms that are made otherwise than by endings, and spellings.
const IRREGULAR: &[(&str, &str)] = &[
    ("began", "begin"),
    ("begun", "begin"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("colour", "color"),
    ("colours", "color"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("favourite", "favorite"),
    ("forgot", "forget"),
    ("found", "find"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hidden", "hide"),
    ("indexes", "index"),
    ("indices", "index"),
    ("left", "leave"),
    ("lost", "lose"),
    ("met", "meet"),
    ("paid", "pay"),
    ("ran", "run"),
    ("said", "say"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shown", "show"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("statuses", "status"),
    ("taught", "teach"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("won", "win"),
    ("written", "write"),
    ("wrote", "write"),
];

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Word {
    /// It without its ending; for a script without blanks a character or a pair of them.
    pub(super) stem: String,
    /// Whether it tells nothing by itself; phrases may have it.
    pub(super) is_stopword: bool,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    spelled(text, false)
}

/// The words of a name: `HTTPServer` has two of them, `GitHub` in a text is one.
pub(super) fn name_words(name: &str) -> Vec<Word> {
    spelled(name, true)
}

fn spelled(text: &str, is_name: bool) -> Vec<Word> {
    let mut found = Vec::new();
    for word in text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let has_humps = is_name || word.starts_with(char::is_lowercase);
        for word in if has_humps { humps(word) } else { vec![word.to_lowercase()] } {
            if word.chars().any(is_unspaced) {
                found.extend(unspaced(&word).into_iter().map(|stem| Word { stem, is_stopword: false }));
            } else {
                let is_stopword = STOPWORDS.contains(&&*word) || (!is_name && is_number(&word));
                found.push(Word { stem: stem(&word), is_stopword });
            }
        }
    }
    found
}

/// The words of a query. Its numbers may be those of names; in other texts they tell nothing of a tool.
pub(super) fn query_words(query: &str) -> Vec<Word> {
    let mut found = words(query);
    found.iter_mut().filter(|word| is_number(&word.stem)).for_each(|word| word.is_stopword = false);
    found
}

pub(super) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|digit| digit.is_ascii_digit())
}

/// The words of a name without blanks in small letters: `getUserName` has three, and so has `parseHTTPUrl`.
fn humps(name: &str) -> Vec<String> {
    let (mut words, mut before) = (vec![String::new()], ' ');
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_capitals = before.is_uppercase() && characters.peek().is_some_and(|next| next.is_lowercase());
        if character.is_uppercase() && (before.is_lowercase() || ends_capitals) {
            words.push(String::new());
        }
        words.iter_mut().last().into_iter().for_each(|word| word.extend(character.to_lowercase()));
        before = character;
    }
    words
}

/// Whether the script of a character is written without blanks: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af)
}

/// Each character, and each pair of neighbours.
fn unspaced(word: &str) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    let pairs = characters.windows(2).map(|pair| pair.iter().collect());
    characters.iter().map(char::to_string).chain(pairs).collect()
}

/// A word without the endings that English words have: both sides of a comparison lose them alike.
fn stem(word: &str) -> String {
    if is_number(word) {
        return word.to_owned();
    }
    let word = IRREGULAR.iter().find(|(form, _)| *form == word).map_or(word, |(_, plain)| plain);
    let is_long = |stem: &str| stem.chars().count() >= 3;
    let mut stem = word.to_owned();
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")] {
        if let Some(begin) = word.strip_suffix(ending).filter(|begin| is_long(begin) && !word.ends_with("ss")) {
            stem = format!("{begin}{instead}");
            break;
        }
    }
    for ending in ["ing", "ed"] {
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

    /// The words that tell something.
    fn telling(words: Vec<Word>) -> Vec<String> {
        words.into_iter().filter(|word| !word.is_stopword).map(|word| word.stem).collect()
    }

    #[test]
    fn texts_as_words() {
        for (text, expected) in [
            ("list_pull-requests", &["list", "pul", "request"][..]),
            ("getUserName of GitHub", &["get", "user", "nam", "github"]),
            ("what is on my calendar for 2 of us", &["calendar"]),
            ("天気", &["天", "気", "天気"]),
            ("", &[]),
        ] {
            assert_eq!(telling(words(text)), expected, "{text}");
        }
        for (name, expected) in [("HTTPServer", &["http", "server"][..]), ("HassTurnOn", &["has", "turn"])] {
            assert_eq!(telling(name_words(name)), expected, "{name}");
        }
        for (one, other) in [
            ("queries", "query"),
            ("running", "run"),
            ("created", "creating"),
            ("statuses", "status"),
            ("sent", "sending"),
            ("playing", "play"),
        ] {
            assert_eq!(words(one), words(other));
        }
    }

    proptest! {
        #[test]
        fn any_text_has_words(text in ".*") {
            prop_assert!(words(&text).iter().all(|word| !word.stem.is_empty()));
            prop_assert!(name_words(&text).iter().all(|word| !word.stem.is_empty()));
        }
    }
}
