//! Facts planted in sessions, and where a compaction left them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What a session says of itself, in `<name>.facts.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Planted {
    /// What is peculiar to the session.
    pub(crate) about: String,
    /// The settings to compact with.
    pub(crate) reserve_tokens: u64,
    /// The same.
    pub(crate) keep_recent_tokens: u64,
    /// The facts, in the order in which they were planted.
    pub(crate) facts: Vec<Fact>,
}

/// One fact.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Fact {
    /// What sort of fact it is.
    pub(crate) kind: Kind,
    /// The words to look for.
    pub(crate) text: String,
    /// Where it has to be after a compaction.
    pub(crate) place: Place,
    /// Why it may be lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// Sorts of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Goal,
    Path,
    Decision,
    Constraint,
    Wish,
    Error,
    Figure,
}

/// Where a fact can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    /// In what the summarising model is asked: whether it survives is up to that model.
    Request,
    /// In what we add to the summary: earlier summary, ends of results, pinned messages, lists of files.
    Added,
    /// In the part that stays as it is.
    Kept,
    /// Nowhere; `why` says why.
    Lost,
}

/// A session with its facts.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) session: PathBuf,
    pub(crate) planted: Planted,
}

/// The sessions of a directory, by name.
pub(crate) fn load(dir: &Path) -> std::io::Result<Vec<Fixture>> {
    let mut fixtures = Vec::new();
    for entry in fs::read_dir(dir)? {
        let session = entry?.path();
        if session.extension().is_some_and(|extension| extension == "jsonl") {
            let name = session.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let facts = fs::read_to_string(dir.join(format!("{name}.facts.json")))?;
            fixtures.push(Fixture { planted: serde_json::from_str(&facts)?, name, session });
        }
    }
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(fixtures)
}
