//! Whether what was installed loads: its extensions are loaded once, as a run would, and let go again.

use super::scope::CommandScope;
use crate::cli::grammar::scan::CommandLine;
use crate::cli::startup::extensions::RunExtensions;
use crate::cli::startup::script_files;
use pi_coding_agent::extension::LoadError;
use pi_coding_agent::packages::{ListedPackage, temporary_resources};
use pi_coding_agent::prompt::{PromptResources, ResourceOptions, ResourcePlaces};

/// What a package turned out to bring.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// For example `1 extension, 2 skills`; empty where it brings nothing.
    pub(super) brings: String,
    /// What does not load.
    pub(super) failures: Vec<String>,
}

/// Looks through a package and loads its extensions.
pub(super) async fn of(package: &ListedPackage, place: &CommandScope) -> Trial {
    let packages = temporary_resources(package.text(), &package.dir).packages;
    let (paths, settings) = (place.paths(), &place.settings);
    let options = ResourceOptions {
        no_context_files: true,
        no_skills: true,
        no_prompt_templates: true,
        no_themes: true,
        no_extensions: true,
        packages,
        ..ResourceOptions::default()
    };
    let places = ResourcePlaces::of(paths, paths.cwd(), settings.is_project_trusted());
    let resources = PromptResources::new(places, options).with_listed(Default::default());
    let mut extensions = RunExtensions::new(Vec::new(), script_files::maker(settings, &place.host, &place.host.clock));
    extensions.load(&resources).await;
    let mut failures = Vec::new();
    let mut note = |failure: &LoadError| {
        failures.push(failure.to_string());
        Some(String::new())
    };
    extensions.settle(&mut CommandLine::default(), &mut note);
    let skills = resources.skills();
    failures.extend(skills.diagnostics.iter().map(ToString::to_string));
    let counts = [
        (resources.extensions().items.len(), "extension"),
        (skills.items.len(), "skill"),
        (resources.templates().items.len(), "prompt template"),
    ];
    let named = counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| match count {
        1 => format!("1 {name}"),
        many => format!("{many} {name}s"),
    });
    let trial = Trial { brings: named.collect::<Vec<_>>().join(", "), failures };
    // Before the runtime goes, whose tasks the scripts wait in.
    drop(extensions);
    trial
}
