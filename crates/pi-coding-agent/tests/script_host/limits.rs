//! What the user's settings allow.

use serde_json::json;

use crate::stage::{Stage, ask, call, notices};

const SCRIPT: &str = "import { readFileSync } from 'node:fs';
export default function (pi: any) {
  pi.registerCommand('try', { handler: async (what: string, ctx: any) => {
    try {
      if (what === 'fs') ctx.ui.notify(`read ${readFileSync('/etc/hostname').length > 0}`);
      if (what === 'exec') ctx.ui.notify(`exec ${(await pi.exec('echo', ['hi'])).stdout.trim()}`);
    } catch (error: any) {
      ctx.ui.notify(error.code);
    }
  } });
}";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_granted_is_refused() {
    for (permissions, file, program) in [
        (json!({}), "read true", "exec hi"),
        (json!({"*": ["fs"]}), "read true", "ERR_ACCESS_DENIED"),
        (json!({"*": ["exec"]}), "ERR_ACCESS_DENIED", "exec hi"),
        (json!({"*": "everything"}), "ERR_ACCESS_DENIED", "ERR_ACCESS_DENIED"),
    ] {
        let stage = Stage::of(SCRIPT, 0).await.set("extensionPermissions", permissions.clone());
        let mut pi = stage.serve();
        for (what, expected) in [("fs", file), ("exec", program)] {
            assert_eq!(notices(&call(&mut pi, &format!("/try {what}")).await), [expected], "{permissions} {what}");
        }
        let (code, complaints) = pi.end().await;
        assert_eq!(code, 0);
        let is_wrong = permissions["*"].is_string();
        assert_eq!(
            complaints.contains("\"extensionPermissions.*\" must be a list of fs, net, exec"),
            is_wrong,
            "{complaints}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_limits_are_reported_and_the_defaults_hold() {
    let stage = Stage::of(SCRIPT, 0).await.set("extensionLimits", json!({"memoryMb": 0, "turnSeconds": "long"}));
    let mut pi = stage.serve();
    ask(&mut pi, json!({"type": "get_state"})).await;
    let (code, complaints) = pi.end().await;
    assert_eq!(code, 0);
    for key in ["memoryMb", "turnSeconds"] {
        let text = format!("\"extensionLimits.{key}\" must be a number above 0; it is ignored");
        assert!(complaints.contains(&text), "{complaints}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn time_in_which_the_user_is_asked_does_not_count() {
    let script = "export default function (pi: any) {
      pi.on('input', async (_: any, ctx: any) => {
        ctx.ui.notify(`said ${await ctx.ui.input('Well?')}`);
        return { action: 'handled' };
      });
    }";
    let stage = Stage::of(script, 0).await.set("extensionLimits", json!({"handlerSeconds": 0.5, "turnSeconds": 0.2}));
    let mut pi = stage.serve();
    pi.send("{\"type\":\"prompt\",\"message\":\"x\"}\n").await;
    let question = pi.until(|line| line["method"] == "input").await.pop().unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let answer = json!({"type": "extension_ui_response", "id": question["id"], "value": "yes"});
    pi.send(&format!("{answer}\n")).await;
    let lines = pi.until(|line| line["type"] == "response").await;
    assert_eq!(notices(&lines), ["said yes"]);
    assert_eq!(pi.end().await.0, 0);
}
