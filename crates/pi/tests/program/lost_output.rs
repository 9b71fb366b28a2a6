//! Output and files that cannot be written in full: told, with an exit code that scripts see, and nothing half done.

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::json;

#[cfg(target_os = "linux")] // the device
#[tokio::test]
async fn a_full_disk_behind_standard_output_is_no_success() {
    for mode in ["text", "json"] {
        let provider = Provider::start([answer("an answer")]).await;
        let world = World::with(&provider);
        let run = world.shell(&format!("exec \"$PI\" --mode {mode} hi > /dev/full")).run().await;
        let complaint = "Error: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), complaint), "{mode}");
    }
}

#[tokio::test]
async fn a_limit_of_file_sizes_costs_no_answer() {
    let call = tool_call("call_1", "bash", &json!({ "command": "head -c 9000 /dev/zero > big; echo code $?" }));
    let provider = Provider::start([call, answer("an answer")]).await;
    let world = World::with(&provider);
    let run = world.shell("ulimit -f 1; exec \"$PI\" -p hi").run().await;
    assert_eq!(run.stdout, "an answer\n", "{}", run.stderr);
    assert!(run.stderr.contains("File too large"), "{}", run.stderr);
    let result = provider.requests().pop().unwrap().body.to_string();
    assert!(result.contains("code 153"), "commands end as always: {result}");
}
