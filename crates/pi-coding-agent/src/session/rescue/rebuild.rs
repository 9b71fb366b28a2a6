//! Writes a session anew of which the file was cut or overwritten: from what is left in it, and from what is in memory.
//!
//! What cannot be had is left out. What followed it follows what was before it, so that the rest is one tree.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde::de::IgnoredAny;
use serde_json::value::to_raw_value;

use super::as_io;
use super::notice::{Had, NoticeParts};
use crate::session::create::header_line;
use crate::session::header::SessionHeader;
use crate::session::index::{EntryIndex, EntryLocation, Key, SlotNumber, key};
use crate::session::kind::Kind;
use crate::session::raw_object::RawObject;
use crate::session::record::StoredEntry;
use crate::session::store::EntryStore;

/// What is written at once, in bytes.
const BUFFER: usize = 1 << 18;

/// Writes header and entries to `target`. `file` is what was the session's, with whatever is in it now.
pub(super) fn write(
    store: &EntryStore,
    file: Option<&File>,
    header: &SessionHeader,
    target: &mut impl Write,
) -> io::Result<Had> {
    let mut target = BufWriter::with_capacity(BUFFER, target);
    writeln!(target, "{}", header_line(header).map_err(as_io)?)?;
    let remains = Remains::of(store, file)?;
    let known: HashSet<Key> =
        remains.items.iter().filter(|item| remains.entry(item).is_some()).map(|item| item.key).collect();
    let mut parts = NoticeParts { unknown: remains.unknown, ..NoticeParts::default() };
    for item in &remains.items {
        match remains.entry(item) {
            Some(entry) => {
                let entry = remains.relinked(entry, item, &known, parts.leaf.as_deref());
                writeln!(target, "{}", entry.raw())?;
                parts.leaf = Some(entry.id().to_owned());
            }
            None => parts.lost.push(item.kind),
        }
    }
    target.flush()?;
    Ok(Had::Parts(parts))
}

/// What is left of a session.
struct Remains<'s> {
    store: &'s EntryStore,
    /// What is in the file now.
    now: EntryIndex,
    /// All entries that are known to have been there, in their order.
    items: Vec<RebuiltEntry>,
    /// Bytes of which nobody knows what was there.
    unknown: u64,
}

/// An entry that was in the session.
struct RebuiltEntry {
    key: Key,
    kind: Kind,
    /// Where its line was.
    place: EntryLocation,
    /// Its number in the index of the session, if there is one.
    slot: Option<SlotNumber>,
}

impl<'s> Remains<'s> {
    fn of(store: &'s EntryStore, file: Option<&File>) -> io::Result<Self> {
        let length = file.map_or(Ok(0), |file| file.metadata().map(|metadata| metadata.len()))?;
        let now = file.map_or(Ok(EntryIndex::default()), |file| EntryIndex::read(file, length))?;
        let (mut items, mut unknown) = (Vec::new(), 0);
        match store.known_index() {
            Some(index) => items.extend(items_of(index)),
            // Nobody has looked at all of the file: what is left of it is all that is known.
            None => {
                items.extend(items_of(&now).map(|item| RebuiltEntry { slot: None, ..item }));
                let read = store.opened().map_or(0, |(_, end)| end);
                unknown = read.saturating_sub(length);
                let appended = store.recent().iter().filter(|recent| now.slots().find(key(recent.id())).is_none());
                items.extend(appended.map(|recent| RebuiltEntry {
                    key: key(recent.id()),
                    kind: recent.kind(),
                    place: recent.place(),
                    slot: None,
                }));
            }
        }
        Ok(Self { store, now, items, unknown })
    }

    /// The entry, if it is where it was, elsewhere in the file, or in memory.
    fn entry(&self, item: &RebuiltEntry) -> Option<StoredEntry> {
        let is_it = |entry: &StoredEntry| key(entry.id()) == item.key;
        let as_it_was = self.store.read(item.place).ok().filter(is_it);
        let there = as_it_was.clone().filter(is_whole);
        let elsewhere = || {
            let slots = self.now.slots();
            self.store.read(slots.place(slots.find(item.key)?)?).ok().filter(is_it).filter(is_whole)
        };
        // What was damaged before stays as it was.
        there.or_else(elsewhere).or_else(|| self.store.memory().entry(item.key)).or(as_it_was)
    }

