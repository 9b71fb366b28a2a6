//! Pictures, or what stands for them where the terminal shows none.
//!
//! `size` reads how large a picture is, `kitty` and `iterm` are what terminals are sent. Nothing is decoded or converted here.

mod iterm;
mod kitty;
mod size;

use std::sync::Arc;

pub use size::Pixels;
use size::pixels_of;

use crate::term::through_tmux;
use crate::text::{Picture, Row, RowImage, Style};

/// How a terminal is told to show pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ImageProtocol {
    /// It shows none.
    #[default]
    None,
    /// Kitty's, with pictures that are placed at the cursor.
    Kitty,
    /// Kitty's through tmux: characters stand where the picture is, so that tmux moves it with the text.
    KittyInTmux,
    /// That of iTerm2.
    Iterm,
}

/// Where and how large pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageOptions {
    /// What the terminal understands.
    pub protocol: ImageProtocol,
    /// Pixels of a cell.
    pub cell: Pixels,
    /// Columns of a picture at most.
    pub max_columns: u16,
    /// Rows of a picture at most; none means as many as make a square with the columns.
    pub max_rows: Option<u16>,
    /// Columns before a picture.
    pub padding: u16,
    /// The text in its place.
    pub fallback: Style,
}

impl Default for ImageOptions {
    fn default() -> Self {
        let cell = Pixels { width: 9, height: 18 };
        Self {
            protocol: ImageProtocol::None,
            cell,
            max_columns: 60,
            max_rows: None,
            padding: 0,
            fallback: Style::PLAIN,
        }
    }
}

/// What is assumed of a picture whose size nobody knows.
const UNKNOWN: Pixels = Pixels { width: 800, height: 600 };

/// A picture.
#[derive(Debug, Clone)]
pub struct Image {
    /// In Base64.
    data: Arc<str>,
    mime: String,
    pixels: Option<Pixels>,
    /// Whether there is data, and nothing but data.
    is_whole: bool,
    id: u32,
    options: ImageOptions,
    drawn: Option<Drawn>,
}

/// The rows for a width.
#[derive(Debug, Clone)]
struct Drawn {
    columns: u16,
    rows: Vec<Row>,
}

impl Image {
    /// A picture in Base64. Its number is random, or else the program's own, and used for no other picture; three bytes of it
    /// count.
    pub fn new(data: Arc<str>, mime: impl Into<String>, id: u32, options: ImageOptions) -> Self {
        // Anything else in it could end the sequence, and would be read by the terminal.
        let is_base64 = |byte| matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'=');
        let is_whole = !data.is_empty() && data.bytes().all(is_base64);
        let pixels = pixels_of(&data);
        Self { data, mime: mime.into(), pixels, id: (id & 0x00ff_ffff).max(1), is_whole, options, drawn: None }
    }

    /// Changes how it is drawn.
    pub fn set_options(&mut self, options: ImageOptions) {
        self.options = options;
        self.drawn = None;
    }

    /// The rows: as many as the picture takes, or one of text.
    pub fn rows(&mut self, columns: u16) -> Vec<Row> {
        if let Some(drawn) = self.drawn.as_ref().filter(|drawn| drawn.columns == columns) {
            return drawn.rows.clone();
        }
        let rows = self.draw(columns);
        self.drawn = Some(Drawn { columns, rows: rows.clone() });
        rows
    }

    fn draw(&self, columns: u16) -> Vec<Row> {
        let (width, height) = self.cells(columns);
        let place = kitty::Placement { id: self.id, columns: width, rows: height, data: &self.data };
        let is_png = self.mime == "image/png";
        let at = |sequence: String| at_first_row(&sequence, height, self.options.padding);
        let protocol = if self.is_whole { self.options.protocol } else { ImageProtocol::None };
        let (place, erase) = match protocol {
            ImageProtocol::Kitty if is_png => (at(place.direct()), kitty::erase(self.id)),
            ImageProtocol::KittyInTmux if is_png => (place.in_tmux(), through_tmux(&kitty::erase(self.id))),
            ImageProtocol::Iterm => (at(iterm::place(&self.data, width, height)), String::new()),
            _ => return vec![Row::styled(&self.fallback(), self.options.fallback, columns)],
        };
        let picture = Arc::new(Picture { id: self.id, columns: width, rows: height, place, erase });
        let row = |index| match protocol {
            ImageProtocol::KittyInTmux => Row::new(&kitty::cells(self.id, index, width, self.options.padding), columns),
            _ => Row::blank(),
        };
        (0..height).map(|index| row(index).imaged(RowImage::new(picture.clone(), index))).collect()
    }

    /// Columns and rows in a window of this width.
    fn cells(&self, columns: u16) -> (u16, u16) {
        let cell = Pixels { width: self.options.cell.width.max(1), height: self.options.cell.height.max(1) };
        let room = columns.saturating_sub(2).saturating_sub(self.options.padding).max(1);
        let width = u64::from(room.min(self.options.max_columns).max(1));
        let square = (width * u64::from(cell.width)).div_ceil(cell.height.into());
        let most = u64::from(self.options.max_rows.unwrap_or(u16::MAX)).min(square).clamp(1, kitty::MOST_ROWS);
        let height = rows_of(self.pixels.unwrap_or(UNKNOWN), width, cell);
        let (width, height) = if height > most { (width * most / height, most) } else { (width, height) };
        // Both are at most what they were limited to, which fits.
        (u16::try_from(width.max(1)).unwrap_or(room), u16::try_from(height).unwrap_or(1))
    }

    /// What stands for the picture in text.
    pub fn fallback(&self) -> String {
        match self.pixels {
            Some(Pixels { width, height }) => format!("[Image: [{}] {width}x{height}]", self.mime),
            None => format!("[Image: [{}]]", self.mime),
        }
    }
}

