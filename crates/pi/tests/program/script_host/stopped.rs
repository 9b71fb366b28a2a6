//! An extension that was stopped: its handlers are skipped, its guard lets nothing pass, its tools say so.

use serde_json::json;

use crate::script_host::stage::{Stage, call, failures, run, tool_result};
use pi_test_kit::{answer, tool_call};

const SCRIPT: &str = "export default function (pi: any) {
  const parameters = { type: 'object', properties: {} };
  pi.on('tool_call', () => ({ block: false }));
  pi.on('turn_start', (_: any, ctx: any) => ctx.ui.notify('turn'));
  pi.registerTool({ name: 'mine', label: 'Mine', description: 'm', parameters,
    execute: async () => ({ content: [{ type: 'text', text: 'done' }] }) });
  pi.registerCommand('exit', { handler: async () => process.exit(1) });
  pi.registerCommand('stuck', { handler: async () => { for (;;) { try { for (;;); } catch {} } } });
}";

/// Only tools: nothing guards their calls.
const TOOL: &str = "export default function (pi: any) {
  pi.registerTool({ name: 'mine', label: 'Mine', description: 'm', parameters: { type: 'object', properties: {} },
    execute: async () => ({ content: [{ type: 'text', text: 'done' }] }) });
  pi.registerCommand('exit', { handler: async () => process.exit(3) });
}";

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_exits_is_over_and_nothing_else() {
    let replies =
        [tool_call("c1", "mine", &json!({})), answer("ok"), tool_call("c2", "mine", &json!({})), answer("no")];
    let stage = Stage::new(&[("ext.ts", SCRIPT)], replies).await;
    let mut pi = stage.serve();
    let before = run(&mut pi, "first").await;
    assert_eq!(tool_result(&before), (false, "done".to_owned()));
    let told = failures(&call(&mut pi, "/exit").await);
    assert!(told.iter().any(|line| line.contains("process.exit(1)")), "{told:?}");
    let after = run(&mut pi, "second").await;
    assert!(crate::script_host::stage::notices(&after).is_empty(), "its handlers are skipped");
    let (is_error, text) = tool_result(&after);
    assert!(is_error && text.contains("process.exit(1)"), "{text}");
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_goes_on_after_interruptions_is_stopped() {
    let stage = Stage::new(&[("ext.ts", SCRIPT)], [tool_call("c1", "bash", &json!({"command": "true"})), answer("no")])
        .await
        .set("extensionLimits", json!({"turnSeconds": 0.1}));
    let mut pi = stage.serve();
    let mut told = Vec::new();
    for _ in 0..4 {
        told.extend(failures(&call(&mut pi, "/stuck").await));
    }
    assert!(told.iter().any(|line| line.contains("interrupted 3 times")), "{told:?}");
    // The guard is gone: nothing passes.
    let (is_error, text) = tool_result(&run(&mut pi, "try").await);
    assert!(is_error && text.contains("interrupted 3 times"), "{text}");
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_of_a_script_that_is_gone_say_so() {
    let stage = Stage::new(&[("ext.ts", TOOL)], [tool_call("c1", "mine", &json!({})), answer("no")]).await;
    let mut pi = stage.serve();
    call(&mut pi, "/exit").await;
    let (is_error, text) = tool_result(&run(&mut pi, "try").await);
    assert!(is_error && text.contains("process.exit(3)"), "{text}");
    assert_eq!(pi.end().await.0, 0);
}
