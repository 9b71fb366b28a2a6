//! Scripts that answer with what nobody expects: each ends in a reported error, or in nothing, and a living session.

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, ask, call, failures, notices, run, tool_result};
use pi_test_kit::{Live, answer, is_running, tool_call, wait_until};

/// How a script's tool answers, whether that counts as a failure, and what its result says of it.
const RESULTS: &[(&str, &str, bool, &str)] = &[
    ("nothing", "return undefined", true, "The tool returned no object"),
    ("a text", "return 'text'", true, "The tool returned no object"),
    ("no content", "return {}", true, "no usable `content`"),
    ("content of another kind", "return { content: 'text' }", true, "no usable `content`"),
    (
        "a circular object",
        "const details: any = {}; details.details = details; return { content, details }",
        true,
        "circular",
    ),
    ("a BigInt", "return { content, details: { big: 1n } }", true, "BigInt"),
    ("keys that are symbols", "return { content, details: { [Symbol('key')]: 1, plain: 1 } }", false, "fine"),
    ("a function", "return { content, details: () => 1 }", false, "fine"),
    (
        "dates, maps and errors",
        "return { content, details: [new Date(0), new Map([[1, 2]]), new Error('x'), NaN] }",
        false,
        "fine",
    ),
    (
        "half a character",
        "return { content: [{ type: 'text', text: 'fine \\u{1F600}'.slice(0, 6) }] }",
        false,
        "fine \u{fffd}",
    ),
    ("a getter that throws", "return { content, get details() { throw new Error('hidden') } }", true, "hidden"),
    ("a proxy", "return new Proxy({}, { get() { throw new Error('trapped') } })", true, "trapped"),
    (
        "toJSON that throws",
        "return { content, details: { toJSON() { throw new TypeError('unsaid') } } }",
        true,
        "unsaid",
    ),
    ("toJSON that never ends", "return { content, details: { toJSON() { for (;;); } } }", true, "without a pause"),
    ("a then that never ends", "return { get then() { for (;;); } }", true, "without a pause"),
    (
        "a then that answers twice",
        "return { then(yes: any, no: any) { yes({ content }); yes({}); no(new Error('late')) } }",
        false,
        "fine",
    ),
    (
        "a promise that is settled twice",
        "return new Promise((yes, no) => { yes({ content }); no(new Error('late')); yes({}) })",
        false,
        "fine",
    ),
    ("no error", "throw null", true, "null"),
    ("a symbol", "throw Symbol('sign')", true, "Symbol(sign)"),
    ("an object", "throw { code: 7 }", true, "{\"code\":7}"),
    ("a proxy as error", "throw new Proxy({}, { get() { throw 1 } })", true, "no words"),
    (
        "an error that hides its message",
        "throw Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
        true,
        "",
    ),
    ("a huge text", "return { content: [{ type: 'text', text: 'x'.repeat(16 << 20) }] }", false, "xxxx"),
    (
        "too much for its memory",
        "return { content: [{ type: 'text', text: 'x'.repeat(300 << 20) }] }",
        true,
        "MiB of memory",
    ),
    (
        "deep nesting",
        "let details: any = 1; for (let n = 0; n < 1e5; n++) details = [details]; return { content, details }",
        true,
        "call stack",
    ),
    (
        "updates that cannot be said",
        "try { update({ content, details: 1n }) } catch {} update({ content }); return { content }",
        false,
        "fine",
    ),
];

