//! Scripts and the sessions that come and go: what lives on, what is stale, what is set up.

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, ask, call, failures, notices, run};
use pi_test_kit::read_entries;

/// Everything that a stale context refuses.
const STALE: &str = "
let loads = 0;
let old: any;
let oldPi: any;
export default function (pi: any) {
  loads++;
  pi.registerCommand('keep', { handler: async (_: string, ctx: any) => { [old, oldPi] = [ctx, pi]; ctx.ui.notify(`loads ${loads}`); } });
  pi.registerCommand('look', { handler: async (_: string, ctx: any) => {
    const attempts: Record<string, () => any> = {
      ui: () => old.ui, mode: () => old.mode, hasUI: () => old.hasUI, cwd: () => old.cwd,
      sessionManager: () => old.sessionManager, modelRegistry: () => old.modelRegistry, model: () => old.model,
      signal: () => old.signal, isIdle: () => old.isIdle(), isProjectTrusted: () => old.isProjectTrusted(),
      abort: () => old.abort(), hasPendingMessages: () => old.hasPendingMessages(), shutdown: () => old.shutdown(),
      getContextUsage: () => old.getContextUsage(), compact: () => old.compact(),
      getSystemPrompt: () => old.getSystemPrompt(), getSystemPromptOptions: () => old.getSystemPromptOptions(),
      waitForIdle: () => old.waitForIdle(), newSession: () => old.newSession(), fork: () => old.fork('x'),
      navigateTree: () => old.navigateTree('x'), switchSession: () => old.switchSession('x'), reload: () => old.reload(),
      on: () => oldPi.on('input', () => {}), getFlag: () => oldPi.getFlag('x'),
      registerCommand: () => oldPi.registerCommand('late', { handler() {} }),
      registerTool: () => oldPi.registerTool({ name: 'late', execute() {} }),
      sendMessage: () => oldPi.sendMessage({ customType: 'x', content: 'y', display: true }),
      sendUserMessage: () => oldPi.sendUserMessage('x'), appendEntry: () => oldPi.appendEntry('x'),
      setSessionName: () => oldPi.setSessionName('x'), getSessionName: () => oldPi.getSessionName(),
      setLabel: () => oldPi.setLabel('x', 'y'), exec: () => oldPi.exec('true', []),
      getActiveTools: () => oldPi.getActiveTools(), getAllTools: () => oldPi.getAllTools(),
      setActiveTools: () => oldPi.setActiveTools([]), getCommands: () => oldPi.getCommands(),
      setModel: () => oldPi.setModel(ctx.model), getThinkingLevel: () => oldPi.getThinkingLevel(),
      setThinkingLevel: () => oldPi.setThinkingLevel('low'),
    };
    const passed: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt();
        passed.push(name);
      } catch (error: any) {
        if (!error.message.startsWith('This extension ctx is stale after session replacement or reload.')) passed.push(`${name}: ${error.message}`);
      }
    }
    ctx.ui.notify(`passed: ${passed.join()}`);
  } });
}";

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_stale_after_every_way_to_another_session_and_the_module_lives_on() {
    let stage = Stage::of(STALE, 1).await;
    let mut pi = stage.serve();
    run(&mut pi, "something to fork").await;
    let (state, _) = ask(&mut pi, json!({"type": "get_state"})).await;
    let file = state["data"]["sessionFile"].clone();
    let (messages, _) = ask(&mut pi, json!({"type": "get_fork_messages"})).await;
    let entry = messages["data"]["messages"][0]["entryId"].clone();
    let ways = [
        json!({"type": "fork", "entryId": entry}),
        json!({"type": "new_session"}),
        json!({"type": "switch_session", "sessionPath": file}),
    ];
    for (round, way) in ways.into_iter().enumerate() {
        assert_eq!(notices(&call(&mut pi, "/keep").await), [format!("loads {}", round + 1)]);
        let (response, _) = ask(&mut pi, way.clone()).await;
        assert_eq!(response["success"], true, "{response}");
        let lines = call(&mut pi, "/look").await;
        assert_eq!((notices(&lines), failures(&lines)), (vec!["passed: "], vec![]), "{way}");
    }
    assert_eq!(pi.end().await.0, 0);
}

