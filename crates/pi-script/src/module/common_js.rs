//! CommonJS: what `require` needs of the engine. The rest of it is in `js/internal/require.js`.

use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Exception, Function, Module, Object, Value};

use super::Modules;
use super::builtin::{Builtin, PREFIX};
use super::graph;
use super::resolve::{Manner, Resolved};
use super::source::Source;

/// Adds `resolve`, `read`, `evaluate`, `evaluateText`, `own`, `has`, `nodeNames`, `nodeModules` and `importNow` to the host
/// object.
pub(crate) fn install<'js>(host: &Object<'js>, modules: &Rc<Modules>) -> rquickjs::Result<()> {
    let ctx = host.ctx().clone();
    let shared = Rc::clone(modules);
    host.set(
        "resolve",
        Function::new(ctx.clone(), move |ctx: Ctx<'js>, referrer: String, specifier: String, manner: String| {
            resolve(&shared, ctx, &referrer, &specifier, &manner)
        })?,
    )?;
    let shared = Rc::clone(modules);
    host.set("read", Function::new(ctx.clone(), move |ctx: Ctx<'js>, name: String| read(&shared, ctx, &name))?)?;
    host.set(
        "evaluate",
        Function::new(ctx.clone(), |ctx: Ctx<'js>, code: String, name: String| evaluate(&ctx, code, name))?,
    )?;
    add_builtins(host, modules)?;
    let shared = Rc::clone(modules);
    // What a script evaluates cannot pass for a module of the program.
    let text = move |ctx: Ctx<'js>, code: String, name: String| {
        let name = if shared.finder.is_own(&name) { "evalmachine.<anonymous>".to_owned() } else { name };
        evaluate(&ctx, code, name)
    };
    host.set("evaluateText", Function::new(ctx.clone(), text)?)?;
    let shared = Rc::clone(modules);
    let ran = move |name: String| {
        shared.progress.borrow_mut().insert(name, true);
    };
    host.set("ran", Function::new(ctx.clone(), ran)?)?;
    let shared = Rc::clone(modules);
    host.set("importNow", Function::new(ctx, move |ctx: Ctx<'js>, name: String| import_now(&shared, &ctx, &name))?)?;
    Ok(())
}

/// What the bootstrap asks of built-in modules.
fn add_builtins<'js>(host: &Object<'js>, modules: &Rc<Modules>) -> rquickjs::Result<()> {
    let ctx = host.ctx().clone();
    let shared = Rc::clone(modules);
    let own = move |ctx: Ctx<'js>, name: String| match shared.builtins().source(&name) {
        Some(builtin) => builtin_function(&ctx, builtin),
        None => Err(Exception::throw_message(&ctx, &format!("There is no module {name} of Node here"))),
    };
    host.set("own", Function::new(ctx.clone(), own)?)?;
    let shared = Rc::clone(modules);
    host.set("has", Function::new(ctx.clone(), move |name: String| shared.builtins().source(&name).is_some())?)?;
    let shared = Rc::clone(modules);
    host.set("nodeNames", Function::new(ctx.clone(), move |name: String| shared.builtins().names_of(&name))?)?;
    let shared = Rc::clone(modules);
    host.set("nodeModules", Function::new(ctx, move || shared.builtins().listed())?)
}

fn resolve<'js>(
    modules: &Modules,
    ctx: Ctx<'js>,
    referrer: &str,
    specifier: &str,
    manner: &str,
) -> rquickjs::Result<Object<'js>> {
    let manner = if manner == "require" { Manner::Require } else { Manner::Import };
    let found = modules.finder.find(referrer, specifier, manner);
    let found = found.map_err(|message| Exception::throw_message(&ctx, &message))?;
    let kind = match &found {
        Resolved::Provided(_) => "provided",
        Resolved::Node(_) => "node",
        Resolved::File(_) => "file",
    };
    let object = Object::new(ctx)?;
    object.set("kind", kind)?;
    object.set("name", found.into_name())?;
    Ok(object)
}

/// A file: `{kind, code}`; the code of CommonJS is an expression that makes a function.
fn read<'js>(modules: &Modules, ctx: Ctx<'js>, name: &str) -> rquickjs::Result<Object<'js>> {
    let source = modules.read(&ctx, name)?;
    let object = Object::new(ctx)?;
    match source {
        Source::Module { .. } => object.set("kind", "module")?,
        Source::Json(text) => {
            object.set("kind", "json")?;
            object.set("code", text)?;
        }
        Source::CommonJs { code, positions } => {
            modules.remember(name, positions);
            object.set("kind", "commonjs")?;
            object.set("code", format!("(function(exports,require,module,__filename,__dirname){{{code}\n}})"))?;
        }
    }
    Ok(object)
}

fn evaluate<'js>(ctx: &Ctx<'js>, code: String, name: String) -> rquickjs::Result<Value<'js>> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(name);
    ctx.eval_with_options(code, options)
}

/// The function that a built-in source is.
pub(crate) fn builtin_function<'js>(ctx: &Ctx<'js>, builtin: &Builtin) -> rquickjs::Result<Function<'js>> {
    // Compiled as a module that exports it, under a name that no import leads to.
    let name = format!("{PREFIX}lib/{}", builtin.name());
    let module = builtin.compiled().declare(ctx, &name, || builtin.as_module())?;
    let (module, done) = module.eval()?;
    done.finish::<()>()?;
    module.get("default")
}

/// An ES module for somebody who cannot wait: it must not await anything itself.
fn import_now<'js>(modules: &Modules, ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Object<'js>> {
    if modules.loading.get() > 0 {
        return import_while_loading(modules, ctx, name);
    }
    let promise = Module::import(ctx, name)?;
    while promise.state() == PromiseState::Pending && ctx.execute_pending_job() {}
    promise.result().unwrap_or_else(|| Err(awaits(ctx, name)))
}

/// The same in the middle of a load. No job may run then, for it could ask for what is being loaded; so a module that
/// imports the wanted one is evaluated, which happens at once.
fn import_while_loading<'js>(modules: &Modules, ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Object<'js>> {
    if let Some(unfinished) = graph::unfinished(modules, name) {
        let message = format!(
            "'{name}' is an ES module and is required while '{unfinished}', which it imports, is still being loaded; \
             import it instead"
        );
        return Err(Exception::throw_message(ctx, &message));
    }
    let code = format!("import * as it from {}; export default it;", quoted(name));
    let (module, done) = Module::declare(ctx.clone(), format!("script:required/{name}"), code)?.eval()?;
    done.result::<Value<'js>>().unwrap_or_else(|| Err(awaits(ctx, name)))?;
    module.get("default")
}

fn awaits(ctx: &Ctx<'_>, name: &str) -> rquickjs::Error {
    let message = format!("'{name}' awaits something while it is loaded; it can be imported, but not required");
    Exception::throw_message(ctx, &message)
}

/// A text as a literal of JavaScript.
pub(super) fn quoted(text: &str) -> String {
    let literal = serde_json::to_string(text).unwrap_or_default();
    literal.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
