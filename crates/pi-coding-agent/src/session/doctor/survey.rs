//! One walk over a session: its header, the links of its entries, its damage, and every finding that needs no more
//! than one line.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::finding::{Finding, FindingLocation, Severity};
use super::kind_table::FindingKind;
use super::line_object::{Content, LineObject, Oddity, read_content, read_item};
use super::lost_entries::Lost;
use super::segments::{Piece, SegmentState};
use super::source::Source;
use crate::host::iso_time::from_iso;
use crate::session::Error;
use crate::session::header::{CURRENT_VERSION, SessionHeader};
use crate::session::record::without_lone_surrogates;
use crate::session::tree_fields::{Parent, TreeFields};

/// Of each kind so many findings are kept; the others are counted.
const FINDINGS_PER_KIND: usize = 100;
/// Of a damaged header so many bytes are kept.
const HEADER_RUBBLE: usize = 1 << 16;

/// What a session file holds.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) header: Option<Header>,
    /// The beginning of what may have been the header, when there is none.
    pub(super) header_rubble: Vec<u8>,
    pub(super) nodes: Vec<Node>,
    /// For every damaged place the number of entries before it.
    pub(super) damage: Vec<usize>,
    pub(super) lost: Lost,
    pub(super) messages: usize,
    pub(super) lines: u64,
    pub(super) first_timestamp: Option<String>,
    pub(super) report: Report,
    last_time: Option<i64>,
    objects: usize,
}

/// The header and its bytes.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) header: SessionHeader,
    pub(super) bytes: Vec<u8>,
    /// Whether it is the first object of the file, as it must be.
    pub(super) first: bool,
    pub(super) place: FindingLocation,
}

/// What is kept of an entry.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) place: FindingLocation,
    pub(super) id: Option<Arc<str>>,
    pub(super) parent: Parent,
    pub(super) content: Content,
    /// Of the bytes.
    pub(super) hash: u64,
}

/// What a piece is for a reader that has seen a header or not.
pub(super) enum Sorted {
    Header(SessionHeader),
    Entry(TreeFields),
    Unusable(FindingKind, String),
}

/// Says what a piece is. Everybody who goes through a file asks here, so that all count the same entries.
pub(super) fn sort(piece: &Piece<'_>, has_header: bool) -> Sorted {
    if let SegmentState::Damaged(kind, reason) = &piece.state {
        return Sorted::Unusable(*kind, reason.clone());
    }
    match read_item(&piece.bytes) {
        LineObject::Header(_) if has_header => {
            Sorted::Unusable(FindingKind::SecondHeader, "a header that is not the first".to_owned())
        }
        LineObject::Header(header) => Sorted::Header(header),
        LineObject::Entry(fields) if fields.kind.is_none() && !holds_message(&piece.bytes) => {
            Sorted::Unusable(FindingKind::NoType, "an object without a type".to_owned())
        }
        LineObject::Entry(fields) => Sorted::Entry(fields),
        LineObject::Unusable(reason) => Sorted::Unusable(FindingKind::DamagedLine, reason.to_owned()),
    }
}

fn holds_message(bytes: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Holder {
        message: Role,
    }
    #[derive(serde::Deserialize)]
    struct Role {
        #[serde(rename = "role")]
        _role: String,
    }
    serde_json::from_slice::<Holder>(bytes).is_ok_and(|Holder { message: Role { .. } }| true)
}

