//! The examples `subagent`, as programs: the sub-agents are processes, too.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::extensions::programs::{Program, ask, programs, run, send, tool_result};
use pi_test_kit::{Live, Provider, Reply, World, answer, fail, is_running, tool_call, tool_calls, wait_until};

fn delegators() -> Vec<Program> {
    programs("subagent", "subagent/index.ts")
}

fn task(text: &str) -> Reply {
    tool_call("t1", "subagent", &json!({"task": text}))
}

#[tokio::test]
async fn a_task_is_done_by_another_process() {
    for program in delegators() {
        let call = json!({"task": "Read the file in.txt.", "tools": ["read", "ls"]});
        let replies = [
            tool_call("t1", "subagent", &call),
            tool_call("t2", "read", &json!({"path": "in.txt"})),
            answer("It says input."),
            answer("Thank you."),
        ];
        let provider = Provider::start(replies).await;
        let world = World::with(&provider);
        world.write("in.txt", "input");
        let mut pi = program.rpc(&world, &["--model", "mock/m2"]);
        let lines = run(&mut pi, "Delegate.").await;
        assert_eq!(tool_result(&lines), (false, "It says input.".to_owned()), "{}", program.name);
        let updates = lines.iter().filter(|line| line["type"] == "tool_execution_update");
        let updates: Vec<&Value> = updates.map(|line| &line["partialResult"]["content"][0]["text"]).collect();
        assert_eq!(updates.first(), Some(&&json!("The sub-agent is at work: read")));
        let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
        assert_eq!(
            end["result"]["details"],
            json!({"task": "Read the file in.txt.", "model": "mock/m2", "answers": 2, "calls": ["read"],
                "input": 14, "output": 10})
        );

        let requests = provider.requests();
        let (tools, said) = (requests[1].tools(), requests[1].texts("user"));
        assert_eq!(
            (requests[1].body["model"].as_str(), said),
            (Some("m2"), vec!["Your task: Read the file in.txt.".to_owned()])
        );
        let mut tools: Vec<&str> = tools.into_iter().collect();
        tools.sort_unstable();
        assert_eq!(tools, ["ls", "read"]);
        assert!(requests[2].body["messages"].to_string().contains("input"));
        assert_eq!(world.session_files().len(), 1, "only the conversation of the user is kept");
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_sub_agent_has_no_sub_agents() {
    for program in delegators() {
        let provider = Provider::start([task("Be alone."), answer("I am."), answer("Good.")]).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &[]);
        run(&mut pi, "Delegate.").await;
        let requests = provider.requests();
        assert!(requests[0].tools().contains(&"subagent"), "{}", program.name);
        assert!(!requests[1].tools().contains(&"subagent"));
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn several_work_at_the_same_time() {
    for program in delegators() {
        let two = [("t1", "subagent", json!({"task": "One."})), ("t2", "subagent", json!({"task": "Two."}))];
        let provider = Provider::start([tool_calls(&two), answer("Done."), answer("Done."), answer("Both.")]).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &[]);
        let lines = run(&mut pi, "Delegate.").await;
        let kinds: Vec<&str> = lines
            .iter()
            .filter_map(|line| line["type"].as_str())
            .filter(|kind| ["tool_execution_start", "tool_execution_end"].contains(kind))
            .collect();
        let (start, end) = ("tool_execution_start", "tool_execution_end");
        assert_eq!(kinds, [start, start, end, end], "{}", program.name);
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn what_goes_wrong_is_told_to_the_model() {
    // The parent of a command may be the process that starts commands; then the program is the parent of that.
    const KILL: &str = "p=$PPID; if grep -q spawner /proc/$p/comm; then p=$(ps -o ppid= -p $p); fi; kill -KILL $p";
    let dies = || tool_call("t2", "bash", &json!({ "command": KILL }));
    let cases = [
        (
            vec![task("Do it."), fail(400, "invalid_request_error", "no such thing"), answer("Well.")],
            "The sub-agent failed: ",
        ),
        (vec![task("Do it."), answer(" "), answer("Well.")], "The sub-agent ended without an answer."),
        (vec![task("Do it."), dies(), answer("Well.")], "The sub-agent ended too early: "),
        (vec![task(" "), answer("Well.")], "The task is empty. Say what the sub-agent shall do."),
    ];
    for program in delegators() {
        for (replies, expected) in &cases {
            let provider = Provider::start(replies.clone()).await;
            let world = World::with(&provider);
            let mut pi = program.rpc(&world, &[]);
            let (failed, text) = tool_result(&run(&mut pi, "Delegate.").await);
            assert!(failed && text.starts_with(expected), "{text} {}", program.name);
            assert_eq!(pi.end().await, (0, String::new()));
        }
    }
}

/// A program whose sub-agent runs a command that takes long. Their ids are in files.
async fn at_work(program: &Program, provider: &Provider, world: &World) -> Live {
    let mut pi = program.rpc(world, &[]);
    send(&mut pi, &json!({"type": "prompt", "message": "Delegate."})).await;
    provider.received(2).await;
    let shell = world.cwd().join("shell.pid");
    wait_until("the command runs", || std::fs::read_to_string(&shell).is_ok_and(|text| text.ends_with('\n'))).await;
    assert!(is_running(&shell) && is_running(&world.cwd().join("agent.pid")));
    pi
}

async fn all_ended(world: &World) {
    for file in ["agent.pid", "shell.pid"] {
        let file = world.cwd().join(file);
        wait_until("it is gone", || !is_running(&file)).await;
    }
}

fn takes_long() -> [Reply; 2] {
    let script = "echo $PPID > agent.pid; echo $$ > shell.pid; sleep 600";
    [task("Take long."), tool_call("t2", "bash", &json!({"command": script}))]
}

#[tokio::test]
async fn an_abort_ends_the_sub_agent_and_what_it_runs() {
    for program in delegators() {
        let provider = Provider::start(takes_long()).await;
        let world = World::with(&provider);
        let mut pi = at_work(&program, &provider, &world).await;
        ask(&mut pi, json!({"id": "stop", "type": "abort"})).await;
        all_ended(&world).await;
        assert_eq!(pi.end().await, (0, String::new()), "{}", program.name);
    }
}

#[tokio::test]
async fn the_end_of_the_program_ends_the_sub_agent() {
    for program in delegators() {
        for signal in [None, Some(Signal::TERM)] {
            let provider = Provider::start(takes_long()).await;
            let world = World::with(&provider);
            let mut pi = at_work(&program, &provider, &world).await;
            match signal {
                Some(signal) => pi.signal(signal),
                None => pi.close_stdin(),
            }
            pi.finish().await;
            all_ended(&world).await;
        }
    }
}
