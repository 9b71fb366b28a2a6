//! What the model layer is without any feature: message types, wire formats and a trait for the transport. Everything heavy
//! is behind a feature; the list below is what would come back if one of them leaked.
//!
//! `table.rs` says what a crate may not have as a user gets it by default.

use std::collections::BTreeSet;

use super::graph::Reached;

/// The crate that must stay small.
pub(super) const CRATE: &str = "pi-ai";

/// More packages than this, on all targets together, is a leak that the list below does not name yet.
const MOST: usize = 55;

/// Crates that only a feature may bring, and which one.
const NEVER: &[(&str, &str)] = &[
    ("jsonschema", VALIDATE),
    ("jsonschema-regex", VALIDATE),
    ("fancy-regex", VALIDATE),
    ("ahash", VALIDATE),
    ("schemars", "schemars"),
    ("reqwest", HTTP),
    ("rustls", HTTP),
    ("h2", HTTP),
    ("encoding_rs", HTTP),
    ("tower", HTTP),
    ("hyper", "http` or `oauth"),
    ("hyper-util", "http` or `oauth"),
    ("url", "http` or `oauth"),
    ("mio", "http` or `oauth"),
    ("socket2", "http` or `oauth"),
    ("sha2", "bedrock` or `oauth"),
    ("getrandom", "oauth"),
    ("aws-sigv4", "bedrock"),
    ("aws-smithy-eventstream", "bedrock"),
    ("aws-smithy-types", "bedrock"),
    ("aws-lc-rs", "http` or `vertex"),
    ("aws-lc-sys", "http` or `vertex"),
    ("tokio-tungstenite", "codex-ws"),
    ("tungstenite", "codex-ws"),
];

const VALIDATE: &str = "validate";
const HTTP: &str = "http";

/// Number of different packages.
pub(super) fn count(reached: &[Reached]) -> usize {
    reached.iter().map(|found| found.name.as_str()).collect::<BTreeSet<_>>().len()
}

/// Every broken rule, as a sentence.
pub(super) fn violations(reached: &[Reached]) -> Vec<String> {
    let leak = |(name, feature): &(&str, &str)| {
        let found = reached.iter().find(|found| found.name == *name)?;
        let way = found.path.join(" -> ");
        Some(format!("{CRATE} without features reaches {name} ({way}): it belongs behind the feature `{feature}`"))
    };
    let mut problems: Vec<String> = NEVER.iter().filter_map(leak).collect();
    let count = count(reached);
    if problems.is_empty() && count > MOST {
        problems.push(format!(
            "{CRATE} without features reaches {count} packages, at most {MOST} are allowed: put what is new behind a feature"
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::graph;
    use super::*;

    fn reached(path: &[&str]) -> Reached {
        let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
        Reached { name: path.last().unwrap().clone(), path, features: Vec::new() }
    }

    #[test]
    fn the_model_layer_without_features_is_small() {
        let bare = graph::reached_without_features(CRATE).unwrap();
        assert_eq!(violations(&bare), Vec::<String>::new());
        assert!(count(&bare) > 10, "the tree was read");
    }

    #[test]
    fn a_leak_is_named_with_its_way_and_its_feature() {
        assert_eq!(
            violations(&[reached(&["pi-ai", "jsonschema"]), reached(&["pi-ai", "jsonschema", "ahash"])]),
            [
                "pi-ai without features reaches jsonschema (pi-ai -> jsonschema): it belongs behind the feature `validate`",
                "pi-ai without features reaches ahash (pi-ai -> jsonschema -> ahash): it belongs behind the feature `validate`",
            ]
        );
    }

    #[test]
    fn a_crowd_that_nobody_listed_is_a_leak() {
        let names: Vec<String> = (0..=MOST).map(|number| format!("crate-{number}")).collect();
        let crowd: Vec<Reached> = names.iter().map(|name| reached(&["pi-ai", name])).collect();
        assert_eq!(violations(&crowd).len(), 1);
        assert_eq!(violations(&crowd[..MOST]).len(), 0);
    }
}
