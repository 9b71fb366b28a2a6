//! `--listen` and `pi attach`: several clients of one session, on real pseudo-terminals and over the socket.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use pi_test_kit::{Gate, Live, Provider, Reply, World, answer, delta, end, open, tool_call, wait_until};
use serde_json::{Value, json};

use crate::screen::Screen;

/// A program that listens, and where.
async fn listening(world: &World, options: &[&str]) -> (Live, PathBuf) {
    let live = world.pi(&[&["--mode", "rpc", "--listen"], options].concat()).start();
    let socket = world.agent_dir().join(format!("run/{}.sock", live.id()));
    wait_until("the program listens", || socket.exists()).await;
    (live, socket)
}

async fn attached(world: &World) -> Screen {
    let mut screen = Screen::start(world, "attach");
    screen.see("ctrl+o").await;
    screen
}

/// A client that speaks RPC.
struct Client(BufReader<UnixStream>);

impl Client {
    fn connect(socket: &PathBuf) -> Self {
        Self(BufReader::new(UnixStream::connect(socket).unwrap()))
    }

    fn send(&mut self, command: &Value) {
        self.0.get_mut().write_all(format!("{command}\n").as_bytes()).unwrap();
    }

    /// The next line of this type.
    fn next(&mut self, kind: &str) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "no {kind}");
            let value: Value = serde_json::from_str(&line).unwrap();
            if value["type"] == kind {
                return value;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_share_a_conversation_and_leave_it_running() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(" and over") + &end())).end();
    let provider = Provider::start([hanging, answer("second answer"), answer("third answer")]).await;
    let world = World::with(&provider);
    let (server, socket) = listening(&world, &[]).await;
    let (mut first, mut second) = (attached(&world).await, attached(&world).await);
    let mut client = Client::connect(&socket);
    client.send(&json!({"type": "get_state"}));
    assert_eq!(client.next("response")["data"]["isStreaming"], false);

    first.type_in("go\r").await;
    second.see("begun").await;
    second.type_in("then this\r").await;
    // Who it is from is told to others alone.
    first.see("Steering from pts/").await;
    second.see("Steering: then this").await;
    // Who comes while it works sees what goes on.
    let mut third = attached(&world).await;
    third.see("Working").await;
    third.see("begun").await;
    third.see("then this").await;
    gate.open();
    for screen in [&mut first, &mut second, &mut third] {
        screen.see("second answer").await;
    }
    assert_eq!(client.next("agent_end")["messages"].as_array().map(Vec::len), Some(4));
    client.send(&json!({"type": "prompt", "message": "from afar"}));
    third.see("from afar").await;
    third.see("third answer").await;

    second.type_in("/new\r").await;
    second.see("New session").await;
    first.see("Another client went on with this").await;
    second.type_in("/quit\r").await;
    let (rows, _) = second.ended().await;
    assert!(rows.join("").contains("The session goes on. pi attach shows it again"), "{rows:?}");
    let list: Value = serde_json::from_str(&world.pi(&["attach", "--list", "--json"]).run().await.success()).unwrap();
    assert_eq!((&list[0]["pid"], &list[0]["clients"]), (&json!(server.id()), &json!(4)), "{list}");

    assert!(world.pi(&["attach", "--end"]).run().await.success().starts_with("Ended the session"));
    let (rows, _) = first.ended().await;
    assert!(rows.join("").contains("The session has ended."), "{rows:?}");
    third.ended().await;
    assert!(!socket.exists());
    assert_eq!(server.finish().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_in_the_middle_sees_what_there_is_and_how_it_goes_on() {
    let gates = [Gate::new(), Gate::new()];
    let hanging = Reply::stream(&(open() + &delta("First block.\n\nbegun")))
        .wait(&gates[0])
        .then(&delta(", goes on"))
        .wait(&gates[1])
        .then(&(delta(", is over.") + &end()))
        .end();
    let waiting = "echo $((40 + 2)) lines so far; while ! test -e go; do sleep 0.1; done; echo finished";
    let call = tool_call("t1", "bash", &json!({"command": waiting}));
    let provider = Provider::start([hanging, call, answer("all done")]).await;
    let world = World::with(&provider);
    let (server, socket) = listening(&world, &[]).await;
    let mut client = Client::connect(&socket);
    let mut screens = vec![attached(&world).await];
    client.send(&json!({"type": "prompt", "message": "go"}));
    screens[0].see("begun").await;
    screens.push(attached(&world).await);
    screens[1].see("First block.").await;
    screens[1].see("begun").await;
    client.send(&json!({"type": "steer", "message": "then this"}));
    for screen in &mut screens {
        screen.see("Steering from an RPC client: then this").await;
    }
    gates[0].open();
    screens.push(attached(&world).await);
    for screen in &mut screens {
        screen.see("begun, goes on").await;
    }
    gates[1].open();
    for screen in &mut screens {
        screen.see("begun, goes on, is over.").await;
        screen.see("while ! test -e go").await;
        screen.see("42 lines so far").await;
    }
    // Nothing more comes of the call before this one has seen what there is. There is no room for the keys of the header.
    screens.push(Screen::start(&world, "attach"));
    screens[3].see("while ! test -e go").await;
    screens[3].see("42 lines so far").await;
    world.write("go", "");
    for screen in &mut screens {
        screen.see("finished").await;
        screen.see("all done").await;
    }
    world.pi(&["attach", "--end"]).run().await.success();
    for screen in screens {
        let (rows, _) = screen.ended().await;
        let shown = rows.join("\n");
        for once in ["First block.", "begun, goes on, is over.", "then this", "while ! test -e go", "all done"] {
            assert_eq!(shown.matches(once).count(), 1, "{once}: {shown}");
        }
    }
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_to_a_question_counts_and_closes_it_elsewhere() {
    let calls = [tool_call("t1", "bash", &json!({"command": "touch one"})), answer("over")];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    let (server, socket) = listening(&world, &["--ask", "commands"]).await;
    let mut client = Client::connect(&socket);
    client.send(&json!({"type": "prompt", "message": "go"}));
    // Nobody else is there; who comes is asked, too.
    let asked = client.next("extension_ui_request");
    assert_eq!(asked["method"], "select");
    // The question stands in the first frame already, perhaps: it leaves no room for the keys of the header.
    let [mut first, mut second] = [(); 2].map(|()| Screen::start(&world, "attach"));
    first.see("Run this command?").await;
    second.see("Run this command?").await;
    // It leaves without an answer: that is none.
    drop(client);
    second.type_in("\r").await;
    first.see("over").await;
    first.until(|terminal| !terminal.screen().contains("Run this command?")).await;
    assert!(world.cwd().join("one").exists());
    world.pi(&["attach", "--end"]).run().await.success();
    first.ended().await;
    second.ended().await;
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_is_dropped_and_keeps_nobody_waiting() {
    // Every event has all of the answer so far.
    let piece = "word ".repeat(6_000) + "\n\n";
    let text = (0..12).map(|_| delta(&piece)).collect::<String>();
    let long = Reply::stream(&(open() + &text + &delta("and over") + &end())).end();
    let provider = Provider::start([long]).await;
    let world = World::with(&provider);
    let (server, socket) = listening(&world, &[]).await;
    let mut idle = Client::connect(&socket);
    idle.send(&json!({"type": "get_state"}));
    idle.next("response");
    let mut screen = attached(&world).await;
    screen.type_in("go\r").await;
    screen.see("and over").await;
    // What it was sent before is still there, and then the end; a new connection is as good as the first.
    let mut rest = Vec::new();
    let _ = idle.0.read_to_end(&mut rest);
    let mut again = Client::connect(&socket);
    again.send(&json!({"type": "get_state"}));
    assert_eq!(again.next("response")["data"]["messageCount"], 2);
    drop(again);
    world.pi(&["attach", "--end"]).run().await.success();
    screen.ended().await;
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_is_put_back_whoever_is_killed() {
    let provider = Provider::start([answer("first answer"), answer("first answer")]).await;
    let world = World::with(&provider);
    let line = r#""$PI" attach; while stty -a | grep -q -e -icanon; do sleep 0.1; done; echo DONE"#;
    for kills_server in [true, false] {
        let (server, _) = listening(&world, &[]).await;
        let mut screen = Screen::run(&world, line, &[], 24);
        screen.see("ctrl+o").await;
        screen.type_in("go\r").await;
        screen.see("first answer").await;
        // The alternate screen is to be left, too.
        screen.type_in("/transcript\r").await;
        screen.see("q back").await;
        if kills_server {
            server.signal(rustix::process::Signal::KILL);
        } else {
            let client = fs::read_to_string(format!("/proc/{0}/task/{0}/children", screen.pid())).unwrap();
            let client = rustix::process::Pid::from_raw(client.trim().parse().unwrap()).unwrap();
            rustix::process::kill_process(client, rustix::process::Signal::KILL).unwrap();
        }
        screen.see("DONE").await;
        assert_eq!(screen.written.matches("\x1b[?1049h").count(), screen.written.matches("\x1b[?1049l").count());
        screen.ended().await;
        if kills_server {
            let listed = world.pi(&["attach", "--list"]).run().await.success();
            assert!(listed.starts_with("There is nothing to attach to."), "{listed}");
        } else {
            server.signal(rustix::process::Signal::TERM);
        }
        server.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_can_be_started_and_shown_at_once() {
    let provider = Provider::start([answer("first answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "attach --start --name alone");
    screen.see("ctrl+o").await;
    screen.type_in("go\r").await;
    screen.see("first answer").await;
    // What was typed and not sent is there when the user comes back.
    screen.type_in("half a sentence").await;
    screen.see("half a sentence").await;
    screen.kill(rustix::process::Signal::HUP);
    let (rows, _) = screen.ended().await;
    assert!(rows.join("").contains("The session goes on."), "{rows:?}");
    let mut screen = Screen::start(&world, "attach alone");
    screen.see("half a sentence").await;
    screen.see("first answer").await;
    world.pi(&["attach", "--end"]).run().await.success();
    screen.ended().await;
}

#[tokio::test]
async fn what_cannot_be_attached_to_is_told() {
    let world = World::empty();
    for (arguments, expected) in [
        (&["attach"][..], "Error: there is nothing to attach to; pi attach --start begins a session that stays"),
        (
            &["attach", "x"],
            "Error: there is no session \"x\" to attach to, nor any other; pi attach --start begins one",
        ),
        (&["--listen"], "Error: --listen is for --mode rpc: pi attach --start begins such a session and shows it"),
        (&["attach", "--start", "--model"], "Error: the session has not begun (exit status: 1):"),
    ] {
        let output = world.pi(arguments).run().await;
        assert_eq!((output.code, output.stderr.lines().next()), (Some(1), Some(expected)), "{arguments:?}");
    }
}
