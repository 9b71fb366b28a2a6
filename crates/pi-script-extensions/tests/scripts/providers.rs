//! Providers that scripts bring: their models, their wire formats, and what is wrong with them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Stage, command, run, stage};

const MODEL: &str = "{ id: 'm', name: 'M', reasoning: false, input: ['text'], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }, contextWindow: 1000, maxTokens: 100 }";

/// An extension whose provider answers as `answer` does: the body of a function of model, context, options and a stream.
fn provider(answer: &str) -> String {
    format!(
        "import {{ createAssistantMessageEventStream, calculateCost }} from '@mariozechner/pi-ai';
        export default (pi) => {{
            pi.registerProvider('corp', {{ name: 'Corp', baseUrl: 'http://corp', apiKey: '$CORP_KEY', api: 'corp-api', models: [{MODEL}],
                streamSimple: (model, context, options) => {{
                    const s = createAssistantMessageEventStream();
                    const output = {{ role: 'assistant', content: [], api: model.api, provider: model.provider, model: model.id,
                        usage: {{ input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: {{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }} }},
                        stopReason: 'stop', timestamp: 7 }};
                    (async () => {{ {answer} }})();
                    return s;
                }} }});
        }}"
    )
}

async fn asked(answer: &str) -> (Stage, Value) {
    let stage = stage(&provider(answer)).await;
    choose(&stage).await;
    stage.prompt("Hello").await;
    let last = stage.last();
    (stage, last)
}

async fn choose(stage: &Stage) {
    let model = stage.models.find("corp", "m").unwrap_or_else(|| panic!("{:?}", stage.errors.lock().unwrap()));
    stage.session.models().set(model).await.unwrap();
}

#[tokio::test]
async fn an_answer_of_a_script_is_an_answer_of_a_model() {
    let (stage, last) = asked(
        "s.push({ type: 'start', partial: output });
        output.content.push({ type: 'thinking', thinking: '' });
        s.push({ type: 'thinking_start', contentIndex: 0, partial: output });
        output.content[0].thinking = 'Hm'; s.push({ type: 'thinking_delta', contentIndex: 0, delta: 'Hm', partial: output });
        output.content[0].thinkingSignature = 'sig'; s.push({ type: 'thinking_end', contentIndex: 0, content: 'Hm', partial: output });
        output.content.push({ type: 'text', text: '' });
        s.push({ type: 'text_start', contentIndex: 1, partial: output });
        const said = `${context.messages.at(-1).content[0].text} ${options.apiKey} ${Boolean(options.signal)}`;
        output.content[1].text = said; s.push({ type: 'text_delta', contentIndex: 1, delta: said, partial: output });
        s.push({ type: 'text_end', contentIndex: 1, content: said, partial: output });
        calculateCost(model, output.usage);
        s.push({ type: 'done', reason: 'stop', message: output }); s.end();",
    )
    .await;
    let content = json!([
        {"type": "thinking", "thinking": "Hm", "thinkingSignature": "sig"},
        {"type": "text", "text": "Hello from-env true"},
    ]);
    assert_eq!((&last["content"], &last["provider"], &last["timestamp"]), (&content, &json!("corp"), &json!(7)));
    let cost = last["usage"]["cost"]["total"].as_f64().unwrap();
    assert!((cost - 0.00002).abs() < 1e-12, "{last}");
    assert!(stage.errors.lock().unwrap().is_empty());
    assert_eq!(stage.models.display_name("corp"), "Corp");
}

#[tokio::test]
async fn tool_calls_of_a_script_are_executed() {
    let (_stage, last) = asked(
        "s.push({ type: 'start', partial: output });
        const results = context.messages.filter(({ role }) => role === 'toolResult');
        if (results.length > 0) {
            output.content = [{ type: 'text', text: 'got ' + results[0].content[0].text.trim() }];
            return s.push({ type: 'done', reason: 'stop', message: output });
        }
        output.content.push({ type: 'toolCall', id: 'c1', name: 'bash', arguments: {} });
        s.push({ type: 'toolcall_start', contentIndex: 0, partial: output });
        const json = JSON.stringify({ command: 'echo made' });
        output.content[0].arguments = JSON.parse(json);
        s.push({ type: 'toolcall_delta', contentIndex: 0, delta: json, partial: output });
        s.push({ type: 'toolcall_end', contentIndex: 0, toolCall: output.content[0], partial: output });
        output.stopReason = 'toolUse';
        s.push({ type: 'done', reason: 'toolUse', message: output });",
    )
    .await;
    assert_eq!(last["content"][0]["text"], "got made", "{last}");
}

