//! Text as terminals show it: styles, lines of styled pieces, widths, wrapping, and rows that are ready to be written.
//!
//! `width` measures characters, `style` is what text looks like, `line` is styled text of one line, `wrap` breaks lines,
//! `row` is what goes to the terminal, `overlaid` one with another over a part of it, `picture` a picture over it, `origin`
//! what of a row was written. `filter` makes
//! lines and rows of text that others wrote, by `ansi` (its parts) and `sgr`; `graphemes` keeps characters in one piece. Nothing
//! here knows where on a screen a row stands.

mod ansi;
mod filter;
mod graphemes;
mod line;
mod origin;
mod overlaid;
mod picture;
mod row;
mod sgr;
mod style;
mod width;
mod wrap;

pub(crate) use row::{Piece, pieces};

pub use line::{Line, Span};
pub(crate) use picture::Picture;
pub use picture::RowImage;
pub use row::{Mark, Row};
pub use style::{Attributes, Color, Style};
pub(crate) use width::columns_apart;
pub use width::{clusters, width};
pub(crate) use wrap::breaks_anywhere;
pub use wrap::wrap;
