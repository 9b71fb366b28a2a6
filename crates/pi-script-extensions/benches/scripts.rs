//! What scripts as extensions cost: an engine, thirty extensions at once, an event.
//!
//! `cargo bench -p pi-script-extensions --bench scripts`. `PI_EXTENSIONS=DIRECTORY` adds the loading of the first thirty `.ts`
//! files there.
#![allow(clippy::disallowed_methods, reason = "a measurement is not replayed")]
#![allow(clippy::unwrap_used)] // a benchmark may stop at whatever goes wrong
#![allow(missing_docs)] // criterion's macro makes a public function

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use futures::future::join_all;
use pi_agent_core::ToolAnnotations;
use pi_ai::ApiRegistry;
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_coding_agent::agent_session::{AgentSession, ExtensionBindings, PromptOptions};
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::events::ToolCallEvent;
use pi_coding_agent::extension::{Extension, ExtensionSources, LoadOptions, LoadReport, Mode, load_sources};
use pi_coding_agent::prompt::{Scope, SourceInfo, SourceOrigin};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::SessionHost;
use pi_script::{Callback, Data, Engine, EngineOptions};
use pi_script_extensions::{ScriptExtension, ScriptOptions};
use serde_json::json;
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

/// Extensions that come with the program, for a mix of small and large ones.
const SHIPPED: &[&str] = &[
    include_str!("../../pi/examples/extensions/typescript/custom-compaction.ts"),
    include_str!("../../pi/examples/extensions/typescript/custom-provider.ts"),
    include_str!("../../pi/examples/extensions/typescript/git-checkpoint.ts"),
    include_str!("../../pi/examples/extensions/typescript/permission-gate.ts"),
    include_str!("../../pi/examples/extensions/typescript/protected-paths.ts"),
    include_str!("../../pi/examples/extensions/typescript/todo.ts"),
];

/// Writes `count` files with these sources in turn. What each registers under a name gets a name of its own.
fn write(directory: &Path, sources: &[&str], count: usize) -> Vec<PathBuf> {
    let file = |(number, source): (usize, &&str)| {
        let path = directory.join(format!("e{number}.ts"));
        std::fs::write(&path, source.replace("'count'", &format!("'count{number}'"))).unwrap();
        path
    };
    sources.iter().cycle().take(count).enumerate().map(file).collect()
}

fn extension(path: &Path) -> Arc<dyn Extension> {
    let source = SourceInfo {
        path: path.to_string_lossy().into_owned(),
        source: "cli".to_owned(),
        scope: Scope::Temporary,
        origin: SourceOrigin::TopLevel,
        base_dir: None,
    };
    let cwd = path.parent().unwrap().to_owned();
    ScriptExtension::new(path, source, ScriptOptions { cwd, ..ScriptOptions::new(SessionHost::new(Env::process())) })
}

async fn load(files: &[PathBuf]) -> LoadReport {
    let extensions = files.iter().map(|file| extension(file)).collect();
    let report = load_sources(ExtensionSources::of_program(extensions), LoadOptions::default()).await;
    // The same tool twice is no matter here.
    let failed: Vec<_> = report.errors.iter().filter(|error| !error.error.contains(" conflicts with ")).collect();
    assert!(failed.is_empty(), "{failed:?}");
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
    group.sample_size(20);
    let directory = tempfile::tempdir().unwrap();
    for (name, sources, count) in [("1", &[TYPICAL][..], 1), ("30", &[TYPICAL][..], 30), ("30 of a mix", SHIPPED, 30)] {
        let files = write(directory.path(), sources, count);
        group.bench_function(format!("load {name}"), |bencher| bencher.iter(|| runtime.block_on(load(&files))));
    }
    if let Some(others) = std::env::var_os("PI_EXTENSIONS") {
        let mut files: Vec<_> = std::fs::read_dir(others).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "ts"));
        files.sort();
        files.truncate(30);
        group.bench_function("load PI_EXTENSIONS", |bencher| bencher.iter(|| runtime.block_on(load(&files))));
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

/// Looks at calls, or changes one of their arguments.
const GUARD: &str = "
export default (pi: any) => {
  pi.on('tool_call', ({ input }: any) => { if (input.change) input.command += '!'; });
}
";

/// What a handler costs that may change the arguments of a call: small ones and large ones, left alone and changed.
fn changes(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let files = write(directory.path(), &[GUARD], 1);
    let report = runtime.block_on(load(&files));
    let mut group = criterion.benchmark_group("scripts");
    for (name, size, change) in [
        ("a call of 200 B", 200, false),
        ("a call of 200 B, changed", 200, true),
        ("a call of 200 kB", 200_000, false),
        ("a call of 200 kB, changed", 200_000, true),
    ] {
        let lines: Vec<String> = (0..size / 40).map(|line| format!("{line:06} a \"line\" of some text\n")).collect();
        let event = ToolCallEvent {
            tool_call_id: "call_1".to_owned(),
            tool_name: "bash".to_owned(),
            parent_tool_call_id: None,
            annotations: ToolAnnotations::default(),
            makes_calls: false,
            input: Arc::new(json!({"command": "ls", "change": change, "lines": lines})),
        };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut changed = false;
                runtime.block_on(report.runner.fold(event.clone(), None, |_, outcome| {
                    changed = outcome.input.is_some();
                    ControlFlow::Continue(())
                }));
                assert_eq!(changed, change);
            });
        });
    }
    group.finish();
}

/// Listens to what arrives of an answer.
const LISTENER: &str = "
export default (pi: any) => {
  let count = 0;
  pi.on('message_update', (event: any) => { count += event.assistantMessageEvent.delta?.length ?? 0; });
}
";

/// A session with so many scripts that listen, and its model.
async fn listening(directory: &Path, listeners: usize) -> (AgentSession, ScriptedProvider) {
    let files = write(directory, &[LISTENER], listeners);
    // A piece is four characters.
    let provider = ScriptedProvider::new(ScriptedOptions { token_size: 1..=1, ..ScriptedOptions::default() });
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let options = CreateAgentSessionOptions {
        apis: Arc::new(apis),
        extensions: load(&files).await.into(),
        ..CreateAgentSessionOptions::in_memory(directory, provider.model(), "key")
    };
    let session = create_agent_session(options).unwrap().session;
    session.extensions().bind(ExtensionBindings::without_user(Mode::Rpc)).await;
    (session, provider)
}

/// An answer of so many pieces.
async fn answer(session: &AgentSession, provider: &ScriptedProvider, pieces: u64) -> Duration {
    provider.set_steps([scripted::message([scripted::text("word".repeat(usize::try_from(pieces).unwrap()))])]);
    let began = Instant::now();
    session.prompt("go", PromptOptions::default()).await.unwrap();
    began.elapsed()
}

/// What a piece of an answer costs a session, by how many listen to it: from the agent through the bridge into the script
/// and back, one listener after the other.
fn listeners(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("scripts");
    group.sample_size(20);
    for count in [0, 1, 4] {
        let directory = tempfile::tempdir().unwrap();
        group.bench_function(format!("a piece of an answer, {count} listeners"), |bencher| {
            bencher.iter_custom(|pieces| {
                runtime.block_on(async {
                    let (session, provider) = listening(directory.path(), count).await;
                    answer(&session, &provider, pieces).await
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, engines, dispatch, changes, listeners);
criterion_main!(benches);
