//! The tree of a session: where the leaf is, what is on a branch, what follows an entry.

use std::collections::HashMap;
use std::sync::Arc;

use super::append::BranchSummary;
use super::climb::Climb;
use super::index::{SlotNumber, key};
use super::manager::SessionManager;
use super::record::StoredEntry;
use super::tree::{SessionTree, TreeLabel, time_of};
use crate::session::Error;

impl SessionManager {
    /// Moves the leaf: the next entry follows `id`. The move itself is not written down.
    ///
    /// # Errors
    /// [`Error::EntryNotFound`]; [`Error::Open`] when the file cannot be read.
    #[doc(alias = "navigateTo")]
    pub fn branch(&mut self, id: &str) -> Result<(), Error> {
        self.check_known(id)?;
        self.leaf = Some(Arc::from(id));
        self.resumed = false;
        Ok(())
    }

    /// Moves the leaf in front of everything: the next entry is a new root.
    pub fn reset_leaf(&mut self) {
        self.leaf = None;
        self.resumed = false;
    }

    /// Moves to `parent` (`None` is the root) and appends the summary of the branch that is left there. Returns the id of
    /// the new entry.
    ///
    /// # Errors
    /// [`Error::EntryNotFound`], then nothing is appended and the leaf stays; those of appending.
    pub fn branch_with_summary(&mut self, parent: Option<&str>, summary: BranchSummary) -> Result<String, Error> {
        match parent {
            Some(parent) => self.branch(parent)?,
            None => self.reset_leaf(),
        }
        self.append_branch_summary(summary)
    }

    /// The entries from the leaf up to its root. Reads no more than is taken.
    pub fn climb(&self) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        self.climb_from(self.leaf_id())
    }

    fn climb_from(&self, from: Option<&str>) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        let (mut climb, mut failed) = match Climb::new(&self.store, from) {
            Ok(climb) => (Some(climb), None),
            Err(error) => (None, Some(error)),
        };
        std::iter::from_fn(move || match failed.take() {
            Some(error) => Some(Err(error)),
            None => {
                let next = climb.as_mut()?.next().and_then(|rung| rung.map(super::climb::Rung::entry).transpose());
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
    pub fn labelled_on_branch(&self) -> Result<Vec<(StoredEntry, &str)>, Error> {
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

    /// All branches. Its places are those of [`Self::entry_at`].
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn tree(&self) -> Result<SessionTree, Error> {
        let index = self.store.index()?;
        let slots = index.slots();
        let parents = (0..slots.len()).map(|slot| Some(slots.parent(SlotNumber::try_from(slot).ok()?)? as usize));
        let time = |place| time_of(&self.entry_at(place).ok()??);
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
