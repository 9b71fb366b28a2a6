//! A program that is killed in the middle of tool calls: the next run tells the model what is known of them.

use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::{Value, json};

use pi_test_kit::{Provider, Reply, World, answer, is_running, tool_call, tool_calls, wait_until};

/// Tells its process id in a file and goes on for long.
const LONG: &str = "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 600";

/// Lets the model make these calls, and kills the program when the command of one is under way.
async fn killed(calls: Reply, ready: impl Fn(&World) -> bool) -> (Provider, World) {
    killed_with(&[], calls, ready).await
}

/// The same with these options.
async fn killed_with(options: &[&str], calls: Reply, ready: impl Fn(&World) -> bool) -> (Provider, World) {
    let provider = Provider::start([calls, answer("I see"), answer("yes")]).await;
    let world = World::with(&provider);
    let mut pi = world.pi(&[&["--mode", "rpc"], options].concat()).start();
    pi.send("{\"type\":\"prompt\",\"message\":\"go\"}\n").await;
    wait_until("the command does not run", || world.cwd().join("pid").exists() && ready(&world)).await;
    pi.signal(Signal::KILL);
    pi.finish_unread().await;
    wait_until("the command ends with it", || !is_running(&world.cwd().join("pid"))).await;
    (provider, world)
}

fn effects(world: &World) -> PathBuf {
    let files = world.session_files();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].with_extension("jsonl.effects")
}

/// Results in a request: id of the call and text.
fn told(request: &Value) -> Vec<(String, String)> {
    let blocks = request["messages"].as_array().unwrap().iter().filter_map(|message| message["content"].as_array());
    let results = blocks.flatten().filter(|block| block["type"] == "tool_result");
    let text = |block: &Value| match &block["content"] {
        Value::String(text) => text.clone(),
        blocks => blocks.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect(),
    };
    results.map(|block| (block["tool_use_id"].as_str().unwrap().to_owned(), text(block))).collect()
}

const RUNNING: &str = "Outcome unknown: the run was cut off while this call was under way. It may have taken effect in \
    full, in part or not at all. Find out what happened before you repeat it.";

#[tokio::test]
async fn the_model_hears_once_that_the_outcome_is_unknown() {
    let (provider, world) = killed(tool_call("call_1", "bash", &json!({ "command": LONG })), |_| true).await;
    let left = std::fs::read_to_string(effects(&world)).unwrap();
    assert!(left.contains(r#""call":"call_1","started":"bash""#), "{left}");
    let expected = [("call_1".to_owned(), RUNNING.to_owned())];
    for (run, said) in [(1, "I see\n"), (2, "yes\n")] {
        assert_eq!(world.run(&["-p", "-c", "and?"]).await.success(), said);
        assert_eq!(told(&provider.requests()[run].body), expected);
        assert!(!effects(&world).exists());
    }
    let history = world.history();
    assert_eq!(history[2], format!("toolResult: {RUNNING}"), "{history:#?}");
    assert_eq!(history.iter().filter(|line| line.starts_with("toolResult")).count(), 1);
    assert_eq!(world.cwd().read_dir().unwrap().count(), 1, "nothing ran again");
}

#[tokio::test]
async fn of_two_calls_the_finished_one_keeps_its_result() {
    let calls = [
        ("call_1", "bash", json!({ "command": LONG })),
        ("call_2", "write", json!({ "path": "made", "content": "text" })),
        ("call_3", "read", json!({ "path": "missing" })),
    ];
    let both = |world: &World| {
        std::fs::read_to_string(effects(world)).is_ok_and(|text| text.matches("\"ended\"").count() == 2)
    };
    let (provider, world) = killed(tool_calls(&calls), both).await;
    assert_eq!(world.run(&["-p", "-c", "and?"]).await.success(), "I see\n");
    let told = told(&provider.requests()[1].body);
    let told: Vec<String> = told.iter().map(|(id, text)| format!("{id}: {text}")).collect();
    insta::assert_snapshot!(world.mask(&told.join("\n")), @r"
    call_1: Outcome unknown: the run was cut off while this call was under way. It may have taken effect in full, in part or not at all. Find out what happened before you repeat it.
    call_2: Successfully wrote 4 bytes to made
    call_3: ENOENT: no such file or directory, access 'ROOT/project/missing'
    ");
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn of_a_script_it_is_known_which_calls_it_had_made() {
    let script = format!(
        "await tools.write({{ path: 'made', content: 'text' }});\nawait tools.read({{ path: 'made' }});\nawait tools.bash({{ command: {} }});",
        json!(LONG)
    );
    let runs = |world: &World| {
        std::fs::read_to_string(effects(world)).is_ok_and(|text| text.contains(r#""call":"call_1:3","started":"bash""#))
    };
    let reply = tool_call("call_1", "codemode", &json!({"script": script}));
    let (provider, world) = killed_with(&["--tools", "+codemode"], reply, runs).await;
    assert_eq!(world.run(&["-p", "-c", "and?"]).await.success(), "I see\n");
    let told = told(&provider.requests()[1].body);
    let expected = format!("{RUNNING}\n\nIt had made these calls: write (ended), bash (outcome unknown).");
    assert_eq!(told, [("call_1".to_owned(), expected)]);
}

#[tokio::test]
async fn a_refused_call_is_known_to_be_refused() {
    let calls = [
        ("call_1", "bash", json!({ "command": 7, "timeout": "soon" })),
        ("call_2", "bash", json!({ "command": LONG })),
    ];
    let (provider, world) = killed(tool_calls(&calls), |_| true).await;
    assert_eq!(world.run(&["-p", "-c", "and?"]).await.success(), "I see\n");
    let told = told(&provider.requests()[1].body);
    assert!(told[0].1.starts_with("Validation failed for tool \"bash\""), "{told:?}");
    assert_eq!(told[1].1, RUNNING);
}

#[tokio::test]
async fn a_run_that_ends_leaves_nothing_beside_the_session() {
    let calls = [
        ("call_1", "bash", json!({ "command": "ls ../agent/sessions/*" })),
        ("call_2", "write", json!({ "path": "made", "content": "text" })),
    ];
    for durability in ["none", "turn", "entry"] {
        let provider = Provider::start([tool_calls(&calls), answer("done")]).await;
        let world = World::with(&provider);
        let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "sessionDurability": durability});
        world.write_config("settings.json", &settings);
        assert_eq!(world.run(&["-p", "go"]).await.success(), "done\n");
        let told = told(&provider.requests()[1].body);
        assert!(told[0].1.contains(".jsonl.effects"), "{told:?}");
        assert!(!effects(&world).exists());
    }
}

#[tokio::test]
async fn calls_run_also_where_nothing_can_be_noted() {
    let calls =
        [("call_1", "bash", json!({ "command": "echo one" })), ("call_2", "bash", json!({ "command": "echo two" }))];
    let provider = Provider::start([answer("hello"), tool_calls(&calls), answer("done")]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "hello\n");
    std::fs::create_dir(effects(&world)).unwrap();
    let ended = world.run(&["-p", "-c", "go"]).await;
    let session = world.mask(effects(&world).to_str().unwrap());
    let warning = format!("Warning: Cannot write {session}: Is a directory (os error 21)\n");
    assert_eq!((ended.code, ended.stderr, ended.stdout.as_str()), (Some(0), warning, "done\n"));
    let told = told(&provider.requests()[2].body);
    assert_eq!(told.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["one\n", "two\n"]);
}
