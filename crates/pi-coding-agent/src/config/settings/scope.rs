//! Whose settings, and what can be wrong with them.

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsScope {
    /// The user's, for all projects.
    Global,
    /// The project's own.
    Project,
}

impl SettingsScope {
    /// The name used in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Project => "project",
        }
    }
}

/// Something about the settings that the user should know.
#[derive(Debug)]
pub struct SettingsProblem {
    /// Which settings.
    pub scope: SettingsScope,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({} settings) {}", self.scope.as_str(), self.message)
    }
}
