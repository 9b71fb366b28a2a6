//! The built-in tools as scripts wrap, replace and redirect them.

use pi_ai::scripted;
use serde_json::json;

use crate::support::{run, stage};

const IMPORTS: &str =
    "import { createBashTool, createCodingTools, createEditTool, createFindTool, createGrepTool, createLsTool,
    createReadTool, createReadOnlyTools, createWriteTool, createLocalBashOperations, withFileMutationQueue }
    from '@earendil-works/pi-coding-agent';
    const text = (result) => result.content.map((block) => block.text).join('|');
    const failed = (work) => work.then(() => 'no error', (error) => error.message);";

#[tokio::test]
async fn tools_are_objects_that_can_be_spread_and_executed() {
    let body = "
        const write = createWriteTool('DIR'), read = createReadTool('DIR'), edit = createEditTool('DIR');
        await write.execute('1', { path: 'a/b.txt', content: 'one\\ntwo\\n' });
        const edited = await edit.execute('2', { path: 'a/b.txt', edits: [{ oldText: 'two', newText: 'three' }] });
        const { name, label, parameters, execute, ...rest } = { ...read };
        return [text(await execute('3', { path: 'a/b.txt', offset: 2 })), edited.details.diff.includes('+2 three'), name, label,
            Object.keys(parameters.properties), typeof rest.description, rest.promptSnippet === undefined,
            text(await createLsTool('DIR').execute('4', { path: 'a' })), text(await createFindTool('DIR').execute('5', { pattern: '*.txt' })),
            text(await createGrepTool('DIR').execute('6', { pattern: 'thr', path: 'a' })),
            (await failed(read.execute('7', { path: 'none' }))).replace('DIR', '/dir'),
            createCodingTools('DIR').map(({ name }) => name), createReadOnlyTools('DIR').map(({ name }) => name)];";
    insta::assert_json_snapshot!(run(IMPORTS, body).await);
}

#[tokio::test]
async fn commands_report_progress_and_can_be_aborted() {
    let body = "
        const seen = [];
        const bash = createBashTool('DIR', { commandPrefix: 'X=5', spawnHook: (spawn) => ({ ...spawn, env: { ...spawn.env, Y: '6' } }) });
        const result = await bash.execute('1', { command: 'echo $X$Y; pwd' }, undefined, (partial) => seen.push(partial));
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        const aborted = await failed(createBashTool('DIR').execute('2', { command: 'sleep 30' }, controller.signal));
        return [text(result).replace('DIR', 'dir'), seen.length > 0, aborted, await failed(bash.execute('3', { command: 'exit 3' }))];";
    let said = run(IMPORTS, body).await;
    assert_eq!(said[0], "56\ndir\n", "{said}");
    assert_eq!((&said[1], said[2].as_str().unwrap().contains("aborted")), (&json!(true), true), "{said}");
    assert!(said[3].as_str().unwrap().contains("exited with code 3"), "{said}");
}

#[tokio::test]
async fn operations_in_script_stand_for_the_machine() {
    let body = "
        const files = new Map([['/far/a.txt', 'far away']]);
        const missing = (path) => Object.assign(new Error(`ENOENT: nothing at ${path}`), { code: 'ENOENT' });
        const operations = {
            readFile: async (path) => { if (!files.has(path)) throw missing(path); return Buffer.from(files.get(path)); },
            writeFile: async (path, content) => void files.set(path, content),
            access: async (path) => { if (!files.has(path)) throw missing(path); },
            mkdir: async () => {},
            exists: (path) => path === '/far' || files.has(path),
            stat: (path) => ({ isDirectory: () => path === '/far' }),
            readdir: () => ['a.txt', 'new.txt'],
            glob: (pattern, cwd, { ignore, limit }) => [`${cwd}/a.txt`, pattern, String(ignore.length), String(limit)],
        };
        const options = { operations };
        const first = text(await createReadTool('/far', options).execute('1', { path: 'a.txt' }));
        await createWriteTool('/far', options).execute('2', { path: 'new.txt', content: 'neu' });
        await createEditTool('/far', options).execute('3', { path: 'a.txt', edits: [{ oldText: 'far', newText: 'not' }] });
        const exec = async (command, cwd, { onData, timeout }) => {
            onData(Buffer.from(`${command} in ${cwd}, ${timeout}\\n`));
            if (command === 'stop') throw new Error('timeout:' + timeout);
            return { exitCode: 0 };
        };
        const bash = createBashTool('/far', { operations: { exec } });
        return [first, [...files], text(await createLsTool('/far', options).execute('4', {})),
            text(await createFindTool('/far', options).execute('5', { pattern: '*.x', limit: 9 })),
            text(await bash.execute('6', { command: 'go', timeout: 7 })), await failed(bash.execute('7', { command: 'stop', timeout: 2 })),
            await failed(createReadTool('/far', options).execute('8', { path: 'none' })),
            await failed(createLsTool('/far', options).execute('9', { path: '/near' }))];";
    let said = run(IMPORTS, body).await;
    insta::assert_json_snapshot!(said);
}

#[tokio::test]
async fn the_local_shell_can_be_wrapped_and_files_locked() {
    let body = "
        const { exec } = createLocalBashOperations();
        const printed = [];
        const run = (command, options) => exec(command, 'DIR', { onData: (data) => printed.push(data.toString()), ...options });
        const exits = [await run('echo hi; exit 4'), await run('kill -9 $$')];
        const late = await failed(run('sleep 9', { timeout: 0.05 }));
        const order = [];
        const step = (name, ms) => withFileMutationQueue('DIR/f', async () => {
            order.push(name); await new Promise((done) => setTimeout(done, ms)); order.push(name); return name; });
        const values = await Promise.all([step('a', 30), step('b', 0)]);
        return [exits, late, printed.join(''), order.join(''), values, await failed(withFileMutationQueue('DIR/f', async () => { throw new Error('no') }))];";
    let said = run(IMPORTS, body).await;
    assert_eq!(said, json!([[{"exitCode": 4}, {"exitCode": null}], "timeout:0.05", "hi\n", "aabb", ["a", "b"], "no"]));
}

#[tokio::test]
async fn a_wrapped_tool_takes_the_place_of_the_built_in_one() {
    let stage = stage(
        "import { createReadTool } from '@mariozechner/pi-coding-agent';
        export default (pi) => {
            const read = createReadTool('DIR');
            pi.registerTool({ ...read, async execute(id, params, signal, onUpdate) {
                const result = await read.execute(id, params, signal, onUpdate);
                return { ...result, content: [{ type: 'text', text: 'seen: ' + result.content[0].text }] };
            } });
        }",
    )
    .await;
    std::fs::write(stage.dir.path().join("a.txt"), "text").unwrap();
    let path = stage.dir.path().join("a.txt");
    let call = scripted::tool_use([scripted::tool_call("1", "read", json!({"path": path}))]);
    stage.script([call, scripted::message([scripted::text("done")])]);
    stage.prompt("go").await;
    let results: Vec<_> = stage.session.messages().iter().filter(|m| m.role() == "toolResult").cloned().collect();
    let result = serde_json::to_value(&*results[0]).unwrap();
    assert_eq!(result["content"][0]["text"], "seen: text", "{result}");
}
