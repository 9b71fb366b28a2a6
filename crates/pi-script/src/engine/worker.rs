//! The engine itself, on its thread: runs what it is sent, one message after the other, and then whatever that set off.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use rquickjs::function::Rest;
use rquickjs::{Context, Ctx, Function, Persistent, Runtime, Value};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::bounds::Bounds;
use super::handle::{Stop, WeakEngine};
use super::host;
use super::memory::CountingAllocator;
use super::message::{Message, Reply, Target};
use super::op_table::OpTable;
use super::options::{EngineOptions, ReportFn};
use super::platform::Provisions;
use super::report::{Report, ReportKind};
use super::signals::Signals;
use super::timers::Timers;
use super::values::{caught, described, error_to_js, signalless, to_js};
use crate::error::{Error, ScriptError};
use crate::module::{Finder, ModuleLoader, Modules, NameResolver};
use crate::op::{Data, OpResult, Permissions};

/// How many unhandled rejections are told of one by one, of those that come up at once.
const MOST_REJECTIONS: usize = 20;

/// What the thread holds, shared with the functions that scripts call.
pub(super) struct WorkerState {
    pub(super) name: String,
    pub(super) cwd: PathBuf,
    pub(super) bounds: Bounds,
    pub(super) permissions: Permissions,
    pub(super) ops: OpTable,
    pub(super) runtime: Handle,
    pub(super) engine: WeakEngine,
    pub(super) stop: Arc<Stop>,
    pub(super) modules: Rc<Modules>,
    pub(super) timers: RefCell<Timers>,
    /// Calls of the program that the script has not answered.
    pub(super) calls: RefCell<HashMap<u32, Pending>>,
    /// Operations that the script waits for.
    pub(super) running: RefCell<HashMap<u32, CancellationToken>>,
    pub(super) next_number: Cell<u32>,
    report: Arc<ReportFn>,
    /// Rejected promises that nobody has taken care of yet.
    rejected: RefCell<VecDeque<(Persistent<Value<'static>>, ScriptError)>>,
}

/// A call of the program.
pub(super) struct Pending {
    pub(super) reply: Option<Reply>,
    pub(super) signals: Signals,
}

/// The engine.
pub(super) struct Worker {
    state: Rc<WorkerState>,
    context: Context,
    runtime: Runtime,
}

impl Worker {
    pub(super) fn new(
        options: EngineOptions,
        runtime: Handle,
        stop: Arc<Stop>,
        engine: WeakEngine,
    ) -> Result<Self, Error> {
        let setup = |error: rquickjs::Error| Error::Setup(error.to_string());
        let EngineOptions {
            name,
            limits,
            permissions,
            platform,
            mut ops,
            modules,
            imports,
            cwd,
            fetch,
            terminal,
            on_report,
        } = options;
        platform.0.add_ops(&mut ops, Provisions { fetch, terminal });
        let state = Rc::new(WorkerState {
            name,
            cwd,
            bounds: Bounds::new(limits, Arc::clone(&stop)),
            permissions,
            ops,
            runtime,
            engine,
            stop,
            modules: Modules::new(Finder::new(modules, platform.0, imports), permissions.files),
            timers: RefCell::default(),
            calls: RefCell::default(),
            running: RefCell::default(),
            next_number: Cell::new(0),
            report: on_report,
            rejected: RefCell::default(),
        });
        let memory = CountingAllocator(Rc::clone(&state.bounds.memory));
        let runtime = Runtime::new_with_alloc(memory).map_err(setup)?;
        limit(&runtime, &state);
        let context = Context::full(&runtime).map_err(setup)?;
        let worker = Self { state, context, runtime };
        worker.boot()?;
        Ok(worker)
    }

    fn boot(&self) -> Result<(), Error> {
        let state = &self.state;
        let booted = self.enter(|ctx| {
            let entry = host::install(ctx, state)?;
            state.modules.keep(ctx, entry);
            Ok(())
        });
        booted.map_err(|error| Error::Setup(format!("{error} {}", error.stack.as_deref().unwrap_or_default())))
    }

    /// When the next timer is due.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        self.state.timers.borrow_mut().next()
    }

    /// Runs the timers that are due. One that is due again comes after the messages that wait.
    pub(super) fn run_timers(&self) {
        let now = Instant::now();
        while !self.state.bounds.is_over() {
            let Some(id) = self.state.timers.borrow_mut().take_due(now) else { break };
            self.run("timer", |ctx, function| {
                function.call::<_, ()>((id,))?;
                let _ = ctx;
                Ok(())
            });
        }
    }

