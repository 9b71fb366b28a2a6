//! What the user does not grant cannot be had in a roundabout way either.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, call, notices};

const IMPORTS: &str = "import fs from 'node:fs';
import * as promised from 'node:fs/promises';
import * as child from 'node:child_process';
import { createRequire } from 'node:module';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import dns from 'node:dns';
import { lookup } from 'node:dns/promises';
import { promisify } from 'node:util';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import vm from 'node:vm';
import * as pic from '@earendil-works/pi-coding-agent';
import { complete, stream, getModel } from '@earendil-works/pi-ai';
import { refreshOAuthToken } from '@earendil-works/pi-ai/oauth';
";

/// What a piece of script needs.
const ATTEMPTS: &[(&str, &[&str])] = &[
    (
        "fs",
        &[
            "fs.readFileSync(FILE)",
            "fs.writeFileSync(DIR + '/new', 'x')",
            "fs.appendFileSync(DIR + '/new', 'x')",
            "fs.existsSync(FILE)",
            "fs.statSync(FILE)",
            "fs.readdirSync(DIR)",
            "fs.openSync(FILE, 'r')",
            "fs.mkdirSync(DIR + '/made')",
            "fs.copyFileSync(FILE, DIR + '/copy')",
            "new Promise((done, fail) => fs.readFile(FILE, (error, data) => (error ? fail(error) : done(data))))",
            "fs.createReadStream(FILE).toArray()",
            "pipeline(Readable.from(['x']), fs.createWriteStream(DIR + '/new'))",
            "promised.readFile(FILE)",
            "promised.writeFile(DIR + '/new', 'x')",
            "promised.open(FILE)",
            "promised.readdir(DIR)",
            "fs.promises.readFile(FILE)",
            "fs.rmSync(DIR + '/copy', { force: true })",
            "import(SECRET)",
            "createRequire(SECRET)(SECRET)",
            "import(DIR + '/.env')",
            "process.getBuiltinModule('fs').readFileSync(FILE)",
            "vm.runInThisContext('(fs, file) => fs.readFileSync(file)')(fs, FILE)",
            "pic.createReadTool(DIR).execute('1', { path: FILE })",
            "pic.createWriteTool(DIR).execute('1', { path: DIR + '/new', content: 'x' })",
            "pic.createEditTool(DIR).execute('1', { path: FILE, edits: [{ oldText: 'text', newText: 'text!' }] })",
            "pic.createLsTool(DIR).execute('1', {})",
            "pic.createFindTool(DIR).execute('1', { pattern: '*' })",
            "pic.createGrepTool(DIR).execute('1', { pattern: 'text' })",
            "pic.createGrepTool(DIR, { operations: { isDirectory: () => true, readFile: () => '' } }).execute('1', { pattern: 'text' })",
            "pic.createReadToolDefinition(DIR).execute('1', { path: FILE })",
            "pic.SessionManager.list(DIR)",
            "pic.loadSkills({ cwd: DIR, agentDir: DIR, skillPaths: [DIR], includeDefaults: true })",
            "pic.loadProjectContextFiles({ cwd: DIR, agentDir: DIR })",
            "pic.SettingsManager.create(DIR, DIR)",
            "pic.AuthStorage.create(DIR + '/auth.json')",
            "pic.AuthStorage.fromStorage(new pic.FileAuthStorageBackend(DIR + '/auth.json'))",
            "new pic.FileAuthStorageBackend(DIR + '/auth.json').withLock(() => ({}))",
            "new pic.FileAuthStorageBackend(DIR + '/auth.json').withLockAsync(async () => ({}))",
            "pic.ModelRegistry.create(pic.AuthStorage.inMemory(), DIR + '/models.json')",
            "ctx.modelRegistry.authStorage.getAll()",
            "ctx.modelRegistry.authStorage.set('far', { type: 'api_key', key: 'x' })",
            "new pic.ProjectTrustStore(DIR + '/trusting').set(DIR, true)",
            "pic.hasTrustRequiringProjectResources(DIR)",
        ],
    ),
    (
        "net",
        &[
            "fetch(SERVER)",
            "new Promise((done, fail) => http.get(SERVER, done).on('error', fail))",
            "new Promise((done, fail) => http.request(SERVER, done).on('error', fail).end())",
            "new Promise((done, fail) => net.connect(PORT, '127.0.0.1', done).on('error', fail))",
            "new Promise((done, fail) => net.createServer().on('error', fail).listen(0, done))",
            "new Promise((done, fail) => http.createServer().on('error', fail).listen(0, done))",
            "new Promise((done, fail) => dns.lookup('localhost', (error, address) => (error ? fail(error) : done(address))))",
            "lookup('localhost')",
            "answered(complete({ ...ctx.model, baseUrl: SERVER + '/elsewhere' }, ASK, { apiKey: 'x' }))",
            "answered(complete(ctx.model, ASK, { apiKey: 'x', env: { ANTHROPIC_BASE_URL: SERVER } }))",
            "pi.registerProvider('far', { baseUrl: SERVER, apiKey: 'x', api: 'anthropic-messages', models: [] })",
            "pic.AuthStorage.inMemory().login('none', {})",
            "pic.ModelRegistry.inMemory(pic.AuthStorage.inMemory()).registerProvider('far', { baseUrl: SERVER, apiKey: 'x', models: [] })",
        ],
    ),
    (
        "exec",
        &[
            "child.execSync('true')",
            "child.execFileSync('true')",
            "denied(child.spawnSync('true'))",
            "ended(child.spawn('true'))",
            "ended(child.spawn('true', { detached: true }))",
            "promisify(child.exec)('true')",
            "promisify(child.execFile)('true')",
            "process.kill(process.pid, 0)",
            "pi.exec('true', [])",
            "pic.createBashTool(DIR).execute('1', { command: 'true' })",
            "pic.createBashTool(DIR, { spawnHook: (spawn) => spawn }).execute('1', { command: 'true' })",
            "pic.createBashToolDefinition(DIR).execute('1', { command: 'true' })",
            "pic.createLocalBashOperations().exec('true', DIR, { onData() {} })",
            "pic.AuthStorage.inMemory({ far: { type: 'api_key', key: '!true' } })",
            "pic.AuthStorage.inMemory().set('far', { type: 'api_key', key: '!true' })",
            "pic.AuthStorage.fromStorage({ withLock: (change) => change('{\"far\":{\"type\":\"api_key\",\"key\":\"!true\"}}').result })",
        ],
    ),
    (
        "net and exec",
        &["pi.registerProvider('far', { baseUrl: SERVER, apiKey: '!true', api: 'anthropic-messages', models: [] })"],
    ),
];

