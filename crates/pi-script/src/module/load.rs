//! Gives the engine the modules that it asks for.

use std::path::Path;
use std::rc::Rc;

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Function, Module, Object, Value};

use super::Modules;
use super::common_js::quoted;
use super::graph;
use super::lenient;
use super::resolve::Manner;
use super::source::Source;

/// Makes a module one that awaits something itself. The engine takes one that only waits for what it imports to wait for
/// ever: who imports it once it has run is never told.
const WAIT: &str = "await 0;";

/// From specifiers to names.
pub(crate) struct NameResolver(pub(crate) Rc<Modules>);

impl Resolver for NameResolver {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        let found = self.0.finder.find(base, name, Manner::Import);
        let found = found.map_err(|message| Exception::throw_message(ctx, &message))?;
        Ok(lenient::between(&self.0, base, name, &found).unwrap_or_else(|| found.into_name()))
    }
}

/// From names to modules.
pub(crate) struct ModuleLoader(pub(crate) Rc<Modules>);

impl Loader for ModuleLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        self.0.loading.set(self.0.loading.get() + 1);
        let loaded = load(&self.0, ctx, name);
        self.0.loading.set(self.0.loading.get() - 1);
        loaded
    }
}

fn load<'js>(modules: &Modules, ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Module<'js, Declared>> {
    if let Some(provided) = modules.finder.table().get(name) {
        let module = provided.compiled.declare(ctx, name, || provided.source.to_string())?;
        let module = described(modules, ctx, name, module)?;
        if name == super::HOST {
            module.meta()?.set("host", modules.entry(ctx)?.get::<_, Value>("host")?)?;
        }
        return Ok(module);
    }
    if modules.builtins().is_module(name) {
        return face(modules, ctx, name);
    }
    if let Some(code) = lenient::source(modules, name) {
        return declare(modules, ctx, name, &code);
    }
    let source = modules.read(ctx, name)?;
    match source {
        Source::Module { code, positions, imports, awaits } => {
            modules.remember(name, positions);
            modules.progress.borrow_mut().insert(name.to_owned(), false);
            let wait = if !awaits && graph::waits(modules, name, &imports.modules) { WAIT } else { "" };
            if !imports.names.is_empty() {
                modules.wanted.borrow_mut().insert(name.to_owned(), imports.names);
            }
            // Says that it has run to its end, see `graph`.
            declare(modules, ctx, name, &format!("{code}\n;{wait}import.meta.ran();"))
        }
        Source::Json(text) => {
            ctx.json_parse(text.as_str())?;
            declare(modules, ctx, name, &format!("export default JSON.parse({});", quoted(&text)))
        }
        Source::CommonJs { .. } => face(modules, ctx, name),
    }
}

/// A module that shows what a CommonJS module exports. That one is run now, for its names must be known.
fn face<'js>(modules: &Modules, ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Module<'js, Declared>> {
    let describe: Function = modules.entry(ctx)?.get("face")?;
    let face: Object = describe.call((name,))?;
    let module = declare(modules, ctx, name, &face.get::<_, String>("code")?)?;
    module.meta()?.set("value", face.get::<_, Value>("value")?)?;
    Ok(module)
}

fn declare<'js>(modules: &Modules, ctx: &Ctx<'js>, name: &str, code: &str) -> rquickjs::Result<Module<'js, Declared>> {
    let module = Module::declare(ctx.clone(), name, code)?;
    described(modules, ctx, name, module)
}

/// Adds what a module is told of itself.
fn described<'js>(
    modules: &Modules,
    ctx: &Ctx<'js>,
    name: &str,
    module: Module<'js, Declared>,
) -> rquickjs::Result<Module<'js, Declared>> {
    let meta = module.meta()?;
    let path = Path::new(name);
    if path.is_absolute() {
        let describe: Function = modules.entry(ctx)?.get("describe")?;
        describe.call::<_, ()>((meta, name))?;
    } else {
        meta.set("url", name)?;
    }
    Ok(module)
}
