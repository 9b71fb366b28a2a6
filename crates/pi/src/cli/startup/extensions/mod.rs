//! Extensions from the side of the command line: which ones a run has, in which steps they are loaded, and what of that
//! ends the program. `flags` knows the options that they bring.

mod flags;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cli::grammar::args::Args;
use crate::cli::grammar::scan::CommandLine;
use pi_coding_agent::extension::{
    Earlier, Extension, ExtensionRunner, ExtensionSources, LoadError, LoadOptions, LoadReport, MakeExtension,
    load_sources,
};
use pi_coding_agent::packages::{ResolvedPackages, directory_resources};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{PackageResources, PromptResources, Scope, SourceOrigin};
use pi_coding_agent::tools::is_typographic_space;

/// Starts of values of `--extension` that are no paths.
const PACKAGE_SOURCES: &[&str] = &["npm:", "git:", "github:", "http:", "https:", "ssh:"];

/// The extensions of a run. They may be loaded in several steps, each with more resources than the one before; nothing is
/// loaded twice.
pub(in crate::cli) struct RunExtensions {
    sources: ExtensionSources,
    /// How many are the program's.
    of_program: usize,
    options: LoadOptions,
    report: Option<LoadReport>,
}

impl RunExtensions {
    /// Those of the program, and files that `make` turns into extensions. Nothing is looked at yet.
    pub(in crate::cli) fn new(program: Vec<Arc<dyn Extension>>, make: Arc<MakeExtension>) -> Self {
        let (of_program, options) = (program.len(), LoadOptions::default());
        Self { sources: ExtensionSources::with_files(program, make), of_program, options, report: None }
    }

    /// The same, whose handlers have this long.
    pub(in crate::cli) fn within(mut self, handler_timeout: Option<Duration>) -> Self {
        self.options.handler_timeout = handler_timeout;
        self
    }

    /// Files become extensions in this way from now on. For before the first load: what is loaded stays as it is.
    pub(in crate::cli) fn make_by(&mut self, make: Arc<MakeExtension>) {
        self.sources.make_by(make);
    }

    /// Adds one of the program, behind the others, for the next load.
    pub(in crate::cli) fn add(&mut self, extension: Arc<dyn Extension>) {
        self.of_program += 1;
        self.sources.add_of_program(extension);
    }

    /// Finds the files that the resources name; whether there are any.
    pub(in crate::cli) fn find(&mut self, resources: &PromptResources) -> bool {
        // Nothing else runs at the start, so that directories can be listed right here.
        self.sources.find(resources, Earlier::Stay);
        self.sources.extensions().len() > self.of_program
    }

    /// Loads what the resources name and is not loaded yet. Returns what the user should know of it.
    pub(in crate::cli) async fn load(&mut self, resources: &PromptResources) -> Vec<String> {
        self.find(resources);
        self.load_found().await
    }

    /// Loads what was found and is not loaded yet. Returns what the user should know of it.
    pub(in crate::cli) async fn load_found(&mut self) -> Vec<String> {
        let sources = self.sources.clone();
        let warnings = sources.warnings().to_vec();
        self.report = Some(match self.report.take() {
            Some(report) => report.go_on_with(sources).await,
            None => load_sources(sources, self.options.clone()).await,
        });
        warnings
    }

    /// Those of the program, before any file was looked for.
    pub(in crate::cli) fn of_program(&self) -> Vec<Arc<dyn Extension>> {
        self.sources.extensions()
    }

    /// Those that are loaded.
    pub(in crate::cli) fn runner(&self) -> Option<&Arc<ExtensionRunner>> {
        self.report.as_ref().map(|report| &report.runner)
    }

    /// Gives the extensions the options that are theirs; the others stay in `line`. Returns what ends the program, in
    /// order, and warnings: of failures that `is_warning` has words for.
    pub(in crate::cli) fn settle(
        &mut self,
        line: &mut CommandLine,
        is_warning: &mut dyn FnMut(&LoadError) -> Option<String>,
    ) -> Settled {
        let failures = self.report.as_mut().map(|report| std::mem::take(&mut report.errors)).unwrap_or_default();
        let mut settled = Settled::default();
        for failure in failures {
            match is_warning(&failure) {
                Some(warning) => settled.warnings.push(warning),
                None => settled.errors.push(load_error_text(&failure)),
            }
        }
        if let Some(report) = &self.report {
            settled.errors.extend(flags::set_flags(&report.runner, line));
        }
        settled
    }

