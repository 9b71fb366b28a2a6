//! `bash`: what the model is told of a command.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use insta::assert_snapshot;
use pi_agent_core::ToolUpdates;
use pi_coding_agent::tools::{BashError, BashExit, BashOperations, BashRequest, SpawnHook};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, text};

#[tokio::test]
async fn output_and_exit() {
    let mut bench = Workbench::with(&[("seen.txt", b"x")]);
    bench.options.shell_command_prefix = Some("PREFIXED=set-by-prefix".into());
    bench.options.agent_bin_dir = Some("/agent/bin".into());
    bench.options.command_env = vec![("MARKED".into(), "yes".into())];
    let commands = [
        "echo hello",
        "echo before; exit 3",
        "true",
        // Both streams are one pipe: the order is the order of writing.
        "for i in 1 2 3; do echo out $i; echo err $i >&2; done",
        "pwd; ls",
        "cat; echo after-cat",
        r"printf '\033[1;32mgreen\033[0m\na\rb\r\n'",
        r"printf '\n\n  middle\n\n\n'",
        r"printf 'p\376q\000r\n'",
        "no_such_command_xyz 2>/dev/null",
        "kill -9 $$",
        "echo $PREFIXED $MARKED",
        "echo ${PATH%%:*}",
        "ps -o sid= -p $$ | tr -d ' ' | sed \"s/^$$$/own session/\"",
    ];
    let calls: Vec<_> = commands.iter().map(|command| json!({ "command": command })).collect();
    assert_snapshot!(bench.show_all("bash", &calls).await);
}

#[tokio::test]
async fn long_output_is_cut_at_the_start_and_kept_in_a_file() {
    let bench = Workbench::new();
    for (name, command) in [
        ("lines", "seq -f n%g 3000"),
        ("bytes", "for i in $(seq 1 700); do printf 'r%03d' $i; head -c 100 /dev/zero | tr '\\0' x; echo; done"),
        ("short-last-line", "head -c 70000 /dev/zero | tr '\\0' y; echo; echo last"),
        ("one-long-line", "head -c 300000 /dev/zero | tr '\\0' y"),
        ("failing", "seq 3000; exit 4"),
    ] {
        assert_snapshot!(name, bench.show("bash", json!({ "command": command })).await);
        let log = bench.root().join("tmp/pi-bash-0123456789abcdef.log");
        let size = std::fs::metadata(&log).unwrap().len();
        std::fs::remove_file(&log).unwrap();
        assert!(size > 13_000, "{name}: {size}");
    }
}

#[tokio::test]
async fn output_that_cannot_be_kept_is_shown_and_the_failure_named() {
    let mut bench = Workbench::new();
    bench.options.temp_dir = Some("/no/such/dir".into());
    let output = bench.call("bash", json!({"command": "seq 3000"})).await.unwrap();
    let told = output.content[0].as_text().unwrap();
    let notice = "[These are lines 1001-3000 of 3000. The full output could not be saved to \
                  /no/such/dir/pi-bash-0123456789abcdef.log: No such file or directory (os error 2)]";
    assert!(told.starts_with("1001\n") && told.ends_with(notice), "{told}");
    assert_eq!(output.details.unwrap().get("fullOutputPath"), None);
}

#[tokio::test]
async fn what_cannot_run_is_named() {
    let mut bench = Workbench::new();
    bench.options.shell_path = Some("/no/such/shell".into());
    assert_eq!(
        text(&bench.call("bash", json!({"command": "true"})).await),
        "Custom shell path not found: /no/such/shell"
    );
    bench.put("not-executable", b"#!/bin/sh\n");
    let shell = bench.path("not-executable");
    bench.options.shell_path = Some(shell.clone());
    let expected = format!("spawn {} EACCES", shell.display());
    assert_eq!(text(&bench.call("bash", json!({"command": "true"})).await), expected);
    bench.options.shell_path = None;
    bench.options.cwd = "/no/such/dir".into();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let answer = bench.call_with("bash", json!({"command": "true"}), cancel.clone(), ToolUpdates::ignored()).await;
    assert_eq!(text(&answer), "Working directory does not exist: /no/such/dir\nCannot execute bash commands.");
    bench.options.cwd = "/".into();
    let answer = bench.call_with("bash", json!({"command": "true"}), cancel, ToolUpdates::ignored()).await;
    assert_eq!(text(&answer), "Command aborted");
}

