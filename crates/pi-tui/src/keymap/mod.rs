//! What keys do: named actions and the keys that are bound to them.
//!
//! `action` says what actions are, and has those of the widgets here; a program adds tables of its own. `key_id` reads and writes
//! names of keys. `overrides` applies what a user wants otherwise, `problem` says what was wrong with that. No file is read here.

pub mod action;
mod actions_table;
mod key_id;
mod overrides;
mod problem;

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::input::{Key, KeyEvent};

pub use action::{Action, ActionSpec, Scope};
pub use key_id::BadKey;
pub use problem::KeymapProblem;

/// Which keys do what.
///
/// ```
/// use pi_tui::input::{Dialect, KeyEvent};
/// use pi_tui::keymap::{Keymap, action};
///
/// let wanted = serde_json::json!({ "tui.editor.undo": ["ctrl+z", "ctrl+-"], "tui.editor.yank": "alt+v" });
/// let (keys, problems) = Keymap::with_overrides(&[action::TABLE], wanted.as_object().unwrap());
/// assert!(problems.is_empty());
/// assert!(keys.is(&KeyEvent::read(b"\x1a", Dialect::default()), action::EDITOR_UNDO));
/// assert_eq!(keys.hint(action::EDITOR_UNDO), "ctrl+z/ctrl+-");
/// ```
#[derive(Debug, Clone)]
pub struct Keymap {
    /// In the order of the tables.
    bindings: Vec<Binding>,
    /// Where an action stands in `bindings`.
    places: HashMap<Action, usize>,
    is_mac: bool,
}

#[derive(Debug, Clone)]
struct Binding {
    spec: ActionSpec,
    keys: Vec<Key>,
    /// The user gave it its keys.
    is_override: bool,
}

impl Default for Keymap {
    /// The actions of the widgets with their own keys.
    fn default() -> Self {
        Self::new(&[action::TABLE])
    }
}

impl Keymap {
    /// All actions of these tables with their own keys.
    pub fn new(tables: &[&[ActionSpec]]) -> Self {
        Self::with_overrides(tables, &Map::new()).0
    }

    /// The actions of these tables; `wanted` has the keys of some of them, as names or lists of names. An entry replaces all keys
    /// of its action, an empty list leaves it none. What is wrong with an entry is a problem, and the entry does nothing.
    pub fn with_overrides(tables: &[&[ActionSpec]], wanted: &Map<String, Value>) -> (Self, Vec<KeymapProblem>) {
        let mut problems = Vec::new();
        let mut keymap = Self { bindings: Vec::new(), places: HashMap::new(), is_mac: cfg!(target_os = "macos") };
        for spec in tables.iter().copied().flatten() {
            keymap.add(*spec, &mut problems);
        }
        overrides::apply(&mut keymap, wanted, &mut problems);
        (keymap, problems)
    }

    fn add(&mut self, spec: ActionSpec, problems: &mut Vec<KeymapProblem>) {
        let keys = overrides::keys(spec.action.0, spec.keys.iter().copied(), problems);
        self.places.insert(spec.action, self.bindings.len());
        self.bindings.push(Binding { spec, keys, is_override: false });
    }

    /// Whether a key does this. A key that goes up does nothing.
    pub fn is(&self, event: &KeyEvent, action: Action) -> bool {
        !event.is_release() && self.keys_of(action).iter().any(|key| event.matches(*key))
    }

    /// Whether a key does anything at all. Most keys are text: this spares looking up one action after the other.
    pub fn binds(&self, event: &KeyEvent) -> bool {
        self.bindings.iter().flat_map(|binding| &binding.keys).any(|key| event.matches(*key))
    }

    /// What a key does in a scope, in the order of the tables.
    pub fn actions_of<'a>(&'a self, event: &'a KeyEvent, scope: Scope) -> impl Iterator<Item = Action> + 'a {
        let specs = self.bindings.iter().map(|binding| binding.spec).filter(move |spec| spec.scope == scope);
        specs.map(|spec| spec.action).filter(|action| self.is(event, *action))
    }

    /// The keys of an action.
    pub fn keys_of(&self, action: Action) -> &[Key] {
        self.places.get(&action).map_or(&[], |place| &self.bindings[*place].keys)
    }

    /// The keys of an action as people read them, joined with `/`; empty where there is none.
    pub fn hint(&self, action: Action) -> String {
        let keys: Vec<_> =
            self.keys_of(action).iter().map(|key| key_id::shown(*key, self.is_mac).to_string()).collect();
        keys.join("/")
    }

    /// All actions with their keys, in the order of the tables.
    pub fn all(&self) -> impl Iterator<Item = (&ActionSpec, &[Key])> {
        self.bindings.iter().map(|binding| (&binding.spec, binding.keys.as_slice()))
    }
}
