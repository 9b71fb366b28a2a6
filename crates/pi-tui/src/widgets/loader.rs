//! A spinner with a text: something is going on.

use crate::text::{Line, Row, Style};

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

    /// The row after so many milliseconds.
    pub fn row(&self, elapsed_ms: u64, columns: u16) -> Row {
        let frame = sign_at(elapsed_ms);
        let padding = " ".repeat(self.style.padding.into());
        let line = Line::from(padding.as_str())
            .and(frame, self.style.spinner)
            .and(" ", Style::PLAIN)
            .and(&self.text, self.style.text);
        Row::new(&line.cut(columns.into(), "..."), columns)
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
        assert_eq!((next_frame_in(0), next_frame_in(79), next_frame_in(80)), (80, 1, 80));
    }
}
