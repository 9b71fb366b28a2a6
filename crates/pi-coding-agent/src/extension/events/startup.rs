//! Before a session is there: trust, and where its resources are.

use std::path::PathBuf;

use serde::Serialize;

use crate::wire::views::shapes;

/// Whether the project in a directory is trusted. Asked before any stored decision, and only of extensions that do not
/// come from the project.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectTrustEvent {
    /// The directory.
    #[serde(serialize_with = "shapes::path")]
    pub cwd: PathBuf,
}

/// An answer about trust.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrustOutcome {
    /// The decision.
    pub trusted: TrustAnswer,
    /// Whether it is stored for later runs.
    pub remember: bool,
}

/// A decision about trust.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TrustAnswer {
    /// Trusted.
    Yes,
    /// Not trusted.
    No,
    /// Somebody else decides: the next handler, the stored decision, the default.
    #[default]
    Undecided,
}

/// Where skills, templates and themes are, besides the usual places. Follows `session_start`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourcesDiscoverEvent {
    /// The session's directory.
    #[serde(serialize_with = "shapes::path")]
    pub cwd: PathBuf,
    /// Why it is asked.
    pub reason: DiscoverReason,
}

/// Why resources are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiscoverReason {
    /// A session begins.
    Startup,
    /// The session reads everything anew.
    Reload,
}

/// Files or directories; relative paths count from the session's directory. They come last: what the user has under the
/// same name wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourcesOutcome {
    /// Skills.
    pub skill_paths: Vec<PathBuf>,
    /// Prompt templates.
    pub prompt_paths: Vec<PathBuf>,
    /// Themes.
    pub theme_paths: Vec<PathBuf>,
}
