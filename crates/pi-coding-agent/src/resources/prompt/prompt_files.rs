//! `SYSTEM.md` and `APPEND_SYSTEM.md`, and the options that take their place.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::host::{self, FileKind, SymlinkGuard};
use crate::resources::locate::source::{Diagnostic, DiagnosticKind, ResourcePlaces, read_text};

/// The texts that replace or extend the default system prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptFiles {
    /// Takes the place of the default prompt.
    pub custom: Option<String>,
    /// Follow the prompt, in order.
    pub append: Vec<String>,
    /// Files that are there and cannot be read.
    pub diagnostics: Vec<Diagnostic>,
}

impl PromptFiles {
    /// Resolves the options; where one is not given, the project's file counts if it is trusted, else the user's.
    /// `outer` are the project's directories above, the nearest first.
    pub fn load(places: &ResourcePlaces, outer: &[PathBuf], custom: Option<&str>, append: &[String]) -> Self {
        let mut files = Self::default();
        files.custom = match custom {
            Some(text) => Some(files.text_or_file(text, places)),
            None => files.first_file(places, outer, "SYSTEM.md"),
        };
        files.append = match append {
            [] => files.first_file(places, outer, "APPEND_SYSTEM.md").into_iter().collect(),
            texts => texts.iter().map(|text| files.text_or_file(text, places)).collect(),
        };
        files
    }

    /// The content of the file that `text` names, or `text` itself when it names none.
    fn text_or_file(&mut self, text: &str, places: &ResourcePlaces) -> String {
        // An empty text would be the directory itself.
        if text.is_empty() {
            return String::new();
        }
        let path = places.cwd.join(text);
        if !host::has_entry(&path) {
            return text.to_owned();
        }
        let fence = places.fence().filter(|fence| fence.has_inside(&path));
        let content = self.read(&path, fence.as_ref(), "it is used as text instead");
        content.unwrap_or_else(|| text.to_owned())
    }

    fn first_file(&mut self, places: &ResourcePlaces, outer: &[PathBuf], name: &str) -> Option<String> {
        let without = "the system prompt goes without it";
        let project = std::iter::once(&places.project_dir).chain(outer).filter(|_| places.trusted);
        let files = project.chain([&places.agent_dir]).map(|dir| dir.join(name));
        files.filter(|file| host::has_entry(file)).find_map(|file| self.read(&file, None, without))
    }

    fn read(&mut self, path: &Path, fence: Option<&SymlinkGuard>, consequence: &str) -> Option<String> {
        let error = match read_text(path, FileKind::SystemPrompt, fence) {
            Ok(text) => return Some(text),
            Err(error) => error,
        };
        // A text is seldom a legal path.
        let is_absent = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
            || matches!(error.kind(), ErrorKind::InvalidFilename | ErrorKind::InvalidInput);
        let reason = match is_absent {
            true => host::dangling(path).map(|link| link.to_string()),
            false => Some(error.to_string()),
        };
        if let Some(reason) = reason {
            let message = format!("cannot read this prompt file ({reason}): {consequence}");
            self.diagnostics.push(Diagnostic { kind: DiagnosticKind::Warning, path: path.to_owned(), message });
        }
        None
    }
}
