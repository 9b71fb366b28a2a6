//! What goes wrong in a script is reported, with its place, and the session goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, ask, call, failures, notices, run, tool_result};
use pi_test_kit::{answer, delta, end, open, tool_call};

/// Body of a handler of `turn_start`, the failure that is reported, and whether its stack names the script's line.
const FAULTS: &[(&str, &str, &str, bool)] = &[
    ("throw", "throw new Error('no luck')", "turn_start: no luck", true),
    ("throw of something else", "throw 'words'", "turn_start: words", false),
    ("rejection", "await null; throw new TypeError('late')", "turn_start: late", true),
    (
        "deep recursion",
        "const down = (n: number): number => down(n + 1) + 1; down(0)",
        "turn_start: Maximum call stack size exceeded",
        true,
    ),
    ("forgotten promise", "void Promise.reject(new Error('lost'))", "unhandled_rejection: lost", true),
    (
        "timer",
        "setTimeout(() => { throw new Error('tick') }, 1); await new Promise((go) => setTimeout(go, 50))",
        "uncaught_exception: tick",
        true,
    ),
    (
        "too much memory",
        "const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length)",
        "turn_start: It needs more than 16 MiB of memory",
        true,
    ),
    (
        "too many small things",
        "const all = []; for (;;) all.push({ number: all.length })",
        "turn_start: It needs more than 16 MiB of memory",
        false,
    ),
    (
        "too much memory, bit by bit",
        "const all = []; for (;;) { await null; all.push(new Promise(() => {})) }",
        "turn_start: It needs more than 16 MiB of memory",
        false,
    ),
    (
        "too much memory in a timer",
        "setTimeout(() => { const all = []; for (;;) all.push([all.length]) }, 1); await new Promise((go) => setTimeout(go, 50))",
        "uncaught_exception: It needs more than 16 MiB of memory",
        false,
    ),
    ("one large thing", "new Uint8Array(1024 ** 3)", "turn_start: It needs more than 16 MiB of memory", true),
    ("one impossible thing", "new Uint8Array(10 * 1024 ** 3)", "turn_start: invalid array buffer length", true),
    (
        "deep recursion with pauses",
        "const down = async (n: number): Promise<number> => (await down(n + 1)) + 1; await down(0)",
        "turn_start: Maximum call stack size exceeded",
        true,
    ),
    ("busy for ever", "for (;;);", "turn_start: It ran for more than 3 s without a pause and was interrupted", false),
    (
        "busy after a pause",
        "await null; for (;;);",
        "turn_start: It ran for more than 3 s without a pause and was interrupted",
        false,
    ),
    (
        "jobs without end",
        "const again = () => { Promise.resolve().then(again) }; again(); await new Promise(() => {})",
        "turn_start: It ran for more than 3 s without a pause and was interrupted",
        false,
    ),
    ("waits for ever", "await new Promise(() => {})", "turn_start: No answer within 10 s; it was stopped", false),
    ("nonsense for an answer", "return { toJSON() { throw new Error('unseen') } }", "", false),
];

