//! Characters that a sender cut in two: the halves of a surrogate pair, one at the end of a string, the other at the
//! beginning of a string in the next JSON text. A Rust string holds no half, so they are joined before parsing.

use std::borrow::Cow;

/// `\u` and four digits.
const ESCAPE: usize = 6;

/// Joins the halves over a series of JSON texts, such as the events of a stream.
///
/// ```
/// let mut halves = pi_ai::SurrogateJoiner::default();
/// assert_eq!(halves.join(r#"{"delta":"a\ud83d"}"#), r#"{"delta":"a"}"#);
/// assert_eq!(halves.join(r#"{"delta":"\ude00"}"#), r#"{"delta":"\ud83d\ude00"}"#);
/// ```
#[derive(Debug, Default)]
pub struct SurrogateJoiner {
    /// The escape of a first half that waits for its second.
    first: Option<String>,
}

impl SurrogateJoiner {
    /// The text with a first half taken from the end of a string, and the one taken earlier put before its second.
    pub fn join<'a>(&mut self, json: &'a str) -> Cow<'a, str> {
        if !json.contains("\\u") {
            return Cow::Borrowed(json);
        }
        let mut json = Cow::Borrowed(json);
        if let Some(first) = &self.first
            && let Some(at) = second_half(&json)
        {
            json.to_mut().insert_str(at, first);
            self.first = None;
        }
        if let Some(at) = first_half(&json) {
            self.first = Some(json[at..at + ESCAPE].to_owned());
            json.to_mut().replace_range(at..at + ESCAPE, "");
        }
        json
    }
}

/// Where a string ends with a first half.
fn first_half(json: &str) -> Option<usize> {
    escapes(json).find(|&at| json.as_bytes().get(at + ESCAPE) == Some(&b'"') && is_half(json, at, b"89abAB"))
}

/// Where a string begins with a second half.
fn second_half(json: &str) -> Option<usize> {
    escapes(json).find(|&at| {
        let before = &json.as_bytes()[..at];
        before.ends_with(b"\"") && !before.ends_with(b"\\\"") && is_half(json, at, b"cdefCDEF")
    })
}

/// Where `\u` stands and the backslash is not itself escaped.
fn escapes(json: &str) -> impl Iterator<Item = usize> {
    let is_escape = |at: &usize| json[..*at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0;
    json.match_indices("\\u").map(|(at, _)| at).filter(is_escape)
}

/// Whether the escape there is a surrogate whose second digit is one of these.
fn is_half(json: &str, at: usize, second_digit: &[u8]) -> bool {
    json.as_bytes().get(at + 2..at + ESCAPE).is_some_and(|digits| {
        digits[0].eq_ignore_ascii_case(&b'd')
            && second_digit.contains(&digits[1])
            && digits[2..].iter().all(u8::is_ascii_hexdigit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(texts: &[&str]) -> Vec<String> {
        let mut halves = SurrogateJoiner::default();
        texts.iter().map(|text| halves.join(text).into_owned()).collect()
    }

    #[test]
    fn halves_find_each_other() {
        assert_eq!(
            joined(&[r#"{"t":"x\ud83d"}"#, r#"{"n":1}"#, r#"{"t":"\uDE00y\uD83D"}"#, r#"{"t":"\ude01"}"#]),
            [r#"{"t":"x"}"#, r#"{"n":1}"#, r#"{"t":"\ud83d\uDE00y"}"#, r#"{"t":"\uD83D\ude01"}"#]
        );
    }

    #[test]
    fn everything_else_stays() {
        let texts = [
            r#"{"t":"\ud83d\ude00"}"#,
            r#"{"json":"{\"a\":\"\\ud83d"}"#,
            r#"{"json":"\\ude00\""}"#,
            r#"{"t":"\u00e9"}"#,
            r#"{"t":"\ud8"#,
            r#"{"t":"a\ud83db"}"#,
            r#"{"t":"\"\ude00"}"#,
        ];
        assert_eq!(joined(&texts), texts);
    }
}
