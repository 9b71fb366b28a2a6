//! `get_entries` and `get_tree`: the session's entries as they are in the file.
//!
//! Lines are passed on as they were written, and the tree is written without recursion: a branch may be a million
//! entries long.

use crate::agent_session::{AgentSession, Error};
use crate::session::{self, SessionManager, SessionTree, StoredEntry};
use crate::wire::put;

/// The data of `get_entries`: all entries, or those behind `since`, in file order, and where the leaf is.
///
/// # Errors
/// A sentence: there is no such entry, or the file cannot be read.
pub(super) async fn list(session: &AgentSession, since: Option<String>) -> Result<Vec<u8>, String> {
    let leaf = leaf(session);
    let read = session.store().read_copy(move |manager: &SessionManager| {
        let (mut json, mut found) = (br#"{"entries":["#.to_vec(), since.is_none());
        let start = json.len();
        for entry in manager.entries().iter() {
            let entry = entry?;
            if found {
                separate(&mut json, start);
                json.extend_from_slice(entry.raw().as_bytes());
            }
            found |= since.as_deref() == Some(entry.id());
        }
        Ok(if found { Ok(close(json, leaf.as_deref())) } else { Err(unknown(since.as_deref())) })
    });
    read.await.map_err(|error: Error| error.to_string())?
}

/// The data of `get_tree`: every entry with what follows it and its label, and where the leaf is.
///
/// # Errors
/// When the file cannot be read.
pub(super) async fn tree(session: &AgentSession) -> Result<Vec<u8>, String> {
    let leaf = leaf(session);
    let read = session.store().read_copy(move |manager: &SessionManager| {
        let entries = manager.entries().iter().collect::<Result<Vec<StoredEntry>, session::Error>>()?;
        let mut json = br#"{"tree":["#.to_vec();
        write_tree(&entries, &mut json);
        Ok(close(json, leaf.as_deref()))
    });
    read.await.map_err(|error: Error| error.to_string())
}

fn leaf(session: &AgentSession) -> Option<String> {
    session.store().read(|manager| manager.leaf_id().map(ToOwned::to_owned))
}

fn unknown(since: Option<&str>) -> String {
    format!("Entry not found: {}", since.unwrap_or_default())
}

/// What is to be written next.
enum Step {
    Node(usize),
    /// The end of a node, and its label.
    End(usize),
    Comma,
}

fn write_tree(entries: &[StoredEntry], json: &mut Vec<u8>) {
    let tree = SessionTree::of(entries);
    let mut steps = Vec::new();
    push_siblings(&mut steps, tree.roots());
    while let Some(step) = steps.pop() {
        match step {
            Step::Node(place) => {
                json.extend_from_slice(br#"{"entry":"#);
                json.extend_from_slice(entries[place].raw().as_bytes());
                json.extend_from_slice(br#","children":["#);
                steps.push(Step::End(place));
                push_siblings(&mut steps, tree.children(place));
            }
            Step::End(place) => {
                json.push(b']');
                if let Some(label) = tree.label(place) {
                    json.extend_from_slice(br#","label":"#);
                    put(json, &label.text);
                    json.extend_from_slice(br#","labelTimestamp":"#);
                    put(json, &label.timestamp);
                }
                json.push(b'}');
            }
            Step::Comma => json.push(b','),
        }
    }
}

/// Siblings with commas between them; what is pushed last is written first.
fn push_siblings(steps: &mut Vec<Step>, places: &[usize]) {
    for (number, place) in places.iter().enumerate().rev() {
        steps.push(Step::Node(*place));
        if number > 0 {
            steps.push(Step::Comma);
        }
    }
}

fn separate(json: &mut Vec<u8>, start: usize) {
    if json.len() > start {
        json.push(b',');
    }
}

fn close(mut json: Vec<u8>, leaf: Option<&str>) -> Vec<u8> {
    json.extend_from_slice(br#"],"leafId":"#);
    put(&mut json, &leaf);
    json.push(b'}');
    json
}
