//! Modules that come with the program, compiled once for all engines of a process: to read what was compiled takes an engine
//! a fraction of the time that it takes to compile it.

use std::sync::OnceLock;

use rquickjs::context::intrinsic::{Eval, RegExpCompiler};
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::{Declared, WriteOptions};
use rquickjs::{Context, Ctx, Module, Runtime};

/// What a module was compiled to. Whoever needs it first compiles it, others wait for that.
#[derive(Debug)]
pub(crate) struct Compiled(OnceLock<Option<Box<[u8]>>>);

impl Compiled {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Declares the module in an engine. `source` must be the same for every call.
    pub(crate) fn declare<'js>(
        &self,
        ctx: &Ctx<'js>,
        name: &str,
        source: impl Fn() -> String,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        match self.0.get_or_init(|| compile(name, &source())) {
            Some(code) => read(ctx, code),
            // This says what is wrong with it.
            None => Module::declare(ctx.clone(), name, source()),
        }
    }
}

#[expect(unsafe_code, reason = "the engine cannot check what it is given to read")]
fn read<'js>(ctx: &Ctx<'js>, code: &[u8]) -> rquickjs::Result<Module<'js, Declared>> {
    // SAFETY: the same engine wrote it, in this process; nothing else can get at it.
    unsafe { Module::load(ctx.clone(), code) }
}

/// Compiles in an engine that is made for it: one that works would go on to what the module imports, and so to what another
/// thread compiles, which may wait for this one.
fn compile(name: &str, source: &str) -> Option<Box<[u8]>> {
    let runtime = Runtime::new().ok()?;
    runtime.set_loader(Anything, Anything);
    let context = Context::custom::<(Eval, RegExpCompiler)>(&runtime).ok()?;
    context.with(|ctx| {
        let module = Module::declare(ctx, name, source).ok()?;
        // Nobody asks for the text of a function of ours, but stack traces need lines.
        let options = WriteOptions { strip_source: true, ..WriteOptions::default() };
        module.write(options).ok().map(Vec::into_boxed_slice)
    })
}

/// Whatever is imported exists, and is empty: names are looked for when modules are linked, which these never are.
struct Anything;

impl Resolver for Anything {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        Ok(name.to_owned())
    }
}

impl Loader for Anything {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}
