//! Settings, trust, and what would be loaded from where.

use std::path::Path;

use super::examined::Examined;
use super::report::{Level, Section};
use pi_coding_agent::packages::{listed_packages, shown};
use pi_coding_agent::paths::PROJECT_DIR;
use pi_coding_agent::prompt::{Diagnostic, DiagnosticKind, Scope, SourceInfo};
use pi_coding_agent::settings::{ProjectTrust, SettingsScope};
use pi_coding_agent::theme::ThemeChoice;

/// Settings files, and values that cannot be used.
pub(super) fn settings(examined: &Examined) -> Section {
    let mut section = Section::new("Settings");
    for scope in [SettingsScope::Global, SettingsScope::Project] {
        let Some(file) = examined.settings.file(scope).filter(|file| file.exists()) else { continue };
        let shown = examined.shown(&file);
        if scope == SettingsScope::Project && !examined.trust.trusted {
            section.note(scope.as_str(), format!("{shown} is not read: the project is not trusted"));
        } else {
            section.ok(scope.as_str(), shown);
        }
    }
    let outer =
        examined.settings.resources().outer_projects().into_iter().map(|project| project.dir.join("settings.json"));
    for file in outer.filter(|file| file.exists()) {
        section.ok(SettingsScope::Project.as_str(), examined.shown(&file));
    }
    for problem in &examined.settings_problems {
        let remedy = "correct settings.json; the default is used instead";
        section.attention(problem.scope.as_str(), problem.message.clone(), remedy);
    }
    section
}

/// Whether the project counts, and why.
pub(super) fn trust(examined: &Examined) -> Section {
    let mut section = Section::new("Project");
    let trust = &examined.trust;
    let cwd = examined.paths.cwd();
    if let Some(error) = &trust.problem {
        let remedy = "repair trust.json; until then no project is trusted";
        section.attention("trust.json", error.to_string(), remedy);
    }
    let reason = match (trust.stored, examined.settings.default_project_trust()) {
        (Some(_), _) => "trust.json says so",
        (None, ProjectTrust::Always) => "defaultProjectTrust is always",
        (None, ProjectTrust::Never) => "defaultProjectTrust is never",
        (None, ProjectTrust::Ask) => "nobody decided about it",
    };
    let shown = examined.shown(cwd);
    if trust.subjects.is_empty() {
        section.ok(shown, "has nothing that needs trust");
    } else if trust.trusted {
        section.ok(shown, format!("trusted: {reason}"));
    } else {
        let file = examined.shown(&examined.paths.trust_file());
        let level = if trust.stored.is_some() { Level::Note } else { Level::Attention };
        let remedy = format!("--approve trusts it for one run; \"{}\": true in {file} for good", cwd.display());
        section.add(level, shown, format!("not trusted: {reason}"), Some(remedy));
        for subject in &trust.subjects {
            section.note("left out", examined.shown(subject));
        }
    }
    section
}

/// Everything that the system prompt and commands are made of.
pub(super) fn loaded(examined: &Examined) -> Section {
    let mut section = Section::new("Loaded");
    let resources = &examined.resources;
    let context = resources.context_files();
    for file in &context.items {
        section.ok("context", examined.shown(&file.path));
    }
    for (name, subject) in [("SYSTEM.md", "system prompt"), ("APPEND_SYSTEM.md", "added to the system prompt")] {
        prompt_file(name, subject, examined, &mut section);
    }
    for extension in &resources.extensions().items {
        section.ok("extension", origin(extension, examined));
    }
    for skill in &resources.skills().items {
        section.ok(format!("skill {}", skill.name), origin(&skill.source, examined));
    }
    for template in &resources.templates().items {
        section.ok(format!("template /{}", template.name), origin(&template.source, examined));
    }
    for theme in resources.themes().custom() {
        let source = theme.source().map_or_else(String::new, |source| origin(source, examined));
        section.ok(format!("theme {}", theme.name()), source);
    }
    let diagnostics = [
        &resources.prompt_files().diagnostics,
        &context.diagnostics,
        &resources.extensions().diagnostics,
        &resources.skills().diagnostics,
        &resources.templates().diagnostics,
        resources.themes().diagnostics(),
    ];
    diagnostics.into_iter().flatten().for_each(|diagnostic| complain(diagnostic, examined, &mut section));
    chosen_theme(examined, &mut section);
    packages(examined, &mut section);
    section
}

fn prompt_file(name: &str, subject: &str, examined: &Examined, section: &mut Section) {
    let outer = examined.settings.resources().outer_projects().into_iter().map(|project| project.dir);
    let project = std::iter::once(examined.paths.cwd().join(PROJECT_DIR)).chain(outer);
    let places = project.filter(|_| examined.trust.trusted).chain([examined.paths.agent_dir().to_owned()]);
    let file = places.map(|dir| dir.join(name)).find(|file| file.is_file());
    file.into_iter().for_each(|file| section.ok(subject, examined.shown(&file)));
}

fn origin(source: &SourceInfo, examined: &Examined) -> String {
    let whose = match source.scope {
        Scope::User => "user",
        Scope::Project => "project",
        Scope::Temporary => "this run",
    };
    let path = examined.shown(Path::new(&source.path));
    if source.source == "local" { format!("{path} ({whose}, settings)") } else { format!("{path} ({whose})") }
}

fn complain(diagnostic: &Diagnostic, examined: &Examined, section: &mut Section) {
    let path = examined.shown(&diagnostic.path);
    match diagnostic.kind {
        DiagnosticKind::Collision => section.note(path, diagnostic.message.clone()),
        DiagnosticKind::Warning | DiagnosticKind::Error | DiagnosticKind::Refused => {
            section.complaint(path, diagnostic.message.clone());
        }
    }
}

fn chosen_theme(examined: &Examined, section: &mut Section) {
    let Some(setting) = examined.settings.interface().theme_setting() else { return };
    for name in ThemeChoice::parse(&setting).names() {
        if let Err(error) = examined.resources.themes().get(name) {
            section.attention("theme", error.to_string(), "change the setting theme; dark is used instead");
        }
    }
}

/// The packages of the settings, and what is wrong with them.
fn packages(examined: &Examined, section: &mut Section) {
    let (listed, problems) = listed_packages(&examined.settings);
    for package in listed {
        let source = shown(package.text());
        match package.is_there() {
            true => section.ok("package", format!("{source} ({})", examined.shown(&package.dir))),
            false => section.attention(
                "package",
                format!("{source} is not installed"),
                "pi install installs it, pi remove removes it from the settings",
            ),
        }
    }
    for problem in problems {
        section.attention("package", problem.to_string(), "correct or remove it: packages in settings.json");
    }
}
