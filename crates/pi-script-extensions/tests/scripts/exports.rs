//! Every name that scripts may import is there, and what has no use in an extension says so when it is used.

use serde_json::json;

use crate::support::run;

/// The names of the reference's packages at run time, one per line.
const NAMES: &[(&str, &str)] = &[
    ("@earendil-works/pi-coding-agent", include_str!("../../../../fixtures/script-exports/pi-coding-agent.txt")),
    ("@earendil-works/pi-ai", include_str!("../../../../fixtures/script-exports/pi-ai.txt")),
    ("@earendil-works/pi-ai/oauth", include_str!("../../../../fixtures/script-exports/pi-ai-oauth.txt")),
    ("@earendil-works/pi-agent-core", include_str!("../../../../fixtures/script-exports/pi-agent-core.txt")),
];

#[tokio::test]
async fn every_name_is_exported_and_none_is_undefined() {
    for (package, names) in NAMES {
        let names: Vec<&str> = names.lines().filter(|line| !line.is_empty()).collect();
        assert!(names.len() > 10, "{package}");
        let body = format!("return {}.filter((name) => all[name] === undefined)", json!(names));
        assert_eq!(run(&format!("import * as all from '{package}';"), &body).await, json!([]), "{package}");
    }
}

#[tokio::test]
async fn both_names_of_a_package_are_the_same_module() {
    for package in ["pi-coding-agent", "pi-ai", "pi-ai/oauth", "pi-agent-core", "pi-tui"] {
        let imports =
            format!("import * as a from '@earendil-works/{package}'; import * as b from '@mariozechner/{package}';");
        assert_eq!(run(&imports, "return a === b").await, json!(true), "{package}");
    }
}

/// What the packages export under every path, 0.79.10 and 0.87.1 together.
const PATHS: &str = include_str!("../../js/exports.json");

#[tokio::test]
async fn every_path_of_the_packages_leads_to_all_its_names() {
    let paths: serde_json::Map<String, serde_json::Value> = serde_json::from_str(PATHS).unwrap();
    let mut said = Vec::new();
    for scope in ["@earendil-works", "@mariozechner"] {
        for (path, exports) in paths.iter().filter(|(path, _)| !path.is_empty()) {
            let kinds = exports.as_object().unwrap();
            let listed = kinds.iter().filter_map(|(_, names)| names.as_str()).flat_map(str::split_whitespace);
            let constants = kinds.get("constant").and_then(|constants| constants.as_object()).into_iter().flatten();
            let names: Vec<&str> = listed.chain(constants.map(|(name, _)| name.as_str())).collect();
            said.push(json!([format!("{scope}/{path}"), names]));
        }
    }
    assert!(said.len() > 300);
    let body = format!(
        "const missing = [];
        for (const [path, names] of {}) {{
            const found = await import(path).catch((error) => missing.push(`${{path}}: ${{error.message}}`));
            for (const name of names) if (found?.[name] === undefined) missing.push(`${{path}}: ${{name}}`);
        }}
        return missing",
        json!(said)
    );
    assert_eq!(run("", &body).await, json!([]));
}

/// What came after 0.79, and what there is no work for.
#[tokio::test]
async fn names_of_later_versions_work_or_fail_by_name() {
    let imports = "import { contentText, uuidv7, isRetryableAssistantError, createModels, ofAnotherVersion } from '@earendil-works/pi-ai';
        import { getModel, anthropicMessagesApi, streamAnthropic, getOAuthProvider, Type } from '@earendil-works/pi-ai/compat';
        import { builtinModels, getBuiltinProviders } from '@mariozechner/pi-ai/providers/all';
        import { ANTHROPIC_MODELS } from '@earendil-works/pi-ai/providers/anthropic.models';
        import { openaiProvider } from '@earendil-works/pi-ai/providers/openai';
        import { streamSimple } from '@earendil-works/pi-ai/api/openai-responses';
        import { register, streamSimpleGoogle } from '@mariozechner/pi-ai/google';
        import { stripTerminalSequences, HStack, renderLatex } from '@earendil-works/pi-tui';
        import { ModelRuntime, sessionEntryToContextMessages, createPowerShellTool } from '@earendil-works/pi-coding-agent';
        import { NodeExecutionEnv } from '@earendil-works/pi-agent-core/node';
        const refused = async (work) => { try { await work(); return 'fine' } catch (error) { return error.message } };";
    let body = "return {
            text: [contentText('a'), contentText([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }])],
            uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuidv7()),
            retry: ['overloaded', 'invalid key'].map((errorMessage) => isRetryableAssistantError({ stopReason: 'error', errorMessage })),
            compat: [typeof getModel, typeof anthropicMessagesApi().stream, typeof streamAnthropic, typeof getOAuthProvider, typeof Type.String],
            models: [builtinModels().getModels('anthropic').length > 3, getBuiltinProviders().includes('openai'), Object.values(ANTHROPIC_MODELS)[0].provider,
                openaiProvider().getModels()[0].provider],
            formats: [register(), typeof streamSimpleGoogle, await refused(() => streamSimple({ api: 'x' }))],
            plain: stripTerminalSequences('\\x1b[1mbold\\x1b[0m \\x1b]8;;http://x\\x07link\\x1b]8;;\\x1b\\\\'),
            context: sessionEntryToContextMessages({ type: 'compaction', summary: 'S', tokensBefore: 3, timestamp: '2026-01-01T00:00:00Z' }),
            unknown: typeof ofAnotherVersion,
            refused: await Promise.all([() => createModels({}), () => new HStack(), () => renderLatex('x'), () => createPowerShellTool('/'),
                () => new NodeExecutionEnv({}), () => new ModelRuntime()].map(refused)),
        }";
    insta::assert_json_snapshot!(run(imports, body).await);
}

