//! What a module imports, without running it.

use std::collections::HashSet;
use std::path::Path;

use super::Modules;
use super::resolve::{Manner, Resolved};
use super::source::{self, Source};

/// A module that is read but has not run, and that `name` is or imports, however indirectly. The engine may be in the
/// middle of it, and cannot link what leads there. `None` if there is none.
pub(super) fn unfinished(modules: &Modules, name: &str) -> Option<String> {
    let mut seen = HashSet::new();
    let mut waiting = vec![name.to_owned()];
    while let Some(name) = waiting.pop() {
        match modules.progress.borrow().get(&name) {
            Some(true) => continue,
            Some(false) => return Some(name),
            None => {}
        }
        // What cannot be read or found is said when it is loaded.
        let Ok(Source::Module { imports, .. }) = source::read(Path::new(&name)) else { continue };
        for specifier in imports {
            if let Ok(Resolved::File(path)) = modules.finder.find(&name, &specifier, Manner::Import) {
                let path = path.to_string_lossy().into_owned();
                if seen.insert(path.clone()) {
                    waiting.push(path);
                }
            }
        }
    }
    None
}
