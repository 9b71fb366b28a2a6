//! Sessions that scripts run beside the one that their extension serves.

use pi_ai::scripted;
use serde_json::json;

use crate::support::{command, stage, stage_granting};

const IMPORTS: &str = "import { AgentSession, createAgentSession, SessionManager } from '@earendil-works/pi-coding-agent';
    import { Type } from 'typebox';
    const failed = (work) => Promise.resolve().then(work).then(() => 'no error', (error) => error.message);
    const inMemory = (options = {}) => createAgentSession({ sessionManager: SessionManager.inMemory('DIR'), ...options });";

#[tokio::test]
async fn a_session_runs_tools_and_tells_what_it_does() {
    let body = "
        const look = { name: 'look', label: 'Look', description: 'Looks', parameters: Type.Object({ path: Type.String() }), promptSnippet: 'Look at things',
            execute: async (id, { path }, signal, onUpdate, ctx) => {
                onUpdate({ content: [{ type: 'text', text: 'so far' }], details: { n: 1 } });
                return { content: [{ type: 'text', text: `${id} saw ${path}: ${ctx.sessionManager.getEntries().length > 0}, ${ctx.hasUI}` }], details: { n: 2 } };
            } };
        const { session, extensionsResult, modelFallbackMessage } = await inMemory({ customTools: [look], tools: ['read', 'look'] });
        const events = [], texts = [];
        session.subscribe((event) => {
            events.push(event.type);
            if (event.type === 'message_update') texts.push([event.assistantMessageEvent.type, event.assistantMessageEvent.delta ?? '', JSON.stringify(event.message.content)]);
            if (event.type === 'tool_execution_update') texts.push(event.partialResult);
        });
        await session.prompt('Go');
        const { state } = session;
        const said = { is: session instanceof AgentSession, events: events.filter((type) => type !== 'message_update'), ends: texts.filter((text) => !/_delta/.test(text[0])),
            roles: session.messages.map(({ role }) => role), result: session.messages[2].content, last: session.getLastAssistantText(),
            tools: session.getActiveToolNames(), listed: state.tools.map(({ name }) => name), sources: session.getAllTools().map(({ sourceInfo }) => sourceInfo.source),
            model: session.model.id, level: session.thinkingLevel, streaming: session.isStreaming, prompt: session.systemPrompt.includes('Look at things') && state.systemPrompt === session.systemPrompt,
            file: session.sessionFile === undefined, stats: session.getSessionStats().totalMessages, entries: session.sessionManager.getEntries().map(({ type }) => type),
            own: ctx.sessionManager.getEntries().length, extensions: [extensionsResult.extensions, extensionsResult.errors], modelFallbackMessage };
        session.dispose();
        return said;";
    let stage = stage(&command(IMPORTS, body)).await;
    let call = scripted::tool_use([scripted::text("Well"), scripted::tool_call("c1", "look", json!({"path": "/a"}))]);
    stage.script([call, scripted::message([scripted::text("Bye now")])]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn failures_of_the_model_are_messages_and_those_of_listeners_are_reported() {
    let body = "
        const { session } = await inMemory();
        const kinds = [];
        const off = session.subscribe(() => { throw new Error('listener broke'); });
        session.subscribe(({ type }) => kinds.push(type));
        await session.prompt('Go');
        off();
        const { stopReason, errorMessage } = session.messages.at(-1);
        const seen = kinds.length;
        await session.prompt('Again');
        const refused = [await failed(() => session.steer('/nothing')), await failed(() => session.setModel({ ...ctx.model, provider: 'none', id: 'x' })),
            await failed(() => session.reload()), await failed(() => session.agent.streamFn), await failed(() => new AgentSession({})), await failed(() => session.settingsManager),
            await failed(() => createAgentSession({ sessionManager: ctx.sessionManager })), await failed(() => createAgentSession({ sessionManager: session.sessionManager }))];
        session.dispose();
        return { stopReason, errorMessage, state: session.state.errorMessage, seen, more: kinds.length > seen, refused, last: session.messages.at(-1).stopReason };";
    let stage = stage(&command(IMPORTS, body)).await;
    let failure = scripted::failure([], pi_ai::StopReason::Error, "the model broke");
    stage.script([failure, scripted::message([scripted::text("ok")])]);
    let said = stage.run().await;
    insta::assert_json_snapshot!(said);
    let errors = stage.errors.lock().unwrap().clone();
    assert!(!errors.is_empty() && errors.iter().all(|error| error.contains("listener broke")), "{errors:?}");
}

#[tokio::test]
async fn a_run_can_be_steered_aborted_and_disposed_of_in_its_middle() {
    let body = "
        const begun = () => { let begin; const when = new Promise((done) => (begin = done)); return { begin, when }; };
        const waiting = (start) => ({ name: 'wait', label: 'Wait', description: 'Waits', parameters: Type.Object({}), execute: (id, params, signal) => new Promise((done, fail) => {
            start.begin();
            signal.addEventListener('abort', () => fail(new Error('was aborted')));
        }) });
        const ends = [];
        for (const end of ['abort', 'dispose']) {
            const start = begun();
            const { session } = await inMemory({ customTools: [waiting(start)] });
            const kinds = [];
            session.subscribe((event) => kinds.push(event.type));
            const run = session.prompt('Go');
            await start.when;
            const busy = await failed(() => session.prompt('Now'));
            await session.steer('Then this');
            const queued = [session.isStreaming, session.getSteeringMessages(), session.pendingMessageCount, session.clearQueue(), [...session.agent.state.pendingToolCalls]];
            if (end === 'abort') await session.abort();
            else session.dispose();
            await run;
            const over = await failed(() => session.prompt('More'));
            ends.push([end, busy, queued, session.isStreaming, session.messages.map(({ role, stopReason }) => stopReason ?? role), kinds.at(-1), over]);
            if (end === 'abort') session.dispose();
        }
        return ends;";
    let stage = stage(&command(IMPORTS, body)).await;
    let call = || scripted::tool_use([scripted::tool_call("c1", "wait", json!({}))]);
    stage.script([call(), scripted::message([scripted::text("more")]), call()]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn a_session_ends_with_that_of_its_extension() {
    // The function is in the middle of a call when the session is left.
    let source = "import { createAgentSession, SessionManager } from '@earendil-works/pi-coding-agent';
        let note, beside;
        const wait = { name: 'wait', label: 'Wait', description: 'Waits', parameters: {}, execute: (id, params, signal, onUpdate, ctx) => new Promise((done) => {
            note('waiting');
            signal.addEventListener('abort', () => { note('aborted'); done({ content: [] }); });
        }) };
        export default (pi) => {
            note ??= (text) => pi.appendEntry('said', text);
            pi.registerCommand('start', { handler: async () => {
                const { session } = await createAgentSession({ sessionManager: SessionManager.inMemory(), customTools: [wait] });
                const waiting = new Promise((done) => session.subscribe(({ type }) => type === 'tool_execution_start' && done()));
                beside = { session, run: session.prompt('Go') };
                await waiting;
            } });
            pi.registerCommand('look', { handler: async () => {
                let later;
                try { later = beside.session.messages.length; } catch (error) { later = error.message; }
                await beside.run;
                pi.appendEntry('said', later);
            } });
        }";
    let stage = stage(source).await;
    stage.script([scripted::tool_use([scripted::tool_call("c1", "wait", json!({}))])]);
    stage.prompt("/start").await;
    stage.session.switch().to_new(None).await.unwrap();
    stage.prompt("/look").await;
    let errors = stage.errors.lock().unwrap().clone();
    let said = stage.said().unwrap();
    assert_eq!(said, "This session has ended with the session of its extension; make a new one", "{errors:?}");
    assert_eq!(stage.provider.call_count(), 1, "the aborted run called the model no more");
}

#[tokio::test]
async fn what_it_may_do_follows_the_permissions_of_the_script() {
    let body = "
        const { session } = await createAgentSession();
        const tools = session.getAllTools().map(({ name }) => name);
        const refused = [await failed(() => createAgentSession({ tools: ['read'] })), await failed(() => createAgentSession({ cwd: '/' })),
            await failed(() => session.executeBash('true')), await failed(() => session.exportToHtml('/x.html')),
            await failed(() => createAgentSession({ model: { ...ctx.model, baseUrl: 'http://elsewhere' } })), await failed(() => session.setModel({ ...ctx.model, baseUrl: 'http://elsewhere' }))];
        await session.prompt('Go');
        const said = { tools, active: session.getActiveToolNames(), file: session.sessionFile === undefined, refused: refused.map((text) => text.replace(/^.* is not/, 'is not')), last: session.getLastAssistantText() };
        session.dispose();
        return said;";
    let none = pi_script::Permissions { environment: true, ..pi_script::Permissions::NONE };
    let stage = stage_granting(&command(IMPORTS, body), none).await;
    stage.script([scripted::message([scripted::text("allowed")])]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn sessions_are_continued_by_others_and_keep_their_entries() {
    let body = "
        const manager = SessionManager.inMemory('DIR');
        manager.appendSessionInfo('Named');
        const first = await createAgentSession({ sessionManager: manager, noTools: 'all' });
        await first.session.prompt('One');
        const during = [manager.getEntries().length, first.session.sessionManager === manager, first.session.sessionName, manager.getSessionId() === first.session.sessionId];
        await first.session.sendCustomMessage({ customType: 'note', content: 'Mind', display: true });
        first.session.dispose();
        const { session } = await createAgentSession({ sessionManager: manager, noTools: 'all', thinkingLevel: 'high', scopedModels: [{ model: ctx.model }] });
        await session.sendUserMessage([{ type: 'text', text: 'Two' }]);
        const compacted = await failed(() => session.compact());
        session.setSessionName('Other');
        session.agent.state.messages = [];
        const said = { during, roles: manager.getEntries().map(({ type, message }) => message?.role ?? type), messages: session.messages, tools: session.getActiveToolNames(),
            name: session.sessionName, level: session.thinkingLevel, scope: session.scopedModels.length, forks: session.getUserMessagesForForking().map(({ text }) => text),
            usage: Object.keys(session.getContextUsage()), cycle: session.cycleThinkingLevel() ?? 'none', compacted,
            file: (await createAgentSession({ noTools: 'all' })).session.sessionFile.startsWith('DIR') };
        session.dispose();
        let weak;
        await (async () => {
            const { session } = await createAgentSession({ noTools: 'all' });
            session.subscribe(() => {});
            await session.prompt('Three');
            weak = new WeakRef(session);
        })();
        await new Promise((done) => setTimeout(done));
        said.isCollected = weak.deref() === undefined;
        return said;";
    let stage = stage(&command(IMPORTS, body)).await;
    stage.script([
        scripted::message([scripted::text("1")]),
        scripted::message([scripted::text("2")]),
        scripted::message([scripted::text("3")]),
    ]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn a_registry_of_the_scripts_own_brings_its_wire_formats() {
    let imports = "import { AuthStorage, createAgentSession, ModelRegistry, SessionManager } from '@earendil-works/pi-coding-agent';";
    let body = "
        const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
        const models = ModelRegistry.inMemory(AuthStorage.inMemory());
        models.registerProvider('own', { name: 'Own', baseUrl: 'http://own.invalid', apiKey: 'key', api: 'own-format',
            models: [{ id: 'm', name: 'M', reasoning: false, input: ['text'], contextWindow: 1000, maxTokens: 100, cost: zero }],
            streamSimple: ({ api, provider, id }) => (async function* () {
                const message = { role: 'assistant', content: [{ type: 'text', text: 'in own words' }], api, provider, model: id,
                    usage: { ...zero, totalTokens: 0, cost: { ...zero, total: 0 } }, stopReason: 'stop', timestamp: 1 };
                yield { type: 'start', partial: message };
                yield { type: 'done', reason: 'stop', message };
            })() });
        const options = { sessionManager: SessionManager.inMemory('DIR'), modelRegistry: models, noTools: 'all' };
        const { session } = await createAgentSession({ ...options, model: models.find('own', 'm') });
        await session.prompt('Go');
        const said = session.getLastAssistantText();
        session.dispose();
        return said;";
    assert_eq!(stage(&command(imports, body)).await.run().await, "in own words");
}
