//! The tree of a session. A conversation is a chain, so its tree is as deep as it is long: written as objects inside each
//! other, a long one could not be read by anything that reads by recursion. Here it is a list.

use serde::Serialize;

use super::shapes::Entry;
use crate::host;
use crate::session::{Error, SessionManager};

/// A place in the tree.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    entry: Entry<'a>,
    /// The number of the node that this one is a child of, counted from 0 in the list; absent for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label_timestamp: Option<&'a str>,
}

/// All entries as a list of `{entry, parent?, label?, labelTimestamp?}`, each behind the one that it is a child of and
/// siblings in their order: who goes through it once and appends each node to the children of its `parent` has the tree.
/// `parent` is a number in the list. Reads the whole file.
///
/// # Errors
/// When the file cannot be read; [`host::Error::Serialize`](crate::host::Error::Serialize).
pub fn tree_json(manager: &SessionManager) -> Result<String, Error> {
    let tree = manager.entries().tree()?;
    let entries = manager.entries().iter().collect::<Result<Vec<_>, _>>()?;
    let mut numbers = vec![0; tree.len()];
    let mut nodes = Vec::with_capacity(tree.len());
    for place in tree.walk() {
        let Some(entry) = entries.get(place) else { continue };
        numbers[place] = nodes.len();
        let label = tree.label(place);
        nodes.push(Node {
            entry: Entry(entry),
            parent: tree.parent(place).map(|parent| numbers[parent]),
            label: label.map(|label| label.text.as_str()),
            label_timestamp: label.map(|label| label.timestamp.as_str()),
        });
    }
    serde_json::to_string(&nodes).map_err(|source| host::Error::Serialize { what: "the session's tree", source }.into())
}
