//! Scripts that use up their memory or their stack: wherever that happens, it is told, and nothing waits for ever.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_script::{Data, Engine, EngineOptions, Error, Limits, OpTable, Report};

type Reports = Arc<Mutex<Vec<Report>>>;

/// Long enough for a slow machine; that an answer comes by itself is seen because the script's own time is longer still.
const PATIENCE: Duration = Duration::from_secs(60);

/// Statements that never end, and keep what they make.
const GROWTHS: &[(&str, &str)] = &[
    ("large texts", "all.push('x'.repeat(1 << 20) + all.length)"),
    ("small texts", "all.push('x' + all.length)"),
    ("one text", "all[0] = (all[0] ?? 'x').repeat(2)"),
    ("objects", "all.push({ number: all.length })"),
    ("a chain", "all[0] = { next: all[0] }"),
    ("numbers", "all.push(0.5)"),
    ("a map", "(all[0] ??= new Map()).set(all[0].size, {})"),
    ("cycles", "all.push(() => all)"),
    ("promises", "all.push(new Promise(() => {}))"),
    ("bytes", "all.push(new Uint8Array(1 << 16))"),
    ("errors", "all.push(new Error('one more'))"),
];

/// Where it happens: `GROW` stands for one step.
const PLACES: &[(&str, &str)] = &[
    ("sync", "export const run = () => { for (;;) { GROW } }"),
    ("async", "export const run = async () => { for (;;) { GROW } }"),
    ("after a pause", "export const run = async () => { await null; for (;;) { GROW } }"),
    (
        "after a timer",
        "export const run = async () => { await new Promise((go) => setTimeout(go, 1)); for (;;) { GROW } }",
    ),
    ("with pauses", "export const run = async () => { for (;;) { await null; GROW } }"),
    ("in a job", "export const run = () => Promise.resolve().then(() => { for (;;) { GROW } })"),
    (
        "in a job nobody handles",
        "export const run = () => new Promise(() => { Promise.resolve().then(() => { for (;;) { GROW } }) })",
    ),
    ("in a timer", "export const run = () => new Promise(() => { setTimeout(() => { for (;;) { GROW } }, 1) })"),
    ("in the answer", "export const run = () => ({ toJSON() { for (;;) { GROW } } })"),
    ("in a getter of the answer", "export const run = async () => ({ get field() { for (;;) { GROW } } })"),
    (
        "in an operation's argument",
        "import { host } from 'script:host'; export const run = () => host.async('take', { get field() { for (;;) { GROW } } })",
    ),
];

fn options(source: &str, megabytes: usize) -> (EngineOptions, Reports) {
    let reports = Reports::default();
    let sink = Arc::clone(&reports);
    let mut options = EngineOptions::new("exhausted");
    options.modules.add("app:test", source);
    options.limits = Limits { turn: 2 * PATIENCE, memory: megabytes << 20, ..Limits::default() };
    options.on_report = Arc::new(move |report| sink.lock().unwrap().push(report));
    options.ops = OpTable::default();
    options.ops.add_async("take", |_, _| async { Ok(Data::Undefined) });
    options.ops.add_async("large", |_, _| async { Ok(Data::Bytes(vec![1; 64 << 20])) });
    (options, reports)
}

