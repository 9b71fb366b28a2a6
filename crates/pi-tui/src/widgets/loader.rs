//! A spinner with a text: something is going on.

use crate::text::{Line, Row, Style, wrap};

/// The frames of the spinner.
const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Milliseconds for which a frame is shown.
pub const FRAME_MS: u64 = 80;

/// What a loader looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoaderStyle {
    /// The spinner.
    pub spinner: Style,
    /// The text.
    pub text: Style,
    /// Columns before the spinner.
    pub padding: u16,
}

/// A spinner with a text. It has no clock: whoever draws it says how long it has been shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loader {
    text: String,
    style: LoaderStyle,
}

impl Loader {
    /// A spinner with this text.
    pub fn new(text: impl Into<String>, style: LoaderStyle) -> Self {
        Self { text: text.into(), style }
    }

    /// Changes the text.
    pub fn set_text(&mut self, text: impl Into<String>) {
        self.text = text.into();
    }

    /// The rows after so many milliseconds: all of the text, wrapped behind the spinner.
    pub fn rows(&self, elapsed_ms: u64, columns: u16) -> Vec<Row> {
        let first = self.head(elapsed_ms);
        let other = Line::from(" ".repeat(first.width()).as_str());
        let inner = usize::from(columns).saturating_sub(first.width()).max(1);
        let lines = wrap(&Line::styled(self.text.as_str(), self.style.text), inner).into_iter().enumerate();
        lines.map(|(at, line)| Row::new(&line.behind(if at == 0 { &first } else { &other }), columns)).collect()
    }

    /// The row after so many milliseconds, with as much of the text as there is room for.
    pub fn row(&self, elapsed_ms: u64, columns: u16) -> Row {
        let line = self.head(elapsed_ms).and(&self.text, self.style.text);
        Row::new(&line.cut(columns.into(), "..."), columns)
    }

    fn head(&self, elapsed_ms: u64) -> Line {
        let padding = " ".repeat(self.style.padding.into());
        Line::from(padding.as_str()).and(sign_at(elapsed_ms), self.style.spinner).and(" ", Style::PLAIN)
    }
}

/// The spinner after so many milliseconds.
pub fn sign_at(elapsed_ms: u64) -> &'static str {
    FRAMES[(frame_at(elapsed_ms) % FRAMES.len() as u64) as usize]
}

/// The frame after so many milliseconds. While it stays the same, nothing has to be drawn.
pub const fn frame_at(elapsed_ms: u64) -> u64 {
    elapsed_ms / FRAME_MS
}

/// Milliseconds until the next frame.
pub const fn next_frame_in(elapsed_ms: u64) -> u64 {
    FRAME_MS - elapsed_ms % FRAME_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_the_time() {
        let loader = Loader::new("working", LoaderStyle { padding: 1, ..LoaderStyle::default() });
        for (ms, columns, expected) in
            [(0, 20, " ⠋ working"), (79, 20, " ⠋ working"), (880, 20, " ⠙ working"), (0, 8, " ⠋ wo...")]
        {
            assert_eq!(loader.row(ms, columns).text(), expected);
        }
        let rows = loader.rows(0, 8);
        assert_eq!(rows.iter().map(Row::text).collect::<Vec<_>>(), [" ⠋ worki", "   ng"]);
        assert_eq!(loader.rows(0, 20), [loader.row(0, 20)]);
        assert_eq!((next_frame_in(0), next_frame_in(79), next_frame_in(80)), (80, 1, 80));
    }
}