    /// Their options, for `--help`.
    pub(in crate::cli) fn help(&self) -> String {
        self.runner().map_or_else(String::new, |runner| flags::help(runner))
    }

    /// The names of their options, without dashes.
    pub(in crate::cli) fn flag_names(&self) -> Vec<String> {
        let extensions = self.runner().into_iter().flat_map(|runner| runner.extensions());
        extensions.flat_map(|extension| extension.flags()).map(|flag| flag.name.clone()).collect()
    }

    /// Hands them over to the session.
    pub(in crate::cli) fn take_report(&mut self) -> LoadReport {
        self.report.take().unwrap_or_default()
    }
}

/// What came of loading.
#[derive(Debug, Default)]
pub(in crate::cli) struct Settled {
    /// What ends the program.
    pub(in crate::cli) errors: Vec<String>,
    /// What does not.
    pub(in crate::cli) warnings: Vec<String>,
}

fn load_error_text(LoadError { path, error }: &LoadError) -> String {
    format!("Failed to load extension \"{path}\": {error}")
}

/// The extensions that packages of the settings bring, by path, with what the user wrote to get them.
pub(in crate::cli) struct OfPackages(HashMap<String, String>);

/// Those of these resources. What an option names is not among them.
pub(in crate::cli) fn of_packages(resources: &PromptResources) -> OfPackages {
    let found = resources.extensions().items.iter();
    let packed = found.filter(|info| info.origin == SourceOrigin::Package && info.scope != Scope::Temporary);
    OfPackages(packed.map(|info| (info.path.clone(), info.source.clone())).collect())
}

impl OfPackages {
    /// The words for a failure of one of them.
    pub(in crate::cli) fn warning(&self, failure: &LoadError) -> Option<String> {
        let source = self.0.get(&failure.path)?;
        Some(format!(
            "{}. It is left out; pi update {source}, pi remove {source} or pi config may help",
            load_error_text(failure).trim_end_matches('.')
        ))
    }
}

/// The paths that `--extension` names, absolute.
pub(in crate::cli) fn paths_of(args: &Args, paths: &Paths) -> Vec<PathBuf> {
    let named = args.extension.iter().filter(|value| !is_package(value));
    named.map(|value| paths.resolve(&value.replace(is_typographic_space, " "))).collect()
}

/// The packages that `--extension` names.
pub(in crate::cli) fn packages(args: &Args) -> impl Iterator<Item = &str> {
    args.extension.iter().map(String::as_str).filter(|value| is_package(value))
}

/// What the directories that `--extension` names bring besides extensions.
pub(in crate::cli) fn directories(args: &Args, paths: &Paths) -> ResolvedPackages {
    let mut all = ResolvedPackages::default();
    for value in args.extension.iter().filter(|value| !is_package(value)) {
        let dir = paths.resolve(&value.replace(is_typographic_space, " "));
        if dir.is_dir() {
            let ResolvedPackages { packages, diagnostics } = directory_resources(value, &dir);
            all.packages.extend(packages);
            all.diagnostics.extend(diagnostics);
        }
    }
    all
}

/// The packages of a run, and the skills of directories: clients know these as named by an option.
pub(in crate::cli) fn with_skills_apart(packages: &[PackageResources]) -> (Vec<PackageResources>, Vec<PathBuf>) {
    let (mut packages, mut skills) = (packages.to_vec(), Vec::new());
    for package in packages.iter_mut().filter(|package| !is_package(&package.source)) {
        skills.append(&mut package.paths.skills);
    }
    (packages, skills)
}

fn is_package(value: &str) -> bool {
    PACKAGE_SOURCES.iter().any(|start| value.starts_with(start))
}
