//! Built-in modules: what the module system asks of whoever brings them.

use super::compiled::Compiled;

/// The prefix of names under which engines keep built-in modules.
pub(super) const PREFIX: &str = "node:";

/// The source of a built-in module: the body of a CommonJS module with `host` in scope, or a function itself.
#[derive(Debug)]
pub(crate) struct Builtin {
    name: &'static str,
    source: &'static str,
    is_function: bool,
    compiled: Compiled,
}

impl Builtin {
    /// The body of a CommonJS module.
    pub(crate) fn module(name: &'static str, source: &'static str) -> Self {
        Self { name, source, is_function: false, compiled: Compiled::new() }
    }

    /// A function.
    pub(crate) fn function(name: &'static str, source: &'static str) -> Self {
        Self { is_function: true, ..Self::module(name, source) }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// An ES module that exports the function that it is.
    pub(super) fn as_module(&self) -> String {
        if self.is_function {
            return format!("export default {}", self.source);
        }
        // On one line with the beginning, so that lines count as in the file.
        format!("export default (function(host,require,module,exports){{{}\n}})", self.source)
    }
}

/// The built-in modules of an engine. Names are bare: without `node:`.
pub(crate) trait BuiltinModules: Send + Sync {
    /// The function that prepares the global object.
    fn bootstrap(&self) -> &'static Builtin;

    /// The source of a module.
    fn source(&self, bare: &str) -> Option<&'static Builtin>;

    /// Whether scripts can import it. The rest is for the modules themselves.
    fn is_public(&self, bare: &str) -> bool;

    /// Whether the name means a built-in module only with the prefix.
    fn needs_prefix(&self, bare: &str) -> bool;

    /// The names that a module exports, by their kinds, as JSON.
    fn names_of(&self, bare: &str) -> Option<&'static str>;

    /// All modules, as scripts list them.
    fn listed(&self) -> Vec<String>;
}

impl dyn BuiltinModules + '_ {
    /// The name under which engines keep the module that a script imports so: with prefix. `None` if there is none.
    pub(super) fn module_name(&self, specifier: &str) -> Option<String> {
        let prefixed = specifier.strip_prefix(PREFIX);
        let bare = prefixed.unwrap_or(specifier);
        let is_meant = prefixed.is_some() || !self.needs_prefix(bare);
        (is_meant && self.is_public(bare)).then(|| format!("{PREFIX}{bare}"))
    }

    /// Whether a name of the engine is that of a built-in module.
    pub(super) fn is_module(&self, name: &str) -> bool {
        name.strip_prefix(PREFIX).is_some_and(|bare| self.is_public(bare))
    }
}
