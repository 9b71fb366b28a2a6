//! Text that a person typed, as Markdown that keeps what was typed: every line is a line, and of its signs only those are
//! left out that are markup beyond doubt. Paths, patterns, tags and logs look like Markdown by accident.

mod spans;

use super::layout::Layout;
use super::references::References;
use super::source::{self, Fence};
use super::style::MarkdownStyle;
use super::tree;
use crate::text::{Attributes, Line, wrap};
use crate::widgets::code::CodeLines;

/// Bytes of a line beyond which it is shown as it is: nobody formats such a line by hand, and a parser takes its time.
const LONGEST_LINE: usize = 16 * 1024;
/// Blanks at the beginning from which on a line outside of lists is code, or a part of a log.
const CODE_INDENT: usize = 4;
const QUOTE_BAR: &str = "│ ";

/// The lines of a text that a person typed, for so many columns. A line end is one, blank lines and the marks of lists stay.
///
/// ```
/// use pi_tui::widgets::markdown::{MarkdownStyle, typed_lines};
///
/// let lines = typed_lines("# Why\n* is `a*b*c` **bold**?", &MarkdownStyle::default(), 80);
/// let texts: Vec<String> = lines.iter().map(|line| line.text()).collect();
/// assert_eq!(texts, ["Why", "* is a*b*c bold?"]);
/// ```
pub fn typed_lines(text: &str, style: &MarkdownStyle, columns: usize) -> Vec<Line> {
    let mut text = text.replace('\t', "   ");
    text.retain(|char| char != '\r');
    let mut reader = Reader { style, columns: columns.max(1), is_in_list: false, out: Vec::new() };
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some(fence) = source::fence(line.trim_start_matches(' ')) {
            reader.fenced(line, &fence, &mut lines);
        } else if lines.peek().is_some_and(|next| source::is_table(line, next)) {
            let mut table = line.to_owned();
            while let Some(row) = lines.next_if(|row| row.contains('|')) {
                table.push('\n');
                table.push_str(row);
            }
            reader.table(&table);
        } else {
            reader.line(line);
        }
    }
    reader.out
}

struct Reader<'s> {
    style: &'s MarkdownStyle,
    columns: usize,
    /// What is indented belongs to an item.
    is_in_list: bool,
    out: Vec<Line>,
}

impl Reader<'_> {
    fn layout(&self) -> Layout<'_> {
        Layout { style: self.style }
    }

    /// Code up to the end of its fence, or of the text.
    fn fenced<'t>(&mut self, opening: &str, fence: &Fence, lines: &mut impl Iterator<Item = &'t str>) {
        let indent = source::indent(opening);
        self.is_in_list &= indent > 0;
        self.put(&Line::styled(opening, self.style.code_border));
        let mut code = match Fence::language(&fence.info) {
            Some(language) => CodeLines::new(Some(language), self.style.syntax),
            None => CodeLines::plain(self.style.code_block),
        };
        for line in lines {
            let text = &line[source::indent(line).min(indent)..];
            if fence.is_closed_by(text) {
                return self.put(&Line::styled(line, self.style.code_border));
            }
            let mut lines = Vec::new();
            self.layout().code_line(&code.line(text), self.columns, &mut lines);
            self.out.append(&mut lines);
        }
    }

    fn table(&mut self, source: &str) {
        self.is_in_list = false;
        let references = References::default();
        let blocks = tree::parse(source, self.style, &references, 0);
        let mut lines = self.layout().blocks(&blocks, None, self.columns);
        self.out.append(&mut lines);
    }

    fn line(&mut self, line: &str) {
        let base = self.style.base;
        let indent = source::indent(line);
        let text = &line[indent..];
        let marker = source::marker(text).map_or(0, |marker| marker.content.min(text.len()));
        if marker > 0 {
            self.is_in_list = true;
        } else if indent == 0 && !text.is_empty() {
            self.is_in_list = false;
        }
        let is_code = indent >= CODE_INDENT && !self.is_in_list;
        if is_code || line.len() > LONGEST_LINE || source::is_rule(text) {
            return self.put(&Line::styled(line, base));
        }
        if let Some(level) = heading(line) {
            return self.heading(line, level);
        }
        if let Some(quoted) = text.strip_prefix("> ").filter(|_| marker == 0) {
            let before = Line::from(&line[..indent]).and(QUOTE_BAR, self.style.quote_border);
            let rest = spans::line(quoted, self.style, base.patch(self.style.quote).italic());
            return self.put_behind(&before, &before, &rest);
        }
        let (before, text) = line.split_at(indent + marker);
        let rest = spans::line(text, self.style, base);
        if before.is_empty() {
            return self.put(&rest);
        }
        let lead = Line::styled(before, self.style.bullet);
        if marker == 0 {
            return self.put(&rest.behind(&lead));
        }
        let blanks = Line::from(" ".repeat(lead.width()).as_str());
        self.put_behind(&lead, &blanks, &rest);
    }

    /// As in answers: the mark is left out where the look tells the level.
    fn heading(&mut self, line: &str, level: usize) {
        let style = self.style.base.patch(self.style.heading).bold();
        let style = if level == 1 { style.with(Attributes::UNDERLINE) } else { style };
        let text = line.trim_start_matches(' ');
        let (mark, text) = text.split_at(level);
        let rest = spans::line(text.trim_start_matches(' '), self.style, style);
        if level <= 2 {
            return self.put(&rest);
        }
        self.put(&rest.behind(&Line::styled(format!("{mark} "), style)));
    }

    fn put(&mut self, line: &Line) {
        self.out.extend(wrap(line, self.columns));
    }

    /// A line behind something that stands before what goes on below, too, unless there is too little room.
    fn put_behind(&mut self, first: &Line, below: &Line, rest: &Line) {
        let room = self.columns.saturating_sub(first.width());
        if room < self.columns.div_ceil(2) {
            return self.put(&rest.behind(first));
        }
        let lines = wrap(rest, room).into_iter().enumerate();
        self.out.extend(lines.map(|(i, line)| if i == 0 { line.behind(first) } else { line.behind(below) }));
    }
}

