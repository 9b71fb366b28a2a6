//! Finds addresses in plain text, without markup around them.

/// Prefixes of addresses.
const SCHEMES: [&str; 4] = ["https://", "http://", "ftp://", "www."];

/// Cuts a text into pieces, each with where it leads if it is an address.
pub(super) fn pieces(text: &str, mut each: impl FnMut(&str, Option<&str>)) {
    let (mut from, mut at) = (0, 0);
    while let Some(start) = candidate(text, at) {
        let length = address(&text[start..]);
        if length == 0 {
            at = start + 1;
            continue;
        }
        if from < start {
            each(&text[from..start], None);
        }
        at = start + length;
        from = at;
        let found = &text[start..at];
        if found.starts_with("www.") {
            each(found, Some(&format!("http://{found}")));
        } else {
            each(found, Some(found));
        }
    }
    if from < text.len() {
        each(&text[from..], None);
    }
}

/// The first place from `at` on where an address may begin: not within a word.
fn candidate(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    // Every address has one of these behind its first letters.
    if !rest.contains("://") && !rest.contains("www.") {
        return None;
    }
    let is_start = |place: usize| {
        SCHEMES.iter().any(|scheme| text.as_bytes()[place..].starts_with(scheme.as_bytes()))
            && !text[..place].ends_with(|char: char| char.is_alphanumeric() || char == '_')
    };
    rest.bytes()
        .enumerate()
        .filter(|(_, byte)| b"hfw".contains(byte))
        .map(|(i, _)| at + i)
        .find(|place| is_start(*place))
}

/// The length of the address at the beginning of a text. Punctuation at its end belongs to the sentence, and so does a
/// parenthesis that was not opened in it.
fn address(text: &str) -> usize {
    let end = text.find(|char: char| char.is_whitespace() || char.is_control() || char == '<').unwrap_or(text.len());
    let mut found = &text[..end];
    loop {
        let trimmed = found.trim_end_matches(['?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '"']);
        let is_unopened = trimmed.ends_with(')') && trimmed.matches(')').count() > trimmed.matches('(').count();
        let trimmed = if is_unopened { &trimmed[..trimmed.len() - 1] } else { trimmed };
        if trimmed.len() == found.len() {
            break;
        }
        found = trimmed;
    }
    let has_host = SCHEMES.iter().any(|scheme| found.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()));
    if has_host { found.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn addresses_are_found() {
        for (text, expected) in [
            ("see https://a.b/c_d.", "see [https://a.b/c_d]."),
            ("(http://a.b/(x))", "([http://a.b/(x)])"),
            ("xhttp://a.b https:// www.x.y", "xhttp://a.b https:// [www.x.y]"),
            ("日https://a.b é", "日https://a.b é"),
            ("\"https://a.b\"", "\"[https://a.b]\""),
            ("none", "none"),
        ] {
            let mut out = String::new();
            super::pieces(text, |piece, href| match href {
                Some(_) => out.push_str(&format!("[{piece}]")),
                None => out.push_str(piece),
            });
            assert_eq!(out, expected);
        }
    }
}
