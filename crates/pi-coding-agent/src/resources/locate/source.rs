//! Where resources are looked for, where one came from, and what was wrong with those that were left out.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::package_source::PackageSource;
use crate::host::paths::{PROJECT_DIR, Paths};
use crate::host::{self, FileKind, SymlinkGuard};

/// The directories that resources are looked for in.
#[derive(Debug, Clone)]
pub struct ResourcePlaces {
    /// The user's configuration directory.
    pub agent_dir: PathBuf,
    /// The user's home, for resources that programs share; `None` leaves those out.
    pub home: Option<PathBuf>,
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The project's configuration directory, normally `.pi` in the working directory.
    pub project_dir: PathBuf,
    /// Whether the user trusts the project. Without trust its resources are not even looked at.
    pub trusted: bool,
}

impl ResourcePlaces {
    /// Those of a working directory, absolute.
    pub fn of(paths: &Paths, cwd: &Path, trusted: bool) -> Self {
        Self {
            agent_dir: paths.agent_dir().to_owned(),
            home: paths.env().home(),
            cwd: cwd.to_owned(),
            project_dir: cwd.join(PROJECT_DIR),
            trusted,
        }
    }

    /// What text in the project's directory must not lead out of; `None` where the user trusts it.
    pub(crate) fn fence(&self) -> Option<SymlinkGuard> {
        (!self.trusted).then(|| SymlinkGuard::untrusted(&self.cwd, self.home.as_deref()))
    }

    /// What a file of this origin must not lead out of. The user's own links are followed.
    pub(crate) fn fence_of(&self, path: &Path, source: &SourceInfo) -> Option<SymlinkGuard> {
        match (source.origin, source.scope) {
            (SourceOrigin::TopLevel, Scope::Temporary) => self.fence().filter(|fence| fence.has_inside(path)),
            (SourceOrigin::TopLevel, _) => None,
            (SourceOrigin::Package, _) => {
                let is_remote = PackageSource::parse(&source.source).is_ok_and(|source| source.is_remote());
                let dir = source.base_dir.as_deref().filter(|_| is_remote)?;
                Some(SymlinkGuard::package(Path::new(dir)))
            }
        }
    }
}

/// Where a resource came from, as clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceInfo {
    /// The file.
    pub path: String,
    /// `auto` for discovered resources, `local` for those that an option or a setting names, what the user wrote to get it
    /// for those of a package, `extension:NAME` for those that an extension added; `cli` for extensions that an option
    /// names.
    pub source: String,
    /// Whose it is.
    pub scope: Scope,
    /// Whether it came in a package.
    pub origin: SourceOrigin,
    /// The directory that the resource belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_dir: Option<String>,
}

/// Whose a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The user's, in every project.
    User,
    /// The project's.
    Project,
    /// This run's.
    Temporary,
}

/// Whether a resource came in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceOrigin {
    /// It lies in a package.
    Package,
    /// It stands by itself.
    TopLevel,
}

/// A directory in which resources were found, with what that says about them.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    source: String,
    scope: Scope,
    origin: SourceOrigin,
    base_dir: PathBuf,
}

impl Origin {
    pub(in crate::resources) fn new(source: &str, scope: Scope, origin: SourceOrigin, base_dir: &Path) -> Self {
        Self { source: source.to_owned(), scope, origin, base_dir: base_dir.to_owned() }
    }

    /// Discovered below a configuration directory.
    pub(in crate::resources) fn auto(scope: Scope, base_dir: impl AsRef<Path>) -> Self {
        Self::new("auto", scope, SourceOrigin::TopLevel, base_dir.as_ref())
    }

    /// Listed in the settings in this directory.
    pub(in crate::resources) fn settings(scope: Scope, base_dir: &Path) -> Self {
        Self::new("local", scope, SourceOrigin::TopLevel, base_dir)
    }

    /// Named on the command line: a directory, or a file in it.
    pub(in crate::resources) fn explicit(path: &Path) -> Self {
        let base_dir = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        Self::new("local", Scope::Temporary, SourceOrigin::TopLevel, base_dir)
    }

    /// An extension that the command line names, or a directory of such.
    pub(in crate::resources) fn command_line(path: &Path) -> Self {
        Self { source: "cli".to_owned(), ..Self::explicit(path) }
    }

    /// The directory that the resources belong to.
    pub(in crate::resources) fn base_dir(&self) -> &Path {
        &self.base_dir
    }

    /// The information about one file.
    pub(crate) fn info(&self, path: &Path) -> SourceInfo {
        SourceInfo {
            path: text(path),
            source: self.source.clone(),
            scope: self.scope,
            origin: self.origin,
            base_dir: Some(text(&self.base_dir)),
        }
    }
}

/// A path as text; what is not Unicode is replaced.
pub(in crate::resources) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Something that a resource was refused or doubted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub kind: DiagnosticKind,
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// Worth knowing.
    Warning,
    /// The user asked for something that is not there.
    Error,
    /// The name was taken already; the first one counts.
    Collision,
    /// It could not be read, or must not be: it is missing from what the user takes for granted.
    Refused,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", host::plain_path(&self.path), host::plain(&self.message))
    }
}

/// Resources in order of precedence, and what was wrong with others.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// What was found; names are unique.
    pub items: Vec<T>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self { items: Vec::new(), diagnostics: Vec::new() }
    }
}

impl<T> Found<T> {
    pub(crate) fn report(&mut self, kind: DiagnosticKind, path: &Path, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic { kind, path: path.to_owned(), message: message.into() });
    }

    /// Something that could not be read.
    pub(crate) fn refuse(&mut self, path: &Path, message: impl Into<String>) {
        self.report(DiagnosticKind::Refused, path, message);
    }

    pub(crate) fn warn(&mut self, path: &Path, message: impl Into<String>) {
        self.report(DiagnosticKind::Warning, path, message);
    }
}

/// The visible entries of a directory, sorted by name; none when there is no such directory.
///
/// # Errors
/// When there is one that cannot be read, or that has too many.
pub(crate) fn sorted_entries(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = match host::list(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        paths => paths?,
    };
    paths.retain(|path| file_name(path).is_some_and(|name| !name.starts_with('.')));
    paths.sort();
    Ok(paths)
}

/// What is in a directory with this ending and no directory, sorted by name. Whether it is a file shows when it is read.
///
/// # Errors
/// Those of [`sorted_entries`].
pub(crate) fn files_ending_in(ending: &str, dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = sorted_entries(dir)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending) && !path.is_dir());
    Ok(paths)
}

/// The file name, if it is Unicode.
pub(crate) fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// Reads a file as text; what is not UTF-8 is replaced, and a byte order mark is dropped.
///
/// # Errors
/// Those of [`host::read_file`].
pub(crate) fn read_text(path: &Path, kind: FileKind, fence: Option<&SymlinkGuard>) -> std::io::Result<String> {
    host::read_file(path, kind, fence).map(|bytes| host::decoded(&bytes))
}

/// Whether both paths lead to one file, through links or not.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
}
