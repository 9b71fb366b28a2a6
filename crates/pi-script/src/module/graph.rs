//! What a module imports, without running it.

use std::collections::{HashMap, HashSet};
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
        waiting.extend(files(modules, &name, &imports.modules).into_iter().filter(|path| seen.insert(path.clone())));
    }
    None
}

/// Whether a module that is about to be loaded imports one that awaits something, however indirectly. What is read for that
/// is kept until it is loaded.
pub(super) fn waits(modules: &Modules, name: &str, imports: &[String]) -> bool {
    if let Some(waits) = modules.waiting.borrow().get(name) {
        return *waits;
    }
    let walk = Walk::from(modules, name, imports);
    let mut waiting = modules.waiting.borrow_mut();
    waiting.extend(walk.seen.into_iter().map(|path| (path, false)));
    let mut reached = walk.awaiting;
    while let Some(path) = reached.pop() {
        waiting.insert(path.clone(), true);
        let importers = walk.importers.get(&path).into_iter().flatten();
        reached.extend(importers.filter(|importer| waiting.get(*importer) == Some(&false)).cloned());
    }
    waiting.get(name) == Some(&true)
}

/// The files that a module leads to and that were not followed before.
#[derive(Default)]
struct Walk {
    seen: HashSet<String>,
    importers: HashMap<String, Vec<String>>,
    /// Those that await something, or are known to wait.
    awaiting: Vec<String>,
}

impl Walk {
    fn from(modules: &Modules, name: &str, imports: &[String]) -> Self {
        let mut walk = Self::default();
        walk.seen.insert(name.to_owned());
        // What is left from a load that is over was not wanted, or is not what the file says by now.
        if modules.loading.get() <= 1 {
            modules.ahead.borrow_mut().clear();
        }
        let mut waiting = walk.follow(modules, name, imports);
        while let Some(path) = waiting.pop() {
            // What cannot be read is said when it is loaded.
            let kept = modules.ahead.borrow_mut().remove(&path);
            let Some(source) = kept.or_else(|| source::read(Path::new(&path)).ok()) else { continue };
            if let Source::Module { imports, awaits, .. } = &source {
                if *awaits {
                    walk.awaiting.push(path.clone());
                }
                waiting.extend(walk.follow(modules, &path, &imports.modules));
            }
            modules.ahead.borrow_mut().insert(path, source);
        }
        walk
    }

    /// Notes what a file imports; returns what of that was not seen yet.
    fn follow(&mut self, modules: &Modules, name: &str, imports: &[String]) -> Vec<String> {
        let mut fresh = Vec::new();
        for path in files(modules, name, imports) {
            self.importers.entry(path.clone()).or_default().push(name.to_owned());
            match modules.waiting.borrow().get(&path) {
                Some(true) => self.awaiting.push(path),
                Some(false) => {}
                None if self.seen.insert(path.clone()) => fresh.push(path),
                None => {}
            }
        }
        fresh
    }
}

/// The files among what a module imports.
fn files(modules: &Modules, name: &str, imports: &[String]) -> Vec<String> {
    let found = imports.iter().map(|specifier| modules.finder.find(name, specifier, Manner::Import));
    let files = found.filter_map(|found| match found {
        Ok(Resolved::File(path)) => Some(path.to_string_lossy().into_owned()),
        _ => None,
    });
    files.collect()
}
