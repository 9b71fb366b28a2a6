//! The order of file names for people: punctuation, digits, letters, whatever their case and accents.
//!
//! Follows the root collation of Unicode's CLDR, which knows no country, for Latin script; other scripts come behind it
//! in the order of their code points. The full tables would be a megabyte of the program.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Punctuation and symbols in their order; all others but currencies come behind.
const SYMBOLS: &str = "\t\n\u{b}\u{c}\r _‗-‐‒–—―,;:!¡?¿.·'‘’‚\"“”„«»()[]{}§¶@*/\\&#%†‡•`^©®→+±÷×<=>¬|~";
const CURRENCIES: &str = "¤¢$£¥€";

/// Sorts like the name it was made of; names that people would call equal, by their bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CollationKey {
    letters: Vec<(Class, u32)>,
    accents: Vec<u32>,
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Symbol,
    OtherSymbol,
    Currency,
    Digit,
    Letter,
}

/// The key of a name. Case makes no difference.
pub(super) fn collation_key(name: &str) -> CollationKey {
    let (mut letters, mut accents) = (Vec::new(), Vec::new());
    for c in name.to_lowercase().nfkd() {
        if is_combining_mark(c) {
            accents.push(c as u32);
        } else if let Some((spelling, accent)) = ligature(c) {
            letters.extend(spelling.chars().map(|c| (Class::Letter, c as u32)));
            accents.extend([0, accent]);
        } else if let Some(place) = place(c) {
            letters.push(place);
            accents.push(0);
        }
    }
    CollationKey { letters, accents, name: name.to_owned() }
}

/// Letters that count as other letters, with something that tells them apart.
fn ligature(c: char) -> Option<(&'static str, u32)> {
    let spelling = match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' => "d",
        'ħ' => "h",
        'ł' => "l",
        'ı' => "i",
        'ð' => "d",
        _ => return None,
    };
    Some((spelling, c as u32))
}

/// Where a character stands; `None` for those that do not count.
fn place(c: char) -> Option<(Class, u32)> {
    let among = |symbols: &str| symbols.chars().position(|symbol| symbol == c).map(|at| at as u32);
    if let Some(at) = among(SYMBOLS) {
        return Some((Class::Symbol, at));
    }
    if let Some(at) = among(CURRENCIES) {
        return Some((Class::Currency, at));
    }
    match c {
        c if c.is_control() => None,
        c if c.is_numeric() => Some((Class::Digit, c.to_digit(10).unwrap_or(c as u32))),
        c if c.is_alphabetic() => Some((Class::Letter, c as u32)),
        c => Some((Class::OtherSymbol, c as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::collation_key;

    /// The order that ICU 78 gives these names in its root locale.
    #[test]
    fn names_are_in_the_order_of_people() {
        let sorted = [
            "_x",
            "-y",
            ".d",
            ".gitignore",
            ".hid",
            "(1)",
            "[id]",
            "@types",
            "*a",
            "#a",
            "~x",
            "$y",
            "10",
            "2",
            "A",
            "ä",
            "a b",
            "a_b",
            "a-b",
            "a.b",
            "a*b.txt",
            "a1",
            "aB",
            "ae",
            "æ",
            "af",
            "alpha",
            "b",
            "B2",
            "Beta",
            "c1",
            "c10",
            "é",
            "ea",
            "éa",
            "o",
            "ø",
            "ß",
            "st",
            "ünï",
            "UP.TXT",
            "zz",
            "Ж",
            "日本",
        ];
        let mut names = sorted;
        names.reverse();
        names.sort_by_cached_key(|name| collation_key(name));
        assert_eq!(names, sorted);
    }
}
