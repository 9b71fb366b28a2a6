//! Where the extensions of a session come from: the program, and files. Files are found here and not read; what is in
//! them is the matter of whoever turns them into extensions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::api::ExtensionApi;
use super::definition::Extension;
use super::load::LoadError;
use crate::config::settings::SettingsManager;
use crate::events::HandlerError;
use crate::resources::prompt::{DiagnosticKind, PromptResources, ResourcePlaces, SourceInfo};
use crate::session::SessionHost;

/// Turns a file into an extension, for sessions with these places. It must not read the file yet, nor start anything.
pub type MakeExtension = dyn Fn(&Path, SourceInfo, &ResourcePlaces) -> Arc<dyn Extension> + Send + Sync;

/// Turns files into extensions, as the user's settings allow: what a program that embeds pi gives its sessions, so that they
/// load extensions in files. `pi-script-extensions` has one for TypeScript and JavaScript.
pub trait ExtensionLoader: Send + Sync {
    /// How each file of sessions with these settings becomes an extension. `host` has the directories, environment, clock
    /// and ids that extensions get before there is a session.
    fn maker(&self, settings: &Arc<SettingsManager>, host: &SessionHost) -> Arc<MakeExtension>;
}

/// The loader of a program that has none: each file fails with that reason.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLoader;

impl ExtensionLoader for NoLoader {
    fn maker(&self, _: &Arc<SettingsManager>, _: &SessionHost) -> Arc<MakeExtension> {
        Arc::new(|path: &Path, source_info: SourceInfo, _: &ResourcePlaces| {
            Arc::new(NotLoadable { name: path.to_string_lossy().into_owned(), source_info })
        })
    }
}

struct NotLoadable {
    name: String,
    source_info: SourceInfo,
}

impl Extension for NotLoadable {
    fn name(&self) -> &str {
        &self.name
    }

    fn source_info(&self) -> SourceInfo {
        self.source_info.clone()
    }

    fn activate(&self, _: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        let reason = "This program cannot load extensions in files: it was built without a loader for them";
        async move { Err(HandlerError::new(reason)) }.boxed()
    }
}

/// The extensions of a session, and how they are found again.
///
/// A value that was found stays the same until somebody looks for all of them anew, so that what it keeps lives on when a
/// session is replaced by another one of the same directory.
#[derive(Clone, Default)]
pub struct ExtensionSources {
    /// Those that the program brings; they come last.
    program: Vec<Arc<dyn Extension>>,
    /// Absent: files are no extensions.
    make: Option<Arc<MakeExtension>>,
    found: Vec<FoundFile>,
    /// The working directory in which they were found.
    found_in: Option<PathBuf>,
    errors: Vec<LoadError>,
    warnings: Vec<String>,
}

/// An extension that was found.
#[derive(Clone)]
struct FoundFile {
    /// Its real path: it can be found under several names.
    real: PathBuf,
    extension: Arc<dyn Extension>,
}

/// What becomes of extensions that were found before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// They stay as they are, if they are still found.
    Stay,
    /// They are made anew, from the files as they are now.
    MadeAnew,
}

impl ExtensionSources {
    /// Extensions of the program, and no files.
    pub fn of_program(extensions: Vec<Arc<dyn Extension>>) -> Self {
        Self { program: extensions, ..Self::default() }
    }

    /// The same, and files that `make` turns into extensions, as far as they are found.
    pub fn with_files(extensions: Vec<Arc<dyn Extension>>, make: Arc<MakeExtension>) -> Self {
        Self { make: Some(make), ..Self::of_program(extensions) }
    }

    /// Files that are found from now on become extensions in this way.
    pub fn make_by(&mut self, make: Arc<MakeExtension>) {
        self.make = Some(make);
    }

    /// Adds one of the program, behind the others.
    pub fn add_of_program(&mut self, extension: Arc<dyn Extension>) {
        self.program.push(extension);
    }

    /// Takes up the files that these resources name. Blocks while directories are listed, unless they are no extensions.
    pub fn find(&mut self, resources: &PromptResources, earlier: Earlier) {
        let Some(make) = &self.make else { return };
        let known = match earlier {
            Earlier::Stay => std::mem::take(&mut self.found),
            Earlier::MadeAnew => Vec::new(),
        };
        let (places, found) = (resources.places(), resources.extensions());
        let extension = |info: &SourceInfo| {
            let path = Path::new(&info.path);
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let known = known.iter().find(|known| known.real == real);
            known.cloned().unwrap_or_else(|| FoundFile { real, extension: make(path, info.clone(), places) })
        };
        self.found = found.items.iter().map(extension).collect();
        self.found_in = Some(places.cwd.clone());
        let (errors, warnings): (Vec<_>, Vec<_>) =
            found.diagnostics.iter().partition(|diagnostic| diagnostic.kind == DiagnosticKind::Error);
        let error = |path: &Path, error: &str| LoadError { path: path.display().to_string(), error: error.to_owned() };
        self.errors = errors.iter().map(|diagnostic| error(&diagnostic.path, &diagnostic.message)).collect();
        self.warnings = warnings.iter().map(ToString::to_string).collect();
    }

    /// Whether those of this directory have not been looked for yet. Without files there is nothing to look for.
    pub(crate) fn are_elsewhere(&self, cwd: &Path) -> bool {
        self.make.is_some() && self.found_in.as_deref() != Some(cwd)
    }

    /// All of them, in the order in which they are loaded.
    pub fn extensions(&self) -> Vec<Arc<dyn Extension>> {
        self.found.iter().map(|found| &found.extension).chain(&self.program).cloned().collect()
    }

    /// Whether there is none now.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.program.is_empty()
    }

    /// What was asked for and is not there.
    pub(super) fn errors(&self) -> &[LoadError] {
        &self.errors
    }

    /// What the user should know about where extensions were looked for.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl std::fmt::Debug for ExtensionSources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.extensions().iter().map(|extension| extension.name().to_owned()).collect();
        f.debug_struct("ExtensionSources").field("extensions", &names).finish_non_exhaustive()
    }
}
