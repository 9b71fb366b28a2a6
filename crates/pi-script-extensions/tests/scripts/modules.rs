//! The modules that extensions import without a file, in an engine: what they give for the cases in
//! `fixtures/script-modules`, whose results are recorded there.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use pi_script::{Engine, EngineOptions};
use pi_script_extensions::provide_modules;
use serde_json::Value;

/// Runs all cases of a file; what throws gives the name of the error, as in `record.mjs`.
const RUNNER: &str = r#"
    export const run = () => {
        const results = {};
        for (const [name, work] of Object.entries(cases(...packages))) {
            results[name] = work.map((one) => {
                try { return one() ?? null } catch (error) { return { throws: error.name, message: String(error.stack) } }
            });
        }
        return JSON.stringify(results);
    };
"#;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/script-modules")
}

fn recorded(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(fixtures().join(name).with_extension("json")).unwrap()).unwrap()
}

/// Evaluates a module in an engine with the program's modules, and calls its `run`.
pub(super) async fn run(source: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().canonicalize().unwrap().join("main.ts");
    std::fs::write(&file, source).unwrap();
    let mut options = EngineOptions::new("test");
    provide_modules(&mut options);
    let engine = Engine::start(options).unwrap();
    let result = engine.call_export(&file.to_string_lossy(), "run", Vec::new()).await;
    serde_json::from_str(&result.unwrap_or_else(|error| panic!("{error}\n{error:?}")).into_text().unwrap()).unwrap()
}

async fn run_cases(name: &str, packages: &[&str]) -> Value {
    let cases = fixtures().join(name).with_extension("mjs");
    let imports: String =
        packages.iter().enumerate().map(|(i, name)| format!("import * as p{i} from '{name}';")).collect();
    let names: Vec<String> = (0..packages.len()).map(|i| format!("p{i}")).collect();
    let names = names.join(", ");
    run(&format!("{imports} import cases from {:?}; const packages = [{names}]; {RUNNER}", cases.to_string_lossy()))
        .await
}

/// Every case that gives something else, named.
fn differences(actual: &Value, expected: &Value) -> Vec<String> {
    let (actual, expected) = (actual.as_object().unwrap(), expected.as_object().unwrap());
    assert_eq!(actual.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let mut found = Vec::new();
    for (name, expected) in expected {
        let (actual, expected) = (actual[name].as_array().unwrap(), expected.as_array().unwrap());
        assert_eq!(actual.len(), expected.len(), "{name}: the recording is not of these cases");
        for (i, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            if actual != expected && (expected.get("throws").is_none() || expected["throws"] != actual["throws"]) {
                found.push(format!("{name} #{i}\n  expected {expected}\n  actual   {actual}"));
            }
        }
    }
    found
}

async fn check(name: &str, packages: &[&str]) {
    let found = differences(&run_cases(name, packages).await, &recorded(name));
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_are_those_of_typebox() {
    check("typebox", &["typebox", "typebox/value", "typebox/compile"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn components_draw_what_they_should() {
    check("tui", &["@earendil-works/pi-tui"]).await;
}

/// The recordings are what the packages give that are named by `TYPEBOX_REFERENCE` and `PI_TUI_REFERENCE` (directories).
#[test]
fn recordings_are_of_the_packages() {
    for (name, variable, files) in [
        ("typebox", "TYPEBOX_REFERENCE", &["build/index.mjs", "build/value/index.mjs", "build/compile/index.mjs"][..]),
        ("tui", "PI_TUI_REFERENCE", &["dist/index.js"][..]),
    ] {
        let Some(package) = std::env::var_os(variable).map(PathBuf::from) else {
            eprintln!("skipped: {variable} names no package");
            continue;
        };
        let mut node = std::process::Command::new("node");
        node.current_dir(fixtures()).arg("record.mjs").arg(format!("{name}.mjs"));
        let output = node.args(files.iter().map(|file| package.join(file))).output().unwrap();
        let actual: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(actual == recorded(name), "{name}: record it again, see fixtures/script-modules/README.md");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_names_of_a_package_are_one_module() {
    let source = "import { Type } from 'typebox'; import { Type as Old, Kind } from '@sinclair/typebox'; \
        import { TypeCompiler } from '@sinclair/typebox/compiler'; \
        import { Text } from '@earendil-works/pi-tui'; import { Text as OldText } from '@mariozechner/pi-tui'; \
        export const run = () => JSON.stringify([Type === Old, Text === OldText, Type.String()[Kind], \
        TypeCompiler.Compile(Type.String()).Check('x'), Type.Composite([Type.Object({a: Type.Null()}), Type.Object({b: Type.Null()})]), \
        Type.Not(Type.Null()), Type.Const('c'), Type.Recursive((This) => Type.Object({ next: Type.Optional(This) }), { $id: 'L' })])";
    insta::assert_json_snapshot!(run(source).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_says_so() {
    let source = "import { Type } from 'typebox'; import { Value } from 'typebox/value'; import { ProcessTerminal } from '@earendil-works/pi-tui'; \
        const said = (work: () => unknown) => { try { work(); return null } catch (error) { return error.message } }; \
        export const run = () => JSON.stringify([() => Type.Script('string'), () => Value.Hash(1), () => new ProcessTerminal()].map(said))";
    insta::assert_json_snapshot!(run(source).await);
}

/// Focus goes to what lies on top, and back when that is gone.
#[tokio::test(flavor = "multi_thread")]
async fn overlays_take_the_focus_and_give_it_back() {
    let source = "import { Container, Input, TUI } from '@earendil-works/pi-tui'; \
        const part = (name: string, seen: string[]) => ({ focused: false, render: () => [name], invalidate() {}, handleInput: (d: string) => seen.push(name + d) }); \
        export const run = () => { \
            const seen: unknown[] = []; const [a, b, c] = ['a', 'b', 'c'].map((n) => part(n, seen as string[])); \
            const tui = new TUI({ columns: 80, rows: 24 } as any); tui.addChild(a); tui.setFocus(a); tui.handleInput('1'); \
            const first = tui.showOverlay(b); tui.handleInput('2'); \
            const second = tui.showOverlay(c, { nonCapturing: true }); tui.handleInput('3'); second.focus(); tui.handleInput('4'); \
            second.unfocus(); tui.handleInput('5'); first.setHidden(true); tui.handleInput('6'); first.setHidden(false); tui.handleInput('7'); \
            const shown = tui.overlays.length; first.hide(); second.hide(); tui.handleInput('8'); \
            const stop = tui.addInputListener((d: string) => d === '9' ? { consume: true } : { data: d + '!' }); tui.handleInput('9'); tui.handleInput('0'); stop(); \
            tui.handleInput('\\x1b[97;1:3u'); \
            return JSON.stringify([seen, shown, tui.hasOverlay(), a.focused, b.focused, tui.render(10)]); \
        }";
    insta::assert_json_snapshot!(run(source).await);
}
