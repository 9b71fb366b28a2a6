//! The parts of a system prompt, as extensions are told.

use std::path::PathBuf;

use super::context_files::ContextFile;
use super::skills::Skill;
use super::system_prompt::ToolPrompt;

/// What the system prompt is made of.
#[derive(Debug, Clone, Default)]
pub struct SystemPromptOptions {
    /// The session's directory.
    pub cwd: PathBuf,
    /// Text that takes the place of the default one.
    pub custom_prompt: Option<String>,
    /// Text that follows it.
    pub append_system_prompt: Vec<String>,
    /// The active tools with what is said of them.
    pub tools: Vec<ToolPrompt>,
    /// Instructions of the user and the project.
    pub context_files: Vec<ContextFile>,
    /// Skills.
    pub skills: Vec<Skill>,
}
