//! Connections: shared, lost, refused. Whatever happens, the answer comes, and says what to do.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use pi_coding_agent::tools::{
    ContainerOptions, ContainerShell, ReadOperations, RemoteMachine, SshOptions, SshShell, ToolOptions,
};
use serde_json::json;

use crate::places::{PATIENCE, Place, contained, eventually, text};
use crate::sshd::Sshd;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_calls_at_once_share_few_connections() {
    let Some(sshd) = Sshd::start("") else { return };
    let place = Place::on(sshd.machine());
    place.put("f", b"content");
    // Each call waits until all of them run.
    let command = "touch started.$$; until [ $(ls started.* | wc -l) -eq 20 ]; do sleep 0.1; done; echo done";
    let calls = (0..20).map(|_| place.call("bash", json!({ "command": command, "timeout": 60 })));
    for answer in join_all(calls).await {
        assert_eq!(text(&answer), "done\n");
    }
    assert!(sshd.connections() <= 3, "{}", sshd.connections());
    let reads = join_all((0..20).map(|_| place.call("read", json!({"path": "f"})))).await;
    assert!(reads.iter().all(|answer| text(answer) == "content"));
    assert!(sshd.connections() <= 3, "{}", sshd.connections());
    // Nothing stays behind.
    drop(place);
    eventually("the connections end", || sshd.connections() == 0).await;
}

#[tokio::test]
async fn a_server_that_takes_few_sessions_is_good_enough() {
    let Some(sshd) = Sshd::start("MaxSessions 2") else { return };
    let place = Place::on(sshd.machine());
    let calls = (0..6).map(|n| place.call("bash", json!({ "command": format!("sleep 0.5; echo {n}") })));
    let answers: Vec<String> = join_all(calls).await.iter().map(text).collect();
    assert_eq!(answers, ["0\n", "1\n", "2\n", "3\n", "4\n", "5\n"]);
}

#[tokio::test]
async fn without_sharing_it_works_as_well() {
    let Some(sshd) = Sshd::start("") else { return };
    let options = SshOptions { share_connection: false, ..sshd.options() };
    let place = Place::on(RemoteMachine::new(SshShell::new(options).unwrap()));
    assert_eq!(text(&place.call("bash", json!({"command": "echo there"})).await), "there\n");
    eventually("the connection ends", || sshd.connections() == 0).await;
}

#[tokio::test]
async fn a_lost_connection_ends_calls_and_commands_and_the_next_call_connects_again() {
    let Some(mut sshd) = Sshd::start("") else { return };
    let place = Place::on(sshd.machine());
    let call = place.call("bash", json!({"command": "sleep 600 & echo $! $$ > pids; echo up; wait"}));
    let call = tokio::time::timeout(PATIENCE, call);
    let (answer, ()) = tokio::join!(call, async {
        eventually("the command starts", || place.pids().len() == 2).await;
        sshd.kill();
    });
    let told = text(&answer.unwrap());
    // What was under way with the connection may be lost, too.
    assert!(told.ends_with("Lost the connection to 127.0.0.1."), "{told}");
    place.tree_is_gone().await;
    let told = text(&place.call("read", json!({"path": "pids"})).await);
    assert!(told.starts_with("Cannot work on 127.0.0.1: it refuses connections. "), "{told}");
    sshd.restart();
    assert_eq!(text(&place.call("bash", json!({"command": "echo again"})).await), "again\n");
}

#[tokio::test]
async fn a_connection_lost_while_reading_is_an_error_at_the_end_of_the_stream() {
    let Some(mut sshd) = Sshd::start("") else { return };
    let place = Place::on(sshd.machine());
    place.put("big", &vec![b'x'; 64 << 20]);
    let path = place.path("big");
    let mut content = place.machine().open(&path);
    assert!(content.next().await.unwrap().is_ok());
    sshd.kill();
    let rest = tokio::time::timeout(PATIENCE, content.collect::<Vec<_>>()).await.unwrap();
    let told = rest.last().unwrap().as_ref().unwrap_err().to_string();
    assert!(told.starts_with("Lost the connection to 127.0.0.1"), "{told}");
}

