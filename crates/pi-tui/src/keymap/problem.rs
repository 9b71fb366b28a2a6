//! What can be wrong with the bindings that a user wants.

use thiserror::Error;

use super::key_id::BadKey;

/// Something wrong with an entry. It is for a person to read; the rest of the bindings holds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeymapProblem {
    /// No action is called so.
    #[error("\"{name}\" is no action")]
    UnknownAction {
        /// As it was written.
        name: String,
    },
    /// An entry has a value that is neither a key nor a list of keys.
    #[error("\"{action}\" needs a key such as \"ctrl+a\", or a list of keys")]
    BadValue {
        /// The action, as it was written.
        action: String,
    },
    /// A key that is none. The entry's other keys hold; where there are no others, the action's own do.
    #[error("\"{action}\": {problem}")]
    BadKey {
        /// The action, as it was written.
        action: String,
        /// The key.
        problem: BadKey,
    },
    /// An action stands there twice, with its old name and with its own, which holds.
    #[error("\"{old_name}\" is the old name of \"{action}\", which has an entry of its own: remove the old one")]
    Twice {
        /// The entry that does nothing.
        old_name: String,
        /// The action.
        action: &'static str,
    },
    /// One key does several things in one place, at least one of which the user asked for. The first one happens.
    #[error("\"{key}\" is bound to {}", actions.join(" and "))]
    Conflict {
        /// The key.
        key: String,
        /// The actions, in the order of the tables.
        actions: Vec<&'static str>,
    },
}
