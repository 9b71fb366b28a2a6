//! The ways in which a client ends the program, and a second signal.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::rpc::{ask, has_text, held, outline, prompt, rpc, send};
use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, is_running, open, tool_call, wait_until};

fn shutdown(mode: &str) -> Value {
    json!({"id": mode, "type": "shutdown", "mode": mode})
}

#[tokio::test]
async fn finishing_lets_everything_come_to_its_end() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("followed")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    let bash = json!({"id": "bash", "type": "bash", "command": "while [ ! -e go ]; do sleep 0.01; done; echo went"});
    let follow = json!({"id": "follow", "type": "follow_up", "message": "more"});
    send(&mut pi, &[bash, follow, shutdown("finish")]).await;
    // The end of the input changes nothing any more.
    pi.close_stdin();
    pi.until(|line| line["id"] == "finish").await;
    world.write("go", "");
    gate.open();
    let rest = pi.rest().await;
    let bash = rest.iter().find(|line| line["id"] == "bash" && line["type"] == "response").unwrap();
    assert_eq!(bash["data"]["output"], "went\n");
    assert_eq!(rest.iter().filter(|line| line["type"] == "agent_end").count(), 1);
    assert_eq!(pi.finish().await, (0, String::new()));
    assert_eq!(provider.requests()[1].texts("user"), ["hi", "more"]);
    assert!(world.entries().iter().any(|entry| entry["message"]["content"][0]["text"] == "followed"));
}

#[tokio::test]
async fn while_it_finishes_only_what_ends_something_is_taken() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang()]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    assert_eq!(ask(&mut pi, shutdown("finish")).await["success"], true);
    let refused = ask(&mut pi, json!({"id": 2, "type": "get_state"})).await;
    assert_eq!(refused["error"], "pi is shutting down and takes no further commands; start it again for that");
    send(&mut pi, &[json!({"id": 3, "type": "abort"})]).await;
    let rest = pi.rest().await;
    assert_eq!(outline(&rest), ["message_end", "turn_end", "agent_end", "agent_settled", "abort"]);
    assert_eq!(pi.finish().await, (0, String::new()));
}

#[tokio::test]
async fn aborting_is_answered_and_keeps_what_arrived() {
    for finish_first in [false, true] {
        let provider = Provider::start([Reply::stream(&(open() + &delta("half"))).hang()]).await;
        let world = World::with(&provider);
        let mut pi = rpc(&world).await;
        send(&mut pi, &[prompt("hi")]).await;
        pi.until(has_text).await;
        if finish_first {
            ask(&mut pi, shutdown("finish")).await;
        }
        send(&mut pi, &[shutdown("abort"), json!({"id": "late", "type": "get_state"})]).await;
        let rest = pi.rest().await;
        assert_eq!(outline(&rest[..1]), ["shutdown"]);
        assert!(rest[1..].iter().all(|line| line["id"] == "late" && line["success"] == false), "{rest:?}");
        // The input is still open.
        assert_eq!(pi.finish().await, (0, String::new()));
        assert_eq!(world.history(), ["user: hi", "assistant (aborted): half"]);
    }
}

#[tokio::test]
async fn an_idle_program_ends_at_once() {
    for mode in ["finish", "abort"] {
        let world = World::at("http://127.0.0.1:9");
        let mut pi = rpc(&world).await;
        send(&mut pi, &[shutdown(mode)]).await;
        assert_eq!(outline(&pi.rest().await), ["shutdown"]);
        assert_eq!(pi.finish().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_prompt_can_be_piped_in_with_the_wish_to_finish_it() {
    let provider = Provider::start([answer("piped")]).await;
    let world = World::with(&provider);
    let input = format!("{}\n{}", prompt("hi"), shutdown("finish"));
    let output = world.pi(&["--mode", "rpc"]).stdin(&input).run().await.success();
    assert!(output.contains("\"type\":\"agent_end\""), "{output}");
    assert_eq!(world.history(), ["user: hi", "assistant: piped"]);
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let stubborn = "trap '' INT TERM HUP; echo $$ > tmp; mv tmp leader; while :; do sleep 600; done";
    for (first, second, code) in
        [(Signal::TERM, Signal::INT, 130), (Signal::INT, Signal::TERM, 143), (Signal::HUP, Signal::TERM, 143)]
    {
        // The client does not read, so the first signal alone would take its time.
        let long = delta(&"x".repeat(2 << 20));
        let call = tool_call("call_1", "bash", &json!({"command": stubborn}));
        let provider = Provider::start([call, Reply::stream(&(open() + &long)).hang()]).await;
        let world = World::with(&provider);
        let mut pi = rpc(&world).await;
        send(&mut pi, &[prompt("hi")]).await;
        wait_until("the command does not run", || world.cwd().join("leader").exists()).await;
        let names = vec![json!({"type": "get_available_models"}); 2000];
        send(&mut pi, &names).await;
        pi.signal(first);
        // The first has been heard when the command is gone.
        wait_until("the command is still there", || !is_running(&world.cwd().join("leader"))).await;
        pi.signal(second);
        assert_eq!(pi.finish_unread().await, (code, String::new()), "{first:?} {second:?}");
    }
}