/// What became of the call: its own end, or a report of what happened beside it.
async fn outcome(source: &str, megabytes: usize) -> String {
    let (options, reports) = options(source, megabytes);
    let engine = Engine::start(options).unwrap();
    let call = engine.call_export("app:test", "run", Vec::new());
    let reported = async {
        loop {
            let first = reports.lock().unwrap().first().cloned();
            match first {
                Some(Report { kind, error }) => return format!("{kind:?}: {error}"),
                None => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    tokio::select! {
        biased;
        ended = call => match ended {
            Err(Error::Script(error)) => error.message,
            other => format!("{other:?}"),
        },
        reported = reported => reported,
        () = tokio::time::sleep(PATIENCE) => "nothing".to_owned(),
    }
}

/// In a script that grows by `step`, in every place.
async fn told(growth: &str, step: &str, megabytes: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, source) in PLACES {
        let source = format!("const all = []; {}", source.replace("GROW", step));
        let said = outcome(&source, megabytes).await;
        if !said.ends_with(&format!("It needs more than {megabytes} MiB of memory")) {
            wrong.push(format!("{growth} {place}: {said}"));
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_without_memory_always_says_so() {
    // Of different sizes, so that it ends at different moments.
    let runs = GROWTHS
        .iter()
        .zip((6..9).cycle())
        .map(|((growth, step), megabytes)| tokio::spawn(told(growth, step, megabytes)));
    let wrong = futures::future::join_all(runs).await;
    let wrong: Vec<String> = wrong.into_iter().flat_map(Result::unwrap).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Functions that call themselves without end, wherever the engine calls functions of scripts.
const DESCENTS: &[(&str, &str)] = &[
    ("sync", "const down = (n) => down(n + 1) + 1; export const run = () => down(0)"),
    ("async", "const down = async (n) => (await down(n + 1)) + 1; export const run = () => down(0)"),
    ("after a pause", "const down = (n) => down(n + 1) + 1; export const run = async () => { await null; down(0) }"),
    ("in a job", "const down = (n) => down(n + 1) + 1; export const run = () => Promise.resolve(0).then(down)"),
    (
        "in a job nobody handles",
        "const down = (n) => down(n + 1) + 1; export const run = () => new Promise(() => { Promise.resolve(0).then(down) })",
    ),
    (
        "in a timer",
        "const down = (n) => down(n + 1) + 1; export const run = () => new Promise(() => { setTimeout(down, 1, 0) })",
    ),
    ("in a method of the answer", "export const run = () => ({ toJSON() { return this.toJSON() + 1 } })"),
    ("in a getter of the answer", "export const run = async () => ({ get field() { return this.field + 1 } })"),
    ("in a then of the answer", "export const run = () => ({ get then() { return this.then + 1 } })"),
    ("in a then of an awaited", "export const run = async () => { await { get then() { return this.then + 1 } } }"),
    (
        "in a proxy",
        "const answer = new Proxy({}, { get: (_, key, self) => self[key] + 1 }); export const run = () => answer.field",
    ),
    ("in a text", "const text = { toString() { return `${this}` } }; export const run = () => `${text}`"),
    (
        "in an argument",
        "import { host } from 'script:host'; export const run = () => host.async('take', { get field() { return this.field + 1 } })",
    ),
    (
        "in an answer too deep",
        "let deep = {}; for (let n = 0; n < 1e5; n++) deep = { deep }; export const run = () => deep",
    ),
    (
        "in a list too deep",
        "let deep = []; for (let n = 0; n < 1e5; n++) deep = [deep]; export const run = () => deep.toString()",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_script_without_stack_always_says_so() {
    let mut wrong = Vec::new();
    for (place, source) in DESCENTS {
        let said = outcome(source, 64).await;
        if !said.ends_with("Maximum call stack size exceeded") {
            wrong.push(format!("{place}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What goes wrong, and what the call ends with. The engine goes on after each.
const SURVIVED: &[(&str, &str)] = &[
    ("const all = []; for (;;) all.push({ n: all.length })", "It needs more than 16 MiB of memory"),
    (
        "const all = []; try { for (;;) all.push('x'.repeat(1 << 20) + all.length) } catch (error) { throw new Error(error.message) }",
        "out of memory",
    ),
    ("await host.async('large')", "It needs more than 16 MiB of memory"),
    ("await Promise.all([host.async('large'), new Promise(() => {})])", "It needs more than 16 MiB of memory"),
    ("new Uint8Array(1e9)", "It needs more than 16 MiB of memory"),
    ("const down = (n) => down(n + 1) + 1; down(0)", "Maximum call stack size exceeded"),
    (
        "let deep = {}; for (let n = 0; n < 1e3; n++) deep = { deep }; return deep",
        "It is nested too deeply: more than 127 levels. Flatten it, or pass it as JSON text",
    ),
    ("const ring = {}; ring.ring = ring; return ring", "circular reference"),
    ("return 1n", "BigInt are forbidden in JSON.stringify"),
    ("throw { toJSON() { throw new Error('unseen') } }", "[object Object]"),
    ("throw Symbol('sign')", "Symbol(sign)"),
    ("throw 1n", "1"),
    ("throw undefined", "undefined"),
    ("throw Object.create(null, { toJSON: { value: () => { throw 1 } } })", "something that has no words"),
    ("throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('hidden') } })", ""),
    (
        "throw new Proxy({}, { get() { throw new Error('trapped') }, ownKeys() { throw new Error('trapped') } })",
        "something that has no words",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_goes_on_after_whatever_was_thrown() {
    let cases: Vec<String> = SURVIVED.iter().map(|(body, _)| format!("async () => {{ {body} }}")).collect();
    let source = format!(
        "import {{ host }} from 'script:host'; const cases = [{}]; export const run = (n) => cases[n](); export const alive = () => 'alive'",
        cases.join(",\n")
    );
    let (options, reports) = options(&source, 16);
    let engine = Engine::start(options).unwrap();
    for (number, (body, expected)) in SURVIVED.iter().enumerate() {
        let ended = engine.call_export("app:test", "run", vec![serde_json::json!(number).into()]);
        let ended = tokio::time::timeout(PATIENCE, ended).await.unwrap_or_else(|_| Ok(Data::from("nothing")));
        assert_eq!(ended.unwrap_err().to_string(), *expected, "{body}");
        let alive = engine.call_export("app:test", "alive", Vec::new()).await.unwrap();
        assert_eq!(alive.into_text().as_deref(), Some("alive"), "{body}");
    }
    assert!(reports.lock().unwrap().is_empty(), "{:?}", reports.lock().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_are_cut_in_the_middle_of_a_character_pass() {
    let (options, _) = options(
        "export const run = () => ({ text: '\u{1F600}'.slice(0, 1) + '!', list: ['\\\\ud83d', '\u{1F600}'.slice(1), '\u{1F600}'] })",
        16,
    );
    let engine = Engine::start(options).unwrap();
    let found = engine.call_export("app:test", "run", Vec::new()).await.unwrap().into_json();
    assert_eq!(found, Some(serde_json::json!({"text": "\u{fffd}!", "list": ["\\ud83d", "\u{fffd}", "\u{1F600}"]})));
}

/// A promise that is settled twice counts once; a rejection that is handled too late is told of.
#[tokio::test(flavor = "multi_thread")]
async fn rejections_are_told_once_and_by_whom_they_concern() {
    for (source, expected) in [
        (
            "export const run = () => new Promise((yes, no) => { no(new Error('first')); yes(1); no(new Error('second')) })",
            "first",
        ),
        (
            "export const run = () => new Promise(() => { Promise.reject(new Error('nobody')) })",
            "UnhandledRejection: nobody",
        ),
        (
            "export const run = () => new Promise(() => { (async () => { await null; throw new Error('later') })() })",
            "UnhandledRejection: later",
        ),
        (
            "export const run = () => new Promise(() => { new Promise((_, no) => no(null)) })",
            "UnhandledRejection: null",
        ),
        (
            "export const run = () => new Promise(() => { Promise.reject(new Proxy({}, { get() { throw 1 } })) })",
            "UnhandledRejection: something that has no words",
        ),
        (
            "export const run = () => new Promise(() => { setTimeout(async () => { throw new Error('timed') }, 1) })",
            "UnhandledRejection: timed",
        ),
        (
            "export const run = () => new Promise(() => { queueMicrotask(() => { throw new Error('micro') }) })",
            "Uncaught: micro",
        ),
    ] {
        assert_eq!(outcome(source, 64).await, expected, "{source}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_rejections_are_told_of_in_one_line_and_handled_ones_not_at_all() {
    let (options, reports) = options(
        "export const run = async () => {
           await Promise.allSettled(Array.from({ length: 2e4 }, (_, n) => Promise.reject(new Error(`handled ${n}`))));
           for (let n = 0; n < 1e3; n++) Promise.reject(new Error(`lost ${n}`));
         }; export const alive = () => 'alive'",
        256,
    );
    let engine = Engine::start(options).unwrap();
    engine.call_export("app:test", "run", Vec::new()).await.unwrap();
    engine.call_export("app:test", "alive", Vec::new()).await.unwrap();
    let said: Vec<String> = reports.lock().unwrap().iter().map(|report| report.error.message.clone()).collect();
    assert_eq!((said.len(), said[0].as_str()), (21, "lost 0"));
    assert_eq!(said[20], "980 more promises were rejected, and nobody handled that");
}
