//! A colour, and the escape sequences that a terminal needs for it.

use crate::host::env::Env;

/// A colour as a theme names it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Terminal,
    /// An entry of the terminal's palette.
    Indexed(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// How many colours a terminal knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourMode {
    /// All.
    TrueColour,
    /// The palette of 256.
    Palette,
}

/// Levels of the palette's cube, entries 16 to 231.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// Entries 232 to 255 are greys from 8 in steps of 10.
const GREYS: u8 = 24;

/// Terminals that know all colours and may not say so.
const KNOWN_PROGRAMS: [&str; 6] = ["iterm.app", "wezterm", "ghostty", "vscode", "warpterminal", "hyper"];

impl ColourMode {
    /// What the environment says about the terminal.
    pub fn detect(env: &Env) -> Self {
        let is = |name: &str, known: &[&str]| {
            env.var(name).is_some_and(|value| known.contains(&value.to_ascii_lowercase().as_str()))
        };
        let term = env.var("TERM").unwrap_or_default();
        let known = is("COLORTERM", &["truecolor", "24bit"])
            || is("TERM_PROGRAM", &KNOWN_PROGRAMS)
            || env.var("WT_SESSION").is_some()
            || env.var("KITTY_WINDOW_ID").is_some()
            || ["kitty", "ghostty", "-direct"].iter().any(|name| term.contains(name));
        if known { Self::TrueColour } else { Self::Palette }
    }
}

impl Colour {
    /// The colour of `#rrggbb`.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        Some(Self::Rgb(byte(0)?, byte(2)?, byte(4)?)).filter(|_| is_hex)
    }

    /// The colour that a terminal shows which knows so many: itself, or the nearest of the palette.
    #[must_use]
    pub fn on(self, mode: ColourMode) -> Self {
        match (self, mode) {
            (Self::Rgb(red, green, blue), ColourMode::Palette) => Self::Indexed(nearest([red, green, blue])),
            (colour, _) => colour,
        }
    }

    /// The escape sequence that makes text this colour.
    pub fn foreground(self, mode: ColourMode) -> String {
        self.escape(mode, 38)
    }

    /// The escape sequence that makes what is behind text this colour.
    pub fn background(self, mode: ColourMode) -> String {
        self.escape(mode, 48)
    }

    /// `layer` is 38 for text and 48 for what is behind it.
    fn escape(self, mode: ColourMode, layer: u8) -> String {
        match self.on(mode) {
            Self::Terminal => format!("\x1b[{}m", layer + 1),
            Self::Indexed(index) => format!("\x1b[{layer};5;{index}m"),
            Self::Rgb(red, green, blue) => format!("\x1b[{layer};2;{red};{green};{blue}m"),
        }
    }
}

/// The entry of the palette that looks most like a colour, in the cube or among the greys.
fn nearest(colour: [u8; 3]) -> u8 {
    let cube = colour.map(nearest_level);
    let in_cube = cube.map(|level| CUBE[usize::from(level)]);
    let mean = colour.iter().map(|part| u32::from(*part)).sum::<u32>() / 3;
    let step = (mean.saturating_sub(3) / 10).min(u32::from(GREYS) - 1) as u8;
    if distance(colour, [grey(step); 3]) < distance(colour, in_cube) {
        232 + step
    } else {
        16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }
}

fn grey(step: u8) -> u8 {
    8 + 10 * step
}

fn nearest_level(part: u8) -> u8 {
    let distances = CUBE.iter().map(|level| level.abs_diff(part));
    let nearest = distances.zip(0_u8..).min();
    nearest.map_or(0, |(_, level)| level)
}

/// Eyes see green best and blue worst.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let weights = [299, 587, 114];
    let parts = a.iter().zip(b).zip(weights);
    parts.map(|((a, b), weight)| weight * u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `#rrggbb`; `None` for the terminal's own and the entries of its palette that users choose.
    fn to_hex(colour: Colour) -> Option<String> {
        let (red, green, blue) = match colour {
            Colour::Rgb(red, green, blue) => (red, green, blue),
            Colour::Indexed(index @ 16..=231) => {
                let index = usize::from(index - 16);
                (CUBE[index / 36], CUBE[index / 6 % 6], CUBE[index % 6])
            }
            Colour::Indexed(index @ 232..) => (grey(index - 232), grey(index - 232), grey(index - 232)),
            Colour::Terminal | Colour::Indexed(_) => return None,
        };
        Some(format!("#{red:02x}{green:02x}{blue:02x}"))
    }

    #[test]
    fn escapes_by_colour_and_terminal() {
        use ColourMode::{Palette, TrueColour};
        for (colour, mode, expected) in [
            (Colour::Terminal, Palette, "\x1b[39m \x1b[49m"),
            (Colour::Indexed(7), TrueColour, "\x1b[38;5;7m \x1b[48;5;7m"),
            (Colour::Rgb(1, 2, 3), TrueColour, "\x1b[38;2;1;2;3m \x1b[48;2;1;2;3m"),
            (Colour::Rgb(255, 0, 0), Palette, "\x1b[38;5;196m \x1b[48;5;196m"),
            (Colour::Rgb(0, 0, 0), Palette, "\x1b[38;5;16m \x1b[48;5;16m"),
            (Colour::Rgb(128, 128, 128), Palette, "\x1b[38;5;244m \x1b[48;5;244m"),
            (Colour::Rgb(254, 254, 254), Palette, "\x1b[38;5;231m \x1b[48;5;231m"),
            (Colour::Rgb(40, 44, 52), Palette, "\x1b[38;5;236m \x1b[48;5;236m"),
        ] {
            assert_eq!(format!("{} {}", colour.foreground(mode), colour.background(mode)), expected, "{colour:?}");
        }
    }

    #[test]
    fn every_entry_of_cube_and_ramp_is_nearest_to_itself() {
        for index in 16..=255 {
            let hex = to_hex(Colour::Indexed(index)).unwrap();
            let Some(Colour::Rgb(red, green, blue)) = Colour::from_hex(&hex) else { panic!("{hex}") };
            let found = nearest([red, green, blue]);
            assert_eq!(to_hex(Colour::Indexed(found)), Some(hex), "{index}");
        }
    }

    #[test]
    fn hex_digits() {
        assert_eq!(Colour::from_hex("#0aFf10"), Some(Colour::Rgb(10, 255, 16)));
        for text in ["0aff10", "#0aff1", "#0aff100", "#+1+2+3", "#gg0000", "#ééé", ""] {
            assert_eq!(Colour::from_hex(text), None, "{text}");
        }
        assert_eq!((to_hex(Colour::Terminal), to_hex(Colour::Indexed(3))), (None, None));
    }

    #[test]
    fn terminals_that_know_all_colours() {
        for (variables, mode) in [
            (vec![("COLORTERM", "truecolor")], ColourMode::TrueColour),
            (vec![("COLORTERM", "24bit")], ColourMode::TrueColour),
            (vec![("TERM", "xterm-kitty")], ColourMode::TrueColour),
            (vec![("TERM_PROGRAM", "WezTerm")], ColourMode::TrueColour),
            (vec![("TERM_PROGRAM", "Apple_Terminal"), ("TERM", "xterm-256color")], ColourMode::Palette),
            (vec![], ColourMode::Palette),
        ] {
            assert_eq!(ColourMode::detect(&Env::fixed(variables.clone())), mode, "{variables:?}");
        }
    }
}
