//! The entries of an open session: what is in the session, and where the next entry goes.
//!
//! Nothing here writes. Methods need the whole file, unless they say otherwise: the first one that does takes a pass over it.

use std::collections::HashMap;
use std::sync::Arc;

use super::ancestors::{Ancestors, Rung};
use super::context::{self, SessionContext};
use super::index::{SlotNumber, key};
use super::record::StoredEntry;
use super::store::EntryStore;
use super::tree::{SessionTree, TreeLabel, time_of};
use crate::session::Error;

/// The entries of a session, see [`SessionManager::entries`](super::SessionManager::entries).
#[derive(Debug)]
pub struct Entries {
    store: EntryStore,
    /// The entry that the next one will follow; `None` at the root.
    leaf: Option<Arc<str>>,
}

impl Entries {
    /// No entries yet.
    pub(super) fn none() -> Self {
        Self { store: EntryStore::in_memory(), leaf: None }
    }

    /// Those of a file; the leaf is the last one.
    pub(super) fn of(store: EntryStore) -> Result<Self, Error> {
        let leaf = store.last_id()?.map(Into::into);
        Ok(Self { store, leaf })
    }

    pub(super) fn store(&self) -> &EntryStore {
        &self.store
    }

    pub(super) fn store_mut(&mut self) -> &mut EntryStore {
        &mut self.store
    }

    /// Takes an entry in, which becomes the leaf. `offset` is where its line is in the file; without one it is in memory.
    pub(super) fn push(&mut self, entry: &StoredEntry, offset: Option<u64>) {
        self.leaf = Some(Arc::from(entry.id()));
        self.store.push(entry, offset);
    }

    /// Moves the leaf.
    pub(super) fn set_leaf(&mut self, leaf: Option<&str>) {
        self.leaf = leaf.map(Arc::from);
    }

    /// The id of the entry that the next one will follow; `None` at the root.
    pub fn leaf_id(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// Number of entries, the header not counted. Needs the whole file, like everything below that says nothing else.
    ///
    /// # Errors
    /// [`Error::Open`] when the file cannot be read.
    pub fn count(&self) -> Result<usize, Error> {
        Ok(self.store.index()?.slots().len())
    }

    /// The entry at a position in file order, from 0; `None` behind the last one.
    ///
    /// # Errors
    /// [`Error::Open`]; [`Error::Changed`] when somebody else has changed the file.
    pub fn at(&self, position: usize) -> Result<Option<StoredEntry>, Error> {
        let index = self.store.index()?;
        match u32::try_from(position) {
            Ok(slot) if position < index.slots().len() => self.store.read_slot(index, slot).map(Some),
            _ => Ok(None),
        }
    }

    /// All entries in file order, read one after the other.
    ///
    /// # Errors
    /// Those of [`Self::at`], each as an item.
    pub fn iter(&self) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        (0..).map_while(|position| self.at(position).transpose())
    }

    /// An entry by id; of several with one id the last.
    ///
    /// # Errors
    /// Those of [`Self::at`].
    pub fn get(&self, id: &str) -> Result<Option<StoredEntry>, Error> {
        let index = self.store.index()?;
        self.slot(id)?.map(|slot| self.store.read_slot(index, slot)).transpose()
    }

    /// The entry that the next one will follow. Reads no more than the end of the file, mostly.
    ///
    /// # Errors
    /// Those of [`Self::at`].
    pub fn leaf(&self) -> Result<Option<StoredEntry>, Error> {
        self.climb().next().transpose()
    }

