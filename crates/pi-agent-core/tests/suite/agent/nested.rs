//! Calls that a running tool makes of other tools. An id with a number behind it is that of such a call.

use std::sync::{Arc, Mutex};

use pi_agent_core::{
    AgentEvent, FnTool, Hooks, NestedCalls, Tool, ToolCallVerdict, ToolError, ToolExposure, ToolInvocation, ToolOutput,
    ToolResultPatch,
};
use pi_ai::ToolDefinition;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::agent::support::{Act, Bench, Reply, tool};

/// A tool whose calls do what `work` does.
fn caller<F>(work: impl Fn(ToolInvocation) -> F + Send + Sync + 'static) -> Arc<dyn Tool>
where
    F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
{
    let parameters = json!({"type": "object"});
    let definition = ToolDefinition { name: "caller".to_owned(), description: String::new(), parameters };
    Arc::new(FnTool::new(definition, work))
}

fn one_call() -> [Reply; 2] {
    [Reply::Calls(vec![("c", "caller", json!({}))]), Reply::Text("done")]
}

async fn text(calls: &NestedCalls, name: &str, arguments: Value) -> String {
    let outcome = calls.call(name, arguments).await;
    let text = outcome.output.content[0].as_text().unwrap_or_default().to_owned();
    if outcome.is_error { format!("{}!{text}", outcome.tool_call_id) } else { text }
}

#[tokio::test]
async fn they_are_announced_and_their_results_are_no_messages() {
    let both = caller(|call| async move {
        let first = text(&call.calls, "echo", json!({"n": 1})).await;
        let second = text(&call.calls, "progress", json!({"n": "2"})).await;
        let names: Vec<String> = call.calls.definitions().iter().map(|one| one.name.clone()).collect();
        Ok(ToolOutput::text(format!("{first} {second} {}", names.join(","))))
    });
    let bench = Bench::new(one_call(), [both, tool("echo", Act::Echo), tool("progress", Act::Progress)]);
    let parents = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&parents);
    bench.on(move |event| {
        if let AgentEvent::ToolExecutionStart { parent_tool_call_id, .. } = event {
            seen.lock().unwrap().push(parent_tool_call_id.clone());
        }
    });
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(c) xs(c:1) xe(c:1) xs(c:2) xu(c:2) xu(c:2) xe(c:2) xe(c) S(c) E(c) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [c]
    result c: {"n":1} {"n":2} caller,echo,progress
    assistant stop: done
    "#);
    assert_eq!(*parents.lock().unwrap(), [None, Some("c".to_owned()), Some("c".to_owned())]);
}

#[tokio::test]
async fn what_is_wrong_with_one_is_its_result_alone() {
    let wrong = caller(|call| async move {
        let mut said = Vec::new();
        for (name, arguments) in
            [("nobody", json!({})), ("echo", json!({"n": "many"})), ("fails", json!({})), ("panics", json!({}))]
        {
            said.push(text(&call.calls, name, arguments).await.lines().next().unwrap_or_default().to_owned());
        }
        Ok(ToolOutput::text(said.join("\n")))
    });
    let bench = Bench::new(
        one_call(),
        [wrong, tool("echo", Act::Echo), tool("fails", Act::Fail("no luck")), tool("panics", Act::Panic)],
    );
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(c) xs(c:1) xe(c:1!) xs(c:2) xe(c:2!) xs(c:3) xe(c:3!) xs(c:4) xe(c:4!) xe(c) S(c) E(c) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [c]
    result c: c:1!Tool nobody not found
    c:2!Validation failed for tool "echo":
    c:3!no luck
    c:4!Tool panics failed unexpectedly (it panicked)
    assistant stop: done
    "#);
}

#[tokio::test]
async fn hooks_see_them_like_calls_of_the_model() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (before, after) = (Arc::clone(&asked), Arc::clone(&asked));
    let hooks = Hooks::default()
        .with_before_tool_call(move |question| {
            before.lock().unwrap().push(format!("{:?} > {}", question.parent_tool_call_id, question.call.id));
            let verdict = match question.arguments["n"].as_i64() {
                Some(1) => ToolCallVerdict::block("not this one"),
                Some(2) => ToolCallVerdict::AllowWith(json!({"n": 20})),
                _ => ToolCallVerdict::Allow,
            };
            async move { Ok(verdict) }
        })
        .with_after_tool_call(move |question| {
            after.lock().unwrap().push(format!("{} < {}", question.call.id, question.arguments["n"]));
            let is_third = question.arguments["n"] == 3;
            async move { Ok(if is_third { ToolResultPatch::text("patched") } else { ToolResultPatch::keep() }) }
        });
    let three = caller(|call| async move {
        let said = futures::future::join_all((1..4).map(|n| text(&call.calls, "echo", json!({"n": n})))).await;
        Ok(ToolOutput::text(said.join(" ")))
    });
    let bench = Bench::new(one_call(), [three, tool("echo", Act::Echo)]).hooked(hooks);
    bench.run("go").await;
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [c]
    result c: c:1!not this one {"n":20} patched
    assistant stop: done
    "#);
    insta::assert_snapshot!(asked.lock().unwrap().join("\n"), @r#"
    None > c
    Some("c") > c:1
    Some("c") > c:2
    Some("c") > c:3
    c:2 < 20
    c:3 < 3
    c < null
    "#);
}