#[tokio::test]
async fn time_limits() {
    let bench = Workbench::new();
    for (call, expected) in [
        (
            json!({"command": "echo partial; sleep 60", "timeout": 0.3}),
            "partial\n\n\nCommand timed out after 0.3 seconds",
        ),
        (json!({"command": "sleep 60", "timeout": 1}), "Command timed out after 1 seconds"),
        (json!({"command": "echo quick", "timeout": 30}), "quick\n"),
        (json!({"command": "echo none", "timeout": 0}), "none\n"),
        (json!({"command": "echo none", "timeout": -1}), "none\n"),
        (json!({"command": "echo none", "timeout": 1e300}), "none\n"),
        (json!({"command": "echo none", "timeout": null}), "none\n"),
    ] {
        assert_eq!(text(&bench.call("bash", call).await), expected);
    }
}

#[tokio::test]
async fn progress_is_cumulative_and_starts_empty() {
    let bench = Workbench::new();
    let (updates, mut reports) = ToolUpdates::channel();
    let call = json!({"command": "echo one; until [ -e go ]; do sleep 0.05; done; echo two"});
    let call = bench.call_with("bash", call, CancellationToken::new(), updates);
    let watch = async {
        let mut seen = Vec::new();
        while let Some(report) = reports.recv().await {
            seen.push(serde_json::to_string(&report).unwrap());
            if seen.len() == 2 {
                bench.put("go", b"");
            }
        }
        seen
    };
    let (answer, seen) = tokio::join!(call, watch);
    answer.unwrap();
    assert_eq!(
        seen,
        [
            r#"{"content":[]}"#,
            r#"{"content":[{"type":"text","text":"one\n"}],"details":{}}"#,
            r#"{"content":[{"type":"text","text":"one\ntwo\n"}],"details":{}}"#,
        ]
    );
}

#[tokio::test]
async fn a_flood_is_reported_in_bounded_pieces() {
    let bench = Workbench::new();
    let (updates, mut reports) = ToolUpdates::channel();
    let call = json!({"command": "yes abcdefghijklmnopqrstuvwxyz | head -c 5000000"});
    let output = bench.call_with("bash", call, CancellationToken::new(), updates).await.unwrap();
    assert_eq!(output.details.unwrap()["truncation"]["totalBytes"], 5_000_000);
    while let Some(report) = reports.recv().await {
        assert!(report.content.iter().all(|block| block.as_text().unwrap().len() <= 51_200));
    }
}

#[tokio::test]
async fn a_hook_may_rewrite_the_command() {
    let mut bench = Workbench::new();
    bench.options.spawn_hook = Some(SpawnHook::new(|mut spawn| {
        spawn.command = format!("echo \"$HOOKED\"; {}", spawn.command);
        spawn.env.push(("HOOKED".into(), "yes".into()));
        spawn
    }));
    assert_eq!(text(&bench.call("bash", json!({"command": "echo own"})).await), "yes\nown\n");
}

/// Pretends to run commands elsewhere.
#[derive(Debug)]
struct Elsewhere;

impl BashOperations for Elsewhere {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        async move {
            request
                .output
                .send(Bytes::from(format!("ran {} in {}", request.spawn.command, request.spawn.cwd.display())))
                .await
                .unwrap();
            // A sender that is kept must not keep the call open.
            std::mem::forget(request.output);
            match request.timeout {
                Some(timeout) if timeout < Duration::from_secs(5) => Err(BashError::TimedOut),
                Some(_) => Err(BashError::Failed("The host went away".into())),
                None => Ok(BashExit::Unknown),
            }
        }
        .boxed()
    }
}

#[tokio::test]
async fn commands_may_run_elsewhere() {
    let mut bench = Workbench::new();
    bench.options.cwd = "/far/away".into();
    bench.options.bash_operations = Some(Arc::new(Elsewhere));
    for (call, expected) in [
        (json!({"command": "x"}), "ran x in /far/away"),
        (json!({"command": "x", "timeout": 2.5}), "ran x in /far/away\n\nCommand timed out after 2.5 seconds"),
        (json!({"command": "x", "timeout": 9}), "ran x in /far/away\n\nThe host went away"),
    ] {
        assert_eq!(text(&bench.call("bash", call).await), expected);
    }
}
