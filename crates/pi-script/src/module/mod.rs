//! The modules of scripts: where imports lead (`resolve`, `table`; `builtin`: what an engine asks of built-in ones), what files become (`source`, `transpile`, on a stack
//! that `nesting` sizes), how the
//! engine gets them (`load`, `lenient`, `common_js`, `compiled`), what they say of each other (`imports`, `graph`), and which line of the file a line of the translation was
//! (`positions`, `stack`).

mod builtin;
mod common_js;
mod compiled;
mod graph;
mod imports;
mod lenient;
mod load;
mod nesting;
mod positions;
mod regular_files;
mod resolve;
mod source;
mod stack;
mod table;
mod transpile;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rquickjs::{Ctx, Exception, Object, Persistent};

pub(crate) use builtin::{Builtin, BuiltinModules};
pub(crate) use common_js::{builtin_function, install as install_common_js};
pub(crate) use load::{ModuleLoader, NameResolver};
use positions::Positions;
pub(crate) use resolve::Finder;
use source::Source;
pub use table::ModuleTable;

/// What the names of files end in that are code.
const CODE: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx"];

/// What modules of the program import to ask things of it: `host`. Scripts cannot.
const HOST: &str = "script:host";
/// The module of that name.
const HOST_SOURCE: &str = "export const{host}=import.meta;";

/// What the parts of an engine that deal with modules share.
#[derive(Debug)]
pub(crate) struct Modules {
    finder: Finder,
    /// Of the files that were loaded, by name.
    positions: RefCell<HashMap<String, Positions>>,
    /// How many loads the engine is in the middle of; then it can be asked only for what these do not wait for.
    loading: Cell<usize>,
    /// What the bootstrap returned: its functions, for nobody but the engine.
    entry: RefCell<Option<Persistent<Object<'static>>>>,
    /// Whether the script may read any file, and not only what belongs to it.
    may_read_files: bool,
    /// The directory of the first file that was loaded.
    home: OnceCell<PathBuf>,
    /// The ES modules that were read, and whether they have run to their end.
    progress: RefCell<HashMap<String, bool>>,
    /// The ES modules whose imports were followed, and whether they, or what they import, await something.
    waiting: RefCell<HashMap<String, bool>>,
    /// The names that files import of modules of the program, by file.
    wanted: RefCell<HashMap<String, imports::Names>>,
    /// What was read on the way and is not loaded yet.
    ahead: RefCell<HashMap<String, Source>>,
}

impl Modules {
    pub(crate) fn new(finder: Finder, may_read_files: bool) -> Rc<Self> {
        Rc::new(Self {
            finder,
            positions: RefCell::default(),
            loading: Cell::new(0),
            entry: RefCell::default(),
            may_read_files,
            home: OnceCell::new(),
            progress: RefCell::default(),
            waiting: RefCell::default(),
            wanted: RefCell::default(),
            ahead: RefCell::default(),
        })
    }

    /// The built-in modules.
    pub(crate) fn builtins(&self) -> &dyn BuiltinModules {
        self.finder.builtins()
    }

    /// Keeps what the bootstrap returned.
    pub(crate) fn keep<'js>(&self, ctx: &Ctx<'js>, entry: Object<'js>) {
        *self.entry.borrow_mut() = Some(Persistent::save(ctx, entry));
    }

    /// What the bootstrap returned.
    ///
    /// # Errors
    /// Before it ran, and once the engine ends.
    pub(crate) fn entry<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        let entry = self.entry.borrow().clone();
        entry.ok_or(rquickjs::Error::Unknown)?.restore(ctx)
    }

    /// Lets go of all values, before the engine ends.
    pub(crate) fn close(&self) {
        self.entry.borrow_mut().take();
    }

    fn remember(&self, name: &str, positions: Positions) {
        self.positions.borrow_mut().insert(name.to_owned(), positions);
    }

    /// Reads a file. Who may not read files may import code and data of its own, but nothing else: what is no code gives
    /// itself away by the error that it ends with.
    fn read(&self, ctx: &Ctx<'_>, name: &str) -> rquickjs::Result<Source> {
        let path = Path::new(name);
        let home = self.home.get_or_init(|| path.parent().unwrap_or(path).to_owned());
        let is_code = path.extension().is_some_and(|name| CODE.iter().any(|code| name == *code));
        let is_of_package = path.components().any(|part| part.as_os_str() == "node_modules");
        if !is_code && !self.may_read_files && !is_of_package && !path.starts_with(home) {
            let refused = format!("{name} lies outside of the extension, which is not allowed to use \"fs\"");
            return Err(throw_denied(ctx, &refused));
        }
        if let Some(source) = self.ahead.borrow_mut().remove(name) {
            return Ok(source);
        }
        if path.extension().is_some_and(|name| name == "node") {
            let reason =
                format!("{name} is a native add-on, which only Node itself can load: use a package in JavaScript");
            return Err(Exception::throw_message(ctx, &reason));
        }
        source::read(path).map_err(|error| Exception::throw_message(ctx, &error.to_string()))
    }
}

fn throw_denied(ctx: &Ctx<'_>, message: &str) -> rquickjs::Error {
    let made = Exception::from_message(ctx.clone(), message).and_then(|error| {
        error.as_object().set("code", "ERR_ACCESS_DENIED")?;
        Ok(error.into_value())
    });
    made.map_or_else(|error| error, |error| ctx.throw(error))
}
