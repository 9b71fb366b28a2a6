//! From an entry up to its root: over the index where there is one, else by reading the file backwards, so that the end of
//! a big session is there without a look at its beginning.

use super::backward::BackwardLines;
use super::fast_tree_fields::Light;
use super::index::{EntryIndex, EntryLocation, SlotNumber, key};
use super::kind::Kind;
use super::record::StoredEntry;
use super::store::{EntryStore, into_text};
use crate::session::Error;

/// The way from an entry to its root.
pub(super) struct Ancestors<'s> {
    store: &'s EntryStore,
    way: Way<'s>,
}

enum Way<'s> {
    /// Nothing is above.
    Done,
    Index(IndexWay<'s>),
    Tail(TailWay<'s>),
}

struct IndexWay<'s> {
    index: &'s EntryIndex,
    next: SlotNumber,
}

struct TailWay<'s> {
    next: String,
    /// Where the entry is that was returned last.
    passed: Option<EntryLocation>,
    /// So many of the entries that were appended since the file was opened are not passed yet.
    recent: usize,
    lines: BackwardLines<'s>,
}

/// One entry on the way.
pub(super) struct Rung<'s> {
    /// Its type.
    pub(super) kind: Kind,
    store: &'s EntryStore,
    at: At<'s>,
}

enum At<'s> {
    Slot(&'s EntryIndex, SlotNumber),
    Read(StoredEntry),
}

/// What the search for one id in the file found.
enum Found {
    Entry(StoredEntry, EntryLocation),
    /// Something that needs the index: damage, an unknown parent, another way of writing.
    Unusual,
}

impl<'s> Ancestors<'s> {
    /// Starts at `from`, which is the first entry returned. Nothing when it is `None` or unknown.
    pub(super) fn new(store: &'s EntryStore, from: Option<&str>) -> Result<Self, Error> {
        let way = match (from, store.known_index(), store.opened()) {
            (None, _, _) => Way::Done,
            (Some(from), Some(index), _) => Way::at(index, from),
            (Some(from), None, Some((file, end))) => {
                let lines = BackwardLines::new(file, end);
                Way::Tail(TailWay { next: from.to_owned(), passed: None, recent: store.recent().len(), lines })
            }
            (Some(from), None, None) => Way::at(store.index()?, from),
        };
        Ok(Self { store, way })
    }

    /// Goes on over the index: right when what is looked for may be far up, or not there at all.
    pub(super) fn use_index(&mut self) -> Result<(), Error> {
        let Way::Tail(tail) = &self.way else { return Ok(()) };
        let index = self.store.index()?;
        // The index knows better what an entry follows: it sees later entries, and what damage tore apart.
        self.way = match tail.passed.and_then(|place| index.slots().at(place)) {
            Some(passed) => Way::on(index, index.slots().parent(passed)),
            None => Way::at(index, &tail.next),
        };
        Ok(())
    }

    /// Whether an entry is on the rest of the way; `None` as long as nobody can tell.
    pub(super) fn is_ahead(&self, id: &str) -> Option<bool> {
        match &self.way {
            Way::Done => Some(false),
            Way::Tail(_) => None,
            Way::Index(way) => {
                let slots = way.index.slots();
                Some(slots.find(key(id)).is_some_and(|slot| slots.climb(way.next).any(|above| above == slot)))
            }
        }
    }

    /// The next entry; `None` behind the root.
    pub(super) fn next(&mut self) -> Result<Option<Rung<'s>>, Error> {
        if let Way::Tail(tail) = &mut self.way {
            match tail.find(self.store)? {
                Found::Entry(entry, place) => return Ok(Some(self.passed(entry, place))),
                Found::Unusual => self.use_index()?,
            }
        }
        let Way::Index(way) = &mut self.way else { return Ok(None) };
        let (index, slot) = (way.index, way.next);
        match index.slots().parent(slot) {
            Some(parent) => way.next = parent,
            None => self.way = Way::Done,
        }
        Ok(Some(Rung { kind: index.slots().kind(slot), store: self.store, at: At::Slot(index, slot) }))
    }

    fn passed(&mut self, entry: StoredEntry, place: EntryLocation) -> Rung<'s> {
        match (entry.parent_id(), &mut self.way) {
            (Some(parent), Way::Tail(tail)) => {
                parent.clone_into(&mut tail.next);
                tail.passed = Some(place);
            }
            _ => self.way = Way::Done,
        }
        Rung { kind: Kind::of(entry.kind()), store: self.store, at: At::Read(entry) }
    }
}

impl<'s> Way<'s> {
    fn at(index: &'s EntryIndex, id: &str) -> Self {
        Self::on(index, index.slots().find(key(id)))
    }

    fn on(index: &'s EntryIndex, next: Option<SlotNumber>) -> Self {
        next.map_or(Self::Done, |next| Self::Index(IndexWay { index, next }))
    }
}

impl TailWay<'_> {
    /// Looks for the next entry; all that is passed on the way is on other branches.
    fn find(&mut self, store: &EntryStore) -> Result<Found, Error> {
        while let Some(recent) = self.recent.checked_sub(1).and_then(|last| store.recent().get(last)) {
            self.recent -= 1;
            if recent.id() == self.next {
                return Ok(Found::Entry(store.read(recent.place())?, recent.place()));
            }
        }
        while let Some((offset, line)) = self.lines.next_back().map_err(|source| store.failed(source))? {
            if line.is_empty() {
                continue;
            }
            let Some(light) = Light::read_single(line) else { return Ok(Found::Unusual) };
            if light.id == self.next {
                let alone = Light::read(line).is_some();
                let entry = StoredEntry::index(into_text(line.to_vec()).into()).ok().filter(|_| alone);
                let place = u32::try_from(line.len()).ok().map(|length| EntryLocation::File { offset, length });
                return Ok(entry.zip(place).map_or(Found::Unusual, |(entry, place)| Found::Entry(entry, place)));
            }
        }
        Ok(Found::Unusual)
    }
}

impl Rung<'_> {
    /// Reads the entry, unless it has been read.
    pub(super) fn entry(self) -> Result<StoredEntry, Error> {
        match self.at {
            At::Slot(index, slot) => self.store.read_slot(index, slot),
            At::Read(entry) => Ok(entry),
        }
    }
}
