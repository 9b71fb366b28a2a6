//! The pieces of a session in the current version, as often as somebody wants to go through them: from the file, or,
//! for older versions, from a migrated copy in memory.

use std::borrow::Cow;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::line_object::{LineObject, read_item};
use super::segments::{Piece, SegmentState, Take, read_pieces};
use crate::host::ids::Ids;
use crate::host::{self, open_regular};
use crate::session::header::CURRENT_VERSION;
use crate::session::migrate::migrate;
use crate::session::tree_fields::Parent;
use crate::session::{Error, scan};

/// What is read from a file at once, in bytes.
const BUFFER: usize = 1 << 18;
/// So many entries without links make a file one of version 1.
const SAMPLE: usize = 100;

/// A session file as it was at one moment: what is appended later is not looked at.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Length of the file, in bytes.
    pub(super) length: u64,
    /// The version that the file has, when it is an older one.
    pub(super) migrated_from: Option<u64>,
    migrated: Vec<Piece<'static>>,
}

impl Source {
    /// Looks at a file and, if it is of an older version, reads and migrates it.
    ///
    /// # Errors
    /// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile), [`Error::Open`].
    pub(super) fn open(path: &Path, ids: &dyn Ids) -> Result<Self, Error> {
        let opened = |source| Error::Open { path: path.to_owned(), source };
        if !path.exists() {
            return Err(host::Error::NoSuchFile { path: path.to_owned() }.into());
        }
        let length = path.metadata().map_err(opened)?.len();
        let mut source = Self { path: path.to_owned(), length, migrated_from: None, migrated: vec![] };
        let version = source.version()?;
        if version < CURRENT_VERSION {
            source.migrated = source.migrate(version, ids)?;
            source.migrated_from = Some(version);
        }
        Ok(source)
    }

    /// Gives every piece to `take`, in order, until that breaks off; the same ones every time.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub(super) fn each(&self, take: &mut Take<'_>) -> Result<(), Error> {
        if self.migrated_from.is_some() {
            let _ = self.migrated.iter().cloned().try_for_each(take);
            return Ok(());
        }
        let opened = |source| Error::Open { path: self.path.clone(), source };
        let file = open_regular(&self.path).map_err(opened)?;
        read_pieces(BufReader::with_capacity(BUFFER, file.take(self.length)), take).map_err(opened)
    }

    /// Whether the file is longer by now.
    pub(super) fn has_grown(&self) -> bool {
        self.path.metadata().is_ok_and(|metadata| metadata.len() > self.length)
    }

    /// What the header says, wherever it stands, unless entries contradict it: those of version 1 have no links, so a
    /// file that has some is of no version below 2, whatever became of its header.
    fn version(&self) -> Result<u64, Error> {
        let (mut said, mut linked, mut entries) = (None, false, 0);
        self.each(&mut |piece| {
            if piece.state == SegmentState::Object {
                match read_item(&piece.bytes) {
                    LineObject::Header(header) => said = said.or(Some(header.version())),
                    LineObject::Entry(fields) => {
                        linked |= fields.id.is_some() && fields.parent != Parent::Missing;
                        entries += usize::from(fields.kind.is_some());
                    }
                    LineObject::Unusable(_) => {}
                }
            }
            let enough = linked || (said.is_some() && entries >= SAMPLE) || said.is_some_and(|version| version > 1);
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(match said {
            Some(version) if version > 1 => version,
            _ if linked || entries == 0 => CURRENT_VERSION,
            _ => 1,
        })
    }

    fn migrate(&self, version: u64, ids: &dyn Ids) -> Result<Vec<Piece<'static>>, Error> {
        let mut pieces: Vec<Piece<'static>> = Vec::new();
        self.each(&mut |piece| {
            pieces.push(Piece { bytes: Cow::Owned(piece.bytes.into_owned()), ..piece });
            ControlFlow::Continue(())
        })?;
        // The migration wants the header first.
        let header = pieces.iter().position(|piece| {
            piece.state == SegmentState::Object && matches!(read_item(&piece.bytes), LineObject::Header(_))
        });
        let text = |piece: &Piece<'_>| String::from_utf8_lossy(&piece.bytes).into_owned();
        let order: Vec<usize> = (0..pieces.len())
            .filter(|place| pieces[*place].state == SegmentState::Object && Some(*place) != header)
            .collect();
        let first = header.map_or_else(|| r#"{"type":"session"}"#.to_owned(), |place| text(&pieces[place]));
        let objects = std::iter::once(first).chain(order.iter().map(|place| text(&pieces[*place])));
        let objects = objects.map(|text| scan::Piece::Object(text, 0)).collect();
        let mut scanned = scan::Scan { pieces: objects, ..scan::Scan::default() };
        migrate(&mut scanned, version, ids)?;
        let places = std::iter::once(header).chain(order.into_iter().map(Some));
        for (place, migrated) in places.zip(scanned.pieces) {
            if let (Some(place), scan::Piece::Object(text, _)) = (place, migrated) {
                // Bytes that are no text must stay visible as what they are.
                if std::str::from_utf8(&pieces[place].bytes).is_ok() {
                    pieces[place].bytes = Cow::Owned(text.into_bytes());
                }
            }
        }
        Ok(pieces)
    }
}
