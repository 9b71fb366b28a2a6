//! Prompt templates: Markdown files that `/name arguments` stands for.

use std::path::{Path, PathBuf};

use super::arguments::{split_arguments, substitute_arguments};
use super::frontmatter::parse_document;
use crate::config::settings::ResourceKind;
use crate::host::FileKind;
use crate::resources::locate::explicit::ListedResources;
use crate::resources::locate::search::{Located, Search, locate};
use crate::resources::locate::source::{
    DiagnosticKind, Found, Origin, ResourcePlaces, SourceInfo, file_name, is_same_file, read_text,
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

/// Finds the templates: the project's if it is trusted, the user's, those of packages, then the files and directories in
/// `explicit` (absolute), then those of extensions. With `discover` off only those for this run. The first template of a
/// name counts.
pub fn load_templates(
    places: &ResourcePlaces,
    listed: &ListedResources,
    explicit: &[PathBuf],
    discover: bool,
) -> Found<PromptTemplate> {
    let mut found = Found::default();
    let search = Search { kind: ResourceKind::Prompts, places, listed, explicit, discover };
    for Located { path, origin } in locate(search, &mut found) {
        load_file(&path, &origin, places, &mut found);
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

fn load_file(path: &Path, origin: &Origin, places: &ResourcePlaces, found: &mut Found<PromptTemplate>) {
    let Some(name) = file_name(path).map(|name| name.strip_suffix(".md").unwrap_or(name)) else { return };
    if let Some(first) = found.items.iter().find(|template| template.name == name) {
        let message = format!("prompt template \"{name}\" is already defined by {}", first.source.path);
        if !is_same_file(path, Path::new(&first.source.path)) {
            found.report(DiagnosticKind::Collision, path, message);
        }
        return;
    }
    let fence = places.fence_of(path, &origin.info(path));
    let text = match read_text(path, FileKind::Prompt, fence.as_ref()) {
        Ok(text) => text,
        Err(error) => return found.refuse(path, format!("prompt template skipped: {error}")),
    };
    match parse_document(&text) {
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
