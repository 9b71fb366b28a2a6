//! Where named links lead: `[name]: address`.

use std::collections::HashMap;
use std::sync::Arc;

use pulldown_cmark::Parser;

/// Definitions in the order in which they came. What came later is not applied to what stands before it.
#[derive(Debug, Clone, Default)]
pub(super) struct References {
    by_name: HashMap<String, (usize, Arc<str>)>,
}

impl References {
    /// How many are known.
    pub(super) fn count(&self) -> usize {
        self.by_name.len()
    }

    /// Adds those of a source, if there are any.
    pub(super) fn collect(&mut self, source: &str) {
        if !source.contains("]:") {
            return;
        }
        let parser = Parser::new_ext(source, super::tree::OPTIONS);
        for (name, definition) in parser.reference_definitions().iter() {
            let place = self.by_name.len();
            self.by_name.entry(folded(name)).or_insert_with(|| (place, Arc::from(definition.dest.as_ref())));
        }
    }

    /// The address of a name that was among the first so many.
    pub(super) fn find(&self, name: &str, known: usize) -> Option<&Arc<str>> {
        let (place, address) = self.by_name.get(&folded(name))?;
        (*place < known).then_some(address)
    }
}

fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
