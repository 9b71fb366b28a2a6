//! Engines as programs use them: calls, operations, limits, and what is reported.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_script::{Data, Engine, EngineOptions, Error, Limits, OpError, Report, ReportKind};
use serde_json::json;

type Reports = Arc<Mutex<Vec<Report>>>;

fn options(source: &str) -> (EngineOptions, Reports) {
    let reports = Reports::default();
    let sink = Arc::clone(&reports);
    let mut options = EngineOptions::new("test");
    options.modules.add("app:test", source);
    options.limits = Limits { turn: Duration::from_millis(200), memory: 32 << 20, ..Limits::default() };
    options.on_report = Arc::new(move |report| sink.lock().unwrap().push(report));
    (options, reports)
}

async fn value(source: &str) -> Result<Data, Error> {
    let engine = Engine::start(options(source).0).unwrap();
    engine.call_export("app:test", "run", Vec::new()).await
}

async fn reported(reports: &Reports, kind: ReportKind) -> Report {
    for _ in 0..3000 {
        if let Some(report) = reports.lock().unwrap().iter().find(|report| report.kind == kind) {
            return report.clone();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no {kind:?} in {:?}", reports.lock().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn values_pass_both_ways() {
    let (mut options, _) =
        options("import { host } from 'script:host'; export const run = (...args) => [...args, host.sync('bytes')]");
    options.ops.add_sync("bytes", |_, _| Ok(vec![1, 2, 3].into()));
    let engine = Engine::start(options).unwrap();
    let args = vec![Data::from("ä\u{1F600}"), json!({"a": [1, null]}).into(), Data::Undefined];
    let result = engine.call_export("app:test", "run", args).await.unwrap().into_json().unwrap();
    assert_eq!(result, json!(["ä😀", {"a": [1, null]}, null, {"0": 1, "1": 2, "2": 3}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_scripts_throw_is_told() {
    let cases = [
        ("export const run = () => { throw new TypeError('no') }", "no"),
        ("export const run = async () => { throw 'text' }", "text"),
        ("export const run = () => Promise.reject({a: 1})", "{\"a\":1}"),
        ("import 'missing'; export const run = 1", "Cannot find module 'missing' imported from app:test"),
        ("throw new Error('at load')", "at load"),
    ];
    for (source, message) in cases {
        let error = value(source).await.unwrap_err();
        assert!(error.to_string().starts_with(message), "{source}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn code_that_goes_on_for_ever_is_interrupted() {
    let error = value("export const run = () => { for (;;); }").await.unwrap_err();
    assert_eq!(error.to_string(), "It ran for more than 0.2 s without a pause and was interrupted");
    let jobs = "const again = () => { Promise.resolve().then(again) }; again()";
    let (own, reports) = options(&format!("export const run = () => {{ {jobs} }}; export const alive = () => 'alive'"));
    let engine = Engine::start(own).unwrap();
    let _ = engine.call_export("app:test", "run", Vec::new()).await;
    let report = reported(&reports, ReportKind::Uncaught).await;
    assert_eq!(report.error.message, "It ran for more than 0.2 s without a pause and was interrupted");
    let alive = engine.call_export("app:test", "alive", Vec::new()).await.unwrap();
    assert_eq!(alive.into_text().as_deref(), Some("alive"));
    let (options, reports) = options("export const run = () => { setInterval(() => { for (;;); }, 1) }");
    let engine = Engine::start(options).unwrap();
    let _ = engine.call_export("app:test", "run", Vec::new()).await;
    let report = reported(&reports, ReportKind::Stopped).await;
    assert_eq!(report.error.message, "It was interrupted 3 times because it ran for too long");
}

#[tokio::test(flavor = "multi_thread")]
async fn code_that_catches_interruptions_is_stopped() {
    let error =
        value("export const run = () => { for (;;) { try { for (;;); } finally { continue } } }").await.unwrap_err();
    assert!(error.to_string().contains("interrupted"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_limited() {
    for source in [
        "export const run = () => { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length) }",
        "export const run = () => new Uint8Array(10e9).length",
        "export const run = () => { const f = () => f() + 1; return f() }",
    ] {
        let error = value(source).await.unwrap_err();
        assert!(matches!(&error, Error::Script(error) if error.is_error), "{error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rejections_that_nobody_handles_are_reported() {
    let (options, reports) = options(
        "export const run = () => { Promise.reject(new Error('late')); const p = Promise.reject(new Error('handled')); p.catch(() => {}) }",
    );
    let engine = Engine::start(options).unwrap();
    engine.call_export("app:test", "run", Vec::new()).await.unwrap();
    assert_eq!(reported(&reports, ReportKind::UnhandledRejection).await.error.message, "late");
    assert_eq!(reports.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn timers_run_and_their_failures_are_reported() {
    let (options, reports) = options(
        "export const run = () => new Promise((done) => { let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); done(n) } }, 2); \
         setTimeout(() => { throw new Error('in timer') }, 1) })",
    );
    let engine = Engine::start(options).unwrap();
    let count = engine.call_export("app:test", "run", Vec::new()).await.unwrap();
    assert_eq!(count.into_json(), Some(json!(3)));
    assert_eq!(reported(&reports, ReportKind::Uncaught).await.error.message, "in timer");
}

#[tokio::test(flavor = "multi_thread")]
async fn operations_answer_later_and_fail_like_errors() {
    let source = "import { host } from 'script:host'; export const run = async () => {
        const sum = await host.async('add', 1, 2);
        try { await host.async('fail') } catch (error) { return [sum, error instanceof TypeError, error.message, error.code] } }";
    let (mut options, _) = options(source);
    options
        .ops
        .add_async("add", |_, mut args| async move { Ok(json!(args.parse::<i64>(0)? + args.parse::<i64>(1)?).into()) });
    options.ops.add_async("fail", |_, _| async { Err(OpError::type_error("bad").with("code", "E_BAD")) });
    let engine = Engine::start(options).unwrap();
    let result = engine.call_export("app:test", "run", Vec::new()).await.unwrap();
    assert_eq!(result.into_json(), Some(json!([3, true, "bad", "E_BAD"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_engine_ends_what_waits_for_it() {
    let (options, reports) =
        options("export const run = () => new Promise(() => {}); export const spin = () => { for (;;); }");
    for name in ["run", "spin"] {
        let engine = Engine::start(EngineOptions { limits: Limits::default(), ..options.clone() }).unwrap();
        let call = tokio::spawn({
            let engine = engine.clone();
            async move { engine.call_export("app:test", name, Vec::new()).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        engine.stop("enough");
        let error = tokio::time::timeout(Duration::from_secs(5), call).await.expect("it ends").unwrap().unwrap_err();
        assert!(error.to_string().contains("enough") || error.to_string().contains("interrupted"), "{name}: {error}");
    }
    reported(&reports, ReportKind::Stopped).await;
}
