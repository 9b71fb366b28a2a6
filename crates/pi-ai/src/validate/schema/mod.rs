//! JSON Schema, drafts 4 to 2020-12: a schema becomes nodes, a value is checked against them.
//!
//! Small on purpose: no annotations, no vocabularies, nothing is fetched; a `$ref` leads into the same document or nowhere.
//! Formats are checked. Nothing here words a report, converts a value, or knows a tool.
//!
//! | File | What is in it |
//! |---|---|
//! | `draft.rs` | which rules a schema is written in |
//! | `grammar.rs` | what a keyword may look like, and the words for one that does not |
//! | `document.rs` | references: identifiers, anchors, pointers |
//! | `node.rs`, `compile.rs` | what is checked, and how it is read from a schema |
//! | `check.rs`, `objects.rs`, `lists.rs`, `evaluated.rs` | the check: of a node, of members, of items, of what is left over |
//! | `values.rs`, `format.rs`, `pattern.rs` | equality and numbers, formats, regular expressions |
//! | `mismatch.rs` | what does not fit, and where |

mod check;
mod compile;
mod document;
mod draft;
mod evaluated;
mod format;
mod grammar;
mod lists;
mod mismatch;
mod node;
mod objects;
mod pattern;
mod values;

use serde_json::Value;

pub(super) use compile::Compiler;
pub(super) use mismatch::{Mismatch, Problem};
pub(super) use node::NodeId;

use check::Found;
use mismatch::InstancePath;
use node::Node;

/// The nodes of one document.
#[derive(Debug)]
pub(super) struct Schema {
    nodes: Box<[Node]>,
}

impl Schema {
    /// Whether a value fits a node.
    pub(super) fn accepts(&self, node: NodeId, value: &Value) -> bool {
        let mut found = Found::first();
        self.check(node, value, InstancePath::root(), &mut found);
        found.is_none()
    }

    /// Everything about a value that does not fit a node, in the order in which it is found.
    pub(super) fn mismatches(&self, node: NodeId, value: &Value) -> Vec<Mismatch> {
        let mut found = Found::all();
        self.check(node, value, InstancePath::root(), &mut found);
        found.into_list()
    }
}
