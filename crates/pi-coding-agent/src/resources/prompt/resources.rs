//! Owns everything that the prompt is made of. Each kind is read when it is first asked for, and then kept.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::context_files::{ContextFile, load_context_files};
use super::prompt_files::PromptFiles;
use super::skills::{Skill, SkillReadError, expand_skill_call, load_skills};
use super::templates::{PromptTemplate, expand_template, load_templates};
use crate::config::settings::ResourceKind;
use crate::host::paths::PROJECT_DIR;
use crate::resources::locate::explicit::{ExtensionResources, ListedResources, PackageResources};
use crate::resources::locate::search::{Search, locate};
use crate::resources::locate::source::{Found, ResourcePlaces, Scope, SourceInfo};
use crate::resources::theme::ThemeCatalog;

/// What the command line says about resources.
#[derive(Debug, Clone, Default)]
pub struct ResourceOptions {
    /// Takes the place of the system prompt: text, or the name of a file.
    pub system_prompt: Option<String>,
    /// Added to the system prompt: texts, or names of files.
    pub append_system_prompt: Vec<String>,
    /// Files and directories of skills, absolute.
    pub skills: Vec<PathBuf>,
    /// Files and directories of prompt templates, absolute.
    pub prompt_templates: Vec<PathBuf>,
    /// Files and directories of themes, absolute.
    pub themes: Vec<PathBuf>,
    /// Files and directories of extensions, absolute.
    pub extensions: Vec<PathBuf>,
    /// The command that prints the program's documentation, for the model.
    pub docs_command: Option<String>,
    /// Leaves out context files.
    pub no_context_files: bool,
    /// Leaves out skills that no option names.
    pub no_skills: bool,
    /// Leaves out prompt templates that no option names.
    pub no_prompt_templates: bool,
    /// Leaves out themes that no option names.
    pub no_themes: bool,
    /// Leaves out extensions that no option names.
    pub no_extensions: bool,
    /// What the packages bring that are there for this run only.
    pub packages: Vec<PackageResources>,
}

/// The resources of one working directory. To reload them, make a new one.
#[doc(alias = "DefaultResourceLoader")]
#[derive(Debug)]
pub struct PromptResources {
    places: ResourcePlaces,
    options: ResourceOptions,
    /// Texts of the program, in place of those of the prompt files.
    texts: (Option<String>, Vec<String>),
    listed: ListedResources,
    /// Whether there are none, wherever it is.
    is_none: bool,
    prompt_files: OnceLock<PromptFiles>,
    context_files: OnceLock<Found<ContextFile>>,
    skills: OnceLock<Found<Skill>>,
    templates: OnceLock<Found<PromptTemplate>>,
    themes: OnceLock<ThemeCatalog>,
    extensions: OnceLock<Found<SourceInfo>>,
}

impl PromptResources {
    /// Names the places; nothing is read.
    pub fn new(places: ResourcePlaces, options: ResourceOptions) -> Self {
        Self {
            places,
            options,
            texts: Default::default(),
            listed: ListedResources::default(),
            is_none: false,
            prompt_files: OnceLock::new(),
            context_files: OnceLock::new(),
            skills: OnceLock::new(),
            templates: OnceLock::new(),
            themes: OnceLock::new(),
            extensions: OnceLock::new(),
        }
    }

    /// The same with what settings, packages and extensions list; nothing is read. Where there are no resources at all
    /// there are none of these either.
    #[must_use]
    pub fn with_listed(self, mut listed: ListedResources) -> Self {
        if self.is_none {
            return self;
        }
        if !self.options.packages.is_empty() {
            listed.packages.retain(|package| package.scope != Scope::Temporary);
            listed.packages.splice(0..0, self.options.packages.iter().cloned());
        }
        Self { listed, texts: self.texts, ..Self::new(self.places, self.options) }
    }

    /// The same with what an extension added while it ran, behind everything else. Everything is read anew.
    #[must_use]
    pub fn extended_by(&self, extension: ExtensionResources) -> Self {
        let (custom, append) = self.texts.clone();
        let again = match self.is_none {
            true => Self::none(&self.places.cwd),
            false => Self::new(self.places.clone(), self.options.clone()).with_listed(self.listed.clone()),
        };
        let mut again = again.with_texts(custom, append);
        if self.is_none {
            again = again.with_extension_files(&self.options.extensions, false);
        }
        again.listed.contributions.push(extension);
        again
    }

    /// No resources at all; no file is looked at.
    pub fn none(cwd: &Path) -> Self {
        let project_dir = cwd.join(PROJECT_DIR);
        let places =
            ResourcePlaces { agent_dir: PathBuf::new(), home: None, cwd: cwd.to_owned(), project_dir, trusted: false };
        Self {
            places,
            options: ResourceOptions::default(),
            texts: Default::default(),
            listed: ListedResources::default(),
            is_none: true,
            prompt_files: OnceLock::new(),
            context_files: OnceLock::from(Found::default()),
            skills: OnceLock::from(Found::default()),
            templates: OnceLock::from(Found::default()),
            themes: OnceLock::from(ThemeCatalog::default()),
            extensions: OnceLock::from(Found::default()),
        }
    }

    /// Exactly these: nothing is looked for in files.
    pub fn given(
        places: ResourcePlaces,
        context_files: Vec<ContextFile>,
        skills: Vec<Skill>,
        templates: Vec<PromptTemplate>,
    ) -> Self {
        fn found<T>(items: Vec<T>) -> OnceLock<Found<T>> {
            OnceLock::from(Found { items, diagnostics: Vec::new() })
        }
        let none = Self::none(&places.cwd);
        let (context_files, skills, templates) = (found(context_files), found(skills), found(templates));
        Self { places, context_files, skills, templates, ..none }
    }

