//! Puts the result of a compaction into a session.

use serde_json::json;

use crate::session::{Compaction, Error, SessionManager};

/// The type of the entry that stands where the kept part begins when nothing is kept.
const CUT_MARK: &str = "compaction-cut";

/// Appends a compaction to a session and returns the id of its entry. One that keeps nothing (its first kept entry has
/// no id) gets an entry that no model sees to begin its kept part with; the id of that is put into it.
///
/// # Errors
/// Those of [`Append::compaction`](crate::session::Append::compaction): the entries are in the session all the same.
pub fn store_compaction(manager: &mut SessionManager, compaction: &mut Compaction) -> Result<String, Error> {
    let mut marked = Ok(String::new());
    if compaction.first_kept_entry_id.is_empty() {
        let cut = manager.leaf_id().map(|leaf| json!({ "cutEntryId": leaf }));
        marked = manager.append().custom_entry(CUT_MARK, cut);
        compaction.first_kept_entry_id = manager.leaf_id().unwrap_or_default().to_owned();
    }
    let stored = manager.append().compaction(compaction.clone());
    marked.and(stored)
}