const RELOAD: &str = "
let calls = 0;
export default function (pi: any) {
  pi.events.on('ping', (from: string) => console.error(`heard ${from}`));
  pi.registerCommand('reload', { handler: async (_: string, ctx: any) => {
    calls++;
    ctx.ui.notify('before');
    await ctx.reload();
    ctx.ui.notify(`after ${calls} ${ctx.isIdle()}`);
  } });
  pi.on('session_start', (event: any, ctx: any) => ctx.ui.notify(`start ${event.reason} ${calls} VERSION`));
}";

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_reads_the_file_anew_and_the_command_that_asked_for_it_comes_to_its_end() {
    let stage = Stage::of(&RELOAD.replace("VERSION", "first"), 0).await;
    let mut pi = stage.serve();
    let lines = ask(&mut pi, json!({"type": "get_state"})).await.1;
    assert_eq!(notices(&lines), ["start startup 0 first"]);
    stage.world.write("ext.ts", &RELOAD.replace("VERSION", "second"));
    for _ in 0..2 {
        let lines = call(&mut pi, "/reload").await;
        assert_eq!(notices(&lines), ["before", "start reload 0 second", "after 1 true"]);
        assert_eq!(failures(&lines), [""; 0]);
    }
    let (code, complaints) = pi.end().await;
    assert_eq!(code, 0, "{complaints}");
}

const SETUP: &str = "
export default function (pi: any) {
  pi.registerCommand('begin', { handler: async (how: string, ctx: any) => {
    let kept: any;
    const setup = async (manager: any) => {
      kept = manager;
      await null;
      if (how === 'throw') throw new Error('not like this');
      if (how === 'exit') process.exit(2);
      const first = manager.appendMessage({ role: 'user', content: [{ type: 'text', text: 'what was' }], timestamp: 1 });
      manager.appendMessage({ role: 'user', content: 'and more', timestamp: 2 });
      manager.appendCustomEntry('mark', { n: 1 });
      manager.appendLabelChange(first, 'here');
      manager.appendSessionInfo('Next');
      if (how === 'wrong') manager.appendLabelChange('nowhere', 'x');
      ctx.ui.notify(`${manager.getEntries().length} ${manager.getLabel(first)} ${manager.getSessionName()} ${manager.getTree().length}`);
    };
    try {
      const outcome = await ctx.newSession({ parentSession: ctx.sessionManager.getSessionFile(), setup,
        withSession: async (next: any) => {
          next.ui.notify(`in ${next.sessionManager.getSessionName()} ${next.sessionManager.getBranch().length}`);
          try { kept.appendSessionInfo('late'); } catch (error: any) { next.ui.notify(error.message.slice(0, 21)); }
          await next.sendUserMessage('go on');
          next.ui.notify('answered');
        } });
    } catch (error: any) {
      ctx.ui.notify(`failed: ${error.message} ${ctx.isIdle()}`);
    }
  } });
}";