/// A script that tries everything, and says the code of each error.
fn script(stage: &Stage) -> String {
    let attempts: Vec<String> = ATTEMPTS
        .iter()
        .flat_map(|(_, attempts)| attempts.iter())
        .map(|attempt| format!("[{}, (pi, ctx) => {attempt}]", json!(attempt)))
        .collect();
    let dir = stage.world.home();
    std::fs::write(dir.join("file"), "text\n").unwrap();
    std::fs::write(dir.join(".env"), "globalThis.KEY = 1\n").unwrap();
    let secret = stage.world.root().join("secret.json");
    std::fs::write(&secret, "{\"key\": 1}").unwrap();
    let constants = format!(
        "const DIR = {}, FILE = DIR + '/file', SECRET = {}, SERVER = {}, PORT = {};",
        json!(dir),
        json!(secret),
        json!(stage.provider.url()),
        stage.provider.port()
    );
    format!(
        "{IMPORTS}{constants}
const ASK = {{ messages: [{{ role: 'user', content: 'hello', timestamp: 0 }}] }};
const ended = (process) => new Promise((done, fail) => process.on('error', fail).on('exit', done));
const denied = (result) => {{ if (result.error) throw result.error; }};
const answered = async (message) => {{ if ((await message).stopReason === 'error') throw new Error((await message).errorMessage); }};
const attempts = [{}];
export default function (pi) {{
  pi.registerCommand('try', {{ handler: async (_, ctx) => {{
    const codes = {{}};
    for (const [name, attempt] of attempts) {{
      try {{ await attempt(pi, ctx); codes[name] = 'passed'; }}
      catch (error) {{ codes[name] = error.code === 'ERR_ACCESS_DENIED' || /not allowed to use/.test(error.message) ? 'denied' : `${{error.code}} ${{error.message}}`; }}
    }}
    ctx.ui.notify(JSON.stringify(codes));
  }} }});
}}",
        attempts.join(",\n")
    )
}

