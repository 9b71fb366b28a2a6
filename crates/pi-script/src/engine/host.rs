//! The `host` object: everything that scripts can ask, in the form in which the modules in `js/` ask it.

use std::rc::Rc;
use std::time::Instant;

use rquickjs::function::Rest;
use rquickjs::{Ctx, Function, Object, Value};

use super::message::Message;
use super::op_table::{Op, OpContext};
use super::report::ReportKind;
use super::values::{error_to_js, from_js, signalless};
use super::worker::WorkerState;
use crate::error::{Error, ScriptError};
use crate::op::{Args, Data, OpError, OpResult};

/// Makes the host object, runs the bootstrap with it, and returns its functions.
pub(super) fn install<'js>(ctx: &Ctx<'js>, state: &Rc<WorkerState>) -> rquickjs::Result<Object<'js>> {
    let host = Object::new(ctx.clone())?;
    describe(&host, state)?;
    add_calls(&host, state)?;
    add_timers(&host, state)?;
    add_reports(&host, state)?;
    crate::module::install_common_js(&host, &state.modules)?;
    crate::module::builtin_function(ctx, state.modules.builtins().bootstrap())?.call((host,))
}

/// Facts that do not change.
fn describe(host: &Object<'_>, state: &WorkerState) -> rquickjs::Result<()> {
    host.set("name", state.name.as_str())?;
    host.set("cwd", state.cwd.to_string_lossy().into_owned())?;
    host.set("pid", std::process::id())?;
    host.set(
        "platform",
        if cfg!(target_os = "macos") {
            "darwin"
        } else if cfg!(windows) {
            "win32"
        } else {
            std::env::consts::OS
        },
    )?;
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    host.set("arch", arch)
}

fn add_calls<'js>(host: &Object<'js>, state: &Rc<WorkerState>) -> rquickjs::Result<()> {
    let ctx = host.ctx();
    let shared = Rc::clone(state);
    let sync = move |ctx: Ctx<'js>, name: String, args: Rest<Value<'js>>| call_now(&shared, &ctx, &name, args.0);
    host.set("sync", Function::new(ctx.clone(), sync)?)?;
    let shared = Rc::clone(state);
    let start = move |ctx: Ctx<'js>, name: String, args: Rest<Value<'js>>| start(&shared, &ctx, &name, args.0);
    host.set("start", Function::new(ctx.clone(), start)?)?;
    let shared = Rc::clone(state);
    let cancel = move |op: u32| {
        if let Some(token) = shared.running.borrow().get(&op) {
            token.cancel();
        }
    };
    host.set("cancel", Function::new(ctx.clone(), cancel)?)?;
    let shared = Rc::clone(state);
    host.set("cancelledSignals", Function::new(ctx.clone(), move || shared.cancelled_signals())?)?;
    let shared = Rc::clone(state);
    let reply = move |ctx: Ctx<'js>, number: u32, is_ok: bool, value: Value<'js>, more: Rest<Value<'js>>| {
        shared.answer(number, outcome(&shared, &ctx, is_ok, value, more.0));
    };
    host.set("reply", Function::new(ctx.clone(), reply)?)
}

/// What a function of the script came to: one value, or with `more` a list.
fn outcome<'js>(
    state: &WorkerState,
    ctx: &Ctx<'js>,
    is_ok: bool,
    value: Value<'js>,
    more: Vec<Value<'js>>,
) -> Result<Data, Error> {
    if !is_ok {
        return Err(state.thrown(&value).into());
    }
    let is_list = !more.is_empty();
    let values = std::iter::once(value).chain(more).map(|value| from_js(ctx, value));
    let values: Result<Vec<Data>, _> = values.collect();
    let mut values = values.map_err(|error| Error::from(state.failure(ctx, error)))?;
    Ok(if is_list { Data::List(values) } else { values.pop().unwrap_or_default() })
}

