//! Prompt templates: Markdown files that `/name arguments` stands for.

use std::path::{Path, PathBuf};

use super::arguments::{split_arguments, substitute_arguments};
use super::frontmatter::parse_document;
use super::source::{
    DiagnosticKind, Found, Origin, ResourcePlaces, Scope, SourceInfo, file_name, is_same_file, read_text,
    sorted_entries,
};

/// Length at which a description taken from the body is cut, in characters.
const DESCRIPTION_LENGTH: usize = 60;

/// A prompt template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate {
    /// What is typed after the slash: the file name without `.md`.
    pub name: String,
    /// For people; the first line of the body when the file gives none.
    pub description: String,
    /// What arguments are expected, for people.
    pub argument_hint: Option<String>,
    /// The text with its placeholders.
    pub content: String,
    /// Where it came from.
    pub source: SourceInfo,
}

/// Finds the templates: the project's if it is trusted, the user's, then the files and directories in `explicit`
/// (absolute). With `discover` off only the last.
pub fn load_templates(places: &ResourcePlaces, explicit: &[PathBuf], discover: bool) -> Found<PromptTemplate> {
    let mut found = Found::default();
    let mut roots = Vec::new();
    if discover && places.trusted {
        roots.push(Origin::auto(Scope::Project, &places.project_dir));
    }
    if discover {
        roots.push(Origin::auto(Scope::User, &places.agent_dir));
    }
    for origin in roots {
        load_directory(&origin.base_dir().join("prompts"), &origin, &mut found);
    }
    for path in explicit {
        load_explicit(path, &mut found);
    }
    found
}

/// Expands `/name arguments`; `None` when the text is no template call.
pub fn expand_template(text: &str, templates: &[PromptTemplate]) -> Option<String> {
    let call = text.strip_prefix('/')?;
    let (name, arguments) = call.split_once(char::is_whitespace).unwrap_or((call, ""));
    let template = templates.iter().find(|template| template.name == name)?;
    Some(substitute_arguments(&template.content, &split_arguments(arguments)))
}

fn load_explicit(path: &Path, found: &mut Found<PromptTemplate>) {
    let origin = Origin::explicit(path);
    if path.is_dir() {
        load_directory(path, &origin, found);
    } else if path.is_file() {
        load_file(path, &origin, found);
    } else {
        found.report(DiagnosticKind::Error, path, "Prompt template path does not exist");
    }
}

fn load_directory(dir: &Path, origin: &Origin, found: &mut Found<PromptTemplate>) {
    match sorted_entries(dir) {
        Ok(paths) => {
            let files = paths.iter().filter(|path| path.extension().is_some_and(|e| e == "md") && path.is_file());
            files.for_each(|path| load_file(path, origin, found));
        }
        Err(error) => found.warn(dir, format!("cannot list prompt templates: {error}")),
    }
}

fn load_file(path: &Path, origin: &Origin, found: &mut Found<PromptTemplate>) {
    let Some(name) = file_name(path).map(|name| name.strip_suffix(".md").unwrap_or(name)) else { return };
    if let Some(first) = found.items.iter().find(|template| template.name == name) {
        let message = format!("prompt template \"{name}\" is already defined by {}", first.source.path);
        if !is_same_file(path, Path::new(&first.source.path)) {
            found.report(DiagnosticKind::Collision, path, message);
        }
        return;
    }
    let document = read_text(path).map_err(|error| error.to_string());
    match document.and_then(|text| parse_document(&text).map_err(|error| error.to_string())) {
        Ok(document) => found.items.push(PromptTemplate {
            name: name.to_owned(),
            description: document.text("description").unwrap_or_else(|| first_line(&document.body)),
            argument_hint: document.text("argument-hint"),
            content: document.body,
            source: origin.info(path),
        }),
        Err(error) => found.warn(path, format!("prompt template skipped: {error}")),
    }
}

fn first_line(body: &str) -> String {
    let line = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match line.char_indices().nth(DESCRIPTION_LENGTH) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}