    /// The label on an entry.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn label(&self, id: &str) -> Result<Option<&str>, Error> {
        Ok(self.store.index()?.notes().label(id).map(|label| label.text.as_str()))
    }

    /// The session's display name, of whatever branch.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn name(&self) -> Result<Option<&str>, Error> {
        Ok(self.store.index()?.notes().name())
    }

    /// The name, if that can be told without reading the file; it may be that there is none.
    pub(crate) fn known_name(&self) -> Option<Option<&str>> {
        Some(self.store.known_index()?.notes().name())
    }

    /// What the model is given at an entry; `None` is before all entries. Results of tool calls that a crash cut off are not
    /// part of it, see [`SessionManager::build_session_context`](super::SessionManager::build_session_context).
    ///
    /// # Errors
    /// Those of [`Self::at`].
    pub fn context_at(&self, leaf: Option<&str>) -> Result<SessionContext, Error> {
        context::build(&self.store, leaf)
    }

    /// The entries, of all types, that the context at the leaf is made of, oldest first: the whole branch, or from the
    /// first entry on that its last compaction kept. Reads the file backwards until that is complete.
    ///
    /// # Errors
    /// Those of [`Self::at`].
    pub(crate) fn in_context(&self) -> Result<Vec<StoredEntry>, Error> {
        context::entries(&self.store, self.leaf_id())
    }

    /// The entries from the leaf up to its root. Reads no more than is taken.
    pub fn climb(&self) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        self.climb_from(self.leaf_id())
    }

    fn climb_from(&self, from: Option<&str>) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        let (mut climb, mut failed) = match Ancestors::new(&self.store, from) {
            Ok(climb) => (Some(climb), None),
            Err(error) => (None, Some(error)),
        };
        std::iter::from_fn(move || match failed.take() {
            Some(error) => Some(Err(error)),
            None => {
                let next = climb.as_mut()?.next().and_then(|rung| rung.map(Rung::entry).transpose());
                if next.is_err() {
                    climb = None;
                }
                next.transpose()
            }
        })
    }

    /// The entries from the root to the leaf.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Changed`].
    #[doc(alias = "getCurrentBranch")]
    pub fn current_branch(&self) -> Result<Vec<StoredEntry>, Error> {
        upside_down(self.climb())
    }

    /// The entries from the root to `from`; empty when that is unknown.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Changed`].
    pub fn branch_of(&self, from: &str) -> Result<Vec<StoredEntry>, Error> {
        upside_down(self.climb_from(Some(from)))
    }

    /// The entries that follow `parent` directly, in file order; for `None` the roots, entries among them whose parent is
    /// not in the file.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Changed`].
    pub fn children(&self, parent: Option<&str>) -> Result<Vec<StoredEntry>, Error> {
        let index = self.store.index()?;
        let parent = match parent {
            Some(parent) => match self.slot(parent)? {
                None => return Ok(vec![]),
                known => known,
            },
            None => None,
        };
        index.slots().children(parent).map(|slot| self.store.read_slot(index, slot)).collect()
    }

    /// The entries on the current branch that have a label now, oldest first, with it.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Changed`].
    pub(crate) fn labelled_on_branch(&self) -> Result<Vec<(StoredEntry, &str)>, Error> {
        let index = self.store.index()?;
        let labels = index.notes().labels();
        let labels: HashMap<SlotNumber, &str> =
            labels.filter_map(|(id, label)| Some((index.slots().find(key(id))?, label.text.as_str()))).collect();
        let Some(leaf) = self.leaf_id().and_then(|id| index.slots().find(key(id))).filter(|_| !labels.is_empty())
        else {
            return Ok(vec![]);
        };
        let labelled = index.slots().climb(leaf).filter_map(|slot| Some((slot, *labels.get(&slot)?)));
        let mut found = labelled
            .map(|(slot, label)| Ok((self.store.read_slot(index, slot)?, label)))
            .collect::<Result<Vec<_>, Error>>()?;
        found.reverse();
        Ok(found)
    }

    /// All branches. Its places are those of [`Self::at`].
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn tree(&self) -> Result<SessionTree, Error> {
        let index = self.store.index()?;
        let slots = index.slots();
        let parents = (0..slots.len()).map(|slot| Some(slots.parent(SlotNumber::try_from(slot).ok()?)? as usize));
        let time = |place| time_of(&self.at(place).ok()??);
        let labels = index.notes().labels().filter_map(|(id, label)| {
            let label_of = TreeLabel { text: label.text.clone(), timestamp: label.timestamp.clone() };
            Some((slots.find(key(id))? as usize, label_of))
        });
        Ok(SessionTree::of_parents(parents.collect(), time).labelled(labels))
    }

    /// The position of an entry.
    pub(super) fn slot(&self, id: &str) -> Result<Option<SlotNumber>, Error> {
        Ok(self.store.index()?.slots().find(key(id)))
    }

    pub(super) fn check_known(&self, id: &str) -> Result<(), Error> {
        if self.slot(id)?.is_some() { Ok(()) } else { Err(Error::EntryNotFound { id: id.to_owned() }) }
    }
}

fn upside_down(climb: impl Iterator<Item = Result<StoredEntry, Error>>) -> Result<Vec<StoredEntry>, Error> {
    let mut path = climb.collect::<Result<Vec<_>, _>>()?;
    path.reverse();
    Ok(path)
}
