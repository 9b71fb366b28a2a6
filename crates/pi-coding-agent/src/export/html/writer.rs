//! HTML under construction. Markup is what stands in this program's source; everything else goes in as text.

use std::fmt::{self, Write};

/// A piece of a page. What a session says can only be added by [`Self::text`] and [`Self::show`], which escape it:
/// [`Self::raw`] takes nothing but literals.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text, also as a quoted attribute value.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.0, text);
        self
    }

    /// Adds formatted text.
    pub(super) fn show(&mut self, text: fmt::Arguments<'_>) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = Escaping(&mut self.0).write_fmt(text);
        self
    }

    /// What is there so far.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Forgets what is there and keeps the room for it.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

struct Escaping<'a>(&'a mut String);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

/// What stands for a byte; `None` for one that may stay.
fn replacement(byte: u8) -> Option<&'static str> {
    match byte {
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'&' => Some("&amp;"),
        b'"' => Some("&quot;"),
        b'\'' => Some("&#39;"),
        b'\r' => Some(""),
        0x7f => Some("\u{2421}"),
        0..0x20 if byte != b'\n' && byte != b'\t' => Some(CONTROL_PICTURES[usize::from(byte)]),
        _ => None,
    }
}

fn escape(out: &mut String, text: &str) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(replacement) = replacement(byte) {
            out.push_str(&text[copied..at]);
            // A lone CR, as progress bars write it, ends a line.
            let lone_return = byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
            out.push_str(if lone_return { "\n" } else { replacement });
            copied = at + 1;
        }
    }
    out.push_str(&text[copied..]);
}

/// HTML has no way to write control characters; they are shown instead.
const CONTROL_PICTURES: [&str; 32] = [
    "␀", "␁", "␂", "␃", "␄", "␅", "␆", "␇", "␈", "␉", "␊", "␋", "␌", "␍", "␎", "␏", "␐", "␑", "␒", "␓", "␔", "␕", "␖",
    "␗", "␘", "␙", "␚", "␛", "␜", "␝", "␞", "␟",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_markup_is_not() {
        for (text, expected) in [
            ("plain ä 😀\n\t", "plain ä 😀\n\t"),
            ("<a href=\"x\" id='y'>&amp;", "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("\0\u{1b}[31m\u{7f}", "␀␛[31m␡"),
        ] {
            let mut html = Html::default();
            html.raw("<p>").text(text).show(format_args!("{text}"));
            assert_eq!(html.as_str(), format!("<p>{expected}{expected}"));
        }
    }
}