#[tokio::test]
async fn what_goes_wrong_in_a_script_is_an_error_message() {
    for (answer, expected) in [
        (
            "output.stopReason = 'error'; output.errorMessage = 'no luck'; s.push({ type: 'error', reason: 'error', error: output });",
            "no luck",
        ),
        ("s.end(output);", ""),
        (
            "s.push({ type: 'text_delta' }); s.push({ type: 'done', reason: 'stop', message: { content: 5 } });",
            "unusable message",
        ),
    ] {
        let (_stage, last) = asked(answer).await;
        let message = last["errorMessage"].as_str().unwrap_or_default();
        assert!(message.contains(expected), "{answer}: {last}");
        assert_eq!(last["stopReason"] == "error", !expected.is_empty(), "{last}");
    }
    let throwing = "export default (pi) => pi.registerProvider('corp', { baseUrl: 'http://corp', apiKey: 'k', api: 'corp-api', models: [MODEL],
        streamSimple: () => { throw new Error('broken') } });";
    let stage = stage(&throwing.replace("MODEL", MODEL)).await;
    choose(&stage).await;
    stage.prompt("Hello").await;
    assert_eq!(stage.last()["errorMessage"], "broken");
}

#[tokio::test]
async fn aborting_reaches_the_script_and_does_not_wait_for_it() {
    let answer = "s.push({ type: 'start', partial: output });
        options.signal.addEventListener('abort', () => pi.appendEntry('said', 'heard'));";
    let stage = stage(&provider(answer)).await;
    choose(&stage).await;
    let session = stage.session.clone();
    let abort = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        session.abort().await;
    };
    tokio::join!(stage.prompt("Hello"), abort);
    assert_eq!(stage.last()["stopReason"], "aborted", "{}", stage.last());
    let heard = async {
        while stage.said() != Some(json!("heard")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), heard).await.unwrap();
}

#[tokio::test]
async fn what_is_said_of_a_provider_is_checked_and_can_be_taken_back() {
    let body = "
        const registry = ctx.modelRegistry, out = [];
        const model = MODEL;
        const refused = (config) => { try { pi.registerProvider('bad', config); return 'taken' } catch (error) { return error.message } };
        out.push(refused({ streamSimple: () => {} }), refused({ models: [model] }), refused({ baseUrl: 'http://x', models: [model] }),
            refused({ baseUrl: 'http://x', apiKey: 'k', models: [model] }));
        pi.registerProvider('corp', { baseUrl: 'http://corp', apiKey: '$CORP_KEY', api: 'openai-completions', authHeader: true, headers: { 'x-a': 'b' }, models: [model] });
        const found = registry.find('corp', 'm');
        out.push(await registry.getApiKeyAndHeaders(found), await registry.getApiKeyForProvider('corp'), registry.isUsingOAuth(found),
            registry.hasConfiguredAuth(found), registry.getProviderDisplayName('corp'));
        pi.registerProvider('corp', { baseUrl: 'http://other' });
        out.push(registry.find('corp', 'm').baseUrl, registry.getAvailable().some(({ provider }) => provider === 'corp'));
        pi.registerProvider('corp', { apiKey: '!exit 1' });
        out.push(await registry.getApiKeyAndHeaders(found));
        pi.unregisterProvider('corp');
        pi.unregisterProvider('nobody');
        out.push(registry.find('corp', 'm') ?? null);
        registry.refresh();
        return out;"
        .replace("MODEL", MODEL);
    insta::assert_json_snapshot!(run("", &body).await);
}

#[tokio::test]
async fn scripts_call_the_models_of_their_own_providers() {
    let body = format!(
        "pi.registerProvider('corp', {{ baseUrl: 'http://corp', apiKey: 'k', api: 'corp-api', models: [{MODEL}],
            streamSimple: async function* (model, context, options) {{
                const changed = await options.onPayload({{ asked: 1 }}, model);
                yield {{ type: 'done', reason: 'stop', message: {{ content: [{{ type: 'text', text: JSON.stringify(changed) + options.maxTokens }}] }} }};
            }} }});
        const answer = await complete(ctx.modelRegistry.find('corp', 'm'), {{ messages: [] }}, {{ maxTokens: 3, onPayload: (payload) => ({{ ...payload, seen: 2 }}) }});
        return [answer.content[0].text, answer.provider, answer.model];"
    );
    let said = stage(&command("import { complete } from '@earendil-works/pi-ai';", &body)).await.run().await;
    assert_eq!(said, json!([r#"{"asked":1,"seen":2}3"#, "corp", "m"]));
}
