//! The first lines of what is folded, on the line that unfolds it.

use super::writer::Html;

/// Lines that are shown.
const LINES: usize = 3;
/// Characters of a line that are shown.
const COLUMNS: usize = 160;

/// Writes the first lines of texts, and how many more there are. Goes into a `<summary>`.
pub(super) fn peek<'a>(html: &mut Html, texts: impl IntoIterator<Item = &'a str>) {
    let mut lines = texts.into_iter().flat_map(str::lines).skip_while(|line| line.trim().is_empty()).peekable();
    if lines.peek().is_none() {
        return;
    }
    html.raw(" <code class=\"peek\">");
    for (index, line) in lines.by_ref().take(LINES).enumerate() {
        let line = line.trim_end();
        let end = line.char_indices().nth(COLUMNS).map(|(end, _)| end);
        html.raw(if index == 0 { "" } else { "\n" }).text(&line[..end.unwrap_or(line.len())]);
        html.raw(if end.is_some() { "…" } else { "" });
    }
    html.raw("</code>");
    let more = lines.count();
    if more > 0 {
        html.raw(" <span class=\"more\">").show(format_args!("{more}"));
        html.raw(if more == 1 { " more line</span>" } else { " more lines</span>" });
    }
}
