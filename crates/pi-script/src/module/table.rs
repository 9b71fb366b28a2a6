//! Modules that come with the program, by the names under which scripts import them.

use std::collections::HashMap;
use std::sync::Arc;

use super::compiled::Compiled;

/// ES modules that need no file. Cloning is cheap.
#[derive(Debug, Clone, Default)]
pub struct ModuleTable {
    modules: Arc<HashMap<String, Provided>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Provided {
    /// The name under which it is loaded: one module however many names it has.
    pub(crate) name: String,
    pub(crate) source: Arc<str>,
    pub(crate) compiled: Arc<Compiled>,
    /// Only other modules of the program may import it.
    pub(crate) is_internal: bool,
}

impl ModuleTable {
    /// Adds a module that scripts may import by exactly this name.
    pub fn add(&mut self, name: &str, source: &str) {
        self.insert(name, source, false);
    }

    /// Adds a module that only other modules of this table, and the program, may import.
    pub fn add_internal(&mut self, name: &str, source: &str) {
        self.insert(name, source, true);
    }

    /// A further name of a module that is there.
    pub fn alias(&mut self, alias: &str, name: &str) {
        if let Some(module) = self.modules.get(name).cloned() {
            Arc::make_mut(&mut self.modules).insert(alias.to_owned(), module);
        }
    }

    fn insert(&mut self, name: &str, source: &str, is_internal: bool) {
        let module =
            Provided { name: name.to_owned(), source: source.into(), compiled: Arc::new(Compiled::new()), is_internal };
        Arc::make_mut(&mut self.modules).insert(name.to_owned(), module);
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Provided> {
        self.modules.get(name)
    }
}
