//! Markdown on a terminal, piece by piece as it arrives: headings, emphasis, code, lists and quotes get a look, everything
//! else stays as it is. No line is ever taken back, so that what was shown stays true.

/// Turns pieces of Markdown into text with SGR sequences.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// The beginning of a line, until it is clear what the line is; then what may belong to a mark.
    held: String,
    /// Whether the line's kind is known.
    is_open: bool,
    /// Inside a fenced block: its fence.
    fence: Option<String>,
    bold: bool,
    italic: bool,
    code: bool,
    heading: bool,
    quote: bool,
    /// The character before.
    before: Option<char>,
    out: String,
}

const RESET: &str = "\x1b[0m";

impl Markdown {
    /// More text. Returns what can be shown now.
    pub(super) fn push(&mut self, text: &str) -> String {
        text.chars().for_each(|c| self.character(c));
        std::mem::take(&mut self.out)
    }

    /// The end of the text: what is left of it.
    pub(super) fn finish(&mut self) -> String {
        self.open_line();
        self.marks(' ');
        self.close_line();
        *self = Self { out: std::mem::take(&mut self.out), ..Self::default() };
        std::mem::take(&mut self.out)
    }

    fn character(&mut self, c: char) {
        if c == '\n' {
            self.open_line();
            self.marks(c);
            self.close_line();
            self.out.push('\n');
            return;
        }
        if !self.is_open {
            self.held.push(c);
            if self.is_decided() {
                self.open_line();
            }
            return;
        }
        self.inline(c);
    }

    /// Whether the held beginning of a line says what kind of line it is.
    fn is_decided(&self) -> bool {
        let text = self.held.trim_start_matches(' ');
        if self.fence.is_some() || text.starts_with("```") || text.starts_with("~~~") {
            // The whole line: it may be the fence.
            return false;
        }
        match text.chars().next() {
            None => false,
            Some('#') => text.contains(' ') || text.trim_start_matches('#').chars().next().is_some() || text.len() > 6,
            Some('`' | '~') => text.len() >= 3 || text.trim_start_matches(['`', '~']).chars().next().is_some(),
            Some('-' | '*' | '+' | '>') => text.chars().count() > 1,
            Some(_) => true,
        }
    }

    /// The beginning of a line is shown, as what it is.
    fn open_line(&mut self) {
        if self.is_open {
            return;
        }
        self.is_open = true;
        let line = std::mem::take(&mut self.held);
        let text = line.trim_start_matches(' ');
        let indent = &line[..line.len() - text.len()];
        if let Some(fence) = &self.fence {
            let is_end =
                text.starts_with(fence.as_str()) && text.trim_end().trim_start_matches(fence.as_str()).is_empty();
            self.out.push_str(&format!("\x1b[{}m{line}{RESET}", if is_end { "90" } else { "36" }));
            if is_end {
                self.fence = None;
            }
            return;
        }
        if text.starts_with("```") || text.starts_with("~~~") {
            self.fence = Some(text[..3].to_owned());
            self.out.push_str(&format!("\x1b[90m{line}{RESET}"));
            return;
        }
        if text.starts_with('#') && text.trim_start_matches('#').starts_with(' ') {
            self.heading = true;
            self.out.push_str("\x1b[1m");
            return self.rest(text.trim_start_matches('#').trim_start());
        }
        if let Some(rest) = text.strip_prefix('>') {
            self.quote = true;
            self.out.push_str("\x1b[90m│");
            return self.rest(rest);
        }
        for mark in ["- ", "* ", "+ "] {
            if let Some(rest) = text.strip_prefix(mark) {
                self.out.push_str(&format!("{indent}• "));
                return self.rest(rest);
            }
        }
        self.out.push_str(indent);
        self.rest(text);
    }

    fn rest(&mut self, text: &str) {
        text.chars().for_each(|c| self.inline(c));
    }

    /// A character of a line of text. Stars are held until it is clear what they mean.
    fn inline(&mut self, c: char) {
        if c == '*' && !self.code && self.held.len() < 3 {
            return self.held.push(c);
        }
        self.marks(c);
        if c == '`' {
            self.code = !self.code;
            self.style();
        } else {
            self.out.push(c);
        }
        self.before = Some(c);
    }

    /// What held stars mean before `next`: emphasis that begins or ends, or stars.
    fn marks(&mut self, next: char) {
        let stars = std::mem::take(&mut self.held);
        let before_is_blank = self.before.is_none_or(char::is_whitespace);
        let is_mark = match stars.len() {
            0 => return,
            1 if self.italic => !before_is_blank,
            1 => !next.is_whitespace() && self.before.is_none_or(|c| !c.is_alphanumeric()),
            2 if self.bold => !before_is_blank,
            2 => !next.is_whitespace(),
            _ => (self.bold && self.italic) || !next.is_whitespace(),
        };
        if !is_mark {
            self.out.push_str(&stars);
            self.before = Some('*');
            return;
        }
        self.italic ^= stars.len() % 2 == 1;
        self.bold ^= stars.len() >= 2;
        self.style();
    }

    /// The look of what follows.
    fn style(&mut self) {
        self.out.push_str(RESET);
        for (is_on, code) in [
            (self.bold || self.heading, "\x1b[1m"),
            (self.italic, "\x1b[3m"),
            (self.quote, "\x1b[90m"),
            (self.code, "\x1b[36m"),
        ] {
            if is_on {
                self.out.push_str(code);
            }
        }
    }

    /// Nothing goes on beyond the end of a line but a fenced block.
    fn close_line(&mut self) {
        if self.bold || self.italic || self.code || self.heading || self.quote {
            self.out.push_str(RESET);
        }
        let (fence, out) = (self.fence.take(), std::mem::take(&mut self.out));
        *self = Self { fence, out, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown, with names in place of sequences; the same whatever the pieces are.
    fn shown(text: &str) -> String {
        let render = |pieces: &mut dyn Iterator<Item = String>| {
            let mut markdown = Markdown::default();
            let mut out: String = pieces.map(|piece| markdown.push(&piece)).collect();
            out.push_str(&markdown.finish());
            out
        };
        let whole = render(&mut std::iter::once(text.to_owned()));
        assert_eq!(render(&mut text.chars().map(String::from)), whole, "{text:?}");
        let names =
            [("\x1b[0m", "<>"), ("\x1b[1m", "<b>"), ("\x1b[3m", "<i>"), ("\x1b[36m", "<c>"), ("\x1b[90m", "<g>")];
        names.iter().fold(whole, |text, (sequence, name)| text.replace(sequence, name))
    }

    #[test]
    fn marks_become_looks() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a **b** c", "a <><b>b<> c"),
            ("a *b* c", "a <><i>b<> c"),
            ("use `x*y` now", "use <><c>x*y<> now"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("a*b*c", "a*b*c"),
            ("# Title\ntext", "<b>Title<>\ntext"),
            ("#hashtag", "#hashtag"),
            ("- one\n  * two", "• one\n  • two"),
            ("-5 degrees", "-5 degrees"),
            ("> quoted", "<g>│ quoted<>"),
            ("```rs\nlet **x**;\n```\n**y**", "<g>```rs<>\n<c>let **x**;<>\n<g>```<>\n<><b>y<>"),
            ("**open\nnext", "<><b>open<>\nnext"),
            ("***", "***"),
            ("", ""),
            ("a\n\nb\n", "a\n\nb\n"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
