//! Extensions from the side of the command line: which ones a run has, in which steps they are loaded, and what of that
//! ends the program. `flags` knows the options that they bring.

mod flags;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::args::Args;
use super::scan::CommandLine;
use crate::extension::{
    Earlier, Extension, ExtensionRunner, ExtensionSources, LoadError, LoadOptions, LoadReport, MakeExtension,
    load_sources,
};
use crate::paths::Paths;
use crate::prompt::PromptResources;
use crate::tools::is_typographic_space;

/// Starts of values of `--extension` that are no paths.
const PACKAGE_SOURCES: &[&str] = &["npm:", "git:", "github:", "http:", "https:", "ssh:"];

/// The extensions of a run. They may be loaded in several steps, each with more resources than the one before; nothing is
/// loaded twice.
pub(super) struct RunExtensions {
    sources: ExtensionSources,
    options: LoadOptions,
    report: Option<LoadReport>,
}

impl RunExtensions {
    /// Those of the program, and files that `make` turns into extensions. Nothing is looked at yet.
    pub(super) fn new(program: Vec<Arc<dyn Extension>>, make: Arc<MakeExtension>) -> Self {
        Self { sources: ExtensionSources::with_files(program, make), options: LoadOptions::default(), report: None }
    }

    /// The same, whose handlers have this long.
    pub(super) fn within(mut self, handler_timeout: Option<Duration>) -> Self {
        self.options.handler_timeout = handler_timeout;
        self
    }

    /// Loads what the resources name and is not loaded yet. Returns what the user should know of it.
    pub(super) async fn load(&mut self, resources: &PromptResources) -> Vec<String> {
        // Nothing else runs at the start, so that directories can be listed right here.
        self.sources.find(resources, Earlier::Stay);
        let sources = self.sources.clone();
        let warnings = sources.warnings().to_vec();
        self.report = Some(match self.report.take() {
            Some(report) => report.go_on_with(sources).await,
            None => load_sources(sources, self.options.clone()).await,
        });
        warnings
    }

    /// Those that are loaded.
    pub(super) fn runner(&self) -> Option<&Arc<ExtensionRunner>> {
        self.report.as_ref().map(|report| &report.runner)
    }

    /// Gives the extensions the options that are theirs; the others stay in `line`. Returns what ends the program, in
    /// order.
    pub(super) fn settle(&mut self, line: &mut CommandLine) -> Vec<String> {
        let failures = self.report.as_mut().map(|report| std::mem::take(&mut report.errors)).unwrap_or_default();
        let say = |LoadError { path, error }| format!("Failed to load extension \"{path}\": {error}");
        let mut errors: Vec<String> = failures.into_iter().map(say).collect();
        if let Some(report) = &self.report {
            errors.extend(flags::set_flags(&report.runner, line));
        }
        errors
    }

    /// Their options, for `--help`.
    pub(super) fn help(&self) -> String {
        self.runner().map_or_else(String::new, |runner| flags::help(runner))
    }

    /// The names of their options, without dashes.
    pub(super) fn flag_names(&self) -> Vec<String> {
        let extensions = self.runner().into_iter().flat_map(|runner| runner.extensions());
        extensions.flat_map(|extension| extension.flags()).map(|flag| flag.name.clone()).collect()
    }

    /// Hands them over to the session.
    pub(super) fn take_report(&mut self) -> LoadReport {
        self.report.take().unwrap_or_default()
    }
}

/// The paths that `--extension` names, absolute.
pub(super) fn paths_of(args: &Args, paths: &Paths) -> Vec<PathBuf> {
    let named = args.extension.iter().filter(|value| !is_package(value));
    named.map(|value| paths.resolve(&value.replace(is_typographic_space, " "))).collect()
}

/// The packages that `--extension` names.
pub(super) fn packages(args: &Args) -> impl Iterator<Item = &str> {
    args.extension.iter().map(String::as_str).filter(|value| is_package(value))
}

fn is_package(value: &str) -> bool {
    PACKAGE_SOURCES.iter().any(|start| value.starts_with(start))
}
