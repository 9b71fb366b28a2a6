//! What was loaded for the session: a list of it, and the user's keys.

use std::rc::Rc;

use pi_coding_agent::host::FileKind;
use pi_coding_agent::host::json_file::read_object;
use pi_coding_agent::paths::Paths;
use pi_tui::keymap::{Keymap, action};

use super::app::App;
use super::chat::{NoteKind, Section, Sections};
use super::keys;

/// Reads the user's bindings of keys. What is wrong with them is returned: who draws everything again tells of it afterwards.
#[must_use]
pub(super) fn keys(app: &mut App) -> Vec<String> {
    let (keys, problems) = read_keys(&app.paths);
    app.keys = keys;
    app.shared.set_expand_key(app.keys.hint(keys::TOOLS_EXPAND));
    super::mirror::update_keys(app);
    problems
}

/// The keys in force, and what is wrong with those of the user.
pub(super) fn read_keys(paths: &Paths) -> (Keymap, Vec<String>) {
    let file = paths.agent_dir().join("keybindings.json");
    let (wanted, complaint) = match read_object(&file, FileKind::Settings) {
        Ok(wanted) => (wanted.unwrap_or_default(), None),
        Err(error) => (serde_json::Map::new(), Some(error.to_string())),
    };
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE, keys::ACTIONS], &wanted);
    let problems = problems.into_iter().map(|problem| format!("keybindings.json: {problem}"));
    (keys, complaint.into_iter().chain(problems).collect())
}

/// Lists what was loaded.
pub(super) fn resources(app: &mut App) {
    let resources = app.session.resources();
    let shared = Rc::clone(&app.shared);
    let mut sections = Vec::new();
    let mut add = |title: &str, names: Vec<String>, places: Vec<String>| {
        if !names.is_empty() {
            sections.push(Section { title: title.to_owned(), short: names.join(", "), long: places });
        }
    };
    let cwd = app.shared.cwd();
    let relative = |path: &std::path::Path| {
        path.strip_prefix(&cwd).map_or_else(|_| shared.shorten(path), |path| path.display().to_string())
    };
    let files = &resources.context_files().items;
    add(
        "Context",
        files.iter().map(|file| relative(&file.path)).collect(),
        files.iter().map(|file| shared.shorten(&file.path)).collect(),
    );
    let skills = &resources.skills().items;
    let mut names: Vec<String> = skills.iter().map(|skill| skill.name.clone()).collect();
    names.sort();
    add("Skills", names, skills.iter().map(|skill| shared.shorten(&skill.file)).collect());
    let templates = &resources.templates().items;
    let mut names: Vec<String> = templates.iter().map(|template| format!("/{}", template.name)).collect();
    names.sort();
    add("Prompts", names, templates.iter().map(|template| shared.shorten(template.source.path.as_ref())).collect());
    let failed = &app.extensions.failed_loads;
    let is_there = |path: &str| failed.iter().all(|(failed, _)| failed != path);
    let extensions: Vec<_> = resources.extensions().items.iter().filter(|source| is_there(&source.path)).collect();
    let mut names: Vec<String> = extensions.iter().map(|source| file_name(source.path.as_ref())).collect();
    names.sort();
    add("Extensions", names, extensions.iter().map(|source| shared.shorten(source.path.as_ref())).collect());
    let themes: Vec<_> = resources.themes().custom().cloned().collect();
    let names = themes.iter().map(|theme| theme.name().to_owned()).collect();
    let places =
        themes.iter().filter_map(|theme| theme.source()).map(|source| shared.shorten(source.path.as_ref())).collect();
    add("Themes", names, places);
    if !sections.is_empty() {
        let is_apart = app.transcript.document_mut().len() > usize::from(app.extensions.header.block.is_some());
        app.transcript.push_picture(Sections { sections, is_apart });
    }
}

/// Says what is wrong with the files that a start complains of before there is a screen.
pub(super) fn config_problems(app: &mut App) {
    let settings = app.settings().drain_problems();
    let models = app.session.models().registry().error();
    for problem in settings.iter().map(ToString::to_string).chain(models) {
        app.note(NoteKind::Warning, problem);
    }
}

/// Says what is wrong with what was loaded.
pub(super) fn problems(app: &mut App) {
    let resources = app.session.resources();
    let (skills, templates, themes) = (resources.skills(), resources.templates(), resources.themes());
    let all = skills.diagnostics.iter().chain(&templates.diagnostics).chain(themes.diagnostics());
    for problem in all.map(ToString::to_string).collect::<Vec<_>>() {
        app.note(NoteKind::Warning, problem);
    }
}

/// Says which commands of extensions cannot be called, because one of ours has their name.
pub(super) fn shadowed_commands(app: &mut App, ours: &[&str]) {
    let commands = app.session.extensions().runner().commands();
    for command in commands.iter().filter(|command| ours.contains(&command.invocation_name.as_str())) {
        let (name, path) = (&command.invocation_name, &command.source_info.path);
        let text = format!("The command /{name} of {path} cannot be called: the program has one of that name");
        app.note(NoteKind::Warning, text);
    }
}

fn file_name(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    // An entry of a directory says nothing, its directory does.
    match (name.as_str(), path.parent().and_then(std::path::Path::file_name)) {
        ("index.ts" | "index.js", Some(dir)) => dir.to_string_lossy().into_owned(),
        _ => name,
    }
}
