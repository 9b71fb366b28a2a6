//! What text looks like.

use std::fmt::Write;

/// A colour. Whether a terminal knows all colours is decided by whoever makes styles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// The terminal's own.
    #[default]
    Default,
    /// An entry of the terminal's palette.
    Indexed(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// A set of attributes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Attributes(u8);

impl Attributes {
    /// None.
    pub const NONE: Self = Self(0);
    /// Heavier.
    pub const BOLD: Self = Self(1);
    /// Fainter.
    pub const DIM: Self = Self(2);
    /// Slanted.
    pub const ITALIC: Self = Self(4);
    /// With a line below.
    pub const UNDERLINE: Self = Self(8);
    /// Text and background exchanged.
    pub const INVERSE: Self = Self(16);
    /// With a line through it.
    pub const STRIKE: Self = Self(32);

    /// Attributes with their codes of SGR.
    const CODES: [(Self, u8); 6] = [
        (Self::BOLD, 1),
        (Self::DIM, 2),
        (Self::ITALIC, 3),
        (Self::UNDERLINE, 4),
        (Self::INVERSE, 7),
        (Self::STRIKE, 9),
    ];

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of the other set is in this one.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What text looks like: its colour, what is behind it, its attributes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// Colour of the text.
    pub foreground: Color,
    /// Colour behind it.
    pub background: Color,
    /// The rest.
    pub attributes: Attributes,
}

impl Style {
    /// The terminal's own.
    pub const PLAIN: Self =
        Self { foreground: Color::Default, background: Color::Default, attributes: Attributes::NONE };

    /// With this colour of the text.
    #[must_use]
    pub const fn foreground(self, color: Color) -> Self {
        Self { foreground: color, ..self }
    }

    /// With this colour behind the text.
    #[must_use]
    pub const fn background(self, color: Color) -> Self {
        Self { background: color, ..self }
    }

    /// With these attributes too.
    #[must_use]
    pub const fn with(self, attributes: Attributes) -> Self {
        Self { attributes: self.attributes.with(attributes), ..self }
    }

    /// Without these attributes.
    #[must_use]
    pub const fn without(self, attributes: Attributes) -> Self {
        Self { attributes: self.attributes.without(attributes), ..self }
    }

    /// Bold too.
    #[must_use]
    pub const fn bold(self) -> Self {
        self.with(Attributes::BOLD)
    }

    /// Italic too.
    #[must_use]
    pub const fn italic(self) -> Self {
        self.with(Attributes::ITALIC)
    }

    /// What `other` says, on top of this: its colours where it has any, the attributes of both.
    #[must_use]
    pub fn patch(self, other: Self) -> Self {
        let color = |over: Color, under: Color| if over == Color::Default { under } else { over };
        Self {
            foreground: color(other.foreground, self.foreground),
            background: color(other.background, self.background),
            attributes: self.attributes.with(other.attributes),
        }
    }

    /// Adds the sequence that brings a terminal from the plain style to this one; nothing for the plain style.
    pub(crate) fn open(self, out: &mut String) {
        if self == Self::PLAIN {
            return;
        }
        out.push_str("\x1b[");
        let start = out.len();
        for (attribute, code) in Attributes::CODES {
            if self.attributes.contains(attribute) {
                separate(out, start);
                let _ = write!(out, "{code}");
            }
        }
        self.foreground.write(out, start, 38);
        self.background.write(out, start, 48);
        out.push('m');
    }
}

/// Puts a semicolon between the parameters of a sequence.
fn separate(out: &mut String, start: usize) {
    if out.len() > start {
        out.push(';');
    }
}

impl Color {
    /// `layer` is 38 for text and 48 for what is behind it.
    fn write(self, out: &mut String, start: usize, layer: u8) {
        if self != Self::Default {
            separate(out, start);
        }
        // Writing to a string does not fail.
        let _ = match self {
            Self::Default => Ok(()),
            Self::Indexed(index @ 0..8) => write!(out, "{}", layer - 8 + index),
            Self::Indexed(index @ 8..16) => write!(out, "{}", layer + 44 + index),
            Self::Indexed(index) => write!(out, "{layer};5;{index}"),
            Self::Rgb(red, green, blue) => write!(out, "{layer};2;{red};{green};{blue}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        for (style, expected) in [
            (Style::PLAIN, ""),
            (Style::PLAIN.bold(), "\x1b[1m"),
            (Style::PLAIN.foreground(Color::Indexed(1)), "\x1b[31m"),
            (Style::PLAIN.background(Color::Indexed(9)), "\x1b[101m"),
            (Style::PLAIN.foreground(Color::Indexed(9)), "\x1b[91m"),
            (
                Style::PLAIN.italic().foreground(Color::Rgb(1, 2, 3)).background(Color::Indexed(200)),
                "\x1b[3;38;2;1;2;3;48;5;200m",
            ),
        ] {
            let mut out = String::new();
            style.open(&mut out);
            assert_eq!(out, expected);
        }
    }
}
