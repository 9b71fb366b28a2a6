//! Credentials and registries of models that scripts make or find in their session; real files below `DIR`.

use serde_json::json;

use crate::support::{command, lines_of, run, stage};

const IMPORTS: &str = "import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
    import { AuthStorage, FileAuthStorageBackend, InMemoryAuthStorageBackend, ModelRegistry } from '@earendil-works/pi-coding-agent';
    const text = (path) => readFileSync(path, 'utf8');
    const key = (key) => ({ type: 'api_key', key });";

const CREDENTIALS: &[&str] = &[
    "(globalThis.a = AuthStorage.inMemory({ x: key('k1'), anthropic: { type: 'oauth', refresh: 'r', access: 'a', expires: 9e15 } }), a.list())",
    "[a.has('x'), a.has('y'), a.hasAuth('y'), a.get('x'), a.get('y'), a.getAll().anthropic.access, a.getAuthStatus('x'), a.getAuthStatus('y')]",
    "(a.setRuntimeApiKey('y', 'rk'), a.getApiKey('y').then((found) => [found, a.hasAuth('y'), a.getAuthStatus('y'), a.list()]))",
    "(a.removeRuntimeApiKey('y'), a.getApiKey('y'))",
    "Promise.all([a.getApiKey('x'), a.getApiKey('anthropic')])",
    "(a.set('z', { ...key('$FOO'), env: { FOO: 'bar' } }), a.getApiKey('z').then((found) => [found, a.getProviderEnv('z'), a.getProviderEnv('x')]))",
    "(a.set('n', key('$NO_SUCH_VARIABLE')), a.getApiKey('n').then((found) => [found, a.drainErrors().map(({ message }) => message.includes('NO_SUCH_VARIABLE')), a.drainErrors()]))",
    "(a.remove('z'), a.logout('x'), a.remove('n'), a.list())",
    "(a.setFallbackResolver((name) => (name === 'fb' ? 'fbk' : undefined)), a.getApiKey('fb').then((found) => [found, a.hasAuth('fb'), a.getAuthStatus('fb')]))",
    "a.getApiKey('fb', { includeFallback: false })",
    "a.getOAuthProviders().map(({ id, name, login }) => [id, name, typeof login])",
    "a.login('nope', {})",
    "new AuthStorage()",
];

const FILES: &[&str] = &[
    "(globalThis.f = AuthStorage.create('DIR/new/auth.json'), existsSync('DIR/new/auth.json'))",
    "(f.set('q', key('1')), [text('DIR/new/auth.json'), (statSync('DIR/new/auth.json').mode & 0o777).toString(8)])",
    "(globalThis.fb = new FileAuthStorageBackend('DIR/new/auth.json'), fb.withLock((current) => ({ result: current.length })))",
    "[fb.withLock(() => { throw new Error('no') })]",
    "fb.withLockAsync(async () => ({ result: existsSync('DIR/new/auth.json.lock'), next: '{\"n\":{\"type\":\"api_key\",\"key\":\"2\"}}' }))",
    "[existsSync('DIR/new/auth.json.lock'), f.list(), (f.reload(), f.list()), AuthStorage.fromStorage(fb).list()]",
    "(writeFileSync('DIR/new/auth.json', '{ bad'), f.reload(), [f.list(), f.drainErrors().length])",
    "(f.set('v', key('3')), [f.drainErrors().length, text('DIR/new/auth.json')])",
    "(globalThis.mb = new InMemoryAuthStorageBackend(), globalThis.am = AuthStorage.fromStorage(mb), am.set('k', key('kk')), [mb.withLock((result) => ({ result })), AuthStorage.fromStorage(mb).list()])",
    "(globalThis.own = { withLock(change) { const { result, next } = change(this.text); if (next !== undefined) this.text = next; return result; } }, globalThis.ao = AuthStorage.fromStorage(own), ao.set('a', key('1')), own.text)",
    "(own.text = JSON.stringify({ b: key('2') }), ao.set('c', key('3')), ao.remove('a'), JSON.parse(own.text))",
    "(ao.reload(), ao.list())",
    "(own.text = '{ bad', ao.reload(), [ao.list(), ao.drainErrors().length])",
];

const MODELS: &[&str] = &[
    "(writeFileSync('DIR/models.json', JSON.stringify({ providers: {
        mine: { baseUrl: 'http://h/v1', api: 'openai-completions', apiKey: 'sk', models: [{ id: 'm1' }] },
        cmd: { baseUrl: 'http://h/v1', api: 'openai-completions', apiKey: '!echo x', models: [{ id: 'c1' }] },
        nokey: { baseUrl: 'http://h/v1', api: 'openai-completions', apiKey: '$NO_SUCH_VARIABLE', models: [{ id: 'n1' }] } } })),
        globalThis.a = AuthStorage.inMemory({ anthropic: { type: 'oauth', refresh: 'r', access: 'a', expires: 9e15 } }),
        globalThis.r = ModelRegistry.create(a, 'DIR/models.json'), r.getError())",
    "r.find('mine', 'm1')",
    "[r.authStorage === a, r instanceof ModelRegistry, Object.keys(r)]",
    "['mine', 'cmd', 'nokey', 'anthropic', 'none'].map((provider) => r.getProviderAuthStatus(provider))",
    "[r.getProviderDisplayName('mine'), r.getProviderDisplayName('anthropic'), r.isUsingOAuth(r.getAll().find(({ provider }) => provider === 'anthropic'))]",
    "r.getApiKeyAndHeaders(r.find('mine', 'm1'))",
    "r.getAvailable().filter(({ provider }) => ['mine', 'cmd', 'nokey'].includes(provider)).map(({ id }) => id)",
    "(globalThis.r2 = ModelRegistry.inMemory(a), [r2.find('mine', 'm1'), r2.getAll().length > 500, r2.getError()])",
    "(r2.registerProvider('brought', { baseUrl: 'http://b', apiKey: 'kk', api: 'openai-completions', models: [{ id: 'b1', name: 'B', reasoning: false,
        input: ['text'], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 10, maxTokens: 5 }] }), r2.find('brought', 'b1'))",
    "[r2.hasConfiguredAuth(r2.find('brought', 'b1')), r2.getProviderAuthStatus('brought'), r.find('brought', 'b1')]",
    "(r2.unregisterProvider('brought'), r2.find('brought', 'b1'))",
    "r2.registerProvider('bad', { models: [{ id: 'x' }] })",
    "(writeFileSync('DIR/models.json', '{ bad'), r.refresh(), [r.getError().length > 0, r.find('mine', 'm1')])",
    "[a, r, r2].map((object) => typeof object[Symbol.for('pi.handle')])",
    "new ModelRegistry()",
];

