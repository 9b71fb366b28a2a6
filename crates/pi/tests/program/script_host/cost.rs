//! What scripts cost those who have none.

use serde_json::json;

use crate::script_host::stage::{Stage, ask, notices, run};
use pi_test_kit::{Reply, answer, delta, end, open};

/// Names of the threads of a process.
fn threads(id: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let name = |task: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(task.unwrap().path().join("comm"));
    tasks.filter_map(|task| name(task).ok()).map(|name| name.trim().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn there_is_a_thread_for_each_script_and_none_without() {
    let script = "export default () => {}";
    for scripts in [&[][..], &[("one.ts", script)], &[("one.ts", script), ("two.ts", script)]] {
        let stage = Stage::new(scripts, []).await;
        let mut pi = stage.serve();
        ask(&mut pi, json!({"type": "get_state"})).await;
        let mut engines: Vec<String> = threads(pi.id()).into_iter().filter(|name| name.starts_with("js ")).collect();
        engines.sort();
        let expected: Vec<String> = scripts.iter().map(|(name, _)| format!("js {name}")).collect();
        assert_eq!(engines, expected);
        assert_eq!(pi.end().await.0, 0);
    }
}

/// What a handler of `message_update` says of the event of the second delta, right away or once the answer is over.
async fn seen(expression: &str, is_later: bool) -> String {
    let script = format!(
        "import {{ inspect }} from 'node:util';
         export default function (pi: any) {{
           let [second, count]: [any, number] = [undefined, 0];
           const see = (event: any): any => {expression};
           pi.on('message_update', (event: any, ctx: any) => {{
             if (event.assistantMessageEvent.type !== 'text_delta' || ++count !== 2) return;
             second = event;
             if (!{is_later}) ctx.ui.notify(String(see(event)));
           }});
           pi.on('agent_end', (_: any, ctx: any) => {{ if ({is_later}) ctx.ui.notify(String(see(second))); }});
         }}"
    );
    let deltas = [open(), delta("one "), delta("two "), delta("three"), end()].concat();
    let stage = Stage::new(&[("ext.ts", &script)], [Reply::stream(&deltas).end(), answer("more")]).await;
    let mut pi = stage.serve();
    let said = notices(&run(&mut pi, "go").await).join("\n");
    assert_eq!(pi.end().await.0, 0);
    said
}

/// Whoever looks at an event cannot tell that the message was not made before that.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_made_late_is_like_any_other_field() {
    let text = |expression: &str| format!("{expression}.content[0].text");
    for (expression, expected) in [
        (
            "Object.keys(event) + ' ' + Object.keys(event.assistantMessageEvent)",
            "type,assistantMessageEvent,message type,contentIndex,delta,partial",
        ),
        (text("event.message").as_str(), "one two "),
        (text("event.assistantMessageEvent.partial").as_str(), "one two "),
        (text("({...event}).message").as_str(), "one two "),
        (text("JSON.parse(JSON.stringify(event)).message").as_str(), "one two "),
        (text("structuredClone(event).assistantMessageEvent.partial").as_str(), "one two "),
        ("event.message === event.message && Object.keys(event) + ''", "type,assistantMessageEvent,message"),
        (
            "JSON.stringify(Object.entries(Object.getOwnPropertyDescriptor((event.message, event), 'message')).slice(1))",
            r#"[["writable",true],["enumerable",true],["configurable",true]]"#,
        ),
        ("{ event.message = 'mine'; return event.message + JSON.stringify(event).slice(-7) }", r#"mine"mine"}"#),
        ("(delete event.message, 'message' in event)", "false"),
        ("/text: 'one two '/.test(inspect(event, { depth: 4 }))", "true"),
        ("Object.freeze(event).message.role + event.message.role", "assistantassistant"),
    ] {
        let said = seen(expression, false).await;
        assert!(said.ends_with(expected), "{expression}: {said}");
    }
    // Who reads it later sees the message as it has become, and not another one.
    assert_eq!(seen(&text("event.message"), true).await, "one two three");
}

/// What a handler was given goes when it returns: an answer of many pieces leaves nothing behind for a collector.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_gone_once_its_handler_has_returned() {
    let script = "export default function (pi: any) {
        const [seen, messages]: any[] = [[], new Set()];
        let kept: WeakRef<any> | undefined;
        pi.on('message_update', (event: any) => {
          if (kept) seen.push(kept.deref() === undefined);
          if (seen.length % 2) messages.add(event.message.role);
          kept = new WeakRef(event);
        });
        pi.on('agent_end', (_: any, ctx: any) => ctx.ui.notify(`${seen.length} ${seen.every(Boolean)} ${[...messages]}`));
      }";
    let deltas = [open(), delta("one "), delta("two "), delta("three"), end()].concat();
    let stage = Stage::new(&[("ext.ts", script)], [Reply::stream(&deltas).end()]).await;
    let mut pi = stage.serve();
    assert_eq!(notices(&run(&mut pi, "go").await), ["4 true assistant"]);
    assert_eq!(pi.end().await.0, 0);
}