/// Rows that a picture takes in so many columns.
fn rows_of(pixels: Pixels, columns: u64, cell: Pixels) -> u64 {
    let height = u64::from(pixels.height).saturating_mul(columns).saturating_mul(cell.width.into());
    height.div_ceil((u64::from(pixels.width) * u64::from(cell.height)).max(1)).max(1)
}

/// A sequence that draws at the cursor, from the last of so many rows: the cursor goes up to the first and comes back.
fn at_first_row(sequence: &str, rows: u16, padding: u16) -> String {
    let up = if rows > 1 { format!("\x1b[{}A", rows - 1) } else { String::new() };
    let right = if padding > 0 { format!("\x1b[{padding}C") } else { String::new() };
    format!("\x1b7{up}\r{right}{sequence}\x1b8")
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn png(width: u32, height: u32) -> Arc<str> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        STANDARD.encode(bytes).into()
    }

    fn image(width: u32, height: u32, protocol: ImageProtocol) -> Image {
        let options = ImageOptions { protocol, max_columns: 20, ..ImageOptions::default() };
        Image::new(png(width, height), "image/png", 0x0102_0304, options)
    }

    #[test]
    fn sizes() {
        for ((width, height), columns, expected) in [
            ((180, 180), 80, (20, 10)),
            ((180, 360), 80, (10, 10)),
            ((360, 90), 80, (20, 3)),
            ((180, 180), 12, (10, 5)),
            ((1, 100_000), 80, (1, 10)),
            ((100, 100), 1, (1, 1)),
        ] {
            assert_eq!(
                image(width, height, ImageProtocol::Kitty).cells(columns),
                expected,
                "{width}x{height} in {columns}"
            );
        }
    }

    #[test]
    fn terminals_are_sent_pictures() {
        let drawn = |protocol| {
            let rows = image(90, 90, protocol).rows(8);
            rows.iter()
                .map(|row| format!("{row:?} {:?}", row.image().map(RowImage::place)))
                .collect::<Vec<_>>()
                .join("\n")
        };
        insta::assert_snapshot!(
            [ImageProtocol::None, ImageProtocol::Kitty, ImageProtocol::KittyInTmux, ImageProtocol::Iterm]
                .map(drawn)
                .join("\n\n")
        );
    }

    #[test]
    fn pictures_are_equal_by_number_and_size() {
        let rows = |columns| image(90, 90, ImageProtocol::Kitty).rows(columns);
        assert_eq!(rows(8), rows(8));
        assert_ne!(rows(8), rows(7));
        assert_eq!(rows(8)[0].image().unwrap().erase(), "\x1b_Ga=d,d=I,i=131844,q=2\x1b\\");
        assert!(rows(8)[0].image().unwrap().place().is_none());
    }

    #[test]
    fn data_cannot_write_to_the_terminal() {
        for data in ["", "AAAA\x1b\\\x1b[2J"] {
            let options = ImageOptions { protocol: ImageProtocol::Kitty, ..ImageOptions::default() };
            let rows = Image::new(data.into(), "image/png", 1, options).rows(40);
            assert_eq!((rows.len(), rows[0].text()), (1, "[Image: [image/png]]"));
        }
    }

    #[test]
    fn large_pictures_come_in_chunks() {
        let place = kitty::Placement { id: 7, columns: 2, rows: 1, data: &"A".repeat(5000) }.direct();
        assert_eq!(place.matches("\x1b_G").count(), 2);
        assert!(place.starts_with("\x1b_Ga=T,f=100,q=2,C=1,c=2,r=1,i=7,m=1;AAAA") && place.contains("\x1b_Gm=0;AAAA"));
    }
}
