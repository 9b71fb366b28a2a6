//! The examples `plan_mode`, as programs.

use serde_json::{Value, json};

use crate::extensions::programs::{Program, notices, programs, reply, run, send, tool_result};
use pi_test_kit::{Live, Provider, Reply, World, answer, tool_call};

const PLAN: &str = "I looked.\n\n**Plan:**\n\n1. Write **a**\n2) Write b\n\nThat is all.";
const OPEN: &str = "[ ] 1. Write a\n[ ] 2. Write b";

fn planners() -> Vec<Program> {
    programs("plan_mode", "plan-mode/index.ts")
}

async fn command(pi: &mut Live, text: &str) -> Vec<String> {
    send(pi, &json!({"id": text, "type": "prompt", "message": text})).await;
    let lines = pi.until(|line| line["type"] == "response" && line["id"] == text).await;
    notices(&lines).into_iter().map(str::to_owned).collect()
}

/// Prompts and waits for the question about the plan.
async fn asked(pi: &mut Live, text: &str) -> Value {
    send(pi, &json!({"type": "prompt", "message": text})).await;
    let lines = pi.until(|line| line["type"] == "extension_ui_request" && line["method"] == "select").await;
    let request = lines.last().unwrap().clone();
    assert_eq!(
        (&request["title"], &request["options"]),
        (&json!("What shall become of the plan?"), &json!(["Carry it out", "Change it", "Keep planning"]))
    );
    request
}

/// The last status line, and the last widget.
fn shown(lines: &[Value]) -> (Value, Value) {
    let last = |method: &str, key: &str| {
        let line = lines.iter().rev().find(|line| line["method"] == method);
        line.map_or(Value::Null, |line| line[key].clone())
    };
    (last("setStatus", "statusText"), last("setWidget", "widgetLines"))
}

fn write(id: &str, name: &str) -> Reply {
    tool_call(id, "write", &json!({"path": name, "content": name}))
}

