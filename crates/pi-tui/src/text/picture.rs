//! Pictures over rows: what the terminal is sent for one, and which rows it lies over.
//!
//! A picture is no text, so it is a field of the rows that are kept free for it. Sequences are made by the widget of images.

use std::fmt;
use std::sync::Arc;

/// A picture at a size, as a terminal is told to show it.
pub(crate) struct Picture {
    pub(crate) id: u32,
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// Shows it. Written in the last row, it leaves the cursor where it was.
    pub(crate) place: String,
    /// Takes it away; empty where writing over it is enough.
    pub(crate) erase: String,
}

/// The part of a picture that lies over one row.
///
/// Whoever writes rows to a terminal writes [`place`](Self::place) behind the text of the picture's last row, each time that
/// row is written, and [`erase`](Self::erase) before any row of a picture that was shown is written anew or removed, unless
/// the picture has been given to the history. A picture that was erased is shown again when its last row is written, so all of
/// its rows are written anew together.
#[derive(Clone)]
pub struct RowImage {
    picture: Arc<Picture>,
    index: u16,
}

impl RowImage {
    pub(crate) fn new(picture: Arc<Picture>, index: u16) -> Self {
        Self { picture, index }
    }

    /// The picture's number, the same in all of its rows.
    pub fn id(&self) -> u32 {
        self.picture.id
    }

    /// Which of the picture's rows this is, from zero.
    pub fn index(&self) -> u16 {
        self.index
    }

    /// Rows of the picture.
    pub fn rows(&self) -> u16 {
        self.picture.rows
    }

    /// Shows the picture: written behind the text of its last row, the only one that has it. The cursor ends where it began.
    pub fn place(&self) -> Option<&str> {
        (self.index + 1 == self.picture.rows).then_some(&self.picture.place)
    }

    /// Takes the picture away, wherever the cursor is; empty where writing over its rows is enough.
    pub fn erase(&self) -> &str {
        &self.picture.erase
    }
}

/// A picture's number stands for its content, which may be large.
impl PartialEq for RowImage {
    fn eq(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.index, row.picture.id, row.picture.columns, row.picture.rows);
        key(self) == key(other)
    }
}

impl Eq for RowImage {}

impl fmt::Debug for RowImage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Picture { id, columns, rows, .. } = &*self.picture;
        write!(formatter, "image {id} of {columns}x{rows}, row {}", self.index)
    }
}
