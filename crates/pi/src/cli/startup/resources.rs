//! Resources and extensions of the directory that the session has.

use std::path::{Path, PathBuf};

use super::Startup;
use super::codemode;
use super::extensions;
use super::gate;
use super::listen;
use super::servers;
use crate::cli::pages;
use crate::modes::InitialPrompts;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::{LoadError, register_providers};
use pi_coding_agent::prompt::{DiagnosticKind, ListedResources, PromptResources, ResourceOptions, ResourcePlaces};

impl Startup {
    /// Loads the extensions of `cwd`, whose settings are in force, with their options and providers. What is wrong with them
    /// counts once something is to run. Returns the resources of that directory.
    pub(super) async fn load_extensions(&mut self, cwd: &Path) -> PromptResources {
        let resources = self.resources(cwd, self.settings.is_project_trusted());
        resources.listed().package_problems.iter().for_each(|problem| self.diagnostics.warning(problem));
        codemode::add(self);
        let has_files = self.extensions.find(&resources);
        servers::add(self, cwd, has_files);
        gate::add(self);
        listen::add(self);
        let warnings = self.extensions.load_found().await;
        warnings.iter().for_each(|warning| self.diagnostics.warning(warning));
        // A package is somebody else's: what is wrong with it must not keep the user from working.
        let of_packages = extensions::of_packages(&resources);
        let problems = self.extensions.settle(&mut self.line, &mut |failure| of_packages.warning(failure));
        problems.warnings.iter().for_each(|warning| self.diagnostics.warning(warning));
        let problems = problems.errors;
        // Whoever named one knows how to leave it out.
        let are_found = !self.line.args.no_extensions && self.line.args.extension.is_empty();
        let has_failed = problems.iter().any(|problem| problem.starts_with("Failed to load extension "));
        problems.into_iter().for_each(|problem| self.diagnostics.error(problem));
        if are_found && has_failed {
            self.diagnostics.note("To start without extensions: pi --no-extensions. To switch one off: pi config");
        }
        if let Some(runner) = self.extensions.runner() {
            for LoadError { path, error } in register_providers(runner, &self.models, &self.apis) {
                self.diagnostics.error(format!("Extension \"{path}\" error: {error}"));
            }
        }
        resources
    }

    /// What the command line and the settings say of the resources of `cwd`. Nothing is read.
    pub(super) fn resources(&self, cwd: &Path, trusted: bool) -> PromptResources {
        let places = ResourcePlaces::of(&self.paths, cwd, trusted);
        PromptResources::new(places, resource_options(self)).with_listed(ListedResources::of_settings(&self.settings))
    }

    /// The same of skills and prompt templates, where they were looked at or are about to be. Doubts about them are for
    /// `pi doctor`.
    pub(super) fn report_refused(&mut self, session: &AgentSession, prompts: &InitialPrompts) {
        let resources = session.resources();
        let templates =
            prompts.texts.iter().any(|text| text.starts_with('/')).then(|| &resources.templates().diagnostics);
        let skills = resources.skills_if_read().map(|skills| &skills.diagnostics);
        let refused = skills.into_iter().chain(templates).flatten();
        refused
            .filter(|diagnostic| diagnostic.kind == DiagnosticKind::Refused)
            .for_each(|diagnostic| self.diagnostics.warning(diagnostic));
    }

    /// Instructions that the user takes for granted must not be missing in silence.
    pub(super) fn report_unreadable(&mut self, resources: &PromptResources) {
        let prompts = &resources.prompt_files().diagnostics;
        let context = &resources.context_files().diagnostics;
        // Nothing is drawn yet, so only themes that were asked for are looked at.
        let themes = if self.line.args.theme.is_empty() { &[] } else { resources.themes().diagnostics() };
        prompts.iter().chain(context).chain(themes).for_each(|diagnostic| self.diagnostics.warning(diagnostic));
    }
}

/// What the command line says of resources, wherever the session is.
pub(super) fn resource_options(start: &Startup) -> ResourceOptions {
    let args = &start.line.args;
    let absolute = |paths: &[PathBuf]| -> Vec<PathBuf> {
        paths.iter().map(|path| start.paths.resolve(&path.to_string_lossy())).collect()
    };
    let (packages, skills) = extensions::with_skills_apart(&start.packages_of_run);
    ResourceOptions {
        system_prompt: args.system_prompt.clone(),
        append_system_prompt: args.append_system_prompt.clone(),
        skills: [absolute(&args.skill), skills].concat(),
        prompt_templates: absolute(&args.prompt_template),
        themes: absolute(&args.theme),
        extensions: extensions::paths_of(args, &start.paths),
        docs_command: pages::are_there().then(|| "pi docs".to_owned()),
        no_context_files: args.no_context_files,
        no_skills: args.no_skills,
        no_prompt_templates: args.no_prompt_templates,
        no_themes: args.no_themes,
        no_extensions: args.no_extensions,
        packages,
    }
}
