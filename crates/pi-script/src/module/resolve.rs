//! Where an import leads: a module of the program, one of Node's, or a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_resolver::{ResolveOptions, ResolverGeneric};

use super::builtin::{BuiltinModules, PREFIX};
use super::regular_files::{RegularFiles, refusal};
use super::table::ModuleTable;

/// Files that are tried for a name without extension, in this order.
const EXTENSIONS: &[&str] = &[".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// A module of the program.
    Provided(String),
    /// A module of Node, with the `node:` prefix.
    Node(String),
    /// A file.
    File(PathBuf),
}

impl Resolved {
    /// The name under which the engine keeps it.
    pub(crate) fn into_name(self) -> String {
        match self {
            Self::Provided(name) | Self::Node(name) => name,
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// How a module asks for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Import,
    Require,
}

type Resolver = ResolverGeneric<RegularFiles>;

/// Finds modules.
pub(crate) struct Finder {
    table: ModuleTable,
    builtins: Arc<dyn BuiltinModules>,
    /// Whether scripts can import anything.
    imports: bool,
    import: Resolver,
    require: Resolver,
}

impl Finder {
    pub(crate) fn new(mut table: ModuleTable, builtins: Arc<dyn BuiltinModules>, imports: bool) -> Self {
        table.add_internal(super::HOST, super::HOST_SOURCE);
        let import = Resolver::new(options("import"));
        let require = import.clone_with_options(options("require"));
        Self { table, builtins, imports, import, require }
    }

    pub(crate) fn table(&self) -> &ModuleTable {
        &self.table
    }

    pub(crate) fn builtins(&self) -> &dyn BuiltinModules {
        &*self.builtins
    }

    /// What `specifier` means in the module `referrer`.
    ///
    /// # Errors
    /// In words, with the way out.
    pub(crate) fn find(&self, referrer: &str, specifier: &str, manner: Manner) -> Result<Resolved, String> {
        if !self.imports && !self.is_own(referrer) {
            return Err(format!("Cannot import '{specifier}': scripts like this one import nothing"));
        }
        if let Some(module) = self.table.get(specifier) {
            return if module.is_internal && !self.is_own(referrer) {
                Err(not_found(referrer, specifier, "it belongs to the program itself"))
            } else {
                Ok(Resolved::Provided(module.name.clone()))
            };
        }
        if let Some(name) = self.builtins.module_name(specifier) {
            return Ok(Resolved::Node(name));
        }
        if specifier.starts_with(PREFIX) {
            return Err(not_found(referrer, specifier, "this program has no such module of Node"));
        }
        self.find_file(referrer, specifier, manner)
    }

    /// Whether this is the name of a module of the program or of this crate: no script can give itself such a name.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.table.get(name).is_some() || name.starts_with(PREFIX)
    }

    fn find_file(&self, referrer: &str, specifier: &str, manner: Manner) -> Result<Resolved, String> {
        let specifier = specifier.strip_prefix("file://").unwrap_or(specifier);
        let from = Path::new(referrer);
        let directory = from.parent().filter(|_| from.is_absolute()).unwrap_or(Path::new("/"));
        let resolver = match manner {
            Manner::Import => &self.import,
            Manner::Require => &self.require,
        };
        match resolver.resolve(directory, specifier) {
            Ok(found) => Ok(Resolved::File(found.into_path_buf())),
            Err(error) => Err(not_found(referrer, specifier, &self.reason(directory, specifier, &error))),
        }
    }

    fn reason(&self, directory: &Path, specifier: &str, error: &oxc_resolver::ResolveError) -> String {
        if specifier.starts_with('.') || specifier.starts_with('/') {
            // The resolver takes what is no file for nothing at all.
            return refusal(&directory.join(specifier))
                .map_or_else(|| error.to_string(), |refusal| refusal.to_string());
        }
        if !matches!(error, oxc_resolver::ResolveError::NotFound(_)) {
            return error.to_string();
        }
        let parts = if specifier.starts_with('@') { 2 } else { 1 };
        let package = specifier.split('/').take(parts).collect::<Vec<_>>().join("/");
        if self.table.get(&package).is_some() {
            // Installing it would bring a copy that knows nothing of this program.
            return format!("the program brings {package} itself, without this path; import from \"{package}\"");
        }
        format!(
            "no package of this name lies in node_modules there or above; run `npm install {package}` beside the extension"
        )
    }
}

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finder").field("table", &self.table).finish_non_exhaustive()
    }
}

fn not_found(referrer: &str, specifier: &str, reason: &str) -> String {
    format!("Cannot find module '{specifier}' imported from {referrer}: {reason}")
}

fn options(manner: &str) -> ResolveOptions {
    let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    ResolveOptions {
        condition_names: list(&["node", manner, "default"]),
        extensions: list(EXTENSIONS),
        extension_alias: vec![
            (".js".to_owned(), list(&[".js", ".ts", ".tsx"])),
            (".mjs".to_owned(), list(&[".mjs", ".mts"])),
            (".cjs".to_owned(), list(&[".cjs", ".cts"])),
            (".jsx".to_owned(), list(&[".jsx", ".tsx"])),
        ],
        main_fields: list(&["main"]),
        ..ResolveOptions::default()
    }
}
