//! What the model is told besides the conversation: system prompt, context files, skills, prompt templates.
//!
//! # Layout
//! `resources` owns the rest and reads nothing before it is asked. `system_prompt` assembles the parts that `options` lists; `prompt_files`,
//! `context_files`, `skills` (found by `skill_scan`) and `templates` (filled by `arguments`) supply the parts. `locate`
//! finds the files of every kind that can be listed, by what `listed` holds and `overrides` allow; `extension_scan` knows
//! how extensions lie in directories, `ignore_files` what is left out of one. `commands` lists what the user can call.
//! `source` says where a part came from, `frontmatter` reads the head of a Markdown file.
//!
//! Everything here does blocking file I/O of small size: in async code, call it through `spawn_blocking`.

mod arguments;
mod commands;
mod context_files;
pub(crate) mod extension_scan;
mod frontmatter;
mod ignore_files;
mod listed;
pub(crate) mod locate;
mod options;
pub(crate) mod overrides;
mod prompt_files;
mod resources;
pub(crate) mod skill_scan;
mod skills;
pub(crate) mod source;
mod system_prompt;
mod templates;

pub use arguments::{split_arguments, substitute_arguments};
pub use commands::{CommandSource, SlashCommand};
pub use context_files::{ContextFile, load_context_files};
pub use frontmatter::{Document, FrontmatterError, parse_document};
pub use listed::{ExtensionResources, ListedResources, PackageResources, PathLists, ResourcePaths};
pub use options::SystemPromptOptions;
pub use prompt_files::PromptFiles;
pub use resources::{PromptResources, ResourceOptions};
pub use skills::{
    Skill, SkillBlock, SkillReadError, expand_skill_command, load_skills, parse_skill_block, skill_listing,
};
pub use source::{Diagnostic, DiagnosticKind, Found, ResourcePlaces, Scope, SourceInfo, SourceOrigin};
pub use system_prompt::{ProductDocs, SystemPrompt, ToolPrompt, local_date};
pub use templates::{PromptTemplate, expand_template, load_templates};
