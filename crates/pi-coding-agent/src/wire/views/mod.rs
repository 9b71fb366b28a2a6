//! The session as scripts see it, where that is not simply the JSON form of one of our types.
//!
//! | What scripts ask for | JSON form |
//! |---|---|
//! | `model`, models of the registry | [`pi_ai::Model`] |
//! | `getAllTools()` | [`ToolSummary`](crate::events::ToolSummary) |
//! | `getCommands()` | [`SlashCommand`](crate::prompt::SlashCommand) |
//! | `getContextUsage()` | [`ContextUsage`](crate::events::ContextUsage) |
//! | statistics | [`SessionStats`](crate::events::SessionStats) |
//! | `getHeader()` | [`SessionHeader`](crate::session::SessionHeader) |
//! | messages, content, usage | those of [`pi_ai`] |
//! | `getEntry()`, `getLeafEntry()`, `getEntries()`, `getBranch()` | [`entry_json`], [`entries_json`] |
//! | `getTree()` | [`tree_json`] |
//! | `getSystemPromptOptions()` | [`system_prompt_options_json`] |

pub(crate) mod shapes;
mod tree;

use crate::host::Error;
use crate::resources::prompt::SystemPromptOptions;
use crate::session::StoredEntry;

use shapes::{Entry, PromptOptions};
pub use tree::tree_json;

/// An entry of the session, with everything that its line says.
///
/// # Errors
/// [`Error::Serialize`].
pub fn entry_json(entry: &StoredEntry) -> Result<String, Error> {
    serde_json::to_string(&Entry(entry)).map_err(|source| Error::Serialize { what: "a session entry", source })
}

/// Entries, as an array.
///
/// # Errors
/// [`Error::Serialize`].
pub fn entries_json<'a>(entries: impl IntoIterator<Item = &'a StoredEntry>) -> Result<String, Error> {
    let entries: Vec<Entry<'_>> = entries.into_iter().map(Entry).collect();
    serde_json::to_string(&entries).map_err(|source| Error::Serialize { what: "session entries", source })
}

/// A skill, as scripts know it.
pub fn skill_json(skill: &crate::resources::prompt::Skill) -> serde_json::Value {
    // Nothing of it is a map whose keys are not strings.
    serde_json::to_value(shapes::SkillView::of(skill)).unwrap_or_default()
}

/// What the usual system prompt is made of: the same as `systemPromptOptions` of `before_agent_start`.
///
/// # Errors
/// [`Error::Serialize`].
pub fn system_prompt_options_json(options: &SystemPromptOptions) -> Result<String, Error> {
    let what = "the parts of the system prompt";
    serde_json::to_string(&PromptOptions::of(options)).map_err(|source| Error::Serialize { what, source })
}
