//! What a user is told when the file of an open session was lost.

use std::path::Path;

use crate::session::kind::Kind;
use crate::session::log::Loss;

/// What the new file holds of the old one.
#[derive(Debug)]
pub(super) enum Had {
    /// Every byte.
    Everything,
    /// Those entries that could be had.
    Parts(NoticeParts),
}

/// What could be had of a file that was cut or overwritten, and what not.
#[derive(Debug, Default)]
pub(super) struct NoticeParts {
    /// The entries that could not be had, as far as anybody knows of them.
    pub(super) lost: Vec<Kind>,
    /// Bytes of the file that are gone, and of which nobody knows what they were.
    pub(super) unknown: u64,
    /// The entry at which the session goes on.
    pub(super) leaf: Option<String>,
}

/// Another program has appended to the file.
pub(super) fn grown(path: &Path) -> String {
    format!(
        "Another program writes to session file {} while it is open here. Its lines stay; the session is read as it was until it is opened again",
        path.display()
    )
}

/// The file was lost, and the session goes on in another one. `linked` says that the old one still has a name somewhere.
pub(super) fn lost(loss: Loss, linked: bool, old: &Path, new: &Path, had: &Had) -> String {
    let what = match loss {
        Loss::Gone if linked => "was moved away",
        Loss::Gone => "was deleted",
        Loss::Replaced => "was replaced by another file",
        Loss::Overwritten => "was cut or overwritten by another program",
    };
    let place = if old == new { "under the same name".to_owned() } else { format!("and is now {}", new.display()) };
    let rest = match loss {
        Loss::Gone if linked => "; the file that was moved stays as it is",
        Loss::Gone => "",
        Loss::Replaced | Loss::Overwritten => "; the other file stays as it is",
    };
    let old = old.display();
    format!("Session file {old} {what} while it was open. The session was written anew {place}{rest}. {}", kept(had))
}

fn kept(had: &Had) -> String {
    let parts = match had {
        Had::Everything => return "Nothing of it was lost".to_owned(),
        Had::Parts(parts) => parts,
    };
    let mut missing: Vec<String> = counted(&parts.lost);
    if parts.unknown > 0 {
        missing.push(format!("{} bytes of which nothing else is known", parts.unknown));
    }
    if missing.is_empty() {
        return "Nothing of it was lost".to_owned();
    }
    format!("What could not be had of it: {}", missing.join(", "))
}

/// `2 messages, 1 label`
fn counted(kinds: &[Kind]) -> Vec<String> {
    const WORDS: [(Kind, &str, &str); 10] = [
        (Kind::Message, "message", "messages"),
        (Kind::Compaction, "compaction", "compactions"),
        (Kind::BranchSummary, "summary of a branch", "summaries of branches"),
        (Kind::CustomMessage, "message of an extension", "messages of extensions"),
        (Kind::Custom, "entry of an extension", "entries of extensions"),
        (Kind::ModelChange, "change of the model", "changes of the model"),
        (Kind::ThinkingLevelChange, "change of the thinking level", "changes of the thinking level"),
        (Kind::Label, "label", "labels"),
        (Kind::SessionInfo, "name of the session", "names of the session"),
        (Kind::Other, "entry of another type", "entries of other types"),
    ];
    let count = |kind: Kind| kinds.iter().filter(|found| **found == kind).count();
    let counted = WORDS.iter().map(|(kind, one, many)| (count(*kind), one, many));
    counted
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect()
}