async fn codes(granted: &Value) -> BTreeMap<String, String> {
    let stage = Stage::of("export default () => {}", 0).await.set("extensionPermissions", json!({"*": granted}));
    stage.world.write("ext.ts", &script(&stage));
    let mut pi = stage.serve();
    let lines = call(&mut pi, "/try").await;
    let said = notices(&lines);
    assert_eq!(said.len(), 1, "{lines:?}");
    let codes = serde_json::from_str(said[0]).unwrap();
    assert_eq!(pi.end().await.0, 0);
    if granted.as_array().unwrap().is_empty() {
        assert!(stage.provider.requests().is_empty(), "nothing reached the network");
        assert!(!stage.world.home().join("new").exists() && !stage.world.home().join("made").exists());
    }
    codes
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leads_around_what_is_not_granted() {
    let names = ["fs", "net", "exec"];
    for granted in [json!([]), json!(["fs"]), json!(["net"]), json!(["exec"]), json!(["fs", "net", "exec"])] {
        let codes = codes(&granted).await;
        let is_granted = |name: &str| granted.as_array().unwrap().iter().any(|item| item == name);
        for (needed, attempts) in ATTEMPTS {
            let is_allowed = names.iter().all(|name| !needed.contains(name) || is_granted(name));
            for attempt in *attempts {
                let is_denied = codes[*attempt] == "denied";
                assert_eq!(is_denied, !is_allowed, "{granted} {attempt}: {}", codes[*attempt]);
            }
        }
    }
}

/// Data that belongs to the extension, or to a package, is its own.
#[tokio::test(flavor = "multi_thread")]
async fn an_extension_without_files_can_import_its_own() {
    let source = "import own from './data/own.json';
import packaged from 'packaged/data.json';
import { model } from './lib/code';
import { complete } from '@earendil-works/pi-ai';
export default (pi: any) => pi.registerCommand('try', { handler: async (_: string, ctx: any) => {
  const known = await complete(ctx.model, { messages: [{ role: 'user', content: 'x', timestamp: 0 }] }, { apiKey: 'mock-key' });
  ctx.ui.notify(`${own.name} ${packaged.name} ${model} ${known.stopReason}`);
} });";
    let stage = Stage::of(source, 1).await.set("extensionPermissions", json!({"*": []}));
    stage.world.write("data/own.json", "{\"name\": \"own\"}");
    stage.world.write("lib/code.ts", "export const model: string = 'code';");
    stage.world.write("node_modules/packaged/package.json", "{\"name\": \"packaged\"}");
    stage.world.write("node_modules/packaged/data.json", "{\"name\": \"packaged\"}");
    let mut pi = stage.serve();
    assert_eq!(notices(&call(&mut pi, "/try").await), ["own packaged code stop"]);
    assert_eq!(pi.end().await.0, 0);
}

/// The environment is no file: it can always be read, and what a script changes in it is its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_environment_can_always_be_read() {
    let source = "export default (pi: any) => pi.registerCommand('try', { handler: async (_: string, ctx: any) => {
  process.env.PI_OWN = '1';
  ctx.ui.notify(`${typeof process.env.HOME} ${Object.keys(process.env).includes('PATH')} ${process.env.PI_OWN}`);
} });";
    let stage = Stage::of(source, 0).await.set("extensionPermissions", json!({"*": []}));
    let mut pi = stage.serve();
    assert_eq!(notices(&call(&mut pi, "/try").await), ["string true 1"]);
    assert_eq!(pi.end().await.0, 0);
}
