//! Model calls that scripts make, and `pi-ai`'s helpers.

use pi_ai::scripted;
use serde_json::{Value, json};

use crate::support::{command, run, stage};

const IMPORTS: &str = "import * as ai from '@mariozechner/pi-ai';
    const { complete, stream, streamSimple, streamSimpleAnthropic, createAssistantMessageEventStream, StringEnum, getModel, getModels,
        getProviders, calculateCost, validateToolArguments, isContextOverflow, registerApiProvider, getEnvApiKey, modelsAreEqual } = ai;
    const user = (content) => ({ role: 'user', content, timestamp: 1 });";

#[tokio::test]
async fn a_call_of_the_sessions_model_streams_and_completes() {
    let body = "
        const events = [];
        const answer = stream(ctx.model, { systemPrompt: 'Be kind', messages: [user('Hi')] }, { apiKey: 'k', maxTokens: 9, reasoning: 'low' });
        for await (const event of answer) events.push([event.type, event.delta ?? '', JSON.stringify(event.partial?.content)]);
        const message = await answer.result();
        const second = await complete(ctx.model, { messages: [user('Again')] });
        return { kinds: [...new Set(events.map(([type]) => type))], partials: events.filter(([type]) => type.endsWith('_end')).map(([, , partial]) => partial),
            message: [message.role, message.content, message.stopReason], second: second.content };";
    let stage = stage(&command(IMPORTS, body)).await;
    let call = scripted::tool_use([scripted::text("Well"), scripted::tool_call("c1", "look", json!({"path": "/a"}))]);
    stage.script([call, scripted::message([scripted::text("Bye")])]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn failures_are_messages_and_aborting_ends_a_call() {
    let body = "
        const model = { ...getModel('anthropic', 'claude-sonnet-4-5'), baseUrl: 'http://127.0.0.1:1' };
        const failed = await streamSimpleAnthropic(model, { messages: [user('Hi')] }, { apiKey: 'k', maxRetries: 0 }).result();
        const controller = new AbortController();
        controller.abort();
        const aborted = await complete(model, { messages: [user('Hi')] }, { apiKey: 'k', signal: controller.signal });
        let mismatch, unknown;
        try { streamSimpleAnthropic(ctx.model, { messages: [] }) } catch (error) { mismatch = error.message }
        try { stream({ ...model, api: 'none' }, { messages: [] }) } catch (error) { unknown = error.message }
        return [failed.stopReason, failed.errorMessage.length > 0, failed.model, aborted.stopReason, mismatch, unknown];";
    assert_eq!(
        run(IMPORTS, body).await,
        json!([
            "error",
            true,
            "claude-sonnet-4-5",
            "aborted",
            "Mismatched api: faux expected anthropic-messages",
            "No API provider registered for api: none"
        ])
    );
}

#[tokio::test]
async fn helpers_answer_as_the_program_would() {
    let body = "
        const model = getModel('anthropic', 'claude-sonnet-4-5');
        const usage = { input: 1000000, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 1000000, cost: {} };
        const tool = { name: 't', description: '', parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } };
        let refused;
        try { validateToolArguments(tool, { arguments: {} }) } catch (error) { refused = error.message.includes('n') }
        registerApiProvider({ api: 'own', stream: () => own(), streamSimple: () => own() }, 'me');
        const own = () => { const s = createAssistantMessageEventStream(); queueMicrotask(() => s.push({ type: 'done', reason: 'stop', message: { own: true } })); return s };
        return [calculateCost(model, usage) === usage.cost, usage.cost.input, validateToolArguments(tool, { arguments: { n: '5' } }), refused,
            StringEnum(['a', 'b'], { description: 'd' }), getProviders().includes('openai'), getModels('openai').length > 3, getModel('no', 'no') ?? null,
            isContextOverflow({ role: 'assistant', content: [], stopReason: 'error', errorMessage: 'prompt is too long: 9 tokens > 8 maximum' }),
            getEnvApiKey('openai', { OPENAI_API_KEY: 'k' }), modelsAreEqual(model, { ...model }),
            (await complete({ api: 'own' }, { messages: [] })).own];";
    let said = run(IMPORTS, body).await;
    let schema = json!({"type": "string", "enum": ["a", "b"], "description": "d"});
    let price: &Value = &said[1];
    assert!(price.as_f64().unwrap() > 0.0, "{said}");
    let rest = json!([true, price, {"n": 5}, true, schema, true, true, null, true, "k", true, true]);
    assert_eq!(said, rest);
}

#[tokio::test]
async fn pushed_streams_are_iterated_and_have_a_result() {
    let body = "
        const s = createAssistantMessageEventStream();
        const seen = (async () => { const list = []; for await (const event of s) list.push(event.type); return list })();
        await null;
        s.push({ type: 'start' });
        s.push({ type: 'error', reason: 'error', error: { stopReason: 'error' } });
        s.push({ type: 'late' });
        return [await seen, await s.result()];";
    assert_eq!(run(IMPORTS, body).await, json!([["start", "error"], {"stopReason": "error"}]));
}
