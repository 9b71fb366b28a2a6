//! Who looks at what is typed: hooks, keys, sources of completions.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use pi_coding_agent::extension::{CompleteFn, InputHook, Shortcut};
use pi_tui::input::{Input, Key};

/// An extension that looks at what is typed.
#[derive(Clone)]
pub(in crate::modes::interactive) struct Hook {
    pub(in crate::modes::interactive) number: u64,
    pub(in crate::modes::interactive) owner: String,
    pub(in crate::modes::interactive) ask: Arc<InputHook>,
}

/// The hooks, and the inputs that wait for them.
#[derive(Default)]
pub(in crate::modes::interactive) struct Hooks {
    pub(in crate::modes::interactive) hooks: Vec<Hook>,
    pub(in crate::modes::interactive) waiting: VecDeque<Input>,
    pub(in crate::modes::interactive) is_asking: bool,
    /// Extensions that were too slow.
    pub(in crate::modes::interactive) slow: BTreeSet<String>,
}

impl Hooks {
    pub(in crate::modes::interactive) fn add(&mut self, number: u64, owner: &str, ask: Arc<InputHook>) {
        self.hooks.push(Hook { number, owner: owner.to_owned(), ask });
    }

    pub(in crate::modes::interactive) fn remove(&mut self, number: u64) {
        self.hooks.retain(|hook| hook.number != number);
    }
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Hooks").field("hooks", &self.hooks.len()).finish_non_exhaustive()
    }
}

/// A key that runs something.
#[derive(Debug, Clone)]
pub(in crate::modes::interactive) struct Bound {
    pub(in crate::modes::interactive) key: Key,
    pub(in crate::modes::interactive) owner: String,
    pub(in crate::modes::interactive) shortcut: Shortcut,
}

/// The keys in force.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Shortcuts(pub(in crate::modes::interactive) Vec<Bound>);

impl Shortcuts {
    /// The keys and what they do, for `/hotkeys`.
    pub(in crate::modes::interactive) fn listed(&self) -> Vec<(String, String)> {
        let text = |bound: &Bound| bound.shortcut.description.clone().unwrap_or_else(|| bound.owner.clone());
        self.0.iter().map(|bound| (bound.shortcut.key.clone(), text(bound))).collect()
    }
}

/// Who is asked, the newest last.
#[derive(Default)]
pub(in crate::modes::interactive) struct Sources(pub(in crate::modes::interactive) Vec<(Vec<char>, Arc<CompleteFn>)>);

impl std::fmt::Debug for Sources {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Sources").field(&self.0.len()).finish()
    }
}