    pub(super) fn handle(&self, message: Message) {
        match message {
            Message::Call { target, args, reply } => self.call(target, args, reply),
            Message::Settle { op, result } => self.settle(op, result),
            Message::Abort { signal } => self.run("abort", |_, function| function.call((signal,))),
            Message::Forget(callback) => self.run("forget", |_, function| function.call((callback.0,))),
            Message::Stop => {}
        }
    }

    fn call(&self, target: Target, args: Vec<Data>, reply: Option<Reply>) {
        let state = &self.state;
        let number = state.number();
        state.calls.borrow_mut().insert(number, Pending { reply, signals: Signals::default() });
        let outcome = self.enter(|ctx| {
            let signal = |token| state.signal(ctx, token, number);
            let args = args.into_iter().map(|data| to_js(ctx, data, &signal)).collect::<Result<_, _>>()?;
            match target {
                Target::Callback(callback) => {
                    state.function(ctx, "call")?.call::<_, ()>((callback.0, number, Rest(args)))
                }
                Target::Export { module, name } => {
                    state.function(ctx, "callExport")?.call::<_, ()>((module, name, number, Rest(args)))
                }
            }
        });
        if let Err(error) = outcome
            && !state.bounds.was_told_to_stop()
        {
            state.answer(number, Err(error.into()));
        }
    }

    fn settle(&self, op: u32, result: OpResult) {
        self.state.running.borrow_mut().remove(&op);
        self.run("settle", |ctx, function| {
            let made = match result {
                Ok(data) => signalless(ctx, data).map(|value| (true, value)),
                Err(error) => error_to_js(ctx, &error).map(|value| (false, value)),
            };
            // A result that cannot be had, for want of memory, is a failure of the operation.
            let (is_ok, value) = match made {
                Err(rquickjs::Error::Exception) => (false, ctx.catch()),
                made => made?,
            };
            function.call((op, is_ok, value))
        });
    }

    /// Calls a function of the bootstrap; what it throws is reported.
    fn run(&self, name: &str, work: impl for<'js> FnOnce(&Ctx<'js>, Function<'js>) -> rquickjs::Result<()>) {
        let outcome = self.enter(|ctx| work(ctx, self.state.function(ctx, name)?));
        if let Err(error) = outcome {
            self.state.report(ReportKind::Uncaught, error);
        }
    }

    /// Runs code, then the jobs that it left, and reports promises whose rejection nobody handles. Code that ran for too
    /// long was interrupted; if that happens too often, or in the jobs, the engine stops.
    fn enter<T>(&self, work: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<T>) -> Result<T, ScriptError> {
        let state = &self.state;
        state.bounds.begin();
        let interruptions = state.bounds.interruptions();
        let outcome = self.context.with(|ctx| work(&ctx).map_err(|error| state.failure(&ctx, error)));
        if let Err(error) = outcome.as_ref().map(drop)
            && state.bounds.interruptions() > interruptions
        {
            state.fail_calls(error);
        }
        self.run_jobs();
        state.bounds.end();
        self.take_stock();
        self.report_rejections();
        outcome
    }

    /// Tells of promises that nobody took care of; of very many only the first.
    fn report_rejections(&self) {
        if self.state.rejected.borrow().is_empty() {
            return;
        }
        let mut rejected: Vec<_> =
            self.context.with(|_| self.state.rejected.borrow_mut().drain(..).map(|(_, error)| error).collect());
        let more = rejected.len().saturating_sub(MOST_REJECTIONS);
        rejected.truncate(MOST_REJECTIONS);
        if more > 0 {
            rejected.push(ScriptError::new(format!("{more} more promises were rejected, and nobody handled that")));
        }
        for error in rejected {
            self.state.report(ReportKind::UnhandledRejection, self.state.bounds.explained(error));
        }
    }

    /// Looks after the memory. Where the engine could not even note what is to be done, answers are lost: whoever waits is
    /// told now.
    fn take_stock(&self) {
        let bounds = &self.state.bounds;
        if bounds.memory.take_loss() {
            self.state.fail_calls(&bounds.no_memory());
        }
        if bounds.memory.is_spent() {
            self.state.stop.request(&bounds.no_memory().message);
        } else if bounds.memory.is_short() {
            self.runtime.run_gc();
            bounds.memory.refill();
        }
    }

