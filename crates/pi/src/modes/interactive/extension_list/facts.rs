//! What is known of each extension.

use pi_coding_agent::extension::{ExtensionRunner, LoadedExtension, Registration};
use pi_coding_agent::prompt::SourceInfo;

use super::super::app::App;
use super::super::extension_slots::{ExtensionScreen, short_name};

/// An extension, or one that could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// How people call it.
    pub(super) name: String,
    /// The same in a few words.
    pub(super) summary: String,
    /// Whether something is wrong with it.
    pub(super) is_failed: bool,
    /// All there is to say: what about, and what.
    pub(super) facts: Vec<(&'static str, String)>,
}

/// The kinds of registrations, as they are titled and counted.
const KINDS: [(Registration, &str, &str); 8] = [
    (Registration::Tool, "Tools", "tool"),
    (Registration::Command, "Commands", "command"),
    (Registration::Shortcut, "Keys", "key"),
    (Registration::Flag, "Options", "option"),
    (Registration::MessageRenderer, "Draws messages", "renderer"),
    (Registration::EntryRenderer, "Draws entries", "renderer"),
    (Registration::MarkdownTransformer, "Transforms", "transformer"),
    (Registration::Handler, "Handles", "handler"),
];

/// All of them: those that are loaded in their order, then those that are not.
pub(super) fn gather(app: &App) -> Vec<Listed> {
    let runner = app.session.extensions().runner();
    // What is named in angle brackets is a part of the program.
    let others = runner.extensions().iter().filter(|extension| !extension.name().starts_with('<'));
    let loaded = others.map(|extension| loaded(extension, &runner, app));
    let unloaded = app.extensions.failed_loads.iter().map(|(path, problem)| failed(app, path, problem));
    let resources = app.session.resources();
    let found = resources.extensions().diagnostics.iter();
    let found = found.map(|found| failed(app, &found.path.to_string_lossy(), &found.message));
    loaded.chain(unloaded).chain(found).collect()
}

fn loaded(extension: &LoadedExtension, runner: &ExtensionRunner, app: &App) -> Listed {
    let owner = extension.name();
    let mut facts = vec![
        ("Path", app.shared.shorten(extension.source_info().path.as_ref())),
        ("Source", source(extension.source_info())),
    ];
    let mut counts: Vec<(usize, &str)> = Vec::new();
    let registrations = extension.registrations();
    for (kind, title, noun) in KINDS {
        let names: Vec<String> =
            registrations.iter().filter(|(of, _)| *of == kind).map(|(_, name)| shown(kind, name, owner, app)).collect();
        if names.is_empty() {
            continue;
        }
        facts.push((title, tallied(&names)));
        match counts.last_mut() {
            Some((count, last)) if *last == noun => *count += names.len(),
            _ => counts.push((names.len(), noun)),
        }
    }
    let lost = lost_tools(extension, runner);
    if !lost.is_empty() {
        facts.push(("Not used", format!("{}: another extension has tools of these names", lost.join(", "))));
    }
    facts.extend(places(&app.extensions, owner));
    if app.extensions.failed_transformers.contains(owner) {
        facts.push(("Failed", "It cannot transform Markdown".to_owned()));
    }
    let counts = counts.iter().map(|(count, noun)| format!("{count} {noun}{}", if *count == 1 { "" } else { "s" }));
    let summary = match counts.collect::<Vec<_>>().join(", ") {
        counts if counts.is_empty() => "registers nothing".to_owned(),
        counts => counts,
    };
    Listed { name: short_name(owner).to_owned(), summary, is_failed: false, facts }
}

fn failed(app: &App, path: &str, problem: &str) -> Listed {
    let facts = vec![("Path", app.shared.shorten(path.as_ref())), ("Problem", problem.to_owned())];
    Listed { name: short_name(path).to_owned(), summary: "not loaded".to_owned(), is_failed: true, facts }
}

fn source(info: &SourceInfo) -> String {
    let whose = serde_json::to_value(info.scope).ok().and_then(|scope| Some(scope.as_str()?.to_owned()));
    match whose {
        Some(whose) => format!("{} ({whose})", info.source),
        None => info.source.clone(),
    }
}

/// A registration as it is listed.
fn shown(kind: Registration, name: &str, owner: &str, app: &App) -> String {
    match kind {
        Registration::Command => format!("/{name}"),
        Registration::Flag => format!("--{name}"),
        Registration::MarkdownTransformer => "Markdown".to_owned(),
        Registration::Shortcut => {
            let mut bound = app.extensions.shortcuts.0.iter();
            let is_in_force = bound.any(|bound| bound.owner == owner && bound.shortcut.key == name);
            format!("{name}{}", if is_in_force { "" } else { " (not in force)" })
        }
        _ => name.to_owned(),
    }
}

/// Names one after the other; those that follow each other are counted.
fn tallied(names: &[String]) -> String {
    let parts = names.chunk_by(|one, other| one == other).map(|same| match same {
        [name] => name.clone(),
        same => format!("{} ×{}", same[0], same.len()),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Tools whose names an earlier extension has taken.
fn lost_tools(extension: &LoadedExtension, runner: &ExtensionRunner) -> Vec<String> {
    let earlier = runner.extensions().iter().take_while(|other| other.name() != extension.name());
    let taken: Vec<String> = earlier.flat_map(|other| other.tools()).map(|tool| tool.name().to_owned()).collect();
    let own = extension.tools().into_iter().map(|tool| tool.name().to_owned());
    own.filter(|name| taken.contains(name)).collect()
}

/// The places on the screen where it is shown, and those where another one is shown instead.
fn places(screen: &ExtensionScreen, owner: &str) -> Vec<(&'static str, String)> {
    let (mut held, mut hidden) = (Vec::new(), Vec::new());
    for (place, owners) in screen.holders() {
        match owners.last() {
            Some(shown) if *shown == owner => held.push(place),
            Some(shown) if owners.contains(&owner) => hidden.push(format!("{place}, by {}", short_name(shown))),
            _ => {}
        }
    }
    let facts = [("Shows", held.join(", ")), ("Hidden", hidden.join("; "))];
    facts.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_again_are_counted() {
        for (names, expected) in
            [(&["a"][..], "a"), (&["a", "b", "b", "c"], "a, b ×2, c"), (&["a", "a"], "a ×2"), (&[], "")]
        {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(tallied(&names), expected);
        }
    }
}
