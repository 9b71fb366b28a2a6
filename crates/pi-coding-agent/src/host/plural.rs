//! How many there are of something, in words.

use std::fmt::Display;

/// `1 error`, `2 errors`, `3 entries`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    match (&*count, noun.strip_suffix('y')) {
        ("1", _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_has_no_plural() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "error"), "0 errors");
        assert_eq!(counted(2, "entry"), "2 entries");
        assert_eq!(counted(1.5, "second"), "1.5 seconds");
    }
}
