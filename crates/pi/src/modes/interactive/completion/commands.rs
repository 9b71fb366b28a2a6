//! Names of commands: ours, then those of extensions, prompt templates and skills.

use pi_coding_agent::prompt::{CommandSource, Scope, SlashCommand, SourceInfo, SourceOrigin};
use pi_tui::fuzzy;
use pi_tui::widgets::completion::CompletionItem;

use super::super::app::App;
use super::super::commands::COMMANDS;

/// The commands whose names match, the best first.
pub(super) fn items(app: &App, prefix: &str) -> Vec<CompletionItem> {
    let all = all(app);
    let ranked = fuzzy::rank(prefix, &all, |item| &item.value);
    ranked.into_iter().filter_map(|index| all.get(index).cloned()).collect()
}

fn all(app: &App) -> Vec<CompletionItem> {
    let resources = app.session.resources();
    let hint = |name: &str| {
        let templates = &resources.templates().items;
        templates.iter().find(|template| template.name == name).and_then(|template| template.argument_hint.clone())
    };
    let has_skills = app.settings().resources().enable_skill_commands();
    // Ours come first: another command of the same name cannot be called.
    let is_callable = |command: &SlashCommand| {
        let is_shadowed = COMMANDS.iter().any(|ours| ours.name == command.name);
        !is_shadowed && (has_skills || command.source != CommandSource::Skill)
    };
    let ours =
        COMMANDS.iter().map(|command| item(command.name, described(command.argument(), Some(command.description))));
    let others = app.session.extensions().slash_commands().into_iter().filter(is_callable).map(|command| {
        let hint = (command.source == CommandSource::Prompt).then(|| hint(&command.name)).flatten();
        let text = described(hint.as_deref(), command.description.as_deref());
        item(&command.name, format!("{} {text}", tag(&command.source_info)).trim_end().to_owned())
    });
    ours.chain(others).collect()
}

fn item(name: &str, description: String) -> CompletionItem {
    CompletionItem { value: name.to_owned(), label: name.to_owned(), description: Some(description) }
}

/// What arguments a command takes, and what it does.
fn described(hint: Option<&str>, description: Option<&str>) -> String {
    let parts = [hint, description].into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" — ")
}

/// Whose a command is: the user's, the project's, or this run's; and the package it came in.
fn tag(source: &SourceInfo) -> String {
    let whose = match source.scope {
        Scope::User => "u",
        Scope::Project => "p",
        Scope::Temporary => "t",
    };
    match source.origin {
        SourceOrigin::Package => format!("[{whose}:{}]", source.source),
        SourceOrigin::TopLevel => format!("[{whose}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_tagged() {
        let info = |scope, origin, source: &str| SourceInfo {
            path: "/x".to_owned(),
            source: source.to_owned(),
            scope,
            origin,
            base_dir: None,
        };
        for (scope, origin, source, expected) in [
            (Scope::User, SourceOrigin::TopLevel, "auto", "[u]"),
            (Scope::Project, SourceOrigin::TopLevel, "local", "[p]"),
            (Scope::Temporary, SourceOrigin::TopLevel, "cli", "[t]"),
            (Scope::User, SourceOrigin::Package, "npm:tools", "[u:npm:tools]"),
        ] {
            assert_eq!(tag(&info(scope, origin, source)), expected);
        }
    }

    #[test]
    fn hints_come_before_descriptions() {
        assert_eq!(described(Some("<text>"), Some("Polishes")), "<text> — Polishes");
        assert_eq!(described(None, Some("Polishes")), "Polishes");
        assert_eq!(described(Some(""), None), "");
    }
}
