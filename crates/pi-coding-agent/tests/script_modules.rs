//! The modules that extensions import without a file, in an engine: what they give for the cases in
//! `fixtures/script-modules`, whose results are recorded there.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use pi_coding_agent::script::provide_modules;
use pi_script::{Engine, EngineOptions};
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
async fn run(source: &str) -> Value {
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
    let imports: String = packages.iter().enumerate().map(|(i, name)| format!("import * as p{i} from '{name}';")).collect();
    let names: Vec<String> = (0..packages.len()).map(|i| format!("p{i}")).collect();
    let names = names.join(", ");
    run(&format!("{imports} import cases from {:?}; const packages = [{names}]; {RUNNER}", cases.to_string_lossy())).await
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
