//! What sessions of scripts are told besides the conversation: `js/pi-coding-agent/resource_loader.js`.

use std::path::PathBuf;
use std::sync::Arc;

use pi_script::{OpError, Permission};
use serde::Deserialize;
use serde_json::{Value, json};

use super::sessions;
use super::texts::{ScriptSkill, diagnostics_json, found};
use super::{Ops, settings};
use crate::host::ScriptHost;
use pi_coding_agent::prompt::{
    ContextFile, ListedResources, PromptResources, PromptTemplate, ResourceOptions, ResourcePlaces, Scope, SourceInfo,
    SourceOrigin,
};
use pi_coding_agent::settings::SettingsManager;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("resources.load", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let resources = args.parse::<ResourceRequest>(0)?.read(host)?;
        let (files, templates) = (resources.prompt_files(), resources.templates());
        let prompts: Vec<Value> = templates.items.iter().map(template_json).collect();
        let file = |file: &ContextFile| json!({"path": file.path, "content": file.content});
        Ok(json!({
            "skills": found(resources.skills()),
            "prompts": {"prompts": prompts, "diagnostics": diagnostics_json(&templates.diagnostics)},
            "agentsFiles": resources.context_files().items.iter().map(file).collect::<Vec<_>>(),
            "systemPrompt": files.custom,
            "appendSystemPrompt": files.append,
        })
        .into())
    });
}

/// A prompt template, as scripts know it.
pub(super) fn template_json(template: &PromptTemplate) -> Value {
    let PromptTemplate { name, description, argument_hint, content, source } = template;
    let mut said = json!({
        "name": name, "description": description, "content": content, "sourceInfo": source, "filePath": source.path,
    });
    if let Some(hint) = argument_hint {
        said["argumentHint"] = hint.as_str().into();
    }
    said
}

/// What is to be read.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceRequest {
    cwd: Option<PathBuf>,
    agent_dir: Option<PathBuf>,
    no_skills: bool,
    no_prompt_templates: bool,
    no_context_files: bool,
    system_prompt: Option<String>,
    append_system_prompt: Vec<String>,
    skill_paths: Vec<PathBuf>,
    prompt_paths: Vec<PathBuf>,
    settings_manager: Option<u32>,
}

impl ResourceRequest {
    fn read(self, host: &ScriptHost) -> Result<PromptResources, OpError> {
        let own = host.session();
        let cwd = host.options.cwd.join(self.cwd.unwrap_or_default());
        let is_trusted =
            own.is_some_and(|own| own.store().read(|manager| manager.cwd() == cwd) && own.resources().places().trusted);
        let paths = sessions::paths(host);
        let paths = match self.agent_dir {
            Some(dir) => paths.with_agent_dir(dir),
            None => paths,
        };
        let settings = match self.settings_manager {
            Some(number) => settings::numbered(host, number)?,
            None => Arc::new(SettingsManager::load(&paths, &cwd, is_trusted, Arc::clone(host.clock()))),
        };
        let places = ResourcePlaces::of(&paths, &cwd, is_trusted);
        let absolute = |list: Vec<PathBuf>| list.into_iter().map(|path| places.cwd.join(path)).collect();
        let options = ResourceOptions {
            system_prompt: self.system_prompt,
            append_system_prompt: self.append_system_prompt,
            skills: absolute(self.skill_paths),
            prompt_templates: absolute(self.prompt_paths),
            no_skills: self.no_skills,
            no_prompt_templates: self.no_prompt_templates,
            no_context_files: self.no_context_files,
            ..ResourceOptions::default()
        };
        Ok(PromptResources::new(places, options).with_listed(ListedResources::of_settings(&settings)))
    }
}

/// What a script has put together.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ResourceOverrides {
    skills: Vec<ScriptSkill>,
    prompts: Vec<ScriptTemplate>,
    agents_files: Vec<ScriptFile>,
    system_prompt: Option<String>,
    append_system_prompt: Vec<String>,
}

#[derive(Deserialize)]
struct ScriptFile {
    path: PathBuf,
    content: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScriptTemplate {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    argument_hint: Option<String>,
    #[serde(default)]
    content: String,
    #[serde(default)]
    file_path: Option<String>,
}

impl ScriptTemplate {
    fn template(self) -> PromptTemplate {
        let Self { name, description, argument_hint, content, file_path } = self;
        let path = file_path.unwrap_or_else(|| format!("<prompt:{name}>"));
        let (scope, origin) = (Scope::Temporary, SourceOrigin::TopLevel);
        let source = SourceInfo { path, source: "local".to_owned(), scope, origin, base_dir: None };
        PromptTemplate { name, description, argument_hint, content, source }
    }
}

impl ResourceOverrides {
    pub(super) fn resources(self, places: ResourcePlaces) -> PromptResources {
        let files = self.agents_files.into_iter().map(|ScriptFile { path, content }| ContextFile { path, content });
        let skills = self.skills.into_iter().map(ScriptSkill::skill).collect();
        let templates = self.prompts.into_iter().map(ScriptTemplate::template).collect();
        PromptResources::given(places, files.collect(), skills, templates)
            .with_texts(self.system_prompt, self.append_system_prompt)
    }
}
