//! Differences between texts: numbered lines with signs, changed words inverse.
//!
//! `compare` finds the lines, `words` the words. A diff is read from the text in which tools keep it, or made of two texts.

mod compare;
mod words;

pub use compare::compare;

use crate::text::{Attributes, Line, Row, Style, wrap};

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// In both texts.
    Context,
    /// In the old text only.
    Removed,
    /// In the new text only.
    Added,
    /// Lines that are left out.
    Gap,
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What it is.
    pub sign: Sign,
    /// Its number: in the new text where it was added, else in the old one. None for a gap.
    pub number: Option<usize>,
    /// Its text.
    pub text: String,
}

/// What a diff looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiffStyle {
    /// Lines in both texts, and gaps.
    pub context: Style,
    /// Lines in the old text.
    pub removed: Style,
    /// Lines in the new text.
    pub added: Style,
}

/// A diff that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    lines: Vec<DiffLine>,
    /// Columns of the numbers.
    digits: usize,
    style: DiffStyle,
}

impl Diff {
    /// Shows these lines.
    pub fn new(lines: Vec<DiffLine>, style: DiffStyle) -> Self {
        let largest = lines.iter().filter_map(|line| line.number).max().unwrap_or_default();
        Self { lines, digits: largest.to_string().len(), style }
    }

    /// Reads a diff as it is kept as text: a sign, the number, a blank and the line; `...` where lines are left out.
    pub fn parse(text: &str, style: DiffStyle) -> Self {
        Self::new(text.lines().map(read).collect(), style)
    }

    /// Its lines, wrapped.
    pub fn lines(&self, columns: usize) -> Vec<Line> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            if let Some((old, new)) = self.pair_at(at) {
                let (removed, added) = words::changed(&old.text, &new.text);
                self.draw(old, &removed, columns, &mut out);
                self.draw(new, &added, columns, &mut out);
                at += 2;
            } else {
                self.draw(line, &[(line.text.as_str(), false)], columns, &mut out);
                at += 1;
            }
        }
        out
    }

    /// Its rows.
    pub fn rows(&self, columns: u16) -> Vec<Row> {
        self.lines(columns.into()).iter().map(|line| Row::new(line, columns)).collect()
    }

    /// One removed line that is followed by one added line, with no more of either around them.
    fn pair_at(&self, at: usize) -> Option<(&DiffLine, &DiffLine)> {
        let sign = |at: usize| self.lines.get(at).map(|line| line.sign);
        let is_pair = sign(at) == Some(Sign::Removed)
            && sign(at + 1) == Some(Sign::Added)
            && sign(at + 2) != Some(Sign::Added)
            && (at == 0 || sign(at - 1) != Some(Sign::Removed));
        is_pair.then(|| (&self.lines[at], &self.lines[at + 1]))
    }

    fn draw(&self, line: &DiffLine, parts: &[(&str, bool)], columns: usize, out: &mut Vec<Line>) {
        let (sign, style) = match line.sign {
            Sign::Context | Sign::Gap => (' ', self.style.context),
            Sign::Removed => ('-', self.style.removed),
            Sign::Added => ('+', self.style.added),
        };
        let number = line.number.map(|number| number.to_string()).unwrap_or_default();
        let digits = self.digits;
        let mut prefix = Line::styled(format!("{sign}{number:>digits$} "), style);
        let mut text = Line::new();
        for (part, is_changed) in parts {
            text.push(part, if *is_changed { style.with(Attributes::INVERSE) } else { style });
        }
        let inner = columns.saturating_sub(prefix.width()).max(1);
        let rest = Line::from(" ".repeat(prefix.width()).as_str());
        for wrapped in wrap(&text, inner) {
            out.push(wrapped.behind(&std::mem::replace(&mut prefix, rest.clone())));
        }
    }
}

/// Reads a line. What is no line of a diff, such as a notice, is context without a number.
fn read(line: &str) -> DiffLine {
    let (sign, rest) = match line.as_bytes().first() {
        Some(b'-') => (Sign::Removed, &line[1..]),
        Some(b'+') => (Sign::Added, &line[1..]),
        Some(b' ') => (Sign::Context, &line[1..]),
        _ => (Sign::Context, line),
    };
    let field = rest.trim_start_matches(' ');
    let digits = field.bytes().take_while(u8::is_ascii_digit).count();
    let number = field[..digits].parse().ok();
    match (number, field[digits..].strip_prefix(' ')) {
        (Some(number), Some(text)) => DiffLine { sign, number: Some(number), text: text.to_owned() },
        // The blank behind the number of an empty line may be lost on the way.
        (Some(number), None) if field.len() == digits => DiffLine { sign, number: Some(number), text: String::new() },
        _ if field == "..." => DiffLine { sign: Sign::Gap, number: None, text: field.to_owned() },
        _ => DiffLine { sign, number: None, text: field.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(diff: &Diff, columns: usize) -> Vec<String> {
        let mark = |span: &crate::text::Span| match span.style.attributes.contains(Attributes::INVERSE) {
            true => format!("[{}]", span.text),
            false => span.text.clone(),
        };
        diff.lines(columns).iter().map(|line| line.spans.iter().map(mark).collect()).collect()
    }

    #[test]
    fn diffs_are_read() {
        let text = "  3 def add(a, b):\n- 4     return a + b\n+ 4   return a - b\n  5\n    ...\n 12 x\n-13 one\n-14 two\n+13 three";
        let diff = Diff::parse(text, DiffStyle::default());
        let expected = [
            "  3 def add(a, b):",
            "- 4     return a [+] b",
            "+ 4   return a [-] b",
            "  5 ",
            "    ...",
            " 12 x",
            "-13 one",
            "-14 two",
            "+13 three",
        ];
        assert_eq!(shown(&diff, 40), expected);
    }

    #[test]
    fn long_lines_go_on_behind_the_numbers() {
        let diff = Diff::parse("-1 aaa bbb\n+1 aaa ccc ddd", DiffStyle::default());
        assert_eq!(shown(&diff, 8), ["-1 aaa", "   [bbb]", "+1 aaa", "   [ccc]", "   [ddd]"]);
    }

    #[test]
    fn what_is_no_diff_is_shown() {
        let diff = Diff::parse("[The diff is left out]", DiffStyle::default());
        assert_eq!(shown(&diff, 40), ["   [The diff is left out]"]);
    }

    #[test]
    fn texts_are_compared() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n2\n", "\ntwo\n").replace("\n17\n", "\n");
        let lines = shown(&Diff::new(compare(&old, &new, 2), DiffStyle::default()), 40);
        let expected = [
            "  1 1",
            "- 2 [2]",
            "+ 2 [two]",
            "  3 3",
            "  4 4",
            "    ...",
            " 15 15",
            " 16 16",
            "-17 17",
            " 18 18",
            " 19 19",
            "    ...",
        ];
        assert_eq!(lines, expected);
    }
}
