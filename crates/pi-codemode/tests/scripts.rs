//! Scripts of the model, run by a real agent: what they can do, and what becomes of what goes wrong.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, FnTool, NestedCalls, Tool, ToolError, ToolInvocation, ToolOutput,
    ToolSet, ToolUpdates, api_stream_fn,
};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, Message, Model, ToolDefinition, ToolResultMessage};
use pi_codemode::{CodeMode, NAME};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What a script came to.
struct Ran {
    result: ToolResultMessage,
    /// Ids of the calls that began, `-` before those that ended.
    events: Vec<String>,
}

impl Ran {
    /// The text of the result, `!` in front of that of a failure.
    fn shown(&self) -> String {
        let text = self.result.content[0].as_text().unwrap();
        format!("{}{text}", if self.result.is_error { "!" } else { "" })
    }

    fn calls(&self) -> &Vec<Value> {
        self.result.details.as_ref().unwrap()["calls"].as_array().unwrap()
    }
}

/// A tool of the scripts.
fn tool<F>(name: &str, work: impl Fn(ToolInvocation) -> F + Send + Sync + 'static) -> Arc<dyn Tool>
where
    F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
{
    let parameters = json!({"type": "object", "properties": {"n": {"type": "number"}}});
    Arc::new(FnTool::new(ToolDefinition { name: name.to_owned(), description: String::new(), parameters }, work))
}

/// How many calls of one script may run at once.
const CROWD: usize = 8;

/// Counts how many calls there are at once, and were at most.
#[derive(Default)]
struct AtOnce(watch::Sender<(usize, usize)>);

fn tools(at_once: &Arc<AtOnce>) -> Vec<Arc<dyn Tool>> {
    let at_once = Arc::clone(at_once);
    vec![
        tool("double", |call| async move {
            Ok(ToolOutput::text((call.arguments["n"].as_f64().unwrap_or_default() * 2.0).to_string()))
        }),
        tool("fails", |_| async { Err(ToolError::new("the disk is full")) }),
        tool("list", |_| async {
            let rows = json!({"rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]});
            Ok(ToolOutput::text("2 rows").with_details(json!({"structuredContent": rows})))
        }),
        tool("waits", |call| async move {
            call.cancel.cancelled().await;
            Err(ToolError::aborted())
        }),
        tool("crowd", move |_| {
            let at_once = Arc::clone(&at_once);
            async move {
                at_once.0.send_modify(|(now, most)| {
                    *now += 1;
                    *most = (*most).max(*now);
                });
                // Nobody leaves before there have once been as many as may be; one too many would be counted meanwhile.
                let whole = at_once.0.subscribe().wait_for(|(_, most)| *most >= CROWD).await.map(drop);
                whole.expect("the counter lives as long as the tool");
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                at_once.0.send_modify(|(now, _)| *now -= 1);
                Ok(ToolOutput::text("here"))
            }
        }),
        tool("mcp__shop__find_order", |_| async { Ok(ToolOutput::text("order 7")) }),
    ]
}

fn agent(arguments: Value, mut all: Vec<Arc<dyn Tool>>) -> (Agent, Arc<Mutex<Vec<String>>>) {
    let script = ScriptedProvider::playing([
        scripted::tool_use([scripted::tool_call("c", NAME, arguments)]),
        scripted::message([scripted::text("done")]),
    ]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(script.clone()));
    all.push(Arc::new(CodeMode));
    let state = AgentState { model: script.model(), tools: ToolSet::new(all), ..AgentState::default() };
    let options = AgentOptions::builder().stream(api_stream_fn(Arc::new(apis))).initial_state(state).build();
    let (agent, events) = (Agent::new(options), Arc::new(Mutex::new(Vec::new())));
    let seen = Arc::clone(&events);
    agent.on_event(move |event| match event {
        AgentEvent::ToolExecutionStart { tool_call_id, .. } => seen.lock().unwrap().push(tool_call_id.clone()),
        AgentEvent::ToolExecutionEnd { tool_call_id, .. } => seen.lock().unwrap().push(format!("-{tool_call_id}")),
        _ => {}
    });
    (agent, events)
}

fn result(agent: &Agent) -> ToolResultMessage {
    let messages = agent.state().messages;
    let result = messages.iter().find_map(|message| match &**message {
        Message::ToolResult(result) => Some(result.clone()),
        _ => None,
    });
    *result.expect("no result")
}

async fn run_with(arguments: Value, tools: Vec<Arc<dyn Tool>>) -> Ran {
    let (agent, events) = agent(arguments, tools);
    tokio::time::timeout(Duration::from_secs(120), agent.prompt("go")).await.expect("the script hangs").unwrap();
    Ran { result: result(&agent), events: events.lock().unwrap().clone() }
}

async fn run(script: &str) -> Ran {
    run_with(json!({"script": script}), tools(&Arc::default())).await
}

/// Scripts with what each came to.
async fn shown(scripts: &[&str]) -> String {
    let mut all = Vec::new();
    for script in scripts {
        all.push(format!("{script}\n=> {}\n", run(script).await.shown()));
    }
    all.join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_they_return_and_log() {
    let scripts = [
        "return 'text'",
        "return { a: [1, 2n, null], b: undefined }",
        "console.log('one', { two: 2 }); console.error('three'); return 4",
        "",
        "const { rows } = await tools.list();\nreturn rows.map((row) => row.name)",
        "let n = 1;\nfor (let i = 0; i < 5; i++) n = Number(await tools.double({ n }));\nreturn n",
        "return await Promise.all([1, 2, 3].map((n) => tools.double({ n })))",
        "try { await tools.fails() } catch (error) { return `caught: ${error.message}` }",
        "return await tools['mcp__shop__find_order']()",
        "await tools; return Object.keys(tools)",
        "setTimeout(() => console.log('later'), 1); await new Promise((done) => setTimeout(done, 50)); return new URL('http://a/b?c').search",
    ];
    insta::assert_snapshot!(shown(&scripts).await, @r#"
    return 'text'
    => text

    return { a: [1, 2n, null], b: undefined }
    => {"a":[1,"2",null]}

    console.log('one', { two: 2 }); console.error('three'); return 4
    => one { two: 2 }
    three
    4


    => The script returned nothing. `return` what you want to know

    const { rows } = await tools.list();
    return rows.map((row) => row.name)
    => ["one","two"]

    let n = 1;
    for (let i = 0; i < 5; i++) n = Number(await tools.double({ n }));
    return n
    => 32

    return await Promise.all([1, 2, 3].map((n) => tools.double({ n })))
    => ["2","4","6"]

    try { await tools.fails() } catch (error) { return `caught: ${error.message}` }
    => caught: the disk is full

    return await tools['mcp__shop__find_order']()
    => order 7

    await tools; return Object.keys(tools)
    => ["double","fails","list","waits","crowd","mcp__shop__find_order"]

    setTimeout(() => console.log('later'), 1); await new Promise((done) => setTimeout(done, 50)); return new URL('http://a/b?c').search
    => later
    ?c
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_said_with_the_line_and_the_calls_that_were_made() {
    let scripts = [
        "const a = 1;\n\nthrow new Error('no')",
        "await tools.double({ n: 1 });\nawait tools.double({ n: 2 });\nawait tools.fails();",
        "return tools.shop_order()",
        "await tools.double({ n: 'many' })",
        "const work = async () => {\n  await tools.fails();\n};\nawait work();",
        "process.env.HOME",
        "const a: number = 1;",
        "import x from 'y'; return x",
        "return missing.x",
        "throw 'a text'",
        "const a = {}; a.a = a; return a",
        "process.exit(3)",
        "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)",
        "Promise.reject(new Error('nobody cares')); await new Promise((done) => setTimeout(done, 50)); return 'fine'",
        "return await tools.codemode({ script: 'return 1' })",
    ];
    insta::assert_snapshot!(shown(&scripts).await, @r#"
    const a = 1;

    throw new Error('no')
    => !no (line 3 of the script)

    No call had been made.

    await tools.double({ n: 1 });
    await tools.double({ n: 2 });
    await tools.fails();
    => !tools.fails: the disk is full (line 3 of the script)

    3 calls had been made, which stay as they are: double × 2, fails.

    return tools.shop_order()
    => !TypeError: There is no tool shop_order. There are: mcp__shop__find_order, double, fails, list, waits, crowd (line 1 of the script)

    No call had been made.

    await tools.double({ n: 'many' })
    => !tools.double: Validation failed for tool "double":
      - n: must be number

    Received arguments:
    {
      "n": "many"
    } (line 1 of the script)

    One call had been made, which stays as it is: double.

    const work = async () => {
      await tools.fails();
    };
    await work();
    => !tools.fails: the disk is full (line 2 of the script)

    One call had been made, which stays as it is: fails.

    process.env.HOME
    => !codemode is not allowed to use "env" (line 1 of the script)

    No call had been made.

    const a: number = 1;
    => !SyntaxError: missing initializer for variable (line 1 of the script)

    No call had been made.

    import x from 'y'; return x
    => !SyntaxError: Unexpected identifier 'x' (line 1 of the script)

    No call had been made.

    return missing.x
    => !ReferenceError: missing is not defined (line 1 of the script)

    No call had been made.

    throw 'a text'
    => !a text

    No call had been made.

    const a = {}; a.a = a; return a
    => !TypeError: circular reference

    No call had been made.

    process.exit(3)
    => !The script was stopped: It called process.exit(3)

    No call had been made.

    const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)
    => !InternalError: It needs more than 128 MiB of memory (line 1 of the script)

    No call had been made.

    Promise.reject(new Error('nobody cares')); await new Promise((done) => setTimeout(done, 50)); return 'fine'
    => Not caught: nobody cares
    fine

    return await tools.codemode({ script: 'return 1' })
    => !TypeError: There is no tool codemode. There are: double, fails, list, waits, crowd, mcp__shop__find_order (line 1 of the script)

    No call had been made.
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn they_reach_nothing_but_tools() {
    let tries = [
        "process.env.HOME",
        "Object.keys(process.env).length",
        "process.argv.length",
        "(await import('node:fs')).readFileSync('/etc/hostname', 'utf8')",
        "await import('/etc/hostname')",
        "await import('./x.js')",
        "require('node:fs')",
        "(await fetch('http://127.0.0.1:9/')).status",
        "new WebSocket('ws://127.0.0.1:9/')",
        "(0, eval)(\"import('node:os')\")",
        "process.kill(process.pid)",
        "process.getBuiltinModule('fs').readFileSync('/etc/hostname', 'utf8')",
        "process.getBuiltinModule('os').hostname()",
        "process.getBuiltinModule('child_process').execSync('id')",
    ];
    let mut all = Vec::new();
    for expression in tries {
        let script =
            format!("try {{ return {expression} }} catch (error) {{ return `${{error.name}}: ${{error.message}}` }}");
        all.push(format!("{expression}\n  {}", run(&script).await.shown().lines().next().unwrap_or_default()));
    }
    insta::assert_snapshot!(all.join("\n"), @r#"
    process.env.HOME
      Error: codemode is not allowed to use "env"; its permissions are set by the user
    Object.keys(process.env).length
      Error: codemode is not allowed to use "env"; its permissions are set by the user
    process.argv.length
      Error: codemode is not allowed to use "env"; its permissions are set by the user
    (await import('node:fs')).readFileSync('/etc/hostname', 'utf8')
      Error: Cannot import 'node:fs': scripts like this one import nothing
    await import('/etc/hostname')
      Error: Cannot import '/etc/hostname': scripts like this one import nothing
    await import('./x.js')
      Error: Cannot import './x.js': scripts like this one import nothing
    require('node:fs')
      ReferenceError: require is not defined
    (await fetch('http://127.0.0.1:9/')).status
      Error: codemode is not allowed to use "net"; its permissions are set by the user
    new WebSocket('ws://127.0.0.1:9/')
      {"protocol":"","extensions":"","onopen":null,"onmessage":null,"onerror":null,"onclose":null}
    (0, eval)("import('node:os')")
      !Cannot import 'node:os': scripts like this one import nothing
    process.kill(process.pid)
      Error: codemode is not allowed to use "exec"; its permissions are set by the user
    process.getBuiltinModule('fs').readFileSync('/etc/hostname', 'utf8')
      Error: codemode is not allowed to use "fs"; its permissions are set by the user
    process.getBuiltinModule('os').hostname()
      Error: codemode is not allowed to use "env"; its permissions are set by the user
    process.getBuiltinModule('child_process').execSync('id')
      Error: codemode is not allowed to use "env"; its permissions are set by the user
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn their_calls_are_noted_announced_and_bounded() {
    let noted = run("await tools.double({ n: 4 });\nawait tools.fails().catch(() => {});\nreturn 'done'").await;
    insta::assert_snapshot!(serde_json::to_string_pretty(noted.calls()).unwrap(), @r#"
    [
      {
        "id": "c:1",
        "name": "double",
        "arguments": {
          "n": 4
        },
        "text": "8",
        "isError": false
      },
      {
        "id": "c:2",
        "name": "fails",
        "arguments": {},
        "text": "the disk is full",
        "details": {},
        "isError": true
      }
    ]
    "#);
    assert_eq!(noted.events, ["c", "c:1", "-c:1", "c:2", "-c:2", "-c"]);

    let at_once = Arc::<AtOnce>::default();
    let many = json!({"script": "return (await Promise.all(Array.from({ length: 40 }, () => tools.crowd()))).length"});
    assert_eq!(run_with(many, tools(&at_once)).await.shown(), "40");
    assert_eq!(*at_once.0.borrow(), (0, CROWD));

    let endless = run("for (;;) await tools.double({ n: 1 })").await;
    assert_eq!(
        (endless.shown().lines().next().unwrap(), endless.calls().len()),
        ("!tools.double: A script can make 256 calls; go on in another one (line 1 of the script)", 256)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_does_not_end_is_stopped() {
    for script in ["for (;;);", "await new Promise(() => {})", "await tools.waits()"] {
        let ran = run_with(json!({"script": script, "timeout": 1}), tools(&Arc::default())).await;
        let text = ran.shown();
        assert!(text.starts_with("!The script was stopped after 1 s. Give it more time"), "{script}: {text}");
        assert_eq!(text.contains("Cut off, with an unknown outcome: waits."), script.contains("waits"), "{text}");
        // Calls that were under way are told to end, and listeners hear that they did.
        let begun = ran.events.iter().filter(|event| !event.starts_with('-')).count();
        assert_eq!(ran.events.len(), 2 * begun, "{:?}", ran.events);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abort_ends_script_and_calls() {
    let script = json!({"script": "await tools.double({ n: 1 }); await tools.waits(); return 'never'"});
    let (agent, events) = agent(script, tools(&Arc::default()));
    let (aborting, begun) = (agent.clone(), Arc::clone(&events));
    agent.on_event(move |_| {
        if begun.lock().unwrap().last().is_some_and(|last| last == "c:2") {
            aborting.abort();
        }
    });
    tokio::time::timeout(Duration::from_secs(60), agent.prompt("go")).await.expect("the abort hangs").unwrap();
    let result = result(&agent);
    assert_eq!(result.content[0].as_text(), Some("Operation aborted"));
    assert_eq!(result.details.unwrap()["calls"][0]["text"], "2");
    assert_eq!(*events.lock().unwrap(), ["c", "c:1", "-c:1", "c:2", "-c:2", "-c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_results_are_cut_and_kept_and_scripts_see_what_tools_kept() {
    let long = run("return 'ab'.repeat(50_000)").await;
    let text = long.shown();
    assert!(
        text.len() < 21_000 && text.contains("79520 bytes are left out, all of it is in "),
        "{}",
        &text[10_200..10_400]
    );
    let file = long.result.details.as_ref().unwrap()["fullOutputPath"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(&file).unwrap().len(), 100_000);

    let kept = file.clone();
    let cuts = tool("cuts", move |_| {
        let kept = kept.clone();
        async move { Ok(ToolOutput::text("ab… (cut)").with_details(json!({"fullOutputPath": kept}))) }
    });
    let ran = run_with(json!({"script": "return (await tools.cuts()).length"}), vec![cuts]).await;
    assert_eq!(ran.shown(), "100000");
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn without_an_agent_and_with_bad_arguments_there_is_a_sentence() {
    let call = ToolInvocation {
        id: "1".to_owned(),
        arguments: json!({"script": "return 1"}),
        cancel: CancellationToken::new(),
        updates: ToolUpdates::ignored(),
        model: Model::unknown(),
        calls: NestedCalls::none(),
    };
    let error = CodeMode.execute(call).await.unwrap_err();
    assert_eq!(error.to_string(), "Scripts cannot run here: nothing is there that they could call");
    let mut said = Vec::new();
    for arguments in [json!({}), json!({"script": "x".repeat(300_000)}), json!({"script": "return 1", "timeout": 0})] {
        let ran = run_with(arguments, tools(&Arc::default())).await;
        said.push(ran.shown().lines().take(2).collect::<Vec<_>>().join(" "));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    !Validation failed for tool "codemode":   - script: must have required properties script
    !The script is too long: 292 KB, 256 at most
    !Validation failed for tool "codemode":   - timeout: must be >= 1
    "#);
}
