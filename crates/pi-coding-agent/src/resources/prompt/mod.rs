//! What the model is told besides the conversation: system prompt, context files, skills, prompt templates.
//!
//! # Layout
//! `resources` owns the rest and reads nothing before it is asked. `system_prompt` assembles the parts that `options` lists; `prompt_files`,
//! `context_files`, `skills` and `templates` (filled by `arguments`) supply the parts, from the files that
//! `resources/locate/` finds; `explicit` adds what packages bring. `commands` lists what the user can call, `frontmatter` reads
//! the head of a Markdown file.
//!
//! Everything here does blocking file I/O of small size: in async code, call it through `spawn_blocking`.

mod arguments;
mod commands;
mod context_files;
mod explicit;
mod frontmatter;
mod options;
mod prompt_files;
mod resources;
mod skills;
mod system_prompt;
mod templates;

pub use crate::resources::locate::explicit::{
    ExtensionResources, ListedResources, PackageResources, PathLists, ResourcePaths,
};
pub use crate::resources::locate::source::{
    Diagnostic, DiagnosticKind, Found, ResourcePlaces, Scope, SourceInfo, SourceOrigin,
};
pub use commands::{CommandSource, SlashCommand};
pub use context_files::{ContextFile, load_context_files};
pub use frontmatter::{Document, FrontmatterError, parse_document};
pub use options::SystemPromptOptions;
pub use prompt_files::PromptFiles;
pub use resources::{PromptResources, ResourceOptions};
pub use skills::{Skill, SkillBlock, SkillReadError, load_skills, parse_skill_block, skill_listing};
pub use system_prompt::{ProductDocs, SystemPrompt, ToolPrompt, local_date};
pub use templates::{PromptTemplate, expand_template, load_templates};