/// Models and credentials in files of their own.
#[tokio::test]
async fn a_model_runtime_has_the_models_and_keys_of_its_files() {
    let imports = "import { ModelRuntime, readStoredCredential } from '@earendil-works/pi-coding-agent';
        import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';";
    let body = "const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'runtime-'));
        const [authPath, modelsPath] = ['auth.json', 'models.json'].map((name) => path.join(dir, name));
        fs.writeFileSync(authPath, JSON.stringify({ own: { type: 'api_key', key: 'secret' } }));
        const model = { id: 'm', name: 'M', contextWindow: 1000, maxTokens: 100 };
        fs.writeFileSync(modelsPath, JSON.stringify({ providers: { own: { baseUrl: 'http://127.0.0.1:1', api: 'openai-completions', apiKey: 'x', models: [model] } } }));
        const runtime = await ModelRuntime.create({ authPath, modelsPath });
        const available = await runtime.getAvailable();
        const found = runtime.getModel('own', 'm');
        const failed = await runtime.completeSimple(found, { messages: [{ role: 'user', content: 'hi', timestamp: 1 }] }, { maxRetries: 0 });
        const said = [available.some(({ id, provider }) => id === 'm' && provider === 'own'), found.name, runtime.getProvider('own').getModels().length,
            await runtime.listCredentials(), readStoredCredential('own', authPath), failed.stopReason, failed.model];
        fs.rmSync(dir, { recursive: true });
        return said";
    let credential = json!({"type": "api_key", "key": "secret"});
    let listed = json!([{"providerId": "own", "type": "api_key"}]);
    assert_eq!(run(imports, body).await, json!([true, "M", 1, listed, credential, "error", "m"]));
}

#[tokio::test]
async fn what_runs_the_program_refuses() {
    let imports = "import { main, RpcClient, createAgentSessionRuntime, InteractiveMode } from '@earendil-works/pi-coding-agent';";
    for (body, name) in [
        ("main([])", "main"),
        ("await createAgentSessionRuntime()", "createAgentSessionRuntime"),
        ("new InteractiveMode()", "InteractiveMode"),
        ("RpcClient.create('x')", "RpcClient.create"),
    ] {
        let said = run(imports, body).await;
        assert_eq!(said, format!("threw {name} is not available to extensions: it starts or runs the program itself"));
    }
}

#[tokio::test]
async fn components_are_classes_that_can_be_extended() {
    let imports = "import { CustomEditor, DynamicBorder, Theme, BorderedLoader, getMarkdownTheme, keyHint } from '@mariozechner/pi-coding-agent';
        import { Type } from '@mariozechner/pi-ai';
        class Mine extends CustomEditor { handleInput(data) { this.got = data; } }";
    let body = "const tui = { requestRender() {}, terminal: { rows: 24 } };
        const mine = new Mine(tui, { borderColor: (text) => text }, { matches: () => false });
        mine.handleInput('x');
        const loader = new BorderedLoader(tui, ctx.ui.theme, 'Wait');
        const lines = loader.render(20).length > 3;
        loader.dispose();
        return [mine instanceof CustomEditor, mine.got, mine.getText(), new DynamicBorder((text) => text).render(4), lines,
            ctx.ui.theme instanceof Theme, typeof getMarkdownTheme().heading('x'), keyHint('tui.select.cancel', 'stop').includes('stop'),
            Type.Object({ a: Type.String() })];";
    let said = run(imports, body).await;
    let schema = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    assert_eq!(said, json!([true, "x", "", ["────"], true, true, "string", true, schema]));
}
