//! The modules of scripts: where imports lead (`resolve`, `table`), what files become (`source`, `transpile`), how the
//! engine gets them (`load`, `common_js`, `compiled`), and which line of the file a line of the translation was (`positions`, `stack`).

mod common_js;
mod compiled;
mod load;
mod positions;
mod resolve;
mod source;
mod stack;
mod table;
mod transpile;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) use common_js::{install as install_common_js, own_function};
pub(crate) use compiled::Compiled;
pub(crate) use load::{ModuleLoader, NameResolver};
use positions::Positions;
use resolve::Finder;
pub use table::ModuleTable;

/// What the parts of an engine that deal with modules share.
#[derive(Debug)]
pub(crate) struct Modules {
    finder: Finder,
    /// Of the files that were loaded, by name.
    positions: RefCell<HashMap<String, Positions>>,
    /// How many loads the engine is in the middle of; then it cannot be asked for another one.
    loading: Cell<usize>,
}

impl Modules {
    pub(crate) fn new(table: ModuleTable) -> Rc<Self> {
        Rc::new(Self { finder: Finder::new(table), positions: RefCell::default(), loading: Cell::new(0) })
    }

    fn remember(&self, name: &str, positions: Positions) {
        self.positions.borrow_mut().insert(name.to_owned(), positions);
    }
}
