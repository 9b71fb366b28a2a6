//! What versions after 0.79 brought, and what versions before it called otherwise.

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, ask, call, failures, notices, run};
use pi_test_kit::answer;

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_requests_can_be_changed_and_a_subscription_taken_back() {
    let script = "export default (pi) => {
        const seen: string[] = [];
        const off = pi.on('before_provider_headers', (event) => {
            seen.push(Object.keys(event.headers).join());
            event.headers['x-mine'] = 'yes';
            event.headers['x-gone'] = null;
            return { headers: { 'x-returned': 'no' } };
        });
        pi.on('before_provider_headers', (event) => { if (event.headers['x-mine']) event.headers['x-second'] = event.headers['x-mine']; });
        pi.registerCommand('off', { handler: (_, ctx) => { off(); off(); ctx.ui.notify(seen.length + ' calls'); } });
        const unknown = pi.on('not_an_event', () => {});
        unknown();
    };";
    let stage = Stage::of(script, 2).await;
    let mut pi = stage.serve();
    run(&mut pi, "one").await;
    assert_eq!(notices(&call(&mut pi, "/off").await), ["1 calls"]);
    let lines = run(&mut pi, "two").await;
    assert_eq!(failures(&lines), [""; 0]);
    let requests = stage.provider.requests();
    let own = |place: usize| {
        let lines = requests[place].head.lines().map(str::to_lowercase);
        lines.filter(|line| line.starts_with("x-") && !line.starts_with("x-api-key")).collect::<Vec<_>>()
    };
    let mut first = own(0);
    first.sort();
    assert_eq!(first, ["x-mine: yes", "x-second: yes"]);
    // The other handler goes on.
    assert_eq!(own(1), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn contexts_and_registrations_of_later_versions_are_there() {
    let script = "import { Text } from '@earendil-works/pi-tui';
    export default (pi) => {
        pi.registerEntryRenderer('card', (entry, { expanded }, theme) => new Text(`${theme.fg('accent', entry.data.text)} ${expanded}`, 0, 0));
        pi.registerMarkdownTransformer((text) => text.toUpperCase());
        pi.on('session_compact_failed', ({ type, ...event }, ctx) => ctx.ui.notify(JSON.stringify(event)));
        pi.registerCommand('look', { handler: (_, ctx) => ctx.ui.notify(JSON.stringify([ctx.thinkingLevel, ctx.scopedModels,
            typeof ctx.modelRegistry.streamSimple, ctx.modelRegistry.getProvider('mock')?.id])) });
        pi.registerCommand('ask', { handler: async (_, ctx) => {
            const context = { messages: [{ role: 'user', content: 'aside', timestamp: 1 }] };
            const answer = await ctx.modelRegistry.complete(ctx.model, context);
            ctx.ui.notify(answer.content[0].text);
        } });
    };";
    let stage = Stage::new(&[("ext.ts", script)], [answer("aside it is")]).await;
    let mut pi = stage.serve();
    let looked = call(&mut pi, "/look").await;
    assert_eq!(notices(&looked), [r#"["medium",[],"function","mock"]"#]);
    assert_eq!(notices(&call(&mut pi, "/ask").await), ["aside it is"]);
    let (response, lines) = ask(&mut pi, json!({"type": "compact"})).await;
    assert_eq!(response["success"], false, "{response}");
    let told: Value = serde_json::from_str(notices(&lines)[0]).unwrap();
    let message = told["errorMessage"].as_str().unwrap();
    assert!(message.starts_with("Compaction failed: "), "{told}");
    let expected = json!({"reason": "manual", "errorMessage": message, "aborted": false, "willRetry": false, "fromExtension": false});
    assert_eq!(told, expected);
}

/// The session that runs can be looked at like any other.
#[tokio::test(flavor = "multi_thread")]
async fn the_session_that_runs_can_be_opened_and_read() {
    let script = "import { SessionManager } from '@earendil-works/pi-coding-agent';
    export default (pi) => pi.registerCommand('open', { handler: async (_, ctx) => {
        const open = SessionManager.open(ctx.sessionManager.getSessionFile());
        let refused = 'written';
        try { open.appendCustomEntry('x', 1) } catch (error) { refused = error.message }
        const before = open.getEntries().length;
        pi.appendEntry('later', 1);
        ctx.ui.notify(JSON.stringify([open.getSessionId() === ctx.sessionManager.getSessionId(), open.getBranch().length > 2,
            open.buildSessionContext().messages.length, open.getEntries().length - before, refused.slice(0, 23)]));
    } });";
    let stage = Stage::of(script, 1).await;
    let mut pi = stage.serve();
    run(&mut pi, "hello").await;
    let lines = call(&mut pi, "/open").await;
    assert_eq!(notices(&lines), [r#"[true,true,2,1,"This session is running"]"#], "{:?}", failures(&lines));
}

const OLDER: &str = "export default (pi) => {
    pi.registerFlag('--plan', { type: 'boolean', description: 'as it was written once' });
    for (const name of ['session_switch', 'session_before_branch', 'session_branch']) pi.on(name, (event, ctx) => {
        const { previousSessionFile, entryId, ...rest } = event;
        ctx.ui.notify(JSON.stringify({ ...rest, from: Boolean(previousSessionFile), entry: Boolean(entryId) }));
        return name === 'session_before_branch' ? { skipConversationRestore: true } : undefined;
    });
    pi.on('before_agent_start', () => ({ systemPromptAppend: 'Speak of the weather.' }));
    pi.registerCommand('flags', { handler: (_, ctx) => ctx.ui.notify(`${pi.getFlag('--plan')} ${pi.getFlag('plan')}`) });
    pi.registerCommand('back', { handler: async (entry, ctx) => { await ctx.branch(entry); } });
};";

#[tokio::test(flavor = "multi_thread")]
async fn names_of_earlier_versions_mean_what_they_meant() {
    let stage = Stage::of(OLDER, 3).await;
    let mut pi = stage.world.pi(&stage.arguments(&["--mode", "rpc", "--plan"])).start();
    assert_eq!(notices(&call(&mut pi, "/flags").await), ["true true"]);
    run(&mut pi, "one").await;
    run(&mut pi, "two").await;
    assert!(stage.provider.requests()[0].system().ends_with("\n\nSpeak of the weather."));
    let (messages, _) = ask(&mut pi, json!({"type": "get_fork_messages"})).await;
    let entry = messages["data"]["messages"][1]["entryId"].as_str().unwrap().to_owned();
    let lines = call(&mut pi, &format!("/back {entry}")).await;
    let branched = [
        r#"{"type":"session_before_branch","from":false,"entry":true}"#,
        r#"{"type":"session_branch","from":true,"entry":false}"#,
    ];
    assert_eq!(notices(&lines), branched, "{:?}", failures(&lines));
    // The conversation was not to be restored: it is all there.
    let (state, _) = ask(&mut pi, json!({"type": "get_messages"})).await;
    assert_eq!(state["data"]["messages"].as_array().unwrap().len(), 4);
    let (_, lines) = ask(&mut pi, json!({"type": "new_session"})).await;
    assert_eq!(notices(&lines), [r#"{"type":"session_switch","reason":"new","from":true,"entry":false}"#]);
}

/// Who asks for 0.79 gets what it did: nothing.
#[tokio::test(flavor = "multi_thread")]
async fn names_of_earlier_versions_mean_nothing_where_079_is_asked_for() {
    let stage = Stage::of(OLDER, 1).await;
    let mut pi = stage.world.pi(&stage.arguments(&["--mode", "rpc"])).env("PI_COMPAT", "0.79").start();
    run(&mut pi, "one").await;
    assert!(!stage.provider.requests()[0].system().contains("weather"));
    let (_, lines) = ask(&mut pi, json!({"type": "new_session"})).await;
    assert_eq!(notices(&lines), [""; 0]);
}

/// A directory brings what a package brings.
#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_is_named_brings_skills_prompts_and_themes() {
    let stage = Stage::new(&[], [answer("hi")]).await;
    let extension = "export default (pi) => pi.registerCommand('mine', { handler() {} })";
    let manifest = r#"{"name": "kit", "pi": {"extensions": ["./ext.ts"], "skills": ["./skills"], "prompts": ["./prompts"], "themes": ["./themes"]}}"#;
    let skill = "---\nname: deploy\ndescription: deploys\n---\nDeploy it.\n";
    for (kit, manifest, file) in [("kit", manifest, "ext.ts"), ("usual", "{}", "extensions/ext.ts")] {
        stage.world.write(&format!("{kit}/package.json"), manifest);
        stage.world.write(&format!("{kit}/{file}"), extension);
        stage.world.write(&format!("{kit}/skills/deploy/SKILL.md"), skill);
        stage.world.write(&format!("{kit}/prompts/review.md"), "---\ndescription: looks\n---\nReview it.\n");
        stage.world.write(&format!("{kit}/themes/own.json"), r#"{"name": "own", "colors": {}}"#);
        let dir = stage.world.cwd().join(kit);
        let mut pi = stage.world.pi(&["--mode", "rpc", "-e", dir.to_str().unwrap()]).start();
        let (response, _) = ask(&mut pi, json!({"type": "get_commands"})).await;
        let commands = response["data"]["commands"].as_array().unwrap();
        let said: Vec<_> = commands
            .iter()
            .map(|command| {
                let info = &command["sourceInfo"];
                let source = info["source"].as_str().unwrap().replace(dir.to_str().unwrap(), "DIR");
                format!("{} {source} {} {}", command["name"].as_str().unwrap(), info["scope"], info["origin"])
                    .replace('"', "")
            })
            .collect();
        let expected =
            ["mine cli temporary top-level", "review DIR temporary package", "skill:deploy local temporary top-level"];
        assert_eq!(said, expected, "{kit}");
    }
}
