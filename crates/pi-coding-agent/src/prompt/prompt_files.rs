//! `SYSTEM.md` and `APPEND_SYSTEM.md`, and the options that take their place.

use std::path::Path;

use super::source::{ResourcePlaces, read_text};

/// The texts that replace or extend the default system prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptFiles {
    /// Takes the place of the default prompt.
    pub custom: Option<String>,
    /// Follow the prompt, in order.
    pub append: Vec<String>,
}

impl PromptFiles {
    /// Resolves the options; where one is not given, the project's file counts if it is trusted, else the user's.
    pub fn load(places: &ResourcePlaces, custom: Option<&str>, append: &[String]) -> Self {
        let resolve = |text: &str| text_or_file(text, &places.cwd);
        let append_options: Vec<String> = append.iter().map(|text| resolve(text)).collect();
        Self {
            custom: custom.map(resolve).or_else(|| first_file(places, "SYSTEM.md")),
            append: if append.is_empty() {
                first_file(places, "APPEND_SYSTEM.md").into_iter().collect()
            } else {
                append_options
            },
        }
    }
}

/// The content of the file that `text` names, or `text` itself when it names none.
pub fn text_or_file(text: &str, cwd: &Path) -> String {
    // Joining also accepts absolute paths; an empty text would be the directory itself.
    let file = cwd.join(text);
    let content = if text.is_empty() || !file.is_file() { None } else { read_text(&file).ok() };
    content.unwrap_or_else(|| text.to_owned())
}

fn first_file(places: &ResourcePlaces, name: &str) -> Option<String> {
    let project = places.trusted.then(|| read_text(&places.project_dir.join(name)).ok()).flatten();
    project.or_else(|| read_text(&places.agent_dir.join(name)).ok())
}
