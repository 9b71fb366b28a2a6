//! What Node's modules export, as Node itself says (`js/node_names.json`, made by `fixtures/node_names.mjs`): what this
//! program has no work for exists by name all the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::value::RawValue;

/// Modules that Node knows by their prefix only: without it these are packages.
const PREFIXED: [&str; 4] = ["sea", "sqlite", "test", "test/reporters"];

/// By module, without prefix: `{"function": "a b", "class": "C", "constant": {"D": 1}}`.
static NAMES: LazyLock<BTreeMap<String, Box<RawValue>>> = LazyLock::new(|| {
    let mut names: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(include_str!("../../js/node_names.json")).unwrap_or_default();
    // Where the list comes from.
    names.remove("");
    names
});

/// Whether Node has this module, whatever is in it.
pub(super) fn is_listed(bare: &str) -> bool {
    NAMES.contains_key(bare)
}

/// Whether Node knows it without the prefix, too.
pub(super) fn needs_prefix(bare: &str) -> bool {
    PREFIXED.contains(&bare)
}

/// The names of a module, by their kinds, as JSON.
pub(super) fn names_of(bare: &str) -> Option<&'static str> {
    NAMES.get(bare).map(|names| names.get())
}

/// All modules, as Node lists them.
pub(super) fn listed() -> Vec<String> {
    let listed = |bare: &String| if needs_prefix(bare) { format!("node:{bare}") } else { bare.clone() };
    NAMES.keys().map(listed).collect()
}
