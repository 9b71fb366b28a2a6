//! The themes that there are: built-in ones, then those in files, the first of a name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::ThemeError;
use super::theme::Theme;
use crate::config::settings::ResourceKind;
use crate::resources::Error;
use crate::resources::locate::explicit::ListedResources;
use crate::resources::locate::search::{Located, Search, locate};
use crate::resources::locate::source::{Diagnostic, DiagnosticKind, Found, ResourcePlaces, is_same_file};

/// All themes of a run, by name.
#[derive(Debug)]
pub struct ThemeCatalog {
    /// Built-in ones first, then in order of precedence.
    themes: Vec<Arc<Theme>>,
    diagnostics: Vec<Diagnostic>,
}

impl Default for ThemeCatalog {
    /// The built-in ones.
    fn default() -> Self {
        Self { themes: vec![Arc::new(Theme::dark()), Arc::new(Theme::light())], diagnostics: Vec::new() }
    }
}

/// What is wrong with a file whose path stands before it anyway.
fn without_path(error: &Error, path: &Path) -> String {
    let text = error.to_string();
    let rest = text.strip_prefix(&*path.to_string_lossy()).filter(|rest| rest.starts_with(' '));
    rest.map_or_else(|| text.clone(), |rest| format!("it{rest}"))
}

impl ThemeCatalog {
    /// Finds and reads the themes: the project's if it is trusted, the user's, those of packages, then the files and
    /// directories in `explicit` (absolute), then those of extensions. With `discover` off only those for this run.
    pub fn load(places: &ResourcePlaces, listed: &ListedResources, explicit: &[PathBuf], discover: bool) -> Self {
        let mut catalog = Self::default();
        let mut found = Found::default();
        let search = Search { kind: ResourceKind::Themes, places, listed, explicit, discover };
        for Located { path, origin } in locate(search, &mut found) {
            match Theme::load(&path) {
                Ok(theme) => catalog.add(Theme { source: Some(origin.info(&path)), ..theme }, &path, &mut found),
                Err(Error::Theme(ThemeError::Invalid { problems, .. })) => {
                    found.warn(&path, format!("theme skipped: {}", problems.join("; ")));
                }
                Err(error) => found.warn(&path, format!("theme skipped: {}", without_path(&error, &path))),
            }
        }
        catalog.diagnostics = found.diagnostics;
        catalog
    }

    fn add(&mut self, theme: Theme, path: &Path, found: &mut Found<()>) {
        let name = theme.name();
        let Some(first) = self.find(name) else { return self.themes.push(Arc::new(theme)) };
        let first = first.source().map(|source| source.path.as_str());
        if first.is_none_or(|first| !is_same_file(path, Path::new(first))) {
            let by = first.unwrap_or("the program itself");
            let message = format!("theme \"{name}\" is already defined by {by}");
            found.report(DiagnosticKind::Collision, path, message);
        }
    }

    fn find(&self, name: &str) -> Option<&Arc<Theme>> {
        self.themes.iter().find(|theme| theme.name() == name)
    }

    /// Names of all themes, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.themes.iter().map(|theme| theme.name()).collect();
        names.sort_unstable();
        names
    }

    /// The theme of this name.
    ///
    /// # Errors
    /// [`ThemeError::Unknown`]; [`Theme::dark`] should be used then.
    pub fn get(&self, name: &str) -> Result<Arc<Theme>, ThemeError> {
        let unknown = || ThemeError::Unknown { name: name.to_owned(), names: self.names().join(", ") };
        self.find(name).cloned().ok_or_else(unknown)
    }

    /// The themes that are not built in, in order of precedence.
    pub fn custom(&self) -> impl Iterator<Item = &Arc<Theme>> {
        self.themes.iter().filter(|theme| theme.source().is_some())
    }

    /// What was wrong with files and their names.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}
