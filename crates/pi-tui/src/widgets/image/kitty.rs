//! Kitty's protocol: pictures are sent once, and shown at the cursor or where characters stand for them.

use crate::term::through_tmux;
use crate::text::{Color, Line, Style};

/// Characters of a chunk.
const CHUNK: usize = 4096;

/// The character that stands for a cell of a picture.
const CELL: char = '\u{10eeee}';

/// Marks over a cell that say which row it is. The protocol has more of them; a picture that is higher fills no window.
const ROW_MARKS: [char; 64] = [
    '\u{305}', '\u{30d}', '\u{30e}', '\u{310}', '\u{312}', '\u{33d}', '\u{33e}', '\u{33f}', '\u{346}', '\u{34a}',
    '\u{34b}', '\u{34c}', '\u{350}', '\u{351}', '\u{352}', '\u{357}', '\u{35b}', '\u{363}', '\u{364}', '\u{365}',
    '\u{366}', '\u{367}', '\u{368}', '\u{369}', '\u{36a}', '\u{36b}', '\u{36c}', '\u{36d}', '\u{36e}', '\u{36f}',
    '\u{483}', '\u{484}', '\u{485}', '\u{486}', '\u{487}', '\u{592}', '\u{593}', '\u{594}', '\u{595}', '\u{597}',
    '\u{598}', '\u{599}', '\u{59c}', '\u{59d}', '\u{59e}', '\u{59f}', '\u{5a0}', '\u{5a1}', '\u{5a8}', '\u{5a9}',
    '\u{5ab}', '\u{5ac}', '\u{5af}', '\u{5c4}', '\u{610}', '\u{611}', '\u{612}', '\u{613}', '\u{614}', '\u{615}',
    '\u{616}', '\u{617}', '\u{657}', '\u{658}',
];

/// Rows of a picture at most.
pub(super) const MOST_ROWS: u64 = ROW_MARKS.len() as u64;

/// A picture, as PNG in Base64, and its size in cells.
pub(super) struct Placement<'a> {
    pub(super) id: u32,
    pub(super) columns: u16,
    pub(super) rows: u16,
    pub(super) data: &'a str,
}

impl Placement<'_> {
    /// Shows it at the cursor, which stays.
    pub(super) fn direct(&self) -> String {
        self.chunks("C=1").concat()
    }

    /// Has it shown where cells stand for it, each sequence handed on by tmux.
    pub(super) fn in_tmux(&self) -> String {
        self.chunks("U=1").iter().map(|chunk| through_tmux(chunk)).collect()
    }

    fn chunks(&self, how: &str) -> Vec<String> {
        let Self { id, columns, rows, data } = self;
        let keys = format!("a=T,f=100,q=2,{how},c={columns},r={rows},i={id}");
        // Base64 is ASCII; what is not, is cut nowhere.
        let mut parts: Vec<&str> = Vec::new();
        let mut rest = *data;
        while let Some((part, after)) = rest.split_at_checked(CHUNK) {
            parts.push(part);
            rest = after;
        }
        if !rest.is_empty() || parts.is_empty() {
            parts.push(rest);
        }
        let last = parts.len() - 1;
        let chunk = |(i, part): (usize, &str)| {
            let more = u8::from(i < last);
            match (i, last) {
                (0, 0) => format!("\x1b_G{keys};{part}\x1b\\"),
                (0, _) => format!("\x1b_G{keys},m={more};{part}\x1b\\"),
                _ => format!("\x1b_Gm={more};{part}\x1b\\"),
            }
        };
        parts.into_iter().enumerate().map(chunk).collect()
    }
}

/// Takes a picture away and forgets it.
pub(super) fn erase(id: u32) -> String {
    format!("\x1b_Ga=d,d=I,i={id},q=2\x1b\\")
}

/// A row of cells: their colour is the picture's number; the first says which row it is, the others follow from it.
pub(super) fn cells(id: u32, row: u16, columns: u16, padding: u16) -> Line {
    let [_, red, green, blue] = id.to_be_bytes();
    let mark = ROW_MARKS[usize::from(row) % ROW_MARKS.len()];
    let mut cells = format!("{CELL}{mark}{}", ROW_MARKS[0]);
    cells.extend(std::iter::repeat_n(CELL, usize::from(columns).saturating_sub(1)));
    let padding = " ".repeat(padding.into());
    Line::from(padding.as_str()).and(cells, Style::PLAIN.foreground(Color::Rgb(red, green, blue)))
}