fn script(body: &str) -> String {
    format!(
        "export default function (pi: any) {{\n  pi.on('turn_start', async (event: any, ctx: any): Promise<any> => {{\n    {body};\n  }});\n  pi.registerCommand('alive', {{ handler: async (_: string, ctx: any) => ctx.ui.notify('alive') }});\n}}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_is_reported_and_the_session_lives() {
    for (name, body, expected, has_stack) in FAULTS {
        // How long it takes to use up memory is not what is tested.
        let (turn, handler) = if expected.contains("MiB") { (60, 120) } else { (3, 10) };
        let limits = json!({"memoryMb": 16, "turnSeconds": turn, "handlerSeconds": handler});
        let stage = Stage::of(&script(body), 2).await.set("extensionLimits", limits);
        let mut pi = stage.serve();
        let mut lines = run(&mut pi, "go on").await;
        lines.extend(ask(&mut pi, json!({"type": "get_state"})).await.1);
        let failed = failures(&lines);
        if expected.is_empty() {
            assert_eq!(failed, [""; 0], "{name}");
        } else {
            assert!(failed.iter().any(|failure| failure.starts_with(expected)), "{name}: {failed:?}");
        }
        if *has_stack {
            let line = lines.iter().find(|line| line["type"] == "extension_error").unwrap();
            let stack = line["stack"].as_str().unwrap_or_default();
            assert!(stack.contains("ext.ts:3:"), "{name}: {line}");
        }
        assert_eq!(notices(&call(&mut pi, "/alive").await), ["alive"], "{name}");
        assert_eq!(pi.end().await.0, 0, "{name}");
        let said = stage.world.history();
        assert_eq!(said, ["user: go on", "assistant: all is well"], "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_that_set_themselves_off_do_not_hold_up_the_session() {
    let stage = Stage::of(
        "export default function (pi: any) {
           pi.events.on('echo', (n: number) => pi.events.emit('echo', n + 1));
           pi.on('thinking_level_select', (event: any) => pi.setThinkingLevel(event.level === 'low' ? 'high' : 'low'));
           pi.registerCommand('echo', { handler: async () => pi.events.emit('echo', 0) });
           pi.registerCommand('think', { handler: async () => pi.setThinkingLevel('low') });
         }",
        1,
    )
    .await;
    let mut pi = stage.serve();
    call(&mut pi, "/echo").await;
    call(&mut pi, "/think").await;
    let lines = run(&mut pi, "still there?").await;
    assert!(lines.iter().any(|line| line["type"] == "message_end" && line["message"]["role"] == "assistant"));
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_events_reach_a_script_in_order() {
    const COUNT: usize = 10_000;
    let stage = Stage::new(
        &[(
            "ext.ts",
            "export default function (pi: any) {
               let [count, last, isOrdered] = [0, -1, true];
               pi.on('message_update', (event: any) => {
                 if (event.assistantMessageEvent.type !== 'text_delta') return;
                 const number = Number(event.assistantMessageEvent.delta);
                 if (number !== last + 1) isOrdered = false;
                 [count, last] = [count + 1, number];
               });
               pi.on('agent_end', (_: any, ctx: any) => ctx.ui.notify(`${count} ${isOrdered}`));
             }",
        )],
        [pi_test_kit::Reply::stream(
            &(open() + &(0..COUNT).map(|number| delta(&format!("{number} "))).collect::<String>() + &end()),
        )
        .end()],
    )
    .await;
    let mut pi = stage.serve();
    // The lines for the client would cost a multiple of what the script costs.
    ask(&mut pi, json!({"type": "set_event_detail", "partial": "delta"})).await;
    let began = Instant::now();
    let lines = run(&mut pi, "count").await;
    println!("{COUNT} events in {:?}", began.elapsed());
    assert_eq!(notices(&lines), [format!("{COUNT} true")]);
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_never_ends_is_left_behind_after_an_abort() {
    let stage = Stage::new(
        &[(
            "ext.ts",
            "export default function (pi: any) {
               const parameters = { type: 'object', properties: {} };
               pi.registerTool({ name: 'deaf', label: 'Deaf', description: 'd', parameters,
                 async execute(id: string, args: any, signal: AbortSignal, onUpdate: any) {
                   onUpdate({ content: [] });
                   await new Promise(() => {});
                 } });
               pi.registerTool({ name: 'polite', label: 'Polite', description: 'p', parameters,
                 execute: (id: string, args: any, signal: AbortSignal, onUpdate: any) => new Promise((_, fail) => {
                   signal.addEventListener('abort', () => fail(new Error('as you wish')));
                   onUpdate({ content: [] });
                 }) });
             }",
        )],
        [tool_call("c1", "deaf", &json!({})), tool_call("c2", "polite", &json!({})), answer("back again")],
    )
    .await;
    let mut pi = stage.serve();
    for (tool, expected) in [("deaf", ""), ("polite", "as you wish")] {
        pi.send(&format!("{}\n", json!({"type": "prompt", "message": tool}))).await;
        // An abort that comes before the call ends the call without the tool: wait for the tool's own word.
        pi.until(|line| line["type"] == "tool_execution_update").await;
        let began = Instant::now();
        pi.send("{\"type\":\"abort\"}\n").await;
        let lines = pi.until(|line| line["type"] == "agent_end").await;
        assert!(began.elapsed() < Duration::from_secs(20), "{tool}: {:?}", began.elapsed());
        let (is_error, text) = tool_result(&lines);
        assert!(is_error && text.contains(expected), "{tool}: {text}");
        ask(&mut pi, json!({"type": "get_state"})).await;
    }
    assert!(run(&mut pi, "and now").await.iter().any(|line| line["type"] == "agent_end"));
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn extensions_do_not_see_each_others_globals_and_standard_output_is_the_protocols() {
    let script = |name: &str| {
        format!(
            "export default function (pi: any) {{
               pi.registerCommand('{name}', {{ handler: async (_: string, ctx: any) => {{
                 ctx.ui.notify(String((globalThis as any).shared));
                 (globalThis as any).shared = '{name}';
                 (Array.prototype as any).{name} = true;
                 ctx.ui.notify(Object.keys((Array.prototype as any)).join());
                 console.log('logged by {name}');
                 process.stdout.write('written by {name}\\n');
               }} }});
             }}"
        )
    };
    let stage = Stage::new(&[("one.ts", &script("one")), ("two.ts", &script("two"))], []).await;
    let mut pi = stage.serve();
    for (command, expected) in
        [("/one", ["undefined", "one"]), ("/two", ["undefined", "two"]), ("/one", ["one", "one"])]
    {
        assert_eq!(notices(&call(&mut pi, command).await), expected, "{command}");
    }
    // Whatever is no JSON would have failed the test.
    pi.close_stdin();
    let rest: Vec<Value> = pi.rest().await;
    assert_eq!(rest, [json!(null); 0]);
    let (code, complaints) = pi.finish().await;
    assert_eq!(code, 0);
    for line in ["logged by one", "written by one", "logged by two", "written by two"] {
        assert!(complaints.contains(line), "{complaints}");
    }
}
