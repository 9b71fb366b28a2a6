//! What scripts as extensions cost: an engine, a typical extension, thirty of them at once, an event.
#![allow(clippy::unwrap_used)] // a benchmark may stop at whatever goes wrong
#![allow(missing_docs)] // criterion's macro makes a public function

use std::path::PathBuf;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use futures::future::join_all;
use pi_coding_agent::extension::{Extension, ExtensionSources, LoadOptions, LoadReport, load_sources};
use pi_coding_agent::prompt::{Scope, SourceInfo, SourceOrigin};
use pi_coding_agent::script::{ScriptExtension, ScriptOptions};
use pi_script::{Callback, Data, Engine, EngineOptions};
use tokio::runtime::Runtime;

/// Handlers, a tool, a command and a flag: what a typical extension registers.
const TYPICAL: &str = "
interface Counter { calls: number }
const counter: Counter = { calls: 0 };
export default function (pi: any): void {
  for (const event of ['session_start', 'tool_call', 'tool_result', 'turn_end', 'agent_end']) {
    pi.on(event, () => { counter.calls++; });
  }
  pi.registerTool({ name: 'count', label: 'Count', description: 'Counts', parameters: { type: 'object', properties: {} },
    execute: async () => ({ content: [{ type: 'text', text: String(counter.calls) }], details: { ...counter } }) });
  pi.registerCommand('count', { description: 'Counts', handler: async (_: string, ctx: any) => ctx.ui.notify(String(counter.calls)) });
  pi.registerFlag('count', { type: 'boolean', default: false });
}
";

fn extension(directory: &std::path::Path, number: usize) -> Arc<dyn Extension> {
    let path: PathBuf = directory.join(format!("e{number}.ts"));
    std::fs::write(&path, TYPICAL.replace("'count'", &format!("'count{number}'"))).unwrap();
    let source = SourceInfo {
        path: path.to_string_lossy().into_owned(),
        source: "cli".to_owned(),
        scope: Scope::Temporary,
        origin: SourceOrigin::TopLevel,
        base_dir: None,
    };
    let options = ScriptOptions { cwd: directory.to_owned(), ..ScriptOptions::default() };
    ScriptExtension::new(&path, source, options)
}

async fn load(directory: &std::path::Path, count: usize) -> LoadReport {
    let extensions = (0..count).map(|number| extension(directory, number)).collect();
    let report = load_sources(ExtensionSources::of_program(extensions), LoadOptions::default()).await;
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    report
}

fn start(modules: &str) -> Engine {
    let mut options = EngineOptions::new("bench");
    options.modules.add("bench:main", modules);
    Engine::start(options).unwrap()
}

fn engines(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("scripts");
    group.bench_function("engine", |bencher| {
        bencher.iter(|| {
            runtime.block_on(async {
                let engine = start("export const ready = () => true");
                engine.call_export("bench:main", "ready", Vec::new()).await.unwrap()
            })
        });
    });
    let directory = tempfile::tempdir().unwrap();
    for count in [1, 30] {
        group.bench_function(format!("load {count}"), |bencher| {
            bencher.iter(|| runtime.block_on(load(directory.path(), count)));
        });
    }
    group.finish();
}

fn dispatch(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let source = "import { host } from 'script:host';
      export const listen = () => host.callback((event) => ({ result: { block: event.input.command === 'rm' } }));";
    let (engine, callback) = runtime.block_on(async {
        let engine = start(source);
        let number = engine.call_export("bench:main", "listen", Vec::new()).await.unwrap().into_json().unwrap();
        (engine, Callback(u32::try_from(number.as_u64().unwrap()).unwrap()))
    });
    let event = r#"{"type":"tool_call","toolName":"bash","toolCallId":"call_1","input":{"command":"ls -la"}}"#;
    let call = || engine.invoke(callback, vec![Data::RawJson(event.to_owned()), Data::Undefined]);
    let mut group = criterion.benchmark_group("scripts");
    group.bench_function("dispatch", |bencher| bencher.iter(|| runtime.block_on(call()).unwrap()));
    // Without the two changes of threads of a single call: what each listener costs where many are called.
    group.bench_function("dispatch 100 at once", |bencher| {
        bencher.iter(|| runtime.block_on(join_all((0..100).map(|_| call()))).len());
    });
    group.finish();
}

criterion_group!(benches, engines, dispatch);
criterion_main!(benches);