    fn run_jobs(&self) {
        while !self.state.bounds.is_over() {
            match self.runtime.execute_pending_job() {
                Ok(true) => {}
                Ok(false) => return,
                // Jobs report what they throw through their promises; only an interruption ends here. It leaves promises
                // behind that are never settled, so whoever waits is told now.
                Err(_) => {
                    let thrown = self.context.with(|ctx| self.state.thrown(&ctx.catch()));
                    self.state.end_calls(&thrown);
                }
            }
            // Jobs that set off further jobs for ever are interrupted once one of them is long enough for the engine to ask.
            // What ran out of memory is told of by `take_stock`.
            let bounds = &self.state.bounds;
            if !bounds.is_over() && bounds.is_long_overdue() && bounds.interrupts() {
                self.state.end_calls(&bounds.too_long());
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // What refers to values of the engine goes before the engine.
        self.context.with(|_| {
            self.state.modules.close();
            self.state.rejected.borrow_mut().clear();
        });
        let reason = self.state.stop.reason();
        for (_, mut pending) in self.state.calls.borrow_mut().drain() {
            if let Some(reply) = pending.reply.take() {
                reply.0(Err(Error::Stopped { reason: reason.clone() }));
            }
        }
    }
}

impl WorkerState {
    pub(super) fn number(&self) -> u32 {
        let number = self.next_number.get().wrapping_add(1);
        self.next_number.set(number);
        number
    }

    /// Answers a call of the program. Failures that nobody waits for are reported.
    pub(super) fn answer(&self, number: u32, outcome: Result<Data, Error>) {
        let Some(mut pending) = self.calls.borrow_mut().remove(&number) else { return };
        match (pending.reply.take(), outcome) {
            (Some(reply), outcome) => reply.0(outcome),
            (None, Err(Error::Script(error))) => self.report(ReportKind::Uncaught, error),
            (None, _) => {}
        }
    }

    /// Ends all calls of the program, or says what is wrong where there are none.
    fn end_calls(&self, error: &ScriptError) {
        if self.calls.borrow().is_empty() && !self.bounds.was_told_to_stop() {
            self.report(ReportKind::Uncaught, error.clone());
        }
        self.fail_calls(error);
    }

    /// Ends all calls of the program.
    fn fail_calls(&self, error: &ScriptError) {
        if self.bounds.was_told_to_stop() {
            return;
        }
        let numbers: Vec<u32> = self.calls.borrow().keys().copied().collect();
        for number in numbers {
            self.answer(number, Err(error.clone().into()));
        }
    }

    /// What was thrown, in words. Takes the exception from the engine.
    pub(super) fn failure(&self, ctx: &Ctx<'_>, error: rquickjs::Error) -> ScriptError {
        self.bounds.explained(caught(ctx, error, &self.modules))
    }

    /// A thrown value in words.
    pub(super) fn thrown(&self, thrown: &Value<'_>) -> ScriptError {
        self.bounds.explained(described(thrown, &self.modules))
    }

    pub(super) fn report(&self, kind: ReportKind, error: ScriptError) {
        (self.report)(Report { kind, error });
    }

    /// A function of the bootstrap.
    pub(super) fn function<'js>(&self, ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
        self.modules.entry(ctx)?.get(name)
    }

    fn track(&self, promise: &Value<'_>, reason: &Value<'_>, is_handled: bool) {
        let ctx = promise.ctx().clone();
        if is_handled {
            let same =
                |saved: &Persistent<Value<'static>>| saved.clone().restore(&ctx).is_ok_and(|saved| saved == *promise);
            let mut rejected = self.rejected.borrow_mut();
            // Who handles many of them mostly begins with the oldest.
            if let Some(place) = rejected.iter().position(|(saved, _)| same(saved)) {
                rejected.remove(place);
            }
        } else {
            let error = described(reason, &self.modules);
            self.rejected.borrow_mut().push_back((Persistent::save(&ctx, promise.clone()), error));
        }
    }
}

/// Sets the engine's limits and what it asks of us.
fn limit(runtime: &Runtime, state: &Rc<WorkerState>) {
    runtime.set_max_stack_size(state.bounds.limits.stack);
    let weak = Rc::downgrade(state);
    runtime
        .set_interrupt_handler(Some(Box::new(move || weak.upgrade().is_some_and(|state| state.bounds.interrupts()))));
    let weak = Rc::downgrade(state);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(move |_, promise, reason, is_handled| {
        if let Some(state) = weak.upgrade() {
            state.track(&promise, &reason, is_handled);
        }
    })));
    runtime.set_loader(NameResolver(Rc::clone(&state.modules)), ModuleLoader(Rc::clone(&state.modules)));
}