#[tokio::test]
async fn what_is_wrong_with_a_host_is_told_with_the_way_out() {
    let Some(sshd) = Sshd::start("") else { return };
    fs::write(sshd.path("nobody_known"), "").unwrap();
    let stranger_key = fs::read_to_string(sshd.path("stranger.pub")).unwrap();
    fs::write(sshd.path("changed"), format!("[127.0.0.1]:{} {stranger_key}", sshd.port())).unwrap();
    let unused_port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = sshd.options();
    let cases = [
        ("user unknown", sshd.options_with("stranger", "known_hosts")),
        ("host unknown", sshd.options_with("user", "nobody_known")),
        ("host changed", sshd.options_with("user", "changed")),
        ("refused", SshOptions { port: Some(unused_port), ..options.clone() }),
        ("no such name", SshOptions { destination: "no-such-host.invalid".to_owned(), ..options.clone() }),
        ("no ssh", SshOptions { program: "/no/such/ssh".into(), ..options }),
    ];
    let mut told = String::new();
    for (what, options) in cases {
        let machine = RemoteMachine::new(SshShell::new(options).unwrap());
        let error = machine.home().await.unwrap_err().to_string();
        // What ssh itself says is in its own words.
        told += &format!("{what}: {}\n", error.split(" (ssh: ").next().unwrap());
    }
    insta::assert_snapshot!(told, @"
    user unknown: Cannot work on 127.0.0.1: it does not accept the user or the key. Load the key (`ssh-add`), name its file, or install it there (`ssh-copy-id 127.0.0.1`): passwords are not asked for.
    host unknown: Cannot work on 127.0.0.1: its host key is not known. Connect once by hand (`ssh 127.0.0.1`) and accept the key.
    host changed: Cannot work on 127.0.0.1: its host key is not the one that is known. If that is meant to be, remove the old key with `ssh-keygen -R 127.0.0.1`.
    refused: Cannot work on 127.0.0.1: it refuses connections. Check the port, and that its SSH server runs.
    no such name: Cannot work on no-such-host.invalid: there is no host of this name. Check the name, and the configuration of ssh.
    no ssh: Cannot reach 127.0.0.1: the program /no/such/ssh is not on this machine. Install it, or check the PATH.
    ");
}

#[tokio::test]
async fn a_destination_is_never_an_option() {
    for destination in ["", "-oProxyCommand=touch injected", "two words"] {
        let told = SshShell::new(SshOptions::builder().destination(destination).build()).unwrap_err().to_string();
        assert!(told.contains("is no host"), "{told}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_container_is_told_with_the_way_out() {
    let mut told = String::new();
    for command in [
        &["/no/such/docker", "exec", "-i", "web"][..],
        &["sh", "-c", "echo 'Error: No such container: web' >&2; exit 1"],
        &["sh", "-c", "echo 'exec: \"sh\": executable file' >&2; exit 126"],
        &["false"],
        &[],
    ] {
        told += &format!("{}\n", contained(command).home().await.unwrap_err());
    }
    let hanging =
        ContainerOptions::builder().command(["sh", "-c", "sleep 600"]).start_timeout(Duration::from_secs(1)).build();
    told += &format!("{}\n", RemoteMachine::new(ContainerShell::new(hanging)).home().await.unwrap_err());
    insta::assert_snapshot!(told, @r#"
    Cannot reach a container: the program /no/such/docker is not on this machine. Install it, or check the PATH.
    No shell in a container: it answers: Error: No such container: web. Start it, or correct its name.
    No shell in a container: it answers: exec: "sh": executable file. The command that reaches it must start `sh` there.
    No shell in a container: it ended without a word. Check that it runs, and that the command passes standard input on (`-i`).
    The command that reaches the container is empty. Give one such as `docker exec -i NAME`.
    No answer from sh sleep 600 within 1 seconds. Check that it is up and can be reached.
    "#);
}

#[tokio::test]
async fn home_is_where_the_machine_says() {
    assert_eq!(Place::container().machine().home().await.unwrap(), Path::new("/root"));
}

#[test]
fn secrets_of_a_template_are_not_shown() {
    let command = ["docker", "exec", "-i", "-e", "TOKEN=secret", "web"];
    let shell = ContainerShell::new(ContainerOptions::builder().command(command).build());
    let machine = Arc::new(RemoteMachine::new(shell));
    let shown = format!("{machine:?} {:?}", ToolOptions::builder().cwd("/").build().on(&machine));
    assert!(!shown.contains("secret") && shown.contains("docker web"), "{shown}");
}
