//! What clients of newer versions rely on: the end of a session-level run, what became of a prompt, the order in which
//! messages are taken, entries, pieces of output, how much events show.

use serde_json::{Value, json};

use crate::rpc::{ask, has_text, held, outline, prompt, rpc, send};
use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, fail, open, tool_call};

fn typed(kind: &str, text: &str) -> Value {
    json!({"id": text, "type": kind, "message": text})
}

fn count(lines: &[Value], kind: &str) -> usize {
    lines.iter().filter(|line| line["type"] == kind).count()
}

fn disposition(lines: &[Value], id: &str) -> Value {
    lines.iter().find(|line| line["id"] == id).unwrap()["data"]["disposition"].clone()
}

/// Sends commands and returns everything up to the end of what follows from them.
async fn settled(pi: &mut pi_test_kit::Live, commands: &[Value]) -> Vec<Value> {
    send(pi, commands).await;
    pi.until(|line| line["type"] == "agent_settled").await
}

#[tokio::test]
async fn a_run_settles_once_after_everything_that_follows_from_it() {
    let overloaded = || fail(529, "api_error", "internal server error");
    let provider = Provider::start([
        answer("plain"),
        tool_call("t1", "bash", &json!({"command": "echo hi"})),
        answer("after the tool"),
        overloaded(),
        answer("after the retry"),
        answer("first"),
        answer("queued"),
    ])
    .await;
    let world = World::with(&provider);
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"maxRetries": 2, "baseDelayMs": 1}}),
    );
    let mut pi = rpc(&world).await;
    for (commands, runs) in [
        (vec![prompt("plain")], 1),
        (vec![prompt("tool")], 1),
        (vec![prompt("retry")], 2),
        (vec![prompt("queue"), typed("follow_up", "more")], 1),
    ] {
        let lines = settled(&mut pi, &commands).await;
        assert_eq!(count(&lines, "agent_end"), runs, "{:?}", outline(&lines));
        assert_eq!(*lines.last().unwrap(), json!({"type": "agent_settled", "aborted": false}));
        // Nothing comes behind it.
        send(&mut pi, &[json!({"id": "q", "type": "get_last_assistant_text"})]).await;
        assert_eq!(outline(&pi.until(|line| line["id"] == "q").await), ["get_last_assistant_text"]);
    }
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(provider.requests().len(), 7);
}

