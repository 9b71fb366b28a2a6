//! A screen as a picture: cells, colours and attributes as SVG in the frame of a window.
//!
//! It is made of characters, not of curves: every run of cells has its place and its width, so that rows stay straight in
//! whatever monospaced font the viewer has.

use std::fmt::Write;

use pi_tui::testing::Glyph;
use pi_tui::text::{Attributes, Color, Style};

/// Width and height of a cell.
const CELL: (f64, f64) = (8.4, 18.0);
/// Space around the cells.
const MARGIN: f64 = 14.0;
/// Height of the window's title bar.
const BAR: f64 = 32.0;
const FONT: &str =
    "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono','Noto Sans Mono CJK JP',monospace";
const TEXT: Rgb = Rgb(0xd4, 0xd4, 0xd4);
const GROUND: Rgb = Rgb(0x18, 0x18, 0x1e);
/// The first sixteen colours of the palette.
const NAMED: [Rgb; 16] = [
    Rgb(0x1c, 0x1c, 0x1c),
    Rgb(0xcc, 0x66, 0x66),
    Rgb(0x8f, 0xbc, 0x6b),
    Rgb(0xd7, 0xb4, 0x5b),
    Rgb(0x6c, 0x99, 0xd0),
    Rgb(0xb2, 0x94, 0xbb),
    Rgb(0x6f, 0xb8, 0xb0),
    Rgb(0xc8, 0xc8, 0xc8),
    Rgb(0x70, 0x70, 0x70),
    Rgb(0xe0, 0x80, 0x80),
    Rgb(0xb5, 0xd6, 0x8f),
    Rgb(0xf0, 0xd0, 0x80),
    Rgb(0x90, 0xb8, 0xe8),
    Rgb(0xd0, 0xb0, 0xd8),
    Rgb(0x98, 0xd8, 0xd0),
    Rgb(0xff, 0xff, 0xff),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rgb(u8, u8, u8);

impl Rgb {
    fn name(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// Half way to another colour.
    fn towards(self, other: Self) -> Self {
        Self(self.0.midpoint(other.0), self.1.midpoint(other.1), self.2.midpoint(other.2))
    }
}

/// Cells side by side that look alike.
struct Run {
    text: String,
    first: usize,
    columns: usize,
    style: Style,
}

/// The rows of a window as a picture with this title.
pub(super) fn svg(title: &str, rows: &[Vec<Glyph>]) -> String {
    let columns = rows.first().map_or(0, |row| row.iter().map(|glyph| glyph.columns).sum());
    let (width, height) = (x(columns) + MARGIN, y(rows.len()) + MARGIN);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"{FONT}\" font-size=\"14\">\n\
         <title>{title}</title>\n\
         <style>text {{ white-space: pre; }}</style>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" fill=\"{}\"/>",
        GROUND.name(),
        title = escaped(title),
    );
    for (at, color) in [NAMED[1], NAMED[3], NAMED[2]].into_iter().enumerate() {
        let _ = writeln!(out, "<circle cx=\"{}\" cy=\"16\" r=\"5\" fill=\"{}\"/>", 20 + 18 * at, color.name());
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.0}\" y=\"20\" text-anchor=\"middle\" font-size=\"12\" fill=\"{}\">{}</text>",
        width / 2.0,
        NAMED[8].name(),
        escaped(title)
    );
    let rows: Vec<Vec<Run>> = rows.iter().map(|row| runs(row)).collect();
    // Rows would have seams between them where the picture is shown in another size.
    out.push_str("<g shape-rendering=\"crispEdges\">\n");
    rows.iter().enumerate().for_each(|(number, runs)| push_grounds(&mut out, runs, number));
    out.push_str("</g>\n");
    for (number, runs) in rows.iter().enumerate() {
        runs.iter().for_each(|run| push_text(&mut out, run, number));
    }
    out.push_str("</svg>\n");
    out
}

fn x(column: usize) -> f64 {
    MARGIN + column as f64 * CELL.0
}

fn y(row: usize) -> f64 {
    BAR + row as f64 * CELL.1
}

/// A wide character is a run of its own: fonts seldom give it twice the width of others.
fn runs(row: &[Glyph]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut column = 0;
    let mut was_wide = false;
    for glyph in row {
        let is_wide = glyph.columns > 1;
        match runs.last_mut().filter(|run| run.style == glyph.style && !is_wide && !was_wide) {
            Some(run) => {
                run.text.push_str(&glyph.text);
                run.columns += 1;
            }
            None => {
                let text = glyph.text.clone();
                runs.push(Run { text, first: column, columns: glyph.columns, style: glyph.style });
            }
        }
        column += glyph.columns;
        was_wide = is_wide;
    }
    runs
}

/// Colours of text and background as they are seen.
fn colors(style: Style) -> (Rgb, Rgb) {
    let (text, ground) = (color(style.foreground, TEXT), color(style.background, GROUND));
    let has = |attribute| style.attributes.contains(attribute);
    let text = if has(Attributes::DIM) { text.towards(ground) } else { text };
    if has(Attributes::INVERSE) { (ground, text) } else { (text, ground) }
}

fn color(color: Color, own: Rgb) -> Rgb {
    match color {
        Color::Default => own,
        Color::Rgb(red, green, blue) => Rgb(red, green, blue),
        Color::Indexed(index) => match (index, NAMED.get(usize::from(index))) {
            (_, Some(named)) => *named,
            (16..=231, _) => {
                let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
                let index = index - 16;
                Rgb(level(index / 36), level(index / 6 % 6), level(index % 6))
            }
            _ => {
                let grey = 8 + 10 * (index - 232);
                Rgb(grey, grey, grey)
            }
        },
    }
}

/// What is behind the cells. Neighbours of one colour are one rectangle: between two there would be a seam.
fn push_grounds(out: &mut String, runs: &[Run], row: usize) {
    let mut grounds: Vec<(Rgb, usize, usize)> = Vec::new();
    for run in runs {
        let (_, ground) = colors(run.style);
        match grounds.last_mut() {
            Some((last, _, columns)) if *last == ground => *columns += run.columns,
            _ => grounds.push((ground, run.first, run.columns)),
        }
    }
    for (ground, first, columns) in grounds.into_iter().filter(|(ground, ..)| *ground != GROUND) {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.0}\" width=\"{:.1}\" height=\"{:.0}\" fill=\"{}\"/>",
            x(first),
            y(row),
            columns as f64 * CELL.0,
            CELL.1,
            ground.name()
        );
    }
}

fn push_text(out: &mut String, run: &Run, row: usize) {
    let text = run.text.trim_end();
    let start = text.trim_start();
    if start.is_empty() {
        return;
    }
    let blanks = |text: &str| text.chars().take_while(|c| *c == ' ').count();
    let skipped = blanks(text);
    let columns = run.columns - skipped - (run.text.len() - text.len());
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.0}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"",
        x(run.first + skipped),
        y(row) + 13.0,
        columns as f64 * CELL.0,
        colors(run.style).0.name()
    );
    let has = |attribute| run.style.attributes.contains(attribute);
    for (attribute, markup) in [
        (Attributes::BOLD, " font-weight=\"bold\""),
        (Attributes::ITALIC, " font-style=\"italic\""),
        (Attributes::UNDERLINE, " text-decoration=\"underline\""),
        (Attributes::STRIKE, " text-decoration=\"line-through\""),
    ] {
        if has(attribute) {
            out.push_str(markup);
        }
    }
    let _ = writeln!(out, ">{}</text>", escaped(start));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
