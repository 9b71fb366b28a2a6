//! What the user can call with a slash: prompt templates and skills, as clients list them.

use serde::Serialize;

use super::resources::PromptResources;
use crate::resources::locate::source::SourceInfo;

/// Something that can be called with a slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SlashCommand {
    /// What follows the slash.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is.
    pub source: CommandSource,
    /// Where it came from.
    pub source_info: SourceInfo,
}

/// What a [`SlashCommand`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandSource {
    /// A command of an extension.
    Extension,
    /// A prompt template.
    Prompt,
    /// A skill, also one that the model may not call.
    Skill,
}

impl PromptResources {
    /// Everything that can be called: prompt templates, then skills as `skill:name`.
    pub fn commands(&self) -> Vec<SlashCommand> {
        let templates = self.templates().items.iter().map(|template| SlashCommand {
            name: template.name.clone(),
            description: Some(template.description.clone()),
            source: CommandSource::Prompt,
            source_info: template.source.clone(),
        });
        let skills = self.skills().items.iter().map(|skill| SlashCommand {
            name: format!("skill:{}", skill.name),
            description: Some(skill.description.clone()),
            source: CommandSource::Skill,
            source_info: skill.source.clone(),
        });
        templates.chain(skills).collect()
    }
}
