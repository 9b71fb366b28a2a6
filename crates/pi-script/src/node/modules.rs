//! The modules by name.

/// Sources: `js/node/`, where `a/b` is the file `a_b.js`, and `js/internal/`.
const MODULES: &[(&str, &str)] = &[("internal/require", include_str!("../../js/internal/require.js"))];

/// The name under which the engine keeps a module of Node: with prefix. `None` if there is no such module.
pub(crate) fn module_name(specifier: &str) -> Option<String> {
    let bare = specifier.strip_prefix("node:").unwrap_or(specifier);
    source(bare).map(|_| format!("node:{bare}"))
}

/// Whether a name of the engine is that of a module of Node.
pub(crate) fn is_module(name: &str) -> bool {
    name.strip_prefix("node:").is_some_and(|bare| source(bare).is_some())
}

/// The source of a module, without prefix.
pub(crate) fn source(bare: &str) -> Option<&'static str> {
    MODULES.iter().find(|(name, _)| *name == bare).map(|(_, source)| *source)
}