/// The level of a heading that says something.
fn heading(line: &str) -> Option<usize> {
    let text = line.trim_start_matches(' ');
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    (source::is_heading(line) && !text[level..].trim().is_empty()).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Style;

    fn texts(text: &str, columns: usize) -> Vec<String> {
        typed_lines(text, &MarkdownStyle::default(), columns).iter().map(Line::text).collect()
    }

    /// What is no markup for certain stays, to the character.
    #[test]
    fn accidents_lose_nothing() {
        for line in [
            "/usr/lib/my_file_name/__init__.py and __main__.py",
            "__init__",
            "a*b*c 2**3**4",
            "rm */foo/*.rs src/*/x/*.toml *.c",
            "/* comment */ int *a, *b;",
            "def f(*args, **kwargs):",
            "<tag> x </tag> <b>y</b>",
            "<div>",
            "</div> after",
            "<https://example.com/x>",
            "<!-- note -->",
            "&amp; &lt; &#65;",
            r"C:\dir\_x\*y",
            r"ends with \",
            "    [12:00] *indented* log __x__",
            "  two blanks",
            "[x]: http://example.com \"title\"",
            "arr[i](x) and [&](auto)",
            "![image](a/b.png)",
            "~one~ ~/a ~/b",
            "---",
            "***",
            "====",
            ">>> print(1)",
            ">",
            "#!/bin/sh",
            "#",
            "1) one",
            "12.  two",
            "+ plus",
            "* star",
            "- - - -",
            "- [x] done",
            "-     far",
            "a | b",
            "`open and ``other",
            "* ",
            "-",
        ] {
            assert_eq!(texts(line, 200), [line], "{line:?}");
        }
    }

    #[test]
    fn markup_is_drawn_and_lines_stay() {
        let text =
            "# One\n\n\n### Three\n**bold** and *it is* `code`, (**x**)!\n1) c **bold**\n    - `x`\n> quoted\n\nlast";
        let expected =
            ["One", "", "", "### Three", "bold and it is code, (x)!", "1) c bold", "    - x", "│ quoted", "", "last"];
        assert_eq!(texts(text, 80), expected);
        let bold = typed_lines("**b**", &MarkdownStyle::default(), 80);
        assert_eq!(bold, [Line::styled("b", Style::PLAIN.bold())]);
    }

    #[test]
    fn code_and_tables() {
        let text = "```py\nx = '**a**'\n\n```\n  ```\n    b\n  ```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\nopen";
        let expected = [
            "```py",
            "  x = '**a**'",
            "",
            "```",
            "  ```",
            "    b",
            "  ```",
            "┌───┬───┐",
            "│ a │ b │",
            "├───┼───┤",
            "│ 1 │ 2 │",
            "└───┴───┘",
            "```",
            "  open",
        ];
        assert_eq!(texts(text, 80), expected);
    }

    #[test]
    fn what_is_indented_below_code_is_in_no_list() {
        assert_eq!(texts("- a\n```\n```\n    *b*", 80), ["- a", "```", "```", "    *b*"]);
        assert_eq!(texts("- a\n\n    *b*", 80), ["- a", "", "    b"]);
    }

    #[test]
    fn links_show_where_they_lead() {
        assert_eq!(texts("see [text](http://a.b/c).", 80), ["see text (http://a.b/c)."]);
    }

    #[test]
    fn items_go_on_behind_their_marks() {
        assert_eq!(texts("  * one two three", 12), ["  * one two", "    three"]);
        assert_eq!(texts("* a\n  b", 1).concat().replace(' ', ""), "*ab");
    }

    /// Work that grows with the square of the text would not end in the life of a test.
    #[test]
    fn a_huge_text_takes_no_longer_than_its_size() {
        for part in ["word ", "*a ", "_(", "[", "`", "a\n", "> - ", "|-|\n", "```\n", "<a ", "**_", "\\"] {
            let line = part.repeat(LONGEST_LINE / part.len());
            for text in [format!("{line}\n").repeat(10), part.repeat(1_000_000 / part.len())] {
                assert!(!typed_lines(&text, &MarkdownStyle::default(), 80).is_empty());
            }
        }
    }
}