#[tokio::test]
async fn a_plan_is_made_and_carried_out() {
    let replies = || {
        [
            answer(PLAN),
            write("t1", "a"),
            answer("The first is done. [DONE:1]"),
            write("t2", "b"),
            answer("[done: 2] and [DONE:7], which there is not."),
        ]
    };
    for program in planners() {
        let provider = Provider::start(replies()).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &["--plan"]);
        assert_eq!(command(&mut pi, "/todos").await, ["There is no plan."], "{}", program.name);
        let question = asked(&mut pi, "Do something.").await;
        let request = provider.requests().remove(0);
        assert!(!request.tools().contains(&"write") && !request.tools().contains(&"edit"), "{:?}", request.tools());
        assert!(request.tools().contains(&"read"));
        assert!(request.texts("user").concat().contains("You are planning."));

        reply(&mut pi, &question, json!({"value": "Carry it out"})).await;
        let lines = pi.until(|line| line["statusText"] == "plan 1/2").await;
        assert!(lines.iter().any(|line| line["widgetLines"] == json!(OPEN.lines().collect::<Vec<_>>())), "{lines:?}");
        pi.until(|line| line["type"] == "agent_end").await;
        let request = provider.requests().remove(1);
        assert!(request.tools().contains(&"write") && request.tools().contains(&"edit"), "{:?}", request.tools());
        let said = request.texts("user").concat();
        assert!(said.contains("Carry out the plan now.") && said.contains(OPEN), "{said}");
        assert!(!said.contains("You are planning."), "{said}");
        assert_eq!(command(&mut pi, "/todos").await, ["[x] 1. Write a\n[ ] 2. Write b"]);

        let lines = run(&mut pi, "Go on.").await;
        assert_eq!(notices(&lines), ["The plan is carried out."]);
        assert_eq!(shown(&lines), (Value::Null, Value::Null));
        assert!(world.cwd().join("a").exists() && world.cwd().join("b").exists());
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_plan_can_be_changed_kept_and_dropped() {
    for program in planners() {
        let provider = Provider::start([answer(PLAN), answer("Plan:\n1. Only this"), answer("No plan yet.")]).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &[]);
        let on = "Planning: nothing is changed until there is a plan that you like.";
        assert_eq!(command(&mut pi, "/plan").await, [on], "{}", program.name);
        let question = asked(&mut pi, "Do something.").await;
        reply(&mut pi, &question, json!({"value": "Change it"})).await;
        let editor = pi.until(|line| line["method"] == "editor").await.pop().unwrap();
        reply(&mut pi, &editor, json!({"value": " Less. "})).await;
        let question = pi.until(|line| line["method"] == "select").await.pop().unwrap();
        // It was queued while the run was ending: the reminder of the first prompt still counts, and stands before it.
        let said = provider.requests()[1].texts("user");
        let reminder = said.iter().position(|text| text.contains("You are planning."));
        assert_eq!((reminder, said.len()), (Some(1), 3), "{}: {said:?}", program.name);
        assert_eq!((&*said[0], &*said[2]), ("Do something.", "Less."), "{}", program.name);
        // A question that is dismissed changes nothing.
        reply(&mut pi, &question, json!({"cancelled": true})).await;
        pi.until(|line| line["type"] == "agent_end").await;
        assert_eq!(command(&mut pi, "/todos").await, ["[ ] 1. Only this"]);
        let lines = run(&mut pi, "And?").await;
        assert!(lines.iter().all(|line| line["method"] != "select"), "an answer without a plan asks nothing");
        assert!(!provider.requests()[2].tools().contains(&"write"));
        let off = "No planning any more: all tools are back.";
        assert_eq!(command(&mut pi, "/plan").await, [off]);
        assert_eq!(command(&mut pi, "/todos").await, ["There is no plan."]);
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

/// A command line, and whether it runs while there is only a plan.
const COMMANDS: [(&str, bool); 12] = [
    ("cat in.txt | wc -l", true),
    ("ls; pwd && git status", true),
    ("find . -name '*.txt'", true),
    ("rm in.txt", false),
    ("echo x > in.txt", false),
    ("ls; rm in.txt", false),
    ("ls\nrm in.txt", false),
    ("cat $(rm in.txt)", false),
    ("find . -delete", false),
    ("git checkout .", false),
    ("git diff --output=in.txt", false),
    ("sed -i s/a/b/ in.txt", false),
];

#[tokio::test]
async fn while_it_plans_the_shell_only_looks() {
    for program in planners() {
        let calls =
            COMMANDS.map(|(command, _)| [tool_call("t1", "bash", &json!({"command": command})), answer("Well.")]);
        let provider = Provider::start(calls.into_iter().flatten()).await;
        let world = World::with(&provider);
        world.write("in.txt", "input");
        let mut pi = program.rpc(&world, &["--plan"]);
        for (command, runs) in COMMANDS {
            let (_, text) = tool_result(&run(&mut pi, "go").await);
            let refused =
                format!("While you plan only commands that look run, and this one may change something: {command}");
            assert_eq!(text != refused, runs, "{command}: {text} {}", program.name);
        }
        assert_eq!(std::fs::read_to_string(world.cwd().join("in.txt")).unwrap(), "input");
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

/// Another process finds the plan where it was; without a user there is a plan, and no question.
#[tokio::test]
async fn the_plan_is_in_the_session() {
    for program in planners() {
        let replies = [answer(PLAN), answer("Done. [DONE:1]"), answer("Hm."), write("t1", "a"), answer("I cannot.")];
        let provider = Provider::start(replies).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &["--plan"]);
        let question = asked(&mut pi, "Do something.").await;
        reply(&mut pi, &question, json!({"value": "Carry it out"})).await;
        pi.until(|line| line["statusText"] == "plan 1/2").await;
        pi.until(|line| line["type"] == "agent_end").await;
        assert_eq!(pi.end().await, (0, String::new()));

        let mut pi = program.rpc(&world, &["--continue", "--plan"]);
        assert_eq!(command(&mut pi, "/todos").await, ["[x] 1. Write a\n[ ] 2. Write b"], "{}", program.name);
        run(&mut pi, "Where are we?").await;
        let said = provider.requests()[2].texts("user").concat();
        assert!(said.contains("[x] 1. Write a\n[ ] 2. Write b") && !said.contains("You are planning."), "{said}");
        assert_eq!(pi.end().await, (0, String::new()));

        let said = program.with(&world, &["--no-session", "--plan", "-p", "Do something."]).run().await.success();
        assert_eq!(said, "I cannot.\n");
        assert!(!world.cwd().join("a").exists());
    }
}
