//! What a line of Markdown begins, ends or goes on. Lines come without their ends, and without tabs.
//!
//! Only what tells blocks apart stands here; what is inside a block is read by a parser, in `tree`.

/// Blanks at the beginning beyond which a line begins no block but code.
const MOST_INDENT: usize = 3;

/// An opening fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    count: usize,
    /// Blanks before it, which are taken off the lines of code, too.
    pub(super) indent: usize,
    pub(super) info: String,
}

/// The beginning of an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker {
    /// The sign that items of one list share: `-`, `+`, `*`, `.` or `)`.
    pub(super) sign: u8,
    pub(super) number: Option<u64>,
    /// Columns before the text: lines of the item are indented as much.
    pub(super) content: usize,
    is_empty: bool,
}

/// What ends a block of HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlEnd {
    /// The next blank line.
    Blank,
    /// A line with this text, in any case.
    Text(&'static str),
}

pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte == b' ')
}

pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The line without its first blanks, unless there are so many that it is code.
fn dedented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= MOST_INDENT).then_some(text)
}

fn run(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

pub(super) fn is_heading(line: &str) -> bool {
    let Some(text) = dedented(line) else { return false };
    let count = run(text, b'#');
    (1..=6).contains(&count) && matches!(text.as_bytes().get(count), None | Some(b' '))
}

/// A line under a paragraph that makes it a heading.
pub(super) fn is_underline(line: &str) -> bool {
    let text = dedented(line).unwrap_or_default().trim_end_matches(' ');
    !text.is_empty() && (run(text, b'=') == text.len() || run(text, b'-') == text.len())
}

pub(super) fn is_rule(line: &str) -> bool {
    let text = dedented(line).unwrap_or_default();
    let Some(mark) = text.bytes().next().filter(|mark| b"*-_".contains(mark)) else { return false };
    text.bytes().all(|byte| byte == mark || byte == b' ') && text.bytes().filter(|byte| *byte == mark).count() >= 3
}

pub(super) fn is_quote(line: &str) -> bool {
    dedented(line).is_some_and(|text| text.starts_with('>'))
}

pub(super) fn fence(line: &str) -> Option<Fence> {
    let text = dedented(line)?;
    let mark = text.bytes().next().filter(|mark| b"`~".contains(mark))?;
    let count = run(text, mark);
    let info = text[count..].trim();
    let is_inline = mark == b'`' && info.contains('`');
    (count >= 3 && !is_inline).then(|| Fence { mark, count, indent: line.len() - text.len(), info: info.to_owned() })
}

impl Fence {
    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        self.begins_close(line) && run(line.trim(), self.mark) >= self.count
    }

    /// Whether a line that has not ended may become the closing fence.
    pub(super) fn begins_close(&self, line: &str) -> bool {
        let text = dedented(line).unwrap_or_default().trim_end_matches(' ');
        !text.is_empty() && run(text, self.mark) == text.len()
    }

    /// A line of the code.
    pub(super) fn strip<'a>(&self, line: &'a str) -> &'a str {
        &line[indent(line).min(self.indent)..]
    }

    pub(super) fn language(info: &str) -> Option<pi_highlight::Language> {
        let word = info.split([' ', ',', '{']).find(|word| !word.is_empty())?;
        pi_highlight::Language::by_name(word)
    }
}

pub(super) fn marker(line: &str) -> Option<Marker> {
    let text = dedented(line).filter(|_| !is_rule(line))?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = *text.as_bytes().get(digits)?;
    let number = match (digits, sign) {
        (0, b'-' | b'+' | b'*') => None,
        (1..=9, b'.' | b')') => Some(text[..digits].parse().ok()?),
        _ => return None,
    };
    let rest = &text[digits + 1..];
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let is_empty = is_blank(rest);
    let gap = if is_empty || indent(rest) > 4 { 1 } else { indent(rest) };
    Some(Marker { sign, number, content: line.len() - rest.len() + gap, is_empty })
}

/// Whether there is nothing but the mark of an item.
pub(super) fn is_bare_marker(line: &str) -> bool {
    marker(line).is_some_and(|marker| marker.is_empty)
}

/// Whether a line ends the paragraph that goes on until it.
pub(super) fn interrupts(line: &str) -> bool {
    interrupts_lazy(line)
        && marker(line).is_none_or(|marker| !marker.is_empty && marker.number.is_none_or(|number| number == 1))
}

