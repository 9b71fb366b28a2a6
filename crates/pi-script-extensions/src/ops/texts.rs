//! Pure functions for scripts: limits of output, differences, heads of Markdown files, skills, context files.

use std::path::{Path, PathBuf};

use pi_script::{Args, Data, OpError, Permission};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ops, json as as_json};
use crate::errors::failed;
use crate::host::ScriptHost;
use pi_coding_agent::extension::json::views::skill_json;
use pi_coding_agent::prompt::{
    Diagnostic, Found, ListedResources, ResourcePlaces, Scope, Skill, SkillBlock, SourceInfo, SourceOrigin,
    load_context_files, load_skills, parse_document, parse_skill_block, skill_listing,
};
use pi_coding_agent::tools::{
    TruncationLimits, display_diff, display_diff_within, format_size, truncate_head, truncate_line, truncate_tail,
    unified_patch,
};

pub(super) fn add(ops: &mut Ops<'_>) {
    add_limits(ops);
    add_resources(ops);
    ops.sync("paths.get", |host, _, _| {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let package = std::env::current_exe().ok().and_then(|file| file.parent().map(text)).unwrap_or_default();
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "agentDir": text(&host.options.agent_dir),
            "cwd": text(&host.options.cwd),
            "packageDir": package,
        })
        .into())
    });
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Limits {
    max_lines: Option<usize>,
    max_bytes: Option<usize>,
}

fn limits(args: &mut Args, place: usize) -> Result<TruncationLimits, OpError> {
    let Limits { max_lines, max_bytes } = args.parse::<Option<Limits>>(place)?.unwrap_or_default();
    let usual = TruncationLimits::default();
    Ok(TruncationLimits { lines: max_lines.unwrap_or(usual.lines), bytes: max_bytes.unwrap_or(usual.bytes) })
}

fn add_limits(ops: &mut Ops<'_>) {
    ops.sync("text.truncateHead", |_, _, mut args| as_json(&truncate_head(&args.text(0)?, limits(&mut args, 1)?)));
    ops.sync("text.truncateTail", |_, _, mut args| as_json(&truncate_tail(&args.text(0)?, limits(&mut args, 1)?)));
    ops.sync("text.truncateLine", |_, _, mut args| {
        let (text, was_truncated) = truncate_line(&args.text(0)?, args.parse(1)?);
        Ok(json!({"text": text, "wasTruncated": was_truncated}).into())
    });
    ops.sync("text.formatSize", |_, _, mut args| Ok(format_size(args.parse::<f64>(0)? as usize).into()));
    ops.sync("text.diff", |_, _, mut args| {
        let (old, new) = (args.text(0)?, args.text(1)?);
        let diff = match args.parse::<Option<usize>>(2)? {
            Some(context) => display_diff_within(&old, &new, context),
            None => display_diff(&old, &new),
        };
        Ok(json!({"diff": diff.text, "firstChangedLine": diff.first_changed_line}).into())
    });
    ops.sync("text.patch", |_, _, mut args| Ok(unified_patch(&args.text(0)?, &args.text(1)?, &args.text(2)?).into()));
    ops.sync("text.frontmatter", |_, _, mut args| {
        let document = parse_document(&args.text(0)?).map_err(failed)?;
        Ok(json!({"frontmatter": document.head_json(), "body": document.body}).into())
    });
    ops.sync("text.skillBlock", |_, _, mut args| {
        let Some(block) = parse_skill_block(&args.text(0)?) else { return Ok(Data::Json(Value::Null)) };
        let SkillBlock { name, location, content, user_message } = block;
        let said = json!({"name": name, "location": location, "content": content});
        Ok(with(said, "userMessage", user_message).into())
    });
}

fn with(mut object: Value, name: &str, value: Option<String>) -> Value {
    if let Some(value) = value {
        object[name] = value.into();
    }
    object
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Places {
    cwd: Option<PathBuf>,
    agent_dir: Option<PathBuf>,
    skill_paths: Vec<PathBuf>,
    include_defaults: bool,
}

impl Places {
    fn resolved(&self, host: &ScriptHost) -> ResourcePlaces {
        let cwd = self.cwd.clone().unwrap_or_else(|| host.options.cwd.clone());
        ResourcePlaces {
            agent_dir: self.agent_dir.clone().unwrap_or_else(|| host.options.agent_dir.clone()),
            home: etcetera::home_dir().ok(),
            project_dir: cwd.join(pi_coding_agent::paths::PROJECT_DIR),
            cwd,
            trusted: true,
        }
    }
}

fn add_resources(ops: &mut Ops<'_>) {
    ops.sync("skills.load", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let said = args.parse::<Option<Places>>(0)?.unwrap_or_default();
        let places = said.resolved(host);
        let explicit: Vec<PathBuf> = said.skill_paths.iter().map(|path| places.cwd.join(path)).collect();
        Ok(found(&load_skills(&places, &ListedResources::default(), &explicit, said.include_defaults)).into())
    });
    ops.sync("skills.format", |_, _, mut args| {
        let said: Vec<ScriptSkill> = args.parse(0)?;
        let skills: Vec<Skill> = said.into_iter().map(ScriptSkill::skill).collect();
        // It is put behind other text.
        Ok(skill_listing(&skills).map_or_else(String::new, |text| format!("\n\n{text}")).into())
    });
    ops.sync("contextFiles.load", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let mut places = args.parse::<Option<Places>>(0)?.unwrap_or_default().resolved(host);
        // Asking for them is no trust in what they link to.
        places.trusted = host.session().is_some_and(|own| {
            own.store().read(|manager| manager.cwd() == places.cwd) && own.resources().places().trusted
        });
        let files = load_context_files(&places).items;
        let file = |file: pi_coding_agent::prompt::ContextFile| json!({"path": file.path, "content": file.content});
        Ok(Value::from(files.into_iter().map(file).collect::<Vec<_>>()).into())
    });
}

/// Skills, as scripts know them, and what was wrong with others.
pub(super) fn found(found: &Found<Skill>) -> Value {
    let skills: Vec<Value> = found.items.iter().map(skill_json).collect();
    json!({"skills": skills, "diagnostics": diagnostics_json(&found.diagnostics)})
}

/// What was wrong with resources.
pub(super) fn diagnostics_json(diagnostics: &[Diagnostic]) -> Vec<Value> {
    let one =
        |diagnostic: &Diagnostic| json!({"type": "warning", "message": diagnostic.message, "path": diagnostic.path});
    diagnostics.iter().map(one).collect()
}

/// A skill, as scripts know it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScriptSkill {
    name: String,
    #[serde(default)]
    description: String,
    file_path: PathBuf,
    #[serde(default)]
    disable_model_invocation: bool,
}

impl ScriptSkill {
    pub(super) fn skill(self) -> Skill {
        let Self { name, description, file_path: file, disable_model_invocation } = self;
        let path = file.to_string_lossy().into_owned();
        let (scope, origin) = (Scope::Temporary, SourceOrigin::TopLevel);
        let source = SourceInfo { path, source: "local".to_owned(), scope, origin, base_dir: None };
        Skill { name, description, file, disable_model_invocation, source }
    }
}