#[tokio::test]
async fn an_aborted_run_settles_before_its_abort_is_answered() {
    let hanging = || Reply::stream(&(open() + &delta("so far"))).hang();
    let provider = Provider::start([hanging(), hanging(), answer("to the queued one")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    send(&mut pi, &[json!({"id": "a", "type": "abort"})]).await;
    let lines = pi.until(|line| line["id"] == "a").await;
    assert_eq!(outline(&lines)[lines.len() - 3..], ["agent_end", "agent_settled", "abort"]);
    assert_eq!(lines[lines.len() - 2]["aborted"], true);
    // What waits begins another run, so the end is that of both.
    send(&mut pi, &[prompt("again")]).await;
    pi.until(has_text).await;
    send(&mut pi, &[typed("steer", "queued"), json!({"id": "b", "type": "abort"})]).await;
    let lines = pi.until(|line| line["type"] == "agent_settled").await;
    let order: Vec<String> = outline(&lines).into_iter().filter(|name| name.starts_with("a")).collect();
    let runs: Vec<&String> = order.iter().filter(|name| *name != "abort").collect();
    assert_eq!(runs, ["agent_end", "agent_start", "agent_end", "agent_settled"]);
    // It does not wait for what follows.
    let answered = order.iter().position(|name| name == "abort").unwrap();
    assert!((1..order.len() - 1).contains(&answered), "{order:?}");
    assert_eq!(lines.last().unwrap()["aborted"], false);
    let idle = ask(&mut pi, json!({"id": "c", "type": "abort"})).await;
    assert_eq!(idle["success"], true);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn going_to_another_session_settles_first() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang()]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    send(&mut pi, &[json!({"id": "n", "type": "new_session"})]).await;
    let lines = pi.until(|line| line["id"] == "n").await;
    assert_eq!(outline(&lines)[lines.len() - 3..], ["agent_end", "agent_settled", "new_session"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn responses_say_what_became_of_a_message() {
    const EXTENSION: &str = "export default (pi) => {
        pi.registerCommand('hello', { handler: async (_, ctx) => ctx.ui.notify('hi') });
        pi.on('input', (event) => event.text === 'swallow' ? { action: 'handled' } : undefined);
        pi.on('agent_settled', (event, ctx) => ctx.ui.notify(JSON.stringify(event)));
    };";
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("steered"), answer("followed")]).await;
    let world = World::with(&provider);
    let extension = world.write("hello.ts", EXTENSION);
    let mut pi = world.pi(&["--mode", "rpc", "-e", extension.to_str().unwrap()]).start();
    for text in ["/hello", "swallow"] {
        send(&mut pi, &[prompt(text)]).await;
        let lines = pi.until(|line| line["id"] == text).await;
        assert_eq!(disposition(&lines, text), "handled");
    }
    send(&mut pi, &[prompt("go")]).await;
    let mut lines = pi.until(has_text).await;
    let queued = json!({"id": "p", "type": "prompt", "message": "p", "streamingBehavior": "steer"});
    send(&mut pi, &[typed("steer", "s"), typed("follow_up", "f"), queued]).await;
    gate.open();
    lines.extend(pi.until(|line| line["type"] == "agent_settled").await);
    assert_eq!(disposition(&lines, "go"), "started");
    for id in ["s", "f", "p"] {
        assert_eq!(disposition(&lines, id), "queued", "{id}");
    }
    // Extensions hear of it first, and only runs settle.
    let told: Vec<&Value> = lines.iter().filter(|line| line["method"] == "notify").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["message"], r#"{"type":"agent_settled","aborted":false}"#);
    assert_eq!(count(&lines, "agent_settled"), 1);
    pi.end().await;
}

#[tokio::test]
async fn what_arrives_in_one_write_is_there_before_the_first_model_call() {
    let provider = Provider::start(["a", "b", "c", "d", "e", "f"].map(answer)).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let steering = json!({"id": "P2", "type": "prompt", "message": "P2", "streamingBehavior": "steer"});
    let commands = [prompt("P1"), typed("steer", "S"), typed("follow_up", "F"), prompt("refused"), steering];
    let all = json!({"id": "m", "type": "set_steering_mode", "mode": "all"});
    ask(&mut pi, all).await;
    let lines = settled(&mut pi, &commands).await;
    let responses: Vec<&str> =
        lines.iter().filter(|line| line["type"] == "response").map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(responses, ["P1", "S", "F", "refused", "P2"]);
    assert!(lines.iter().any(|line| line["id"] == "refused" && line["success"] == false));
    assert_eq!(provider.requests()[0].texts("user"), ["P1", "S", "P2"]);
    assert_eq!(provider.requests()[1].texts("user"), ["P1", "S", "P2", "F"]);
    assert_eq!(provider.requests().len(), 2);
    // Before a prompt they wait for it.
    let commands = [typed("follow_up", "F2"), typed("steer", "S2"), prompt("P3")];
    settled(&mut pi, &commands).await;
    assert_eq!(provider.requests()[2].texts("user")[4..], ["P3", "S2"]);
    assert_eq!(provider.requests()[3].texts("user")[6..], ["F2"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn the_entries_of_a_session_are_listed_from_a_place_on_and_as_a_tree() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let empty = ask(&mut pi, json!({"id": 0, "type": "get_entries"})).await;
    let early: Vec<Value> = empty["data"]["entries"].as_array().unwrap().clone();
    settled(&mut pi, &[prompt("first")]).await;
    settled(&mut pi, &[prompt("second")]).await;
    let listed = ask(&mut pi, json!({"id": 1, "type": "get_entries"})).await;
    let entries = listed["data"]["entries"].as_array().unwrap().clone();
    assert_eq!(entries, world.entries()[1..], "as in the file, without its header");
    assert_eq!(entries[..early.len()], early);
    assert_eq!(listed["data"]["leafId"], entries.last().unwrap()["id"]);
    let since = &entries[entries.len() - 3]["id"];
    let rest = ask(&mut pi, json!({"id": 2, "type": "get_entries", "since": since})).await;
    assert_eq!(rest["data"]["entries"], json!(entries[entries.len() - 2..]));
    let unknown = ask(&mut pi, json!({"id": 3, "type": "get_entries", "since": "nope"})).await;
    assert_eq!(unknown["error"], "Entry not found: nope");
    let tree = ask(&mut pi, json!({"id": 4, "type": "get_tree"})).await["data"].clone();
    assert_eq!(tree["leafId"], listed["data"]["leafId"]);
    let (mut node, mut chain) = (&tree["tree"][0], Vec::new());
    while !node.is_null() {
        chain.push(node["entry"].clone());
        node = &node["children"][0];
    }
    assert_eq!(chain, entries);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn labels_and_branches_are_in_the_tree() {
    let world = World::at("http://127.0.0.1:9");
    let time = "2026-01-01T00:00:00.000Z";
    let info = |id: &str, parent: Option<&str>| json!({"type": "custom", "id": id, "parentId": parent, "timestamp": time, "customType": "t"});
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "timestamp": time, "cwd": world.cwd()}),
        info("aaaaaaaa", None),
        info("bbbbbbbb", Some("aaaaaaaa")),
        info("cccccccc", Some("aaaaaaaa")),
        json!({"type": "label", "id": "dddddddd", "parentId": "cccccccc", "timestamp": time, "targetId": "bbbbbbbb", "label": "here"}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let file = world.write("tree.jsonl", &text);
    let mut pi = world.pi(&["--mode", "rpc", "--session", file.to_str().unwrap()]).start();
    let tree = ask(&mut pi, json!({"id": 4, "type": "get_tree"})).await["data"].clone();
    let root = &tree["tree"][0];
    assert_eq!(tree["tree"].as_array().unwrap().len(), 1);
    assert_eq!(root["entry"], lines[1]);
    assert_eq!(
        root["children"][0],
        json!({"entry": lines[2], "children": [], "label": "here", "labelTimestamp": time})
    );
    assert_eq!(root["children"][1]["entry"], lines[3]);
    pi.end().await;
}

#[tokio::test]
async fn all_output_of_a_shell_command_comes_in_pieces() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    // More than a response shows.
    let command = "for i in $(seq 1 20000); do echo \"line $i\"; done; printf '\\033[31mred\\033[0m \\303'; sleep 0.1; printf '\\244'";
    send(&mut pi, &[json!({"id": "b", "type": "bash", "command": command})]).await;
    let lines = pi.until(|line| line["type"] == "response").await;
    let (response, pieces) = lines.split_last().unwrap();
    assert_eq!(response["data"]["truncated"], true);
    assert!(pieces.iter().all(|piece| piece["type"] == "bash_execution_update" && piece["id"] == "b"));
    let text: String = pieces.iter().map(|piece| piece["delta"].as_str().unwrap()).collect();
    let expected: String = (1..=20_000).map(|number| format!("line {number}\n")).collect();
    assert_eq!(text, expected + "red ä");
    send(&mut pi, &[json!({"type": "bash", "command": "echo x"})]).await;
    assert_eq!(pi.event("bash_execution_update").await, json!({"type": "bash_execution_update", "delta": "x\n"}));
    pi.end().await;
}

#[tokio::test]
async fn a_command_whose_output_nobody_reads_can_be_aborted() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    send(&mut pi, &[json!({"id": "b", "type": "bash", "command": "touch begun; yes"})]).await;
    let begun = world.cwd().join("begun");
    pi_test_kit::wait_until("the command runs", || begun.exists()).await;
    send(&mut pi, &[json!({"id": "x", "type": "abort_bash"})]).await;
    let lines = pi.until(|line| line["id"] == "b" && line["type"] == "response").await;
    assert_eq!(lines.last().unwrap()["data"]["cancelled"], true);
    assert_eq!(pi.end().await.0, 0);
}

/// Keys of the updates of an answer that calls a tool, and of their nested events.
async fn keys_of_updates(pi_args: &[&str], compat: Option<&str>) -> (Vec<String>, Vec<String>, Vec<Value>) {
    let call = tool_call("t1", "bash", &json!({"command": "true"}));
    let provider = Provider::start([call, answer("done")]).await;
    let world = World::with(&provider);
    let program = world.pi(pi_args);
    let mut pi = compat.into_iter().fold(program, |pi, compat| pi.env("PI_COMPAT", compat)).start();
    let mut lines = if pi_args.contains(&"rpc") {
        send(&mut pi, &[prompt("hi")]).await;
        let lines =
            pi.until(|line| line["message"]["content"][0]["text"] == "done" && line["type"] == "turn_end").await;
        pi.close_stdin();
        lines
    } else {
        pi.close_stdin();
        Vec::new()
    };
    lines.extend(pi.rest().await);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let start = lines.iter().find(|line| line["assistantMessageEvent"]["type"] == "toolcall_start").unwrap();
    (vec![keys(start)], vec![keys(&start["assistantMessageEvent"])], lines)
}

#[tokio::test]
async fn updates_say_usage_and_which_call_begins() {
    for (args, update, event) in [
        (&["--mode", "rpc"][..], "type usage assistantMessageEvent message", "type contentIndex id toolName partial"),
        (
            &["--mode", "rpc", "--event-detail", "delta"],
            "type usage assistantMessageEvent",
            "type contentIndex id toolName block",
        ),
        (
            &["--mode", "json", "--event-detail", "delta", "hi"],
            "type usage assistantMessageEvent",
            "type contentIndex id toolName block",
        ),
        (
            &["--mode", "json", "--event-detail", "full", "hi"],
            "type usage assistantMessageEvent message",
            "type contentIndex id toolName partial",
        ),
    ] {
        let (updates, events, lines) = keys_of_updates(args, None).await;
        assert_eq!((updates[0].as_str(), events[0].as_str()), (update, event), "{args:?}");
        let start = lines.iter().find(|line| line["assistantMessageEvent"]["type"] == "toolcall_start").unwrap();
        assert_eq!(start["assistantMessageEvent"]["id"], "t1");
        assert_eq!(start["assistantMessageEvent"]["toolName"], "bash");
        assert_eq!(start["usage"]["input"], 7);
        if args.contains(&"json") {
            assert_eq!(lines.last().unwrap()["type"], "agent_settled");
        }
    }
}

#[tokio::test]
async fn clients_of_0_79_can_have_what_they_know() {
    let (updates, events, lines) = keys_of_updates(&["--mode", "rpc"], Some("0.79")).await;
    assert_eq!(updates, ["type assistantMessageEvent message"]);
    assert_eq!(events, ["type contentIndex partial"]);
    assert_eq!(lines[0], json!({"id": "hi", "type": "response", "command": "prompt", "success": true}));
    assert_eq!(count(&lines, "agent_settled"), 0);
    let world = World::at("http://127.0.0.1:9");
    let mut pi = world.pi(&["--mode", "rpc"]).env("PI_COMPAT", "0.79").start();
    send(&mut pi, &[json!({"id": "b", "type": "bash", "command": "echo x"})]).await;
    assert_eq!(pi.line().await.unwrap()["type"], "response");
    pi.end().await;
}

#[tokio::test]
async fn values_that_do_not_exist_are_refused_with_those_that_do() {
    let world = World::at("http://127.0.0.1:9");
    let wrong = world.pi(&["--mode", "rpc", "--event-detail", "some"]).run().await;
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (Some(1), "Error: Unknown event detail \"some\". Valid values: full, delta\n")
    );
    let wrong = world.pi(&["--mode", "json", "hi"]).env("PI_COMPAT", "0.58").run().await;
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (Some(1), "Error: PI_COMPAT is \"0.58\". Valid values: 0.79; leave it out otherwise\n")
    );
}