impl Survey {
    /// Goes through a source.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub(super) fn of(source: &Source) -> Result<Self, Error> {
        let mut survey = Self::default();
        source.each(&mut |piece| {
            survey.add(&piece);
            ControlFlow::Continue(())
        })?;
        Ok(survey)
    }

    fn add(&mut self, piece: &Piece<'_>) {
        self.lines = piece.place.line;
        for (kind, detail) in &piece.notes {
            self.report.add(Finding::new(*kind, piece.place, detail.clone()));
        }
        match sort(piece, self.header.is_some()) {
            Sorted::Unusable(kind, reason) => self.add_damage(piece, kind, reason),
            Sorted::Header(header) => self.add_header(piece, header),
            Sorted::Entry(fields) => self.add_entry(piece, fields),
        }
        self.objects += usize::from(piece.state == SegmentState::Object);
    }

    fn add_damage(&mut self, piece: &Piece<'_>, kind: FindingKind, reason: String) {
        self.report.add(Finding::new(kind, piece.place, reason));
        if kind == FindingKind::SecondHeader {
            return;
        }
        if self.header.is_none() && self.header_rubble.is_empty() && self.nodes.is_empty() {
            self.header_rubble = piece.bytes[..piece.bytes.len().min(HEADER_RUBBLE)].to_vec();
        }
        self.lost.search(&piece.bytes, self.nodes.len());
        self.damage.push(self.nodes.len());
    }

    fn add_header(&mut self, piece: &Piece<'_>, header: SessionHeader) {
        self.check_text(piece);
        if header.version() < CURRENT_VERSION {
            let detail = match header.version {
                Some(version) => format!("version {version}, but the entries are of a later one"),
                None => "no version, but the entries have ids".to_owned(),
            };
            self.report.add(Finding::new(FindingKind::WrongVersion, piece.place, detail));
        }
        if header.version() > CURRENT_VERSION {
            let detail = format!("version {}", header.version());
            self.report.add(Finding::new(FindingKind::NewVersion, piece.place, detail));
        }
        let first = self.objects == 0;
        self.header = Some(Header { header, bytes: piece.bytes.to_vec(), first, place: piece.place });
    }

    fn add_entry(&mut self, piece: &Piece<'_>, fields: TreeFields) {
        self.check_text(piece);
        let kind = fields.kind.clone().unwrap_or_else(|| "message".to_owned());
        if fields.kind.is_none() {
            self.report.add(Finding::new(FindingKind::NoType, piece.place, "a message without a type"));
        }
        let (content, oddity) = read_content(&piece.bytes, &kind);
        let named = format!("`{kind}` entry {}", fields.id.as_deref().unwrap_or("without an id"));
        // What lacks a common field is spoken of already.
        let complete = fields.kind.is_some() && fields.id.is_some() && fields.timestamp.is_some();
        if let Some(oddity) = oddity.filter(|_| complete) {
            let (kind, detail) = match oddity {
                Oddity::UnknownType => (FindingKind::UnknownType, named.clone()),
                Oddity::UnknownRole(role) => (FindingKind::UnknownRole, format!("{named}: role {role}")),
                Oddity::Shape => (FindingKind::OddShape, named.clone()),
            };
            self.report.add(Finding::new(kind, piece.place, detail));
        }
        self.check_time(piece, &named, fields.timestamp);
        self.messages += usize::from(kind == "message");
        let id = fields.id.map(Arc::from);
        self.nodes.push(Node { place: piece.place, id, parent: fields.parent, content, hash: hash(&piece.bytes) });
    }

    fn check_text(&mut self, piece: &Piece<'_>) {
        match std::str::from_utf8(&piece.bytes) {
            Err(error) => {
                let detail = format!("byte {} of the line is no UTF-8", error.valid_up_to() + 1);
                self.report.add(Finding::new(FindingKind::InvalidUtf8, piece.place, detail));
            }
            Ok(text) if matches!(without_lone_surrogates(text), std::borrow::Cow::Owned(_)) => {
                self.report.add(Finding::new(FindingKind::LoneSurrogate, piece.place, "an escape that is half a pair"));
            }
            Ok(_) => {}
        }
    }

    fn check_time(&mut self, piece: &Piece<'_>, named: &str, timestamp: Option<String>) {
        let Some(timestamp) = timestamp else {
            return self.report.add(Finding::new(FindingKind::NoTimestamp, piece.place, named));
        };
        match (from_iso(&timestamp), self.last_time) {
            (None, _) => {
                let detail = format!("{named}: {timestamp:?} is no ISO 8601 time");
                self.report.add(Finding::new(FindingKind::BadTimestamp, piece.place, detail));
            }
            (Some(time), Some(last)) if time < last => {
                let detail = format!("{named}: {timestamp}");
                self.report.add(Finding::new(FindingKind::TimeBackwards, piece.place, detail));
            }
            _ => {}
        }
        self.last_time = from_iso(&timestamp).or(self.last_time);
        self.first_timestamp.get_or_insert(timestamp);
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes.trim_ascii());
    hasher.finish()
}

/// Findings, of which there may be as many as there are lines.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) kept: Vec<Finding>,
    pub(super) counts: HashMap<FindingKind, usize>,
}

impl Report {
    /// Adds a finding.
    pub(super) fn add(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.kind).or_default();
        *count += 1;
        if *count <= FINDINGS_PER_KIND {
            self.kept.push(finding);
        }
    }

    /// How many there are of one severity.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.counts.iter().filter(|(kind, _)| kind.severity() == severity).map(|(_, count)| count).sum()
    }
}
