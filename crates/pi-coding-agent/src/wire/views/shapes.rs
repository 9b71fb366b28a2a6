//! Parts of events whose JSON form is not the one of their type.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_ai::{ContentBlock, Message};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::compaction::Preparation;
use crate::config::settings::CompactionSettings;
use crate::resources::prompt::{Skill, SourceInfo, SystemPromptOptions};
use crate::session::StoredEntry;

/// A path. One that is not Unicode is shown as well as JSON can.
pub(crate) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The same for a path that may be absent, in which case the field is left out.
pub(crate) fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

/// An entry as its line says it, unknown fields included.
pub(super) struct Entry<'a>(pub(super) &'a StoredEntry);

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(raw) = serde_json::from_str::<&RawValue>(self.0.raw()) {
            return raw.serialize(serializer);
        }
        // What is no JSON cannot be shown; its place in the tree is known all the same.
        let mut place = serializer.serialize_map(Some(3))?;
        place.serialize_entry("type", self.0.kind())?;
        place.serialize_entry("id", self.0.id())?;
        place.serialize_entry("parentId", &self.0.parent_id())?;
        place.end()
    }
}

/// An entry.
pub(crate) fn entry<S: Serializer>(entry: &StoredEntry, serializer: S) -> Result<S::Ok, S::Error> {
    Entry(entry).serialize(serializer)
}

/// The same for one that may be absent, in which case the field is left out.
pub(crate) fn optional_entry<S: Serializer>(entry: &Option<StoredEntry>, serializer: S) -> Result<S::Ok, S::Error> {
    entry.as_ref().map(Entry).serialize(serializer)
}

/// Entries.
pub(crate) fn entries<S: Serializer>(entries: &Arc<[StoredEntry]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(entries.iter().map(Entry))
}

/// What of a result handlers see: its wish to stop is the loop's affair.
pub(crate) fn output<S: Serializer>(output: &Arc<ToolOutput>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Output<'a> {
        content: &'a [ContentBlock],
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<&'a Value>,
    }
    Output { content: &output.content, details: output.details.as_ref() }.serialize(serializer)
}

/// What would be summarised, without what only our own compaction needs.
pub(crate) fn preparation<S: Serializer>(preparation: &Arc<Preparation>, serializer: S) -> Result<S::Ok, S::Error> {
    let Preparation { file_ops, settings, .. } = &**preparation;
    CompactionPlan {
        // Nothing stays: what is answered with that place is stored behind everything.
        first_kept_entry_id: preparation.first_kept_entry_id.as_deref().unwrap_or_default(),
        messages_to_summarize: &preparation.messages_to_summarize,
        turn_prefix_messages: &preparation.turn_prefix_messages,
        is_split_turn: preparation.is_split_turn(),
        tokens_before: preparation.tokens_before,
        previous_summary: preparation.previous_summary.as_deref(),
        file_ops: Files {
            read: sorted(&file_ops.read),
            written: sorted(&file_ops.written),
            edited: sorted(&file_ops.edited),
        },
        settings: PlanSettings::of(settings),
    }
    .serialize(serializer)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompactionPlan<'a> {
    first_kept_entry_id: &'a str,
    messages_to_summarize: &'a [Arc<Message>],
    turn_prefix_messages: &'a [Arc<Message>],
    is_split_turn: bool,
    tokens_before: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_summary: Option<&'a str>,
    file_ops: Files<'a>,
    settings: PlanSettings,
}

/// Paths by what was done to them; scripts know sets.
#[derive(Serialize)]
struct Files<'a> {
    read: Vec<&'a str>,
    written: Vec<&'a str>,
    edited: Vec<&'a str>,
}

fn sorted(paths: &HashSet<String>) -> Vec<&str> {
    let mut paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    paths.sort_unstable();
    paths
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanSettings {
    enabled: bool,
    reserve_tokens: u64,
    keep_recent_tokens: u64,
}

impl PlanSettings {
    fn of(settings: &CompactionSettings) -> Self {
        let CompactionSettings { enabled, reserve_tokens, keep_recent_tokens } = *settings;
        Self { enabled, reserve_tokens, keep_recent_tokens }
    }
}

/// What the usual system prompt is made of.
pub(crate) fn system_prompt_options<S: Serializer>(
    options: &Arc<SystemPromptOptions>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    PromptOptions::of(options).serialize(serializer)
}

/// What scripts know as the options of the system prompt.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptOptions<'a> {
    cwd: Cow<'a, str>,
    skills: Vec<SkillView<'a>>,
    context_files: Vec<FileView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    append_system_prompt: Option<String>,
    selected_tools: Vec<&'a str>,
    tool_snippets: Map<String, Value>,
    prompt_guidelines: Vec<&'a str>,
}

impl<'a> PromptOptions<'a> {
    pub(super) fn of(options: &'a SystemPromptOptions) -> Self {
        let tools = &options.tools;
        let append = &options.append_system_prompt;
        let mut seen = HashSet::new();
        let guidelines = tools.iter().flat_map(|tool| &tool.guidelines).map(|line| line.trim());
        Self {
            cwd: options.cwd.to_string_lossy(),
            skills: options.skills.iter().map(SkillView::of).collect(),
            context_files: options
                .context_files
                .iter()
                .map(|file| FileView { path: file.path.to_string_lossy(), content: &file.content })
                .collect(),
            custom_prompt: options.custom_prompt.as_deref(),
            append_system_prompt: (!append.is_empty()).then(|| append.join("\n\n")),
            selected_tools: tools.iter().map(|tool| tool.name.as_str()).collect(),
            tool_snippets: tools
                .iter()
                .filter_map(|tool| Some((tool.name.clone(), tool.snippet.clone()?.into())))
                .collect(),
            prompt_guidelines: guidelines.filter(|line| !line.is_empty() && seen.insert(*line)).collect(),
        }
    }
}

#[derive(Serialize)]
struct FileView<'a> {
    path: Cow<'a, str>,
    content: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkillView<'a> {
    name: &'a str,
    description: &'a str,
    file_path: Cow<'a, str>,
    base_dir: Cow<'a, str>,
    source_info: &'a SourceInfo,
    disable_model_invocation: bool,
}

impl<'a> SkillView<'a> {
    pub(super) fn of(skill: &'a Skill) -> Self {
        Self {
            name: &skill.name,
            description: &skill.description,
            file_path: skill.file.to_string_lossy(),
            base_dir: skill.dir().to_string_lossy(),
            source_info: &skill.source,
            disable_model_invocation: skill.disable_model_invocation,
        }
    }
}
