//! Resources that extensions add while they run. They come last: what was there under the same name counts.

use std::path::{Path, PathBuf};

use super::resources::PromptResources;
use super::skills::{Skill, load_skills};
use super::source::{DiagnosticKind, Found, ResourcePlaces, Scope, SourceInfo, SourceOrigin, text};
use super::templates::{PromptTemplate, load_templates};

/// What an extension added while it ran.
#[derive(Debug, Clone)]
pub struct ExtensionResources {
    /// Name of the extension, without its file's ending.
    pub name: String,
    /// Its directory.
    pub base_dir: PathBuf,
    /// Files and directories, absolute.
    pub paths: ResourcePaths,
}

/// Files and directories of each kind, absolute.
#[derive(Debug, Clone, Default)]
pub struct ResourcePaths {
    /// Extensions.
    pub extensions: Vec<PathBuf>,
    /// Skills.
    pub skills: Vec<PathBuf>,
    /// Prompt templates.
    pub prompts: Vec<PathBuf>,
    /// Themes.
    pub themes: Vec<PathBuf>,
}

impl PromptResources {
    /// The same with what an extension added while it ran, behind everything else. Everything is read anew.
    #[must_use]
    pub fn extended_by(&self, extension: ExtensionResources) -> Self {
        let mut extras = self.extras().to_vec();
        extras.push(extension);
        self.with_extras(extras)
    }
}

/// Adds the skills that extensions bring.
pub(super) fn add_skills(found: &mut Found<Skill>, extras: &[ExtensionResources], places: &ResourcePlaces) {
    for extra in extras {
        let more = load_skills(places, &extra.paths.skills, false);
        add(found, more, extra, "skill", |skill| (&skill.name, &mut skill.source));
    }
}

/// Adds the templates that extensions bring.
pub(super) fn add_templates(found: &mut Found<PromptTemplate>, extras: &[ExtensionResources], places: &ResourcePlaces) {
    for extra in extras {
        let more = load_templates(places, &extra.paths.prompts, false);
        add(found, more, extra, "prompt template", |template| (&template.name, &mut template.source));
    }
}

fn add<T>(
    found: &mut Found<T>,
    more: Found<T>,
    extra: &ExtensionResources,
    noun: &str,
    parts: impl Fn(&mut T) -> (&String, &mut SourceInfo),
) {
    found.diagnostics.extend(more.diagnostics);
    for mut item in more.items {
        let (name, source) = parts(&mut item);
        let name = name.clone();
        let taken = found.items.iter_mut().map(&parts).find(|(known, _)| **known == name);
        if let Some(first) = taken.map(|(_, source)| source.path.clone()) {
            if first != source.path {
                let message = format!("{noun} \"{name}\" is already defined by {first}");
                found.report(DiagnosticKind::Collision, Path::new(&source.path), message);
            }
            continue;
        }
        *source = SourceInfo {
            path: source.path.clone(),
            source: format!("extension:{}", extra.name),
            scope: Scope::Temporary,
            origin: SourceOrigin::TopLevel,
            base_dir: Some(text(&extra.base_dir)),
        };
        found.items.push(item);
    }
}