#[tokio::test]
async fn credentials_in_memory() {
    insta::assert_snapshot!(lines_of(IMPORTS, CREDENTIALS).await);
}

#[tokio::test]
async fn credentials_in_files_and_in_storages_of_scripts() {
    insta::assert_snapshot!(lines_of(IMPORTS, FILES).await);
}

#[tokio::test]
async fn registries_of_models() {
    insta::assert_snapshot!(lines_of(IMPORTS, MODELS).await);
}

/// What the session has is of the same classes, and the same credentials are behind it.
#[tokio::test]
async fn the_sessions_registry_is_one() {
    let body = "const { modelRegistry } = ctx, auth = modelRegistry.authStorage;
        auth.setRuntimeApiKey('anthropic', 'given');
        const model = modelRegistry.getAll()[0];
        const handle = modelRegistry[Symbol.for('pi.handle')];
        return [modelRegistry instanceof ModelRegistry, auth instanceof AuthStorage, auth === ctx.modelRegistry.authStorage,
            await modelRegistry.getApiKeyForProvider('anthropic'), await auth.getApiKey('faux'), auth.list(), typeof handle,
            handle === modelRegistry[Symbol.for('pi.handle')], ModelRegistry.inMemory(auth).hasConfiguredAuth(model), auth.getAuthStatus('faux')]";
    let stage = stage(&command(IMPORTS, body)).await;
    let status = json!({"configured": false, "source": "runtime", "label": "--api-key"});
    let expected = json!([true, true, true, "given", "key", [], "number", true, true, status]);
    assert_eq!(stage.run().await, expected);
    assert_eq!(stage.models.provider_key("anthropic").await.unwrap().expose(), "given");
}

/// A login asks the functions of the script that began it, and what it yields is kept where the script says; a renewal,
/// too.
#[tokio::test]
async fn a_login_asks_the_script() {
    let imports = format!(
        "{IMPORTS}
        const oauth = {{ name: 'Mine',
            login: async ({{ onAuth, onPrompt, onSelect, onProgress, onDeviceCode, onManualCodeInput }}) => {{
                onAuth({{ url: 'http://page', instructions: 'Go there' }});
                onDeviceCode({{ userCode: 'AB', verificationUri: 'http://device', intervalSeconds: 3 }});
                onProgress('half way');
                const access = await onPrompt({{ message: 'Code?' }}) + await onSelect({{ message: 'Which?', options: [{{ id: 'o', label: 'O' }}] }}) + await onManualCodeInput();
                return {{ refresh: 'r', access, expires: 1 }};
            }},
            refreshToken: async (old) => ({{ ...old, access: old.access + '+', expires: 9e15 }}),
            getApiKey: ({{ access }}) => 'key of ' + access }};"
    );
    let body = "pi.registerProvider('mine', { oauth });
        const told = [], backend = new InMemoryAuthStorageBackend(), auth = AuthStorage.fromStorage(backend);
        const tell = (name, answer) => (said) => { told.push([name, said]); return answer; };
        await auth.login('mine', { onAuth: tell('auth'), onDeviceCode: tell('device'), onProgress: tell('progress'), onPrompt: tell('prompt', 'c'),
            onSelect: async (said) => tell('select', 'o')(said), onManualCodeInput: async () => 'm' });
        const first = auth.get('mine').access;
        const key = await auth.getApiKey('mine');
        const kept = JSON.parse(backend.withLock((result) => ({ result })));
        let refused;
        try { await auth.login('mine', { onPrompt() { throw new Error('not now') } }) } catch ({ message }) { refused = message }
        return [first, key, kept, told, refused, auth.getOAuthProviders().some(({ id }) => id === 'mine')];";
    insta::assert_json_snapshot!(run(&imports, body).await);
}

/// Logins of the built-in providers ask the script before anything goes over the network, and end when it gives up.
#[tokio::test]
async fn built_in_logins_ask_the_script() {
    let imports = "import { getOAuthProvider, loginGitHubCopilot } from '@earendil-works/pi-ai/oauth';";
    let body = "const asked = [], outcome = async (login) => { try { return await login } catch ({ message }) { return message } };
        const onPrompt = ({ message }) => { asked.push(message); throw new Error('given up') };
        const first = await outcome(loginGitHubCopilot({ onPrompt }));
        const second = await outcome(getOAuthProvider('github-copilot').login({ onPrompt }));
        const controller = new AbortController();
        const silent = () => { controller.abort(); return new Promise(() => {}) };
        const third = await outcome(loginGitHubCopilot({ signal: controller.signal, onPrompt: silent }));
        return [asked, first, second, third];";
    insta::assert_json_snapshot!(run(imports, body).await);
}
