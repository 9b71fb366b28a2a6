//! What a sequence of SGR does to a style.

use super::style::{Attributes, Color, Style};

/// Applies the parameters of a sequence, which ends in `m`. What has no counterpart here, such as blinking, is left out.
pub(super) fn apply(style: &mut Style, parameters: &str) {
    let mut parameters = parameters.split(';');
    while let Some(parameter) = parameters.next() {
        if let Some((code, details)) = parameter.split_once(':') {
            detailed(style, code, details);
            continue;
        }
        let code = if parameter.is_empty() { 0 } else { parameter.parse().unwrap_or(u8::MAX) };
        match code {
            38 => style.foreground = color(&mut parameters).unwrap_or(style.foreground),
            48 => style.background = color(&mut parameters).unwrap_or(style.background),
            // The colour of an underline: its numbers are no codes.
            58 => drop(color(&mut parameters)),
            code => simple(style, code),
        }
    }
}

fn simple(style: &mut Style, code: u8) {
    let (on, off) = match code {
        0 => return *style = Style::PLAIN,
        1 => (Attributes::BOLD, Attributes::NONE),
        2 => (Attributes::DIM, Attributes::NONE),
        3 => (Attributes::ITALIC, Attributes::NONE),
        4 | 21 => (Attributes::UNDERLINE, Attributes::NONE),
        7 => (Attributes::INVERSE, Attributes::NONE),
        9 => (Attributes::STRIKE, Attributes::NONE),
        22 => (Attributes::NONE, Attributes::BOLD.with(Attributes::DIM)),
        23 => (Attributes::NONE, Attributes::ITALIC),
        24 => (Attributes::NONE, Attributes::UNDERLINE),
        27 => (Attributes::NONE, Attributes::INVERSE),
        29 => (Attributes::NONE, Attributes::STRIKE),
        30..=37 => return style.foreground = Color::Indexed(code - 30),
        39 => return style.foreground = Color::Default,
        40..=47 => return style.background = Color::Indexed(code - 40),
        49 => return style.background = Color::Default,
        90..=97 => return style.foreground = Color::Indexed(code - 82),
        100..=107 => return style.background = Color::Indexed(code - 92),
        _ => return,
    };
    style.attributes = style.attributes.with(on).without(off);
}

/// `5;index` or `2;red;green;blue`.
fn color<'a>(parameters: &mut impl Iterator<Item = &'a str>) -> Option<Color> {
    match parameters.next()? {
        "5" => Some(Color::Indexed(number(parameters.next()?)?)),
        "2" => {
            // All three are taken, also where one of them is no number.
            let [red, green, blue] = [parameters.next()?, parameters.next()?, parameters.next()?].map(number);
            Some(Color::Rgb(red?, green?, blue?))
        }
        _ => None,
    }
}

/// A missing number is zero.
fn number(text: &str) -> Option<u8> {
    if text.is_empty() { Some(0) } else { text.parse().ok() }
}

/// `4:3`, `38:5:1`, `38:2:1:2:3`, and `38:2::1:2:3` with a place for the colour space.
fn detailed(style: &mut Style, code: &str, details: &str) {
    let details: Vec<&str> = details.split(':').collect();
    let color = match details.as_slice() {
        ["2", red, green, blue] | ["2", _, red, green, blue, ..] => color(&mut ["2", red, green, blue].into_iter()),
        details => color(&mut details.iter().copied()),
    };
    match (code, color) {
        ("38", Some(color)) => style.foreground = color,
        ("48", Some(color)) => style.background = color,
        ("4", _) if details == ["0"] => simple(style, 24),
        ("4", _) => simple(style, 4),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        let red = Style::PLAIN.foreground(Color::Indexed(1));
        for (parameters, expected) in [
            ("", Style::PLAIN),
            ("31", red),
            ("31;0", Style::PLAIN),
            ("31;", Style::PLAIN),
            ("1;2;22;31", red),
            ("4:3;31", red.with(Attributes::UNDERLINE)),
            ("4:3;4:0;31", red),
            ("58;5;4;31", red),
            ("58;2;3;4;7;31", red),
            ("38;5;1", red),
            ("38:5:1", red),
            ("31;38;5;999", red),
            ("31;38;9", red),
            ("38;2;1;2;3", Style::PLAIN.foreground(Color::Rgb(1, 2, 3))),
            ("48:2:1:2:3", Style::PLAIN.background(Color::Rgb(1, 2, 3))),
            ("48:2::1:2:3", Style::PLAIN.background(Color::Rgb(1, 2, 3))),
            ("38;2;1;2", Style::PLAIN),
            ("97;104", Style::PLAIN.foreground(Color::Indexed(15)).background(Color::Indexed(12))),
            ("3;7;9;23;27;29;5;8;53;300;99999", Style::PLAIN),
            ("31;41;39;49", Style::PLAIN),
        ] {
            let mut style = Style::PLAIN;
            apply(&mut style, parameters);
            assert_eq!(style, expected, "{parameters:?}");
        }
    }
}
