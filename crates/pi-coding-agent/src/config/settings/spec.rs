//! What the declaration of a setting says, apart from the Rust type of its value: checking, `docs/settings.md` and its
//! JSON Schema come from it. The declarations themselves stand in `table.rs`.
#![cfg_attr(not(test), expect(dead_code, reason = "the tests that write the page and the schema read the rest"))]

use serde_json::Value;

use super::kind::Kind;

/// The untyped part of a declaration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spec {
    /// Its name in the file; points lead into objects.
    pub(super) key: &'static str,
    pub(super) kind: Kind,
    pub(super) default: DefaultValue,
    /// Only the user's own file counts, no project's: what a project must not decide about the machine.
    pub(super) is_users_own: bool,
    /// The table of the page that lists it.
    pub(super) topic: Topic,
    /// What it does: its `///` lines.
    pub(super) sentence: &'static str,
    /// Where the page says more: the target of a link.
    pub(super) more: Option<&'static str>,
}

/// What counts where a setting is absent.
#[derive(Debug, Clone, Copy)]
pub(super) enum DefaultValue {
    /// Nothing.
    None,
    Switch(bool),
    Number(u64),
    /// The default of an enum, as it is written.
    Word(fn() -> Value),
    /// JSON: what the code that asks for the setting uses then. The getter returns `None`.
    Elsewhere(&'static str),
    /// A phrase for the page: it depends on something else.
    Depends(&'static str),
}

/// Groups of settings on the page, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    Models,
    Sessions,
    Compaction,
    Requests,
    Tools,
    Extensions,
    Trust,
    Interactive,
    /// Checked and kept for other programs that read the file.
    NoEffectYet,
}

impl Spec {
    /// The names that lead to the value.
    pub(super) fn path(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.key.split('.')
    }
}
