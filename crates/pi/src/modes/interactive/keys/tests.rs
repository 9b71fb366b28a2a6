//! `docs/keybindings.md` against the tables of actions. Everything from its heading "Actions" on is generated: with
//! `UPDATE_KEYBINDINGS=1` the test writes it.

use std::fmt::Write;
use std::path::PathBuf;

use pi_tui::keymap::{ActionSpec, Keymap, Scope, action};
use serde_json::{Map, Value};

use super::{ACTIONS, APP};

/// Where the generated part begins.
const HEADING: &str = "## Actions\n";

/// Scopes in the order of the page.
const SCOPES: [(Scope, &str); 10] = [
    (APP, "Everywhere"),
    (Scope("view"), "In full screen"),
    (Scope::EDITOR, "In the editor and in fields"),
    (Scope::SELECT, "In lists"),
    (Scope("models"), "In lists of models"),
    (Scope("sessions"), "In the list of sessions"),
    (Scope("queue"), "In the list of queued messages"),
    (Scope("tree"), "In the session tree"),
    (Scope("changes"), "In the list of changes"),
    (Scope("transcript"), "In the transcript"),
];

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/keybindings.md")
}

fn all() -> Vec<&'static ActionSpec> {
    ACTIONS.iter().chain(action::TABLE).collect()
}

fn actions() -> String {
    let mut out = HEADING.to_owned();
    for (scope, title) in SCOPES {
        write!(out, "\n### {title}\n\n| Action | Keys | Effect |\n|---|---|---|\n").unwrap();
        for spec in all().into_iter().filter(|spec| spec.scope == scope) {
            let keys: Vec<String> = spec.keys.iter().map(|key| format!("`{key}`")).collect();
            let keys = if keys.is_empty() { "–".to_owned() } else { keys.join(", ") };
            writeln!(out, "| `{}` | {keys} | {} |", spec.action.0, spec.description).unwrap();
        }
    }
    out
}

#[test]
fn the_page_has_all_actions() {
    let page = std::fs::read_to_string(path()).unwrap();
    let (prose, stored) = page.split_at(page.find(HEADING).unwrap());
    let actions = actions();
    for spec in all() {
        assert!(actions.contains(&format!("| `{}` |", spec.action.0)), "no scope for {spec:?}");
    }
    if std::env::var_os("UPDATE_KEYBINDINGS").is_some() {
        std::fs::write(path(), format!("{prose}{actions}")).unwrap();
    } else {
        assert!(stored == actions, "docs/keybindings.md is stale: UPDATE_KEYBINDINGS=1 writes it\n{actions}");
    }
}

#[test]
fn the_examples_of_the_page_are_bindings() {
    let page = std::fs::read_to_string(path()).unwrap();
    let examples: Vec<&str> = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let wanted: Map<String, Value> = serde_json::from_str(example).unwrap();
        let (_, problems) = Keymap::with_overrides(&[action::TABLE, ACTIONS], &wanted);
        assert_eq!(problems, [], "{example}");
    }
}
