//! Text as it looks: typographic quotes, dashes and spaces, compatibility forms and trailing blanks made plain.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// The plain form of a text. It has as many lines as the original.
pub(super) fn plain_form(text: &str) -> String {
    // ASCII, the common case, is its own compatibility form.
    let composed: Cow<'_, str> = if text.is_ascii() { text.into() } else { text.nfkc().collect() };
    let mut out = String::with_capacity(composed.len());
    for line in composed.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        out.extend(body.trim_end_matches(is_js_space).chars().map(plain_char));
        out.push_str(end);
    }
    out
}

fn plain_char(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// What JavaScript trims; unlike Unicode's white space it has U+FEFF and lacks U+0085.
fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}