#[tokio::test]
async fn a_sequential_tool_runs_beside_none_of_them() {
    let beside = Arc::new(Notify::new());
    let waking = Arc::clone(&beside);
    let most = Arc::new(Mutex::new((0_u32, 0_u32)));
    let counted = Arc::clone(&most);
    let parameters = json!({"type": "object"});
    let alone =
        FnTool::new(ToolDefinition { name: "alone".to_owned(), description: String::new(), parameters }, move |_| {
            let counted = Arc::clone(&counted);
            async move {
                {
                    let mut counted = counted.lock().unwrap();
                    counted.0 += 1;
                    counted.1 = counted.1.max(counted.0);
                }
                for _ in 0..20 {
                    tokio::task::yield_now().await;
                }
                counted.lock().unwrap().0 -= 1;
                Ok(ToolOutput::text("alone"))
            }
        });
    let many = caller(|call| async move {
        let names = ["alone", "wait", "wake", "alone", "alone"];
        let said = futures::future::join_all(names.map(|name| text(&call.calls, name, json!({})))).await;
        Ok(ToolOutput::text(said.join(" ")))
    });
    // Those that are not sequential run side by side: else the first would wait for ever.
    let bench = Bench::new(
        one_call(),
        [many, Arc::new(alone.sequential()), tool("wait", Act::Wait(beside)), tool("wake", Act::Wake(waking))],
    );
    bench.run("go").await;
    assert_eq!(*most.lock().unwrap(), (0, 1));
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [c]
    result c: alone {} {} alone alone
    assistant stop: done
    "#);
}

#[tokio::test]
async fn what_still_runs_when_the_tool_returns_is_reported_as_aborted() {
    let hasty = caller(|call| async move {
        let calls = call.calls.clone();
        tokio::spawn(async move {
            calls.call("waits", json!({})).await;
            // Nobody hears of this one.
            calls.call("echo", json!({})).await;
        });
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        Ok(ToolOutput::text("left"))
    });
    let bench = Bench::new(one_call(), [hasty, tool("waits", Act::UntilAborted), tool("echo", Act::Echo)]);
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(c) xs(c:1) xe(c:1!) xe(c) S(c) E(c) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
}

#[tokio::test(start_paused = true)]
async fn an_abort_reaches_them() {
    let waits = || caller(|call| async move { Ok(ToolOutput::text(text(&call.calls, "waits", json!({})).await)) });
    for act in [Act::UntilAborted, Act::Wait(Arc::new(Notify::new()))] {
        let bench = Bench::new(one_call(), [waits(), tool("waits", act)]);
        let trace = bench.abort_at("xs(c:1)").await;
        assert!(trace.contains("xs(c) xs(c:1) xe(c:1!) xe(c"), "{trace}");
    }
}

#[tokio::test]
async fn they_make_no_calls_themselves_and_tools_outside_of_runs_make_none() {
    let deep = caller(|call| async move {
        let inner = call.calls.are_possible();
        Ok(ToolOutput::text(if inner { text(&call.calls, "caller", json!({})).await } else { "the end".to_owned() }))
    });
    let bench = Bench::new(one_call(), [deep]);
    bench.run("go").await;
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [c]
    result c: the end
    assistant stop: done
    "#);
    let outcome = NestedCalls::none().call("echo", json!({})).await;
    assert!(outcome.is_error && NestedCalls::none().definitions().is_empty());
}

#[tokio::test]
async fn a_tool_for_them_is_not_declared() {
    #[derive(Debug)]
    struct Hidden(Arc<dyn Tool>);
    impl Tool for Hidden {
        fn definition(&self) -> &Arc<ToolDefinition> {
            self.0.definition()
        }
        fn exposure(&self) -> ToolExposure {
            ToolExposure::Nested
        }
        fn execute(&self, call: ToolInvocation) -> futures::future::BoxFuture<'_, Result<ToolOutput, ToolError>> {
            self.0.execute(call)
        }
    }
    let uses = caller(|call| async move { Ok(ToolOutput::text(text(&call.calls, "echo", json!({"n": 1})).await)) });
    let hidden: Arc<dyn Tool> = Arc::new(Hidden(tool("echo", Act::Echo)));
    let bench = Bench::new(one_call(), [uses, hidden]);
    bench.run("go").await;
    let declared: Vec<Vec<String>> = {
        let requests = bench.script.requests.lock().unwrap();
        requests.iter().map(|request| request.tools.iter().map(|tool| tool.name.clone()).collect()).collect()
    };
    assert_eq!(declared, [["caller"], ["caller"]]);
    assert!(bench.transcript().contains("{\"n\":1}"), "{}", bench.transcript());
}