    /// The same options in another working directory. `trusted` says whether the project there may be read. What was
    /// listed is left behind.
    #[must_use]
    pub(crate) fn moved_to(&self, cwd: &Path, trusted: bool) -> Self {
        let (custom, append) = self.texts.clone();
        if self.is_none {
            let none = Self::none(cwd).with_texts(custom, append);
            return none.with_extension_files(&self.options.extensions, false);
        }
        let project_dir = cwd.join(PROJECT_DIR);
        let places = ResourcePlaces { cwd: cwd.to_owned(), project_dir, trusted, ..self.places.clone() };
        Self::new(places, self.options.clone()).with_texts(custom, append)
    }

    /// The same with these texts, which are never names of files, in place of the default system prompt and behind it.
    /// What is not given stays as it was.
    #[must_use]
    pub fn with_texts(mut self, custom: Option<String>, append: Vec<String>) -> Self {
        self.texts = (custom, append);
        self.prompt_files = OnceLock::new();
        self
    }

    /// The same with these files of extensions, absolute, besides those of the options. `discover`: whether those count
    /// that nothing names; of no resources at all there are none.
    #[must_use]
    pub(crate) fn with_extension_files(mut self, files: &[PathBuf], discover: bool) -> Self {
        self.options.extensions.extend_from_slice(files);
        self.options.no_extensions |= self.is_none || !discover;
        self.extensions = OnceLock::new();
        self
    }

    /// Where resources are looked for.
    pub fn places(&self) -> &ResourcePlaces {
        &self.places
    }

    /// Texts that replace or extend the default system prompt.
    pub fn prompt_files(&self) -> &PromptFiles {
        self.prompt_files.get_or_init(|| {
            let mut files = match self.is_none {
                true => PromptFiles::default(),
                false => {
                    let options = &self.options;
                    let outer: Vec<PathBuf> = self.listed.outer.iter().map(|(dir, _)| dir.clone()).collect();
                    PromptFiles::load(
                        &self.places,
                        &outer,
                        options.system_prompt.as_deref(),
                        &options.append_system_prompt,
                    )
                }
            };
            let (custom, append) = self.texts.clone();
            files.custom = custom.or(files.custom);
            if !append.is_empty() {
                files.append = append;
            }
            files
        })
    }

    /// The command that prints the program's documentation.
    pub(crate) fn docs_command(&self) -> Option<&str> {
        self.options.docs_command.as_deref()
    }

    /// Instructions of the user and the project.
    pub fn context_files(&self) -> &Found<ContextFile> {
        self.context_files.get_or_init(|| match self.options.no_context_files {
            true => Found::default(),
            false => load_context_files(&self.places),
        })
    }

    /// Skills.
    pub fn skills(&self) -> &Found<Skill> {
        let (explicit, discover) = (&self.options.skills, !self.options.no_skills);
        self.skills.get_or_init(|| load_skills(&self.places, &self.listed, explicit, discover))
    }

    /// Skills, where something has asked for them.
    pub fn skills_if_read(&self) -> Option<&Found<Skill>> {
        self.skills.get()
    }

    /// Prompt templates.
    pub fn templates(&self) -> &Found<PromptTemplate> {
        let (explicit, discover) = (&self.options.prompt_templates, !self.options.no_prompt_templates);
        self.templates.get_or_init(|| load_templates(&self.places, &self.listed, explicit, discover))
    }

    /// Themes.
    pub fn themes(&self) -> &ThemeCatalog {
        let (explicit, discover) = (&self.options.themes, !self.options.no_themes);
        self.themes.get_or_init(|| ThemeCatalog::load(&self.places, &self.listed, explicit, discover))
    }

    /// What the settings list, and what packages bring.
    pub fn listed(&self) -> &ListedResources {
        &self.listed
    }

    /// The files of extensions, in order of precedence, each once. None of them is run here.
    pub fn extensions(&self) -> &Found<SourceInfo> {
        let (explicit, discover) = (&self.options.extensions, !self.options.no_extensions);
        self.extensions.get_or_init(|| find_extensions(&self.places, &self.listed, explicit, discover))
    }

    /// Expands skill commands and prompt templates in what the user typed. Text that does not begin with a slash
    /// costs nothing.
    ///
    /// # Errors
    /// A skill's file cannot be read any more; the text should then be sent as it is.
    pub fn expand(&self, text: &str) -> Result<String, SkillReadError> {
        if !text.starts_with('/') {
            return Ok(text.to_owned());
        }
        let skill = match text.strip_prefix("/skill:") {
            Some(call) => {
                expand_skill_call(call, &self.skills().items, |skill| self.places.fence_of(&skill.file, &skill.source))?
            }
            None => None,
        };
        let expanded = skill.or_else(|| expand_template(text, &self.templates().items));
        Ok(expanded.unwrap_or_else(|| text.to_owned()))
    }
}

fn find_extensions(
    places: &ResourcePlaces,
    listed: &ListedResources,
    explicit: &[PathBuf],
    discover: bool,
) -> Found<SourceInfo> {
    let mut found = Found::default();
    let search = Search { kind: ResourceKind::Extensions, places, listed, explicit, discover };
    let mut seen = HashSet::new();
    for file in locate(search, &mut found) {
        if seen.insert(fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone())) {
            let mut info = file.origin.info(&file.path);
            // Clients know it only of what was discovered and of packages.
            info.base_dir = info.base_dir.filter(|_| !["cli", "local"].contains(&&*info.source));
            found.items.push(info);
        }
    }
    found
}
