//! What is known of every entry without reading it: where its line is, its id and its parent in a short form, its type.
//!
//! A session may have a million entries, so this is kept in columns of small numbers.

use std::hash::{DefaultHasher, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashTable;

use crate::session::kind::Kind;

/// A short form of an id: the number of an id of eight hexadecimal digits, else a hash of 63 bits.
pub(in crate::session) type Key = u64;

/// The position of an entry in file order.
pub(in crate::session) type SlotNumber = u32;

/// A root, in the column of parents.
const ROOT: SlotNumber = SlotNumber::MAX;
/// A parent that no entry is.
const UNKNOWN: SlotNumber = SlotNumber::MAX - 1;
/// So many searches through all keys are not worth a table: in a million entries each takes a millisecond at most.
const FEW_SEARCHES: u32 = 16;
/// Marks keys that are hashes.
const HASHED: Key = 1 << 63;
const HEX_ID_LENGTH: usize = 8;

/// Where a line is: in the file, or among the lines in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::session) enum EntryLocation {
    /// So many bytes of the file from an offset on.
    File {
        /// The first byte.
        offset: u64,
        /// Bytes, without the newline.
        length: u32,
    },
    /// The line of this number that is not in the file.
    Memory(u32),
}

/// The short form of an id.
pub(in crate::session) fn key(id: &str) -> Key {
    let is_hex = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    if id.len() == HEX_ID_LENGTH && id.as_bytes().iter().all(is_hex) {
        return u64::from_str_radix(id, 16).unwrap_or(HASHED);
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(id.as_bytes());
    hasher.finish() | HASHED
}

/// All entries, in file order.
#[derive(Debug, Default)]
pub(in crate::session) struct Slots {
    /// Offset in the file; for lines in memory their number.
    offsets: Vec<u64>,
    /// Length in the file; [`IN_MEMORY`] for lines in memory.
    lengths: Vec<u32>,
    keys: Vec<Key>,
    parents: Vec<SlotNumber>,
    kinds: Vec<Kind>,
    /// Made when a search through all keys was not the exception: most sessions never need it.
    by_key: OnceLock<HashTable<SlotNumber>>,
    searches: AtomicU32,
    /// Entries whose parent has not been found yet.
    orphans: Vec<(SlotNumber, Key)>,
    /// Whether some entries follow each other in a ring.
    rings: bool,
}

const IN_MEMORY: u32 = u32::MAX;
/// The lines of the rest of a file may be a little shorter than those before.
const HEADROOM: f64 = 1.05;

impl Slots {
    /// Makes room for so many times the entries that are here.
    pub(super) fn expect(&mut self, times: f64) {
        let more = (self.len() as f64 * (times - 1.0) * HEADROOM) as usize;
        self.offsets.reserve_exact(more);
        self.lengths.reserve_exact(more);
        self.keys.reserve_exact(more);
        self.parents.reserve_exact(more);
        self.kinds.reserve_exact(more);
    }

    /// Adds an entry behind the others.
    pub(super) fn push(&mut self, place: EntryLocation, key: Key, parent: Option<Key>, kind: Kind) {
        let slot = self.len() as SlotNumber;
        let (offset, length) = match place {
            EntryLocation::File { offset, length } => (offset, length),
            EntryLocation::Memory(number) => (number.into(), IN_MEMORY),
        };
        let parent = match parent {
            None => ROOT,
            // Mostly an entry follows the one before it in the file.
            Some(parent) if self.keys.last() == Some(&parent) => slot - 1,
            Some(parent) => self.find(parent).unwrap_or_else(|| {
                self.orphans.push((slot, parent));
                UNKNOWN
            }),
        };
        self.offsets.push(offset);
        self.lengths.push(length);
        self.keys.push(key);
        self.parents.push(parent);
        self.kinds.push(kind);
        if let Some(table) = self.by_key.get_mut() {
            insert(table, &self.keys, slot);
        }
    }

    /// Looks again for parents that were not found: they may come later in the file. An entry whose parent does not exist
    /// at all, directly behind damage, is taken to follow what was before the damage. A ring is opened at the entry that
    /// comes first in the file.
    pub(super) fn settle_orphans(&mut self, is_behind_damage: impl Fn(SlotNumber) -> bool) {
        for (slot, parent) in std::mem::take(&mut self.orphans) {
            self.parents[slot as usize] = match self.find(parent) {
                Some(found) if self.climb(found).any(|above| above == slot) => {
                    self.rings = true;
                    ROOT
                }
                Some(found) => found,
                None if slot > 0 && is_behind_damage(slot) => slot - 1,
                None => UNKNOWN,
            };
        }
    }

    /// Whether the parent of some entry is nowhere in the file.
    pub(super) fn has_orphans(&self) -> bool {
        self.parents.contains(&UNKNOWN)
    }

    /// Whether a ring was opened.
    pub(super) fn has_rings(&self) -> bool {
        self.rings
    }

    /// Number of entries.
    pub(in crate::session) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The entry with this short id; of several the last.
    pub(in crate::session) fn find(&self, key: Key) -> Option<SlotNumber> {
        if self.by_key.get().is_none() && self.searches.fetch_add(1, Ordering::Relaxed) < FEW_SEARCHES {
            return self.keys.iter().rposition(|found| *found == key).map(|slot| slot as SlotNumber);
        }
        let table = self.by_key.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.keys.len());
            (0..self.keys.len() as SlotNumber).for_each(|slot| insert(&mut table, &self.keys, slot));
            table
        });
        table.find(spread(key), |slot| self.keys[*slot as usize] == key).copied()
    }

    /// The entry whose line is at a place.
    pub(in crate::session) fn at(&self, place: EntryLocation) -> Option<SlotNumber> {
        (0..self.len() as SlotNumber).rev().find(|slot| self.place(*slot) == Some(place))
    }

    /// Where the line of an entry is.
    pub(in crate::session) fn place(&self, slot: SlotNumber) -> Option<EntryLocation> {
        let (offset, length) = (*self.offsets.get(slot as usize)?, *self.lengths.get(slot as usize)?);
        Some(match length {
            IN_MEMORY => EntryLocation::Memory(offset as u32),
            length => EntryLocation::File { offset, length },
        })
    }

    /// Says where a line is from now on.
    pub(in crate::session) fn set_place(&mut self, slot: SlotNumber, offset: u64, length: u32) {
        if let (Some(old), Some(old_length)) =
            (self.offsets.get_mut(slot as usize), self.lengths.get_mut(slot as usize))
        {
            (*old, *old_length) = (offset, length);
        }
    }

    /// The short id of an entry.
    pub(in crate::session) fn key(&self, slot: SlotNumber) -> Option<Key> {
        self.keys.get(slot as usize).copied()
    }

    /// The type of an entry.
    pub(in crate::session) fn kind(&self, slot: SlotNumber) -> Kind {
        self.kinds.get(slot as usize).copied().unwrap_or(Kind::Other)
    }

    /// The entry that one follows; `None` for roots, and where it is not in the file.
    pub(in crate::session) fn parent(&self, slot: SlotNumber) -> Option<SlotNumber> {
        self.parents.get(slot as usize).copied().filter(|parent| !matches!(*parent, ROOT | UNKNOWN))
    }

    /// From an entry up to its root.
    pub(in crate::session) fn climb(&self, from: SlotNumber) -> impl Iterator<Item = SlotNumber> + '_ {
        std::iter::successors(Some(from), |slot| self.parent(*slot))
    }

    /// The entries that follow one directly, or the roots; in file order.
    pub(in crate::session) fn children(&self, parent: Option<SlotNumber>) -> impl Iterator<Item = SlotNumber> + '_ {
        let numbered = (0..).zip(&self.parents);
        numbered.filter_map(move |(slot, found)| match parent {
            Some(parent) => (*found == parent).then_some(slot),
            None => matches!(*found, ROOT | UNKNOWN).then_some(slot),
        })
    }
}

/// Of several entries with one id the last counts.
fn insert(table: &mut HashTable<SlotNumber>, keys: &[Key], slot: SlotNumber) {
    let key = keys[slot as usize];
    match table.find_mut(spread(key), |other| keys[*other as usize] == key) {
        Some(entry) => *entry = slot,
        None => {
            table.insert_unique(spread(key), slot, |slot| spread(keys[*slot as usize]));
        }
    }
}

/// Ids may be counted, so their short forms are spread over all bits.
fn spread(key: Key) -> u64 {
    let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}
