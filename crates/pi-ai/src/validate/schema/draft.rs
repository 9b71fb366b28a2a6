//! Which rules a schema is written in.

use serde_json::Value;

/// A draft of the specification, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    D4,
    D6,
    D7,
    D2019,
    D2020,
}

/// How the drafts are called in `$schema`, without scheme and empty fragment.
const NAMES: [(&str, Draft); 5] = [
    ("json-schema.org/draft-04/schema", Draft::D4),
    ("json-schema.org/draft-06/schema", Draft::D6),
    ("json-schema.org/draft-07/schema", Draft::D7),
    ("json-schema.org/draft/2019-09/schema", Draft::D2019),
    ("json-schema.org/draft/2020-12/schema", Draft::D2020),
];

impl Draft {
    /// The draft that a schema names. Without a name it is the latest one, unless there are lists of item schemas, which
    /// are what they were before it.
    ///
    /// # Errors
    /// The words for a name that stands for none.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        match schema.get("$schema").and_then(Value::as_str) {
            Some(name) => Self::named(name).ok_or_else(|| {
                format!(
                    "Unknown meta-schema: '{name}'. Custom meta-schemas must be registered in the registry before use"
                )
            }),
            None if has_item_lists(schema) => Ok(Self::D2019),
            None => Ok(Self::D2020),
        }
    }

    fn named(name: &str) -> Option<Self> {
        let bare = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))?;
        let bare = bare.strip_suffix('#').unwrap_or(bare);
        NAMES.iter().find(|(known, _)| *known == bare).map(|(_, draft)| *draft)
    }

    /// Whether what stands beside a `$ref` counts.
    pub(super) fn has_siblings_of_refs(self) -> bool {
        self >= Self::D2019
    }

    /// The keyword that names a schema.
    pub(super) fn id_keyword(self) -> &'static str {
        if self == Self::D4 { "id" } else { "$id" }
    }
}

fn has_item_lists(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.get("items").is_some_and(Value::is_array) || map.values().any(has_item_lists),
        Value::Array(list) => list.iter().any(has_item_lists),
        _ => false,
    }
}