    /// The entry behind what is left of its branch. `last` is the entry before it in the new file.
    fn relinked(
        &self,
        entry: StoredEntry,
        item: &RebuiltEntry,
        known: &HashSet<Key>,
        last: Option<&str>,
    ) -> StoredEntry {
        let is_known = |id: &str| known.contains(&key(id));
        let mut entry = entry;
        if entry.parent_id().is_some_and(|parent| !is_known(parent)) && !self.had_no_parent(item) {
            let above =
                self.ancestors(item).find(|above| known.contains(&above.key)).and_then(|above| self.entry(&above));
            let parent = match item.slot {
                Some(_) => above.map(|above| above.id().to_owned()),
                None => last.map(ToOwned::to_owned),
            };
            entry = with(&entry, "parentId", parent.as_deref());
        }
        if item.kind == Kind::Compaction
            && let Some(first) = self.first_kept(&entry, item, known)
        {
            entry = with(&entry, "firstKeptEntryId", Some(&first));
        }
        entry
    }

    /// Whether the parent of an entry was not in the session before, either.
    fn had_no_parent(&self, item: &RebuiltEntry) -> bool {
        let slot = item.slot.zip(self.store.known_index());
        slot.is_some_and(|(slot, index)| index.slots().parent(slot).is_none())
    }

    /// From the parent of an entry up to the root.
    fn ancestors(&self, item: &RebuiltEntry) -> impl Iterator<Item = RebuiltEntry> + '_ {
        let start = item.slot.zip(self.store.known_index());
        start
            .into_iter()
            .flat_map(|(slot, index)| index.slots().climb(slot).skip(1).filter_map(|slot| item_at(index, slot)))
    }

    /// The first entry that a compaction kept and that could be had, where the one that it names could not.
    fn first_kept(&self, entry: &StoredEntry, item: &RebuiltEntry, known: &HashSet<Key>) -> Option<String> {
        let named = RawObject::parse(entry.raw()).ok()?;
        let named: String = serde_json::from_str(named.get("firstKeptEntryId")?).ok()?;
        if known.contains(&key(&named)) {
            return None;
        }
        let mut first = None;
        for above in self.ancestors(item) {
            if above.key == key(&named) {
                return self.entry(&first?).map(|entry| entry.id().to_owned());
            }
            if known.contains(&above.key) {
                first = Some(above);
            }
        }
        None
    }
}

/// Whether the line of an entry is JSON to its end: one that was cut may look like an entry at first sight.
fn is_whole(entry: &StoredEntry) -> bool {
    serde_json::from_str::<IgnoredAny>(entry.raw()).is_ok()
}

fn items_of(index: &EntryIndex) -> impl Iterator<Item = RebuiltEntry> + '_ {
    (0..index.slots().len()).filter_map(|slot| item_at(index, SlotNumber::try_from(slot).ok()?))
}

fn item_at(index: &EntryIndex, slot: SlotNumber) -> Option<RebuiltEntry> {
    let slots = index.slots();
    Some(RebuiltEntry { key: slots.key(slot)?, kind: slots.kind(slot), place: slots.place(slot)?, slot: Some(slot) })
}

/// The entry with another id under a key, and otherwise byte for byte the same values.
fn with(entry: &StoredEntry, key: &str, id: Option<&str>) -> StoredEntry {
    let changed = || {
        let mut object = RawObject::parse(entry.raw()).ok()?;
        object.set(key, to_raw_value(&id).ok()?);
        StoredEntry::index(object.to_json().ok()?.into()).ok()
    };
    // What cannot be read cannot be changed either; it stays as it is.
    changed().unwrap_or_else(|| entry.clone())
}
