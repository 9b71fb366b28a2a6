//! Where imports lead, and what becomes of TypeScript and CommonJS.

use std::path::Path;

use pi_script::{Engine, EngineOptions, Error};
use serde_json::{Value, json};

/// Writes files and calls `run` of the first one.
async fn run(files: &[(&str, &str)]) -> Result<Value, Error> {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for (name, content) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let mut options = EngineOptions::new("test");
    options
        .modules
        .add("app:words", "import { inner } from 'app:inner'; export const word = inner; export default { word }");
    options.modules.add_internal("app:inner", "export const inner = 'provided'");
    let engine = Engine::start(options).unwrap();
    let entry = root.join(files[0].0);
    let result = engine.call_export(&entry.to_string_lossy(), "run", Vec::new()).await;
    result.map(|data| data.into_json().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_means_what_it_says() {
    let source = r#"
        import type { Nothing } from "not-there";
        import { word } from "app:words";
        enum Color { Red, Green = 5 }
        namespace Space { export const x = 1 }
        class Point { constructor(private readonly x: number, public y = 2) {} sum(): number { return this.x + this.y } }
        const id = <T,>(x: T): T => x;
        abstract class A { declare z: string; abstract f(): void }
        export const run = async (): Promise<unknown> => [Color.Green, Color[0], Space.x, new Point(1).sum(), id(word satisfies string), typeof A, await later];
        const later = await Promise.resolve("top");
    "#;
    let result = run(&[("main.ts", source)]).await.unwrap();
    assert_eq!(result, json!([5, "Red", 1, 3, "provided", "function", "top"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn imports_find_files_packages_and_data() {
    let result = run(&[
        (
            "main.ts",
            "import a from './a'; import { b } from './b.js'; import c from './c.ts'; import data from './data.json'; import pkg, { named } from 'pkg'; \
             import only from 'only-cjs'; import { deep } from '@scope/esm/deep'; \
             export const run = async () => [a, b, c, data.n, pkg.named, named, only(), deep, (await import('./a')).default, import.meta.url.startsWith('file:///'), __filename.endsWith('main.ts'), require('./data.json').n, require('app:words').word]",
        ),
        ("a/index.ts", "export default 'a'"),
        ("b.ts", "export const b = 'b'"),
        ("c.ts", "const c: string = 'c'; export default c"),
        ("data.json", "{\"n\": 7}"),
        ("node_modules/pkg/package.json", r#"{"main": "lib.js"}"#),
        ("node_modules/pkg/lib.js", "exports.named = require('./other'); exports.file = __filename"),
        ("node_modules/pkg/other.js", "module.exports = 'other'"),
        ("node_modules/only-cjs/index.js", "module.exports = function () { return 'only' }"),
        ("node_modules/@scope/esm/package.json", r#"{"type": "module", "exports": {"./deep": {"import": "./d.mjs"}}}"#),
        ("node_modules/@scope/esm/d.mjs", "export const deep = 'deep'"),
    ])
    .await
    .unwrap();
    assert_eq!(result, json!(["a", "b", "c", 7, "other", "other", "only", "deep", "a", true, true, 7, "provided"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn stacks_point_at_the_file_that_was_written() {
    let source = "interface A { x: number }\n\ntype B = string;\nfunction inner(a: A): void {\n  throw new Error('here');\n}\nexport const run = () => inner({ x: 1 });\n";
    let Err(Error::Script(error)) = run(&[("main.ts", source)]).await else { unreachable!() };
    let stack = error.stack.unwrap();
    assert!(stack.contains("main.ts:5:"), "{stack}");
    assert!(stack.contains("main.ts:7:"), "{stack}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_named_with_their_place() {
    for (files, message) in [
        (vec![("main.ts", "export const run = (\n  oh no")], "main.ts:2:"),
        (vec![("main.ts", "import './gone'; export const run = 1")], "Cannot find module './gone' imported from"),
        (vec![("main.ts", "import 'nowhere'; export const run = 1")], "run `npm install nowhere` beside the extension"),
        (
            vec![("main.ts", "import 'app:words/dist/x.js'; export const run = 1")],
            "the program brings app:words itself, without this path",
        ),
        (
            vec![("main.ts", "import 'pkg/x.node'; export const run = 1"), ("node_modules/pkg/x.node", "\u{7f}ELF")],
            "native add-on",
        ),
        (
            vec![
                (
                    "main.ts",
                    "import { createRequire } from 'node:module'; export const run = () => createRequire(import.meta.url)('./x.node')",
                ),
                ("x.node", "\u{7f}ELF"),
            ],
            "native add-on",
        ),
        (vec![("main.ts", "import 'node:nothing'; export const run = 1")], "this program has no such module of Node"),
        (vec![("main.ts", "import d from './d.json'; export const run = () => d"), ("d.json", "{oops")], ""),
    ] {
        let error = run(&files).await.unwrap_err();
        assert!(error.to_string().contains(message), "{files:?}: {error}");
    }
}

/// Parts of the program, and of Node's modules, that no script can have, whatever it pretends to be.
#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_the_program_cannot_be_imported() {
    let names = [
        "app:inner",
        "script:host",
        "internal/fetch",
        "node:internal/url",
        "internal/require",
        "node:internal/bootstrap",
    ];
    let ways = [
        "(name) => import(name)",
        "async (name) => require(name)",
        "async (name) => createRequire('/anywhere/app.js')(name)",
        "async (name) => import.meta.resolve(name)",
        "(name) => new Function('name', 'return import(name)')(name)",
        "(name) => (0, eval)(`import(${JSON.stringify(name)})`)",
        "(name) => eval('import(name)')",
        "(name) => new Promise((yes, no) => setTimeout(eval, 1, `import(${JSON.stringify(name)})`)).catch(String)",
        "(name) => vm.runInThisContext(`import(${JSON.stringify(name)})`, 'app:words')",
        "(name) => vm.runInThisContext(`import(${JSON.stringify(name)})`, 'node:fs')",
        "(name) => new vm.Script(`import(${JSON.stringify(name)})`, { filename: 'script:host' }).runInThisContext()",
        "async (name) => process.getBuiltinModule(name) ?? (() => { throw new Error('Cannot find module') })()",
    ];
    let source = format!(
        "import {{ createRequire }} from 'node:module'; import vm from 'node:vm';
         const ways = [{}];
         const tried = async (way, name) => {{
           try {{ return await Promise.race([way(name), new Promise((_, no) => setTimeout(no, 20, new Error('Cannot find module')))]) && `${{way}} ${{name}}`; }}
           catch (error) {{ return /Cannot find module/.test(error.message) ? [] : String(error); }}
         }};
         export const run = async () => (await Promise.all(ways.flatMap((way) => {}.map((name) => tried(way, name))))).flat();",
        ways.join(", "),
        json!(names)
    );
    assert_eq!(run(&[("main.mjs", &source)]).await.unwrap(), json!([]));
}

/// Nothing in the global object leads to what modules of the program ask it with.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_global_leads_to_the_program() {
    let source = "
        const seen = new Set();
        const found = [];
        const look = (value, path) => {
          if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || path.length > 6) return;
          seen.add(value);
          for (const key of Reflect.ownKeys(value)) {
            let property;
            try { property = value[key] } catch { continue }
            if (typeof property === 'function' && key === 'importNow') found.push([...path, key].join('.'));
            look(property, [...path, String(key)]);
          }
        };
        export const run = async () => {
          look(globalThis, []);
          const { builtinModules } = await import('node:module');
          for (const name of builtinModules) look(await import(name), [name]);
          look(import.meta, ['meta']);
          look(await import('app:words'), ['words']);
          return [found, typeof globalThis.__pi_script, seen.size > 500];
        };";
    assert_eq!(run(&[("main.mjs", source)]).await.unwrap(), json!([[], "undefined", true]));
}

/// A module that awaits nothing itself and imports one that does can be imported again once it has run, in every way.
#[tokio::test(flavor = "multi_thread")]
async fn what_waited_for_an_import_can_be_imported_again() {
    let ways = [
        ("after it ran", "await import('./middle.js'); return [(await import('./middle.js')).word];"),
        ("what it leads to", "await import('./top.js'); return [(await import('./middle.js')).word];"),
        ("by another module", "await import('./top.js'); return [(await import('./other.js')).word];"),
        (
            "while it waits",
            "const first = import('./top.js'); return [(await import('./middle.js')).word, (await first).word];",
        ),
        (
            "in a circle",
            "await import('./circle.js'); return [(await import('./round.js')).word, (await import('./circle.js')).word];",
        ),
    ];
    for (way, body) in ways {
        let main = format!("export const run = async () => {{ {body} }};");
        let files = [
            ("main.mjs", main.as_str()),
            ("late.js", "export const word = await new Promise((done) => setTimeout(done, 5, 'late'));"),
            ("middle.js", "export { word } from './late.js';"),
            ("top.js", "export * from './middle.js';"),
            ("other.js", "import { word as it } from './middle.js'; export const word = it;"),
            ("circle.js", "import './round.js'; export { word } from './late.js';"),
            ("round.js", "import './circle.js'; export { word } from './middle.js';"),
        ];
        let result = tokio::time::timeout(std::time::Duration::from_secs(10), run(&files)).await;
        let words = result.unwrap_or_else(|_| panic!("{way}: nothing came of it")).unwrap();
        assert!(words.as_array().unwrap().iter().all(|word| word == "late"), "{way}: {words}");
    }
}

/// A name that a module of the program or of Node does not have is undefined, however it is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_the_program_does_not_have_is_undefined() {
    let main = "
        import words, { word, gone } from 'app:words';
        import crypto, { createHash, ofLater as later } from 'node:crypto';
        import * as all from './passed.js';
        import { fallback } from './passed.js';
        import * as namespace from 'app:words';
        export const run = async () => [
          words.word, word, gone, typeof createHash, createHash === crypto.createHash, later, all.gone, fallback,
          namespace.word, 'gone' in namespace, (await import('app:words')).word, (await import('app:words')).default.word,
        ].map((value) => value ?? 'nothing');";
    let passed = "export { gone, word as passed } from 'app:words'; import { gone } from 'app:words'; \
                  export const fallback = gone ?? 'own'; export * from 'app:words';";
    let result = run(&[("main.mjs", main), ("passed.js", passed)]).await.unwrap();
    let expected = json!([
        "provided", "provided", "nothing", "function", true, "nothing", "nothing", "own", "provided", true, "provided",
        "provided"
    ]);
    assert_eq!(result, expected);
    // Of files that is a mistake, as everywhere.
    let error =
        run(&[("main.mjs", "import { gone } from './other.js'; export const run = gone"), ("other.js", "export {}")]);
    assert!(error.await.unwrap_err().to_string().contains("gone"));
}

/// Every module of Node can be imported with every name that it has there.
#[tokio::test(flavor = "multi_thread")]
async fn every_name_of_node_is_there() {
    let names = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/node_names.json");
    let source = format!(
        "import fs from 'node:fs'; import {{ isBuiltin, builtinModules }} from 'node:module';
        export const run = async () => {{
          const {{ '': _, ...modules }} = JSON.parse(fs.readFileSync({names:?}, 'utf8'));
          const missing = [];
          for (const [module, {{ constant, ...kinds }}] of Object.entries(modules)) {{
            const names = Object.values(kinds).flatMap((names) => names.split(' ')).concat(Object.keys(constant ?? {{}}));
            const namespace = await import(`node:${{module}}`);
            for (const name of names) if (!(name in namespace)) missing.push(`${{module}}.${{name}}`);
            if (!isBuiltin(`node:${{module}}`) || !(`default` in namespace)) missing.push(module);
          }}
          return [missing, builtinModules.length > 60, builtinModules.includes('node:sqlite'), isBuiltin('sqlite')];
        }};",
    );
    assert_eq!(run(&[("main.mjs", &source)]).await.unwrap(), json!([[], true, true, false]));
}

/// What Node has and the program does not fails by name, and only when it is used.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_program_does_not_have_of_node_fails_by_name() {
    let source = "
        import { X509Certificate, diffieHellman } from 'node:crypto';
        import { Worker } from 'node:worker_threads';
        import { DatabaseSync } from 'node:sqlite';
        import test, { describe, mock } from 'node:test';
        import dgram from 'node:dgram';
        class Own extends X509Certificate {}
        const tries = {
          X509Certificate: () => new X509Certificate(''), Own: () => new Own(), diffieHellman: () => diffieHellman({}),
          Worker: () => new Worker('x.js'), DatabaseSync: () => new DatabaseSync(':memory:'), test: () => test('x', () => {}),
          describe: () => describe('x'), mock: () => mock.fn(), dgram: () => dgram.createSocket('udp4'),
          extensions: () => [Object.keys(require.extensions), require.extensions['.js']({}, 'x.js')],
          required: () => require('node:sqlite').backup(), mentioned: () => [typeof Worker, mock, `${Object.keys(mock)}`] && 'fine',
        };
        export const run = async () => Object.entries(tries).map(([name, attempt]) => {
          try { return `${name}: ${attempt()}` } catch (error) { return `${name}: ${error.code} ${error.message}` }
        });";
    insta::assert_json_snapshot!(run(&[("main.ts", source)]).await.unwrap());
}
