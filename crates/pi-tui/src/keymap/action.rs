//! Actions: what keys can do, by name; the tables that give them keys.

pub use super::actions_table::*;

/// Something that a key can do, by the name that a file of bindings uses: `tui.editor.cursorUp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(pub &'static str);

/// Where actions are listened to at the same time: two of them with one key conflict. In different places the same key may do
/// different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(pub &'static str);

impl Scope {
    /// Text that is edited.
    pub const EDITOR: Self = Self("editor");
    /// Lists from which something is chosen.
    pub const SELECT: Self = Self("select");
}

/// A row of a table of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionSpec {
    /// The action.
    pub action: Action,
    /// Where it is listened to.
    pub scope: Scope,
    /// Its keys while nobody says otherwise.
    pub keys: &'static [&'static str],
    /// What it does, for people.
    pub description: &'static str,
    /// What it was called before actions had namespaces; empty where it had no such name. Files may still use it.
    pub old_name: &'static str,
}

/// Makes a constant of each action, and a table of all of them.
///
/// ```
/// pi_tui::actions! {
///     /// What the program does.
///     pub static TABLE;
///     QUIT = "app.quit", scope "app", keys ["ctrl+q"], "Leave", old "quit";
///     HELP = "app.help", scope "app", keys [], "Show help";
/// }
/// assert_eq!(TABLE[0].action, QUIT);
/// ```
#[macro_export]
macro_rules! actions {
    (
        $(#[$about:meta])* $visibility:vis static $table:ident;
        $($name:ident = $id:literal, scope $scope:literal, keys [$($key:literal),*], $description:literal $(, old $old:literal)?;)*
    ) => {
        $(
            #[doc = $description]
            $visibility const $name: $crate::keymap::Action = $crate::keymap::Action($id);
        )*
        $(#[$about])*
        $visibility static $table: &[$crate::keymap::ActionSpec] = &[$(
            $crate::keymap::ActionSpec {
                action: $name,
                scope: $crate::keymap::Scope($scope),
                keys: &[$($key),*],
                description: $description,
                old_name: concat!($($old)?),
            },
        )*];
    };
}