fn call_now<'js>(
    state: &WorkerState,
    ctx: &Ctx<'js>,
    name: &str,
    args: Vec<Value<'js>>,
) -> rquickjs::Result<Value<'js>> {
    let args = arguments(ctx, args)?;
    let context = OpContext { engine: state.engine.clone(), cancel: state.stop.token.clone() };
    let result = permitted(state, name).and_then(|op| match op {
        Op::Sync(op) => state.bounds.outside(|| op(&context, args)),
        Op::Async(_) => Err(OpError::new(format!("{name} cannot be waited for"))),
    });
    match result {
        Ok(data) => signalless(ctx, data),
        Err(error) => Err(ctx.throw(error_to_js(ctx, &error)?)),
    }
}

/// Starts an operation on the program's runtime and returns its number; the bootstrap hears when it is done.
fn start<'js>(state: &WorkerState, ctx: &Ctx<'js>, name: &str, args: Vec<Value<'js>>) -> rquickjs::Result<u32> {
    let args = arguments(ctx, args)?;
    let number = state.number();
    let cancel = state.stop.token.child_token();
    let engine = state.engine.clone();
    let context = OpContext { engine: engine.clone(), cancel: cancel.clone() };
    match permitted(state, name) {
        Ok(Op::Async(op)) => {
            let work = op(context, args);
            state.running.borrow_mut().insert(number, cancel.clone());
            state.runtime.spawn(async move {
                let result = until_cancelled(work, cancel).await;
                engine.send(Message::Settle { op: number, result });
            });
        }
        Ok(Op::Sync(op)) => {
            let result = state.bounds.outside(|| op(&context, args));
            engine.send(Message::Settle { op: number, result });
        }
        Err(error) => engine.send(Message::Settle { op: number, result: Err(error) }),
    }
    Ok(number)
}

/// An operation that is given up ends at its next await.
async fn until_cancelled(
    work: futures::future::BoxFuture<'static, OpResult>,
    cancel: tokio_util::sync::CancellationToken,
) -> OpResult {
    tokio::select! {
        biased;
        result = work => result,
        () = cancel.cancelled() => Err(OpError::aborted()),
    }
}

fn permitted(state: &WorkerState, name: &str) -> Result<Op, OpError> {
    let Some((op, permission)) = state.ops.get(name) else {
        return Err(OpError::new(format!("There is no operation {name}")));
    };
    if let Some(needed) = permission {
        state.permissions.check(*needed, &state.name)?;
    }
    Ok(op.clone())
}

fn arguments<'js>(ctx: &Ctx<'js>, args: Vec<Value<'js>>) -> rquickjs::Result<Args> {
    Ok(Args(args.into_iter().map(|value| from_js(ctx, value)).collect::<Result<_, _>>()?))
}

fn add_timers<'js>(host: &Object<'js>, state: &Rc<WorkerState>) -> rquickjs::Result<()> {
    let ctx = host.ctx();
    let shared = Rc::clone(state);
    host.set(
        "setTimer",
        Function::new(ctx.clone(), move |delay: f64, repeats: bool| shared.timers.borrow_mut().set(delay, repeats))?,
    )?;
    let shared = Rc::clone(state);
    host.set("clearTimer", Function::new(ctx.clone(), move |id: u32| shared.timers.borrow_mut().clear(id))?)?;
    let began = Instant::now();
    host.set("uptime", Function::new(ctx.clone(), move || began.elapsed().as_secs_f64() * 1000.0)?)
}

fn add_reports<'js>(host: &Object<'js>, state: &Rc<WorkerState>) -> rquickjs::Result<()> {
    let ctx = host.ctx();
    let shared = Rc::clone(state);
    let log = move |level: String, text: String| {
        let message = shared.modules.in_source(&text);
        shared.report(ReportKind::Console, ScriptError { name: level, message, ..ScriptError::default() });
    };
    host.set("log", Function::new(ctx.clone(), log)?)?;
    let shared = Rc::clone(state);
    let uncaught = move |thrown: Value<'js>| {
        shared.report(ReportKind::Uncaught, shared.thrown(&thrown));
    };
    host.set("uncaught", Function::new(ctx.clone(), uncaught)?)?;
    let shared = Rc::clone(state);
    // `process.exit` ends the script, not the program.
    let exit = move |code: i32| shared.stop.request(&format!("It called process.exit({code})"));
    host.set("exit", Function::new(ctx.clone(), exit)?)
}
