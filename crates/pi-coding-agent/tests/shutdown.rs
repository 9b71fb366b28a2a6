//! What the program does when it is told to end: no command of this process survives. A binary of its own, because
//! that would hit the commands of other tests.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use pi_agent_core::{NestedCalls, ToolInvocation, ToolUpdates};
use pi_ai::Model;
use pi_coding_agent::tools::{ToolOptions, create_tool, kill_all};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Long enough for a loaded machine, short enough not to be the sleep of a test command (600 s).
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn all_commands_are_killed_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let bash = create_tool("bash", &ToolOptions::builder().cwd(dir.path()).build()).unwrap();
    let call = |n: u32| ToolInvocation {
        id: n.to_string(),
        arguments: json!({ "command": format!("trap '' TERM; sleep 600 & echo $! > {n}; wait; sleep 600") }),
        cancel: CancellationToken::new(),
        updates: ToolUpdates::ignored(),
        model: Arc::new(Model::default()),
        calls: NestedCalls::none(),
    };
    let grandchildren = || (0..3).filter_map(|n| fs::read_to_string(dir.path().join(n.to_string())).ok());
    let kill = async {
        while grandchildren().filter(|pid| pid.ends_with('\n')).count() < 3 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        kill_all();
    };
    let (answers, ()) = tokio::join!(join_all((0..3).map(|n| bash.execute(call(n)))), kill);
    for answer in answers {
        let output = answer.unwrap();
        assert_eq!(output.content[0].as_text(), Some("(no output)\n\n[The command was ended by signal 9 (SIGKILL).]"));
    }
    // A process that was sent SIGKILL is gone soon, not at once: the kernel ends it when it is next scheduled.
    let deaths = async {
        for pid in grandchildren() {
            while is_running(pid.trim()) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    };
    assert!(tokio::time::timeout(PATIENCE, deaths).await.is_ok(), "a grandchild lives on");
}

/// Whether a process of this id exists and is more than an exit status.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
