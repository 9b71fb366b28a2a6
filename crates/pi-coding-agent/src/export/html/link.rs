//! Which addresses a page may link to, and addresses in plain text.

use memchr::memmem;

use super::writer::Html;

/// Longer ones are text: nobody types or reads them.
const LONGEST: usize = 2000;

/// Writes text in which web addresses are links.
pub(super) fn linked(html: &mut Html, text: &str) {
    let mut copied = 0;
    for (start, end) in addresses(text) {
        html.text(&text[copied..start]).raw("<a href=\"").text(&text[start..end]);
        html.raw("\" rel=\"noopener noreferrer\" target=\"_blank\">").text(&text[start..end]).raw("</a>");
        copied = end;
    }
    html.text(&text[copied..]);
}

/// Where addresses begin and end: `http://` or `https://`, a host, and what follows up to a blank, a quote, a bracket that
/// was not opened in it, or the punctuation of the sentence around it.
fn addresses(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    memmem::find_iter(text.as_bytes(), "://").filter_map(move |colon| {
        let start = scheme(text, colon).filter(|start| *start >= from)?;
        let host = colon + 3;
        if !text[host..].starts_with(|c: char| c.is_alphanumeric() || c == '[') {
            return None;
        }
        let end = host + length(&text[host..]);
        // Also past one that is too long: no text is looked at twice.
        from = end;
        (end > host && end - start <= LONGEST).then_some((start, end))
    })
}

/// Where the `http` or `https` in front of a colon begins; none where it is only the end of another word.
fn scheme(text: &str, colon: usize) -> Option<usize> {
    let before = text.get(..colon)?;
    let is = |name: &&&str| {
        let start = before.len().checked_sub(name.len());
        start.and_then(|start| before.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
    };
    let name = ["https", "http"].iter().find(is)?;
    let start = colon - name.len();
    let goes_before = before[..start].chars().next_back();
    (!goes_before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.'))).then_some(start)
}

/// How much of a text belongs to the address that it begins in.
fn length(text: &str) -> usize {
    // Beyond ASCII only letters and digits: quotes, brackets and stops of other scripts end an address, and so do the
    // characters that turn the direction of writing.
    let belongs = |c: char| match c {
        c if c.is_ascii() => c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`' | '{' | '}' | '|' | '\\' | '^'),
        c => c.is_alphanumeric(),
    };
    let mut open = Vec::new();
    let mut end = 0;
    for (at, c) in text.char_indices().take_while(|(_, c)| belongs(*c)) {
        match c {
            '(' | '[' => open.push(c),
            ')' if open.pop() != Some('(') => break,
            // The first one may be that of an address of version 6.
            ']' if open.pop() != Some('[') => break,
            _ => {}
        }
        end = at + c.len_utf8();
    }
    text[..end].trim_end_matches(['.', ',', ':', ';', '!', '?', '\'', '*', '_', '~', '&', '(', '[']).len()
}

/// A web or mail address; `None` for anything else, for example `javascript:`, `data:`, `file:` or a relative path.
pub(super) fn safe_link(address: &str) -> Option<&str> {
    const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
    let address = address.trim();
    let start = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    // Browsers drop line ends and tabs, which could hide what an address is.
    let clean = !address.chars().any(char::is_control);
    (clean && SCHEMES.iter().any(|scheme| start(scheme))).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with its links in brackets.
    fn marked(text: &str) -> String {
        let mut html = Html::default();
        linked(&mut html, text);
        let mut marked = html.as_str().to_owned();
        for (start, end) in addresses(text) {
            let address = &text[start..end];
            let mut escaped = Html::default();
            escaped.text(address);
            let escaped = escaped.as_str();
            let link = format!("<a href=\"{escaped}\" rel=\"noopener noreferrer\" target=\"_blank\">{escaped}</a>");
            assert!(marked.contains(&link), "{marked}");
            marked = marked.replacen(&link, &format!("[{address}]"), 1);
        }
        assert!(!marked.contains("<a"));
        marked
    }

    #[test]
    fn addresses_in_text_are_links() {
        for (text, expected) in [
            ("see https://a.b/c?d=1&e=2#f.", "see [https://a.b/c?d=1&e=2#f]."),
            ("(https://a.b/c_(d)) and [http://x]", "([https://a.b/c_(d)]) and [[http://x]]"),
            ("https://a.b/x), y", "[https://a.b/x]), y"),
            ("HTTPS://A.B!", "[HTTPS://A.B]!"),
            ("http://[::1]:80/x http://127.0.0.1:9,", "[http://[::1]:80/x] [http://127.0.0.1:9],"),
            ("'https://a.b' \u{201c}https://a.b\u{201d}", "&#39;[https://a.b]&#39; \u{201c}[https://a.b]\u{201d}"),
            ("https://ä.example/ö。x", "[https://ä.example/ö]。x"),
            ("https://a.b\u{202e}moc", "[https://a.b]\u{202e}moc"),
            ("https://a/https://b", "[https://a/https://b]"),
            ("https://a\nhttps://b\thttp://c", "[https://a]\n[https://b]\t[http://c]"),
            ("**https://a.b/**", "**[https://a.b/]**"),
            ("https:// http://. ://x xhttp://a git+https://a ftp://a javascript://a", ""),
            ("javascript:alert(1) data:text/html,x //a.b mailto:a@b", ""),
        ] {
            let expected = if expected.is_empty() { text } else { expected };
            assert_eq!(marked(text), expected);
        }
        let escaped = marked("https://a.b/\"onmouseover=x <https://c.d/<b>");
        assert_eq!(escaped, "[https://a.b/]&quot;onmouseover=x &lt;[https://c.d/]&lt;b&gt;");
        let long = format!("https://a/{}", "x".repeat(LONGEST));
        assert_eq!(marked(&long), long);
        // Linear: a megabyte of what might begin one.
        assert!(marked(&"http://".repeat(150_000)).len() > 1_000_000);
        assert!(marked(&format!("http://a/{}", "(".repeat(1_000_000))).len() > 1_000_000);
    }

    #[test]
    fn only_web_and_mail_addresses_are_linked() {
        for good in ["https://a.b/?q=\"<x>", "HTTP://a", "mailto:a@b", " https://a "] {
            assert_eq!(safe_link(good), Some(good.trim()));
        }
        for bad in
            ["", "javascript:alert(1)", "java\nscript:x", "data:text/html,x", "file:///etc", "//a", "https:/\n/a", "ä"]
        {
            assert_eq!(safe_link(bad), None, "{bad:?}");
        }
    }
}