fn tool(body: &str) -> String {
    format!(
        "const content = [{{ type: 'text', text: 'fine' }}];
export default function (pi: any) {{
  pi.registerTool({{ name: 'odd', label: 'Odd', description: 'o', parameters: {{ type: 'object', properties: {{}} }},
    execute(id: string, args: any, signal: any, update: any): any {{ {body} }} }});
  pi.registerCommand('alive', {{ handler: async (_: string, ctx: any) => ctx.ui.notify('alive') }});
}}"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_tool_answers_the_session_lives() {
    for (name, body, is_error, expected) in RESULTS {
        let stage = Stage::new(&[("ext.ts", &tool(body))], [tool_call("c1", "odd", &json!({})), answer("ok")]).await;
        let stage = stage.set("extensionLimits", json!({"turnSeconds": 3}));
        let mut pi = stage.serve();
        let lines = run(&mut pi, "go").await;
        let (failed, text) = tool_result(&lines);
        let shown: String = text.chars().take(300).collect();
        assert!(failed == *is_error && text.contains(expected), "{name}: {failed} {shown}");
        assert_eq!(notices(&call(&mut pi, "/alive").await), ["alive"], "{name}");
        assert_eq!(pi.end().await.0, 0, "{name}");
    }
}

/// What a command does, and what is told of it besides.
const COMMANDS: &[(&str, &str, &[&str])] = &[
    (
        "listeners of the process",
        "for (const name of ['exit', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'beforeExit']) process.on(name, () => {})",
        &[],
    ),
    (
        "a storm of timers",
        "for (let n = 0; n < 1e5; n++) setTimeout(() => fired++, n % 10); await new Promise((go) => setTimeout(go, 20)); while (fired < 1e5) await new Promise((go) => setTimeout(go, 1)); ctx.ui.notify(`fired ${fired}`)",
        &["fired 100000"],
    ),
    (
        "a storm of ticks",
        "for (let n = 0; n < 1e5; n++) process.nextTick(() => fired++); await null; await new Promise((go) => setImmediate(go)); ctx.ui.notify(`fired ${fired}`)",
        &["fired 100000"],
    ),
    ("a timer that goes on", "setInterval(() => {}, 1)", &[]),
    (
        "globals that are replaced",
        "(globalThis as any).JSON = undefined; (Array.prototype as any).map = undefined",
        &[],
    ),
    ("an event of its own", "pi.events.emit('x', { get field() { throw new Error('getter') } })", &[]),
    (
        "a name that is no text",
        "try { pi.registerCommand(Symbol('x') as any, { handler() {} }) } catch { ctx.ui.notify('refused') }",
        &["refused"],
    ),
    ("a notice that is no text", "ctx.ui.notify({ toString() { return 'odd' } })", &["odd"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_command_does_the_session_lives_and_ends() {
    for (name, body, told) in COMMANDS {
        let source = format!(
            "let fired = 0;
export default function (pi: any) {{
  pi.registerCommand('odd', {{ handler: async (_: string, ctx: any) => {{ {body} }} }});
  pi.registerCommand('alive', {{ handler: async (_: string, ctx: any) => ctx.ui.notify('alive') }});
}}"
        );
        // A busy machine may take long for what is only much.
        let stage = Stage::of(&source, 1).await.set("extensionLimits", json!({"turnSeconds": 600}));
        let mut pi = stage.serve();
        let mut lines = call(&mut pi, "/odd").await;
        assert_eq!(notices(&lines), *told, "{name}");
        // What happens beside a command is reported before or after its response.
        lines.extend(run(&mut pi, "go").await);
        assert!(lines.iter().any(|line| line["type"] == "agent_end"), "{name}");
        lines.extend(call(&mut pi, "/alive").await);
        assert_eq!(notices(&lines).last(), Some(&"alive"), "{name}");
        let expected: &[&str] = if body.contains("'getter'") { &["uncaught_exception: getter"] } else { &[] };
        assert_eq!(failures(&lines), expected, "{name}");
        assert_eq!(pi.end().await.0, 0, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tools_of_one_name_are_refused_at_the_start() {
    let script = "export default (pi: any) => pi.registerTool({ name: 'same', label: 'Same', description: 's',
        parameters: { type: 'object', properties: {} }, execute: async () => ({ content: [] }) })";
    let stage = Stage::new(&[("one.ts", script), ("two.ts", script)], []).await;
    let ended = stage.world.run(&stage.arguments(&["-p", "go"])).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("Tool \"same\" conflicts with ROOT/project/one.ts"), "{}", ended.stderr);
    assert!(stage.provider.requests().is_empty());
}

/// Children of a script, some of which do not want to end, are gone when the program is.
#[tokio::test(flavor = "multi_thread")]
async fn children_of_scripts_do_not_hold_up_the_end_and_do_not_outlive_it() {
    let source = "import { spawn, exec } from 'node:child_process';
export default function (pi: any) {
  pi.registerCommand('start', { handler: async (_: string, ctx: any) => {
    spawn('sh', ['-c', 'trap \"\" TERM INT HUP; echo $$ > ROOT/deaf; while :; do sleep 1; done'], { stdio: 'ignore' });
    exec('echo $$ > ROOT/piped; sleep 600; true');
    void pi.exec('sh', ['-c', 'echo $$ > ROOT/asked; sleep 600; true']);
    setInterval(() => {}, 10);
  } });
}";
    let stage = Stage::of("export default () => {}", 0).await;
    let root = stage.world.root().to_str().unwrap().to_owned();
    stage.world.write("ext.ts", &source.replace("ROOT", &root));
    for signal in [None, Some(rustix::process::Signal::TERM)] {
        let mut pi = stage.serve();
        call(&mut pi, "/start").await;
        let files = ["deaf", "piped", "asked"].map(|name| stage.world.root().join(name));
        let is_written =
            |file: &std::path::PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n'));
        wait_until("they run", || files.iter().all(is_written)).await;
        assert!(files.iter().all(|file| is_running(file)));
        end(pi, signal).await;
        wait_until("they are gone", || files.iter().all(|file| !is_running(file))).await;
        for file in &files {
            std::fs::remove_file(file).unwrap();
        }
    }
}

async fn end(pi: Live, signal: Option<rustix::process::Signal>) {
    let code = match signal {
        None => pi.end().await.0,
        Some(signal) => {
            pi.signal(signal);
            pi.finish().await.0
        }
    };
    assert!(matches!(code, 0 | 143), "{code}");
}

/// `process.exit` in the middle of things ends the extension alone; its own listeners hear of it.
#[tokio::test(flavor = "multi_thread")]
async fn an_exit_in_any_place_ends_the_extension_alone() {
    for (place, source, said) in [
        ("handler", "pi.on('turn_start', () => process.exit(5))", "process.exit(5)"),
        ("after a pause", "pi.on('turn_start', async () => { await null; process.exit(5) })", "process.exit(5)"),
        (
            "timer",
            "pi.on('turn_start', () => { setTimeout(() => process.exit(5), 1); return new Promise(() => {}) })",
            "process.exit(5)",
        ),
        (
            "at an exit",
            "process.on('exit', () => process.exit(6)); pi.on('turn_start', () => process.exit(5))",
            "process.exit(6)",
        ),
        ("abort", "pi.on('turn_start', () => process.abort())", "process.exit(134)"),
    ] {
        let stage = Stage::of(&format!("export default function (pi: any) {{ {source} }}"), 2).await;
        let mut pi = stage.serve();
        let mut lines = run(&mut pi, "go").await;
        lines.extend(run(&mut pi, "go on").await);
        lines.extend(ask(&mut pi, json!({"type": "get_state"})).await.1);
        let told = failures(&lines);
        assert!(told.iter().any(|line| line.contains(said)), "{place}: {told:?}");
        let ends: Vec<&Value> = lines.iter().filter(|line| line["type"] == "agent_end").collect();
        assert_eq!(ends.len(), 2, "{place}");
        assert_eq!(pi.end().await.0, 0, "{place}");
    }
}
