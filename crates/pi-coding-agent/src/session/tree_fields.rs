//! The fields of an object that make up the tree, parsed from a line written in whatever way. What else the object holds
//! is skipped. `fast_tree_fields.rs` reads lines of the usual shape without parsing them.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::record::parse_lenient;

/// The fields that make up the tree, each only if it is of the right kind.
#[derive(Debug, Default)]
pub(super) struct TreeFields {
    pub(super) kind: Option<String>,
    pub(super) id: Option<String>,
    pub(super) parent: Parent,
    pub(super) timestamp: Option<String>,
}

/// What an entry says that it follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Parent {
    /// Nothing is said.
    #[default]
    Missing,
    /// Nothing: it is a root.
    Root,
    /// This entry.
    Id(Arc<str>),
}

impl Parent {
    /// The id of the entry, if there is one.
    pub(super) fn into_id(self) -> Option<Arc<str>> {
        match self {
            Self::Id(id) => Some(id),
            Self::Missing | Self::Root => None,
        }
    }
}

impl TreeFields {
    /// Reads one object; `None` for what is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        Raw::read(text).map(Raw::into_fields)
    }
}

/// The fields as they are.
#[derive(Debug, Default, Deserialize)]
struct Raw {
    #[serde(rename = "type", default)]
    kind: Option<Value>,
    #[serde(default)]
    id: Option<Value>,
    #[serde(rename = "parentId", default, deserialize_with = "present")]
    parent: Option<Value>,
    #[serde(default)]
    timestamp: Option<Value>,
}

impl Raw {
    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().or_else(|| Self::read_slowly(text))
    }

    /// For objects with repeated keys, of which the last counts.
    fn read_slowly(text: &str) -> Option<Self> {
        let mut object: Map<String, Value> = parse_lenient(text)?;
        let mut take = |key: &str| object.remove(key);
        Some(Self { kind: take("type"), id: take("id"), parent: take("parentId"), timestamp: take("timestamp") })
    }

    fn into_fields(self) -> TreeFields {
        let parent = match self.parent {
            Some(Value::Null) => Parent::Root,
            Some(Value::String(id)) => Parent::Id(id.into()),
            _ => Parent::Missing,
        };
        TreeFields { kind: string(self.kind), id: string(self.id), parent, timestamp: string(self.timestamp) }
    }
}

fn string(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
