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