#[tokio::test(flavor = "multi_thread")]
async fn a_script_writes_the_first_entries_of_a_new_session() {
    let stage = Stage::of(SETUP, 1).await;
    let mut pi = stage.serve();
    let lines = call(&mut pi, "/begin well").await;
    assert_eq!(notices(&lines), ["7 here Next 1", "in Next 7", "The session is set up", "answered"]);
    assert_eq!(failures(&lines), [""; 0]);
    let asked = stage.provider.requests()[0].texts("user");
    assert!(asked.iter().any(|text| text.contains("what was")), "{asked:?}");
    assert_eq!(pi.end().await.0, 0);
    let files = stage.world.session_files();
    let entries = read_entries(files.last().unwrap());
    assert!(entries.iter().any(|entry| entry["type"] == "custom" && entry["data"] == json!({"n": 1})), "{entries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_that_fails_leaves_the_session_as_it_was() {
    for (how, expected) in [
        ("throw", "failed: The new session was not set up: not like this."),
        ("wrong", "failed: The new session was not set up: "),
    ] {
        let stage = Stage::of(SETUP, 1).await;
        let mut pi = stage.serve();
        let before = ask(&mut pi, json!({"type": "get_state"})).await.0;
        let lines = call(&mut pi, &format!("/begin {how}")).await;
        let told = notices(&lines);
        assert!(told.len() == 1 && told[0].starts_with(expected) && told[0].ends_with("true"), "{told:?}");
        let after = ask(&mut pi, json!({"type": "get_state"})).await.0;
        assert_eq!(before["data"]["sessionId"], after["data"]["sessionId"]);
        run(&mut pi, "still here").await;
        assert_eq!(pi.end().await.0, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_ends_during_a_set_up_does_not_hold_up_the_session() {
    let stage = Stage::of(SETUP, 1).await;
    let mut pi = stage.serve();
    let lines = call(&mut pi, "/begin exit").await;
    assert!(failures(&lines).iter().any(|line| line.contains("process.exit(2)")), "{lines:?}");
    run(&mut pi, "still here").await;
    assert_eq!(pi.end().await.0, 0);
}

const ORDER: &str = "
export default function (pi: any) {
  pi.registerCommand('say', { handler: async (_: string, ctx: any) => {
    ctx.ui.notify('first');
    pi.setSessionName('Named');
    ctx.ui.setStatus('s', pi.getSessionName());
    pi.sendMessage({ customType: 'note', content: 'a', display: true });
    ctx.ui.notify(`${ctx.sessionManager.getEntries().filter((entry: any) => entry.type === 'custom_message').length}`);
    pi.sendMessage({ customType: 'note', content: 'b', display: true });
    pi.setThinkingLevel('low');
    ctx.ui.notify(pi.getThinkingLevel());
  } });
}";

#[tokio::test(flavor = "multi_thread")]
async fn what_a_script_says_counts_at_once_and_is_told_in_order() {
    let stage = Stage::of(ORDER, 0).await;
    let mut pi = stage.serve();
    for _ in 0..20 {
        let lines = call(&mut pi, "/say").await;
        let gist = |line: &Value| match line["type"].as_str().unwrap() {
            "extension_ui_request" => format!("{} {}{}", line["method"], line["message"], line["statusText"]),
            "message_end" => format!("message {}", line["message"]["content"]),
            other => other.to_owned(),
        };
        let said: Vec<String> = lines.iter().filter(|line| line["type"] != "message_start").map(gist).collect();
        let said: Vec<&str> =
            said.iter().map(String::as_str).filter(|line| *line != "thinking_level_changed").collect();
        assert_eq!(
            said[..4],
            ["\"notify\" \"first\"null", "session_info_changed", "\"setStatus\" null\"Named\"", "message \"a\""]
        );
        assert_eq!((said[5], said[6]), ("message \"b\"", "\"notify\" \"low\"null"));
    }
    assert_eq!(pi.end().await.0, 0);
}

const SIGNAL: &str = "
export default function (pi: any) {
  pi.registerCommand('idle', { handler: async (_: string, ctx: any) => ctx.ui.notify(`idle ${ctx.signal}`) });
  pi.on('message_start', (event: any, ctx: any) => {
    if (event.message.role !== 'assistant') return;
    const signal = ctx.signal;
    ctx.ui.notify(`running ${signal.aborted}`);
    signal.addEventListener('abort', () => ctx.ui.notify('aborted'));
  });
}";

#[tokio::test(flavor = "multi_thread")]
async fn the_signal_of_the_run_fires_when_it_is_aborted() {
    use pi_test_kit::{Reply, delta, open};
    let stage = Stage::new(&[("ext.ts", SIGNAL)], [Reply::stream(&(open() + &delta("so far"))).hang()]).await;
    let mut pi = stage.serve();
    assert_eq!(notices(&call(&mut pi, "/idle").await), ["idle undefined"]);
    pi.send("{\"type\":\"prompt\",\"message\":\"x\"}\n").await;
    let lines = pi.until(|line| line["type"] == "message_update").await;
    assert_eq!(notices(&lines), ["running false"]);
    pi.send("{\"type\":\"abort\"}\n").await;
    pi.until(|line| line["message"] == "aborted").await;
    assert_eq!(pi.end().await.0, 0);
}
