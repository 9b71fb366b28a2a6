//! Fuzzy search by subsequence: the characters of a query in order, with any gaps. Lower scores are better.

/// Bonus of the n-th consecutive match, times n.
const RUN: f64 = 5.0;
/// Penalty per character between two matches.
const GAP: f64 = 2.0;
/// Bonus of a match at the start of a word.
const WORD: f64 = 10.0;
/// Penalty per character before a match.
const PLACE: f64 = 0.1;
/// Bonus if query and text are equal.
const EXACT: f64 = 100.0;
/// Penalty if only the query with swapped letters and digits matches.
const SWAPPED: f64 = 5.0;

/// A parsed query. Its words, separated by blanks and `/`, must all match.
#[derive(Debug, Clone, Default)]
pub struct Query {
    words: Vec<Word>,
}

#[derive(Debug, Clone)]
struct Word {
    typed: Vec<char>,
    /// `gpt5` for `5gpt` and vice versa: people do not remember the order.
    swapped: Option<Vec<char>>,
}

impl Query {
    /// Parses a query; an empty one matches everything.
    pub fn new(query: &str) -> Self {
        let words = query.split(|char: char| char.is_whitespace() || char == '/').filter(|word| !word.is_empty());
        Self { words: words.map(Word::new).collect() }
    }

    /// Whether it matches everything.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The score of a text, lower is better; `None` if it does not match.
    pub fn score(&self, text: &str) -> Option<f64> {
        self.words.iter().map(|word| word.score(text)).sum()
    }
}

impl Word {
    fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        Self { typed: word.chars().collect(), swapped: swapped(&word) }
    }

    fn score(&self, text: &str) -> Option<f64> {
        let swapped = || Some(score(self.swapped.as_ref()?, text)? + SWAPPED);
        score(&self.typed, text).or_else(swapped)
    }
}

/// The indices of matching items, best first; ties keep their order.
pub fn rank<'a, T, K: AsRef<str> + 'a>(query: &str, items: &'a [T], key: impl Fn(&'a T) -> K) -> Vec<usize> {
    let query = Query::new(query);
    if query.is_empty() {
        return (0..items.len()).collect();
    }
    let scored = items.iter().enumerate().filter_map(|(index, item)| Some((query.score(key(item).as_ref())?, index)));
    let mut scored: Vec<(f64, usize)> = scored.collect();
    scored.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    scored.into_iter().map(|(_, index)| index).collect()
}

fn score(query: &[char], text: &str) -> Option<f64> {
    let mut wanted = query.iter();
    let mut next = wanted.next();
    let (mut score, mut run, mut length) = (0.0, 0.0, 0);
    let mut last: Option<usize> = None;
    let mut is_start = true;
    for (index, char) in text.chars().flat_map(char::to_lowercase).enumerate() {
        length = index + 1;
        if next == Some(&char) {
            let gap = last.map_or(index, |last| index - last - 1);
            if gap == 0 {
                run += 1.0;
                score -= run * RUN;
            } else {
                run = 0.0;
                // No gap before the first match: its position counts.
                score += last.map_or(0.0, |_| gap as f64 * GAP);
            }
            score += index as f64 * PLACE - if is_start { WORD } else { 0.0 };
            last = Some(index);
            next = wanted.next();
        }
        is_start = char.is_whitespace() || matches!(char, '-' | '_' | '.' | '/' | ':');
    }
    let is_exact = length == query.len();
    next.is_none().then_some(score - if is_exact { EXACT } else { 0.0 })
}

/// Swaps letters followed by digits, or digits followed by letters.
fn swapped(word: &str) -> Option<Vec<char>> {
    let is_letter = |char: char| char.is_ascii_lowercase();
    let is_digit = |char: char| char.is_ascii_digit();
    let turn = word.find(is_digit).filter(|at| *at > 0).or_else(|| word.find(is_letter))?;
    let (head, tail) = word.split_at(turn);
    let is_swappable = !head.is_empty()
        && ((head.chars().all(is_letter) && tail.chars().all(is_digit))
            || (head.chars().all(is_digit) && tail.chars().all(is_letter)));
    is_swappable.then(|| tail.chars().chain(head.chars()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        for (query, text, expected) in [
            ("", "anything", Some(0.0)),
            // Runs of 1, 2 and 3 characters, the start, three places, the same text.
            ("abc", "abc", Some(-5.0 - 10.0 - 15.0 - 10.0 + 0.3 - 100.0)),
            ("abc", "abcd", Some(-30.0 - 10.0 + 0.3)),
            ("ac", "abc", Some(-5.0 - 10.0 + 2.0 + 0.2)),
            ("b", "a-b", Some(-10.0 + 0.2)),
            ("ba", "abc", None),
            ("ABC", "xabc", Some(-15.0 + 0.6)),
            ("5gpt", "gpt5", Some(-50.0 - 10.0 + 0.6 - 100.0 + 5.0)),
            ("gpt5", "5gpt", Some(-50.0 - 10.0 + 0.6 - 100.0 + 5.0)),
            ("5-gpt", "gpt5", None),
            ("a b", "a-b", Some(-5.0 - 10.0 - 10.0 + 0.2)),
            ("a/z", "a-b", None),
        ] {
            let score = Query::new(query).score(text);
            let is_near = match (score, expected) {
                (Some(score), Some(expected)) => (score - expected).abs() < 1e-9,
                (None, None) => true,
                _ => false,
            };
            assert!(is_near, "{query:?} in {text:?}: {score:?}, not {expected:?}");
        }
    }

    #[test]
    fn ranks_and_keeps_the_order_of_equals() {
        let items = ["other-model", "model", "my/model", "none"];
        assert_eq!(rank("model", &items, |item| *item), [1, 0, 2]);
        assert_eq!(rank(" ", &items, |item| *item), [0, 1, 2, 3]);
        assert_eq!(rank("zzz", &items, |item| format!("{item}!")), [0; 0]);
    }
}