/// Whether a line ends a quote or list whose last paragraph it could go on with.
pub(super) fn interrupts_lazy(line: &str) -> bool {
    is_heading(line)
        || is_rule(line)
        || is_quote(line)
        || fence(line).is_some()
        || marker(line).is_some()
        || html(line).is_some_and(|(_, interrupts)| interrupts)
}

/// Whether a table begins with these lines: its head and a rule such as `|---|:-:|`.
pub(super) fn is_table(head: &str, rule: &str) -> bool {
    let is_rule = rule.contains('-') && rule.contains('|') && rule.bytes().all(|byte| b"|-: ".contains(&byte));
    is_rule && head.contains('|') && cells(head) == cells(rule)
}

/// Cells of a row of a table.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(row);
    row.split('|').filter(|cell| !cell.ends_with('\\')).count()
}

/// What ends the HTML that begins here, and whether it ends a paragraph.
pub(super) fn html(line: &str) -> Option<(HtmlEnd, bool)> {
    let text = dedented(line)?.strip_prefix('<')?;
    for (start, end) in [("!--", "-->"), ("?", "?>"), ("![CDATA[", "]]>")] {
        if text.starts_with(start) {
            return Some((HtmlEnd::Text(end), true));
        }
    }
    if text.strip_prefix('!').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_alphabetic())) {
        return Some((HtmlEnd::Text(">"), true));
    }
    let name_at = usize::from(text.starts_with('/'));
    let name = &text[name_at..];
    let name = &name[..name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count()];
    let after = &text[name_at + name.len()..];
    let ends = matches!(after.bytes().next(), None | Some(b' ' | b'>')) || after.starts_with("/>");
    if name.is_empty() || !ends {
        return None;
    }
    let name = name.to_ascii_lowercase();
    if let Some((_, end)) = RAW_TAGS.iter().find(|(tag, _)| *tag == name && name_at == 0 && !after.starts_with('/')) {
        return Some((HtmlEnd::Text(end), true));
    }
    if BLOCK_TAGS.binary_search(&name.as_str()).is_ok() {
        return Some((HtmlEnd::Blank, true));
    }
    let is_whole = after.trim_end().find(['<', '>']).is_some_and(|at| at + 1 == after.trim_end().len());
    (is_whole && after.trim_end().ends_with('>')).then_some((HtmlEnd::Blank, false))
}

impl HtmlEnd {
    pub(super) fn is_in(self, line: &str) -> bool {
        match self {
            Self::Blank => is_blank(line),
            Self::Text(end) => line.to_ascii_lowercase().contains(end),
        }
    }
}

/// Tags whose content is no Markdown, and what ends it.
const RAW_TAGS: [(&str, &str); 4] =
    [("pre", "</pre>"), ("script", "</script>"), ("style", "</style>"), ("textarea", "</textarea>")];

/// Tags that begin a block. Sorted.
#[rustfmt::skip]
const BLOCK_TAGS: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
    "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_sorted() {
        assert!(BLOCK_TAGS.is_sorted());
    }

    #[test]
    fn items() {
        for (line, expected) in [
            ("- a", Some((b'-', None, 2))),
            ("  *   a", Some((b'*', None, 6))),
            ("+      a", Some((b'+', None, 2))),
            ("12. a", Some((b'.', Some(12), 4))),
            ("1)", Some((b')', Some(1), 3))),
            ("-", Some((b'-', None, 2))),
            ("-a", None),
            ("- - -", None),
            ("1234567890. a", None),
            ("    - a", None),
        ] {
            let found = marker(line).map(|marker| (marker.sign, marker.number, marker.content));
            assert_eq!(found, expected, "{line:?}");
        }
    }

    #[test]
    fn fences() {
        let open = fence("  ```rust x").unwrap();
        assert_eq!((open.info.as_str(), open.indent), ("rust x", 2));
        for (line, closes, begins) in [
            ("```", true, true),
            ("   ````  ", true, true),
            ("``", false, true),
            ("```a", false, false),
            ("", false, false),
        ] {
            assert_eq!((open.is_closed_by(line), open.begins_close(line)), (closes, begins), "{line:?}");
        }
        assert_eq!((fence("``` a`b"), fence("``")), (None, None));
    }
}
