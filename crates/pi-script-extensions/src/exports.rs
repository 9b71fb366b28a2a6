//! What the packages that scripts import export, under every path: what there is no work for exists by name all the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pi_script::ModuleTable;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The packages, with the module that finds what they export and the one whose exports all are.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("pi-ai", "pi:ai/exported", "pi:ai/main"),
    ("pi-agent-core", "pi:agent-core/exported", "pi:agent-core/main"),
    ("pi-coding-agent", "pi:coding-agent/exported", "pi:coding-agent/main"),
    ("pi-tui", "pi:tui/exported", "pi:tui/main"),
];

/// The scopes under which the packages were published, the newest first.
const SCOPES: [&str; 2] = ["@earendil-works", "@mariozechner"];

/// What a path exports: names by kind.
#[derive(Deserialize)]
struct Exports {
    #[serde(default)]
    constant: Map<String, Value>,
    #[serde(flatten)]
    kinds: BTreeMap<String, String>,
}

/// Adds a module for every path, under every scope.
pub(super) fn add(table: &mut ModuleTable) {
    let listed = serde_json::from_str(include_str!("../js/exports.json"));
    let mut paths: BTreeMap<String, Exports> = listed.unwrap_or_default();
    // Where the list comes from.
    paths.remove("");
    for (path, exports) in paths {
        let package = path.split('/').next().unwrap_or_default();
        let Some((_, finder, main)) = PACKAGES.iter().find(|(name, ..)| *name == package) else { continue };
        let whole = (path == package).then_some(*main);
        let [first, other] = SCOPES.map(|scope| format!("{scope}/{path}"));
        table.add(&first, &source(&path, &exports, finder, whole));
        table.alias(&other, &first);
    }
}

fn source(path: &str, exports: &Exports, finder: &str, whole: Option<&str>) -> String {
    let mut code = format!("import{{exported}}from\"{finder}\";");
    let constants = exports.constant.iter().map(|(name, value)| (name.as_str(), "constant", value.to_string()));
    let others = exports.kinds.iter().flat_map(|(kind, names)| {
        names.split(' ').filter(|name| !name.is_empty()).map(|name| (name, kind.as_str(), "undefined".to_owned()))
    });
    for (place, (name, kind, value)) in constants.chain(others).enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(
            code,
            "const e{place}=exported(\"{path}\",\"{name}\",\"{kind}\",{value});export{{e{place} as {name}}};"
        );
    }
    if let Some(main) = whole {
        // And what no list has.
        let _ = write!(code, "export*from\"{main}\";");
    }
    code
}
