//! Moving about in the tree of a session.

use super::append::BranchSummary;
use super::manager::SessionManager;
use crate::session::Error;

impl SessionManager {
    /// Moves the leaf: the next entry follows `id`. The move itself is not written down.
    ///
    /// # Errors
    /// [`Error::EntryNotFound`]; [`Error::Open`] when the file cannot be read.
    #[doc(alias = "navigateTo")]
    pub fn branch(&mut self, id: &str) -> Result<(), Error> {
        self.entries.check_known(id)?;
        self.entries.set_leaf(Some(id));
        self.resumed = false;
        Ok(())
    }

    /// Moves the leaf in front of everything: the next entry is a new root.
    pub fn reset_leaf(&mut self) {
        self.entries.set_leaf(None);
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
        self.append().branch_summary(summary)
    }
}
