//! What the user's settings allow.

use serde_json::json;

use crate::script_host::stage::{Stage, ask, call, notices, run, tool_result};
use pi_test_kit::{answer, tool_call};

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

const DEEP: &str = "const nest = (levels: number) => { let value: any[] = []; for (let n = 1; n < levels; n++) value = [value]; return value; };
export default function (pi: any) {
  pi.registerTool({ name: 'deep', label: 'deep', description: 'd',
    parameters: { type: 'object', properties: { levels: { type: 'number' } } },
    async execute(_: string, args: any) { return { content: [{ type: 'text', text: `deep ${args.levels}` }], details: nest(args.levels) }; } });
  pi.registerCommand('entry', { handler: async (levels: string, ctx: any) => {
    try { pi.appendEntry('deep', nest(Number(levels))); ctx.ui.notify('stored'); } catch (error: any) { ctx.ui.notify(error.message); }
  } });
}";

/// docs/extensions.md: 127 levels go from a script to the program, 100 of details to clients and the session, 119 of data
/// into an entry; what is stored can be read again.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_script_returns_may_be_deep_and_the_session_can_be_read_again() {
    let levels = [99, 100, 101, 119, 120, 126, 127, 128, 130];
    let replies = levels
        .iter()
        .flat_map(|levels| [tool_call(&format!("call-{levels}"), "deep", &json!({"levels": levels})), answer("done")]);
    let stage = Stage::new(&[("ext.ts", DEEP)], replies.collect::<Vec<_>>()).await;
    let mut pi = stage.serve();
    for levels in levels {
        let lines = run(&mut pi, "go").await;
        let (failed, text) = tool_result(&lines);
        let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
        assert_eq!(end["result"]["details"].to_string().contains("null"), (101..127).contains(&levels), "{levels}");
        // The result is one level around its details.
        let expected = match levels {
            ..127 => (false, format!("deep {levels}")),
            _ => {
                (true, "It is nested too deeply: more than 127 levels. Flatten it, or pass it as JSON text".to_owned())
            }
        };
        assert_eq!((failed, text), expected, "{levels}");
        let stored = match levels {
            ..120 => "stored",
            120..128 => {
                "The data of the entry is nested too deeply: a session entry has at most 120 levels. Flatten it, or store it as JSON text"
            }
            _ => "It is nested too deeply: more than 127 levels. Flatten it, or pass it as JSON text",
        };
        assert_eq!(notices(&call(&mut pi, &format!("/entry {levels}")).await), [stored], "{levels}");
    }
    let (response, _) = ask(&mut pi, json!({"type": "get_messages"})).await;
    let messages = response["data"]["messages"].as_array().unwrap().len();
    let (state, _) = ask(&mut pi, json!({"type": "get_state"})).await;
    assert_eq!(pi.end().await.0, 0);
    let file = state["data"]["sessionFile"].as_str().unwrap();
    let mut again = stage.world.pi(&stage.arguments(&["--mode", "rpc", "--session", file])).start();
    let (response, _) = ask(&mut again, json!({"type": "get_messages"})).await;
    assert_eq!(response["data"]["messages"].as_array().unwrap().len(), messages);
    assert_eq!(again.end().await, (0, String::new()));
}
