//! Scripts that cannot be loaded end the program, and say where.

use crate::script_host::stage::Stage;

const BROKEN: &[(&str, &str, &[&str])] = &[
    ("syntax", "export default function (pi) {\n  const x = ;\n}\n", &["ext.ts:2:13"]),
    (
        "no factory",
        "export const pi = 1;\n",
        &["Extension does not export a valid factory function: ROOT/project/ext.ts"],
    ),
    ("throws", "throw new Error('not today');\nexport default () => {};\n", &["Failed to load extension: not today"]),
    (
        "factory throws",
        "export default () => { throw new Error('not now') };\n",
        &["Failed to load extension: not now"],
    ),
    (
        "factory rejects",
        "export default async () => { await null; throw new Error('later') };\n",
        &["Failed to load extension: later"],
    ),
    (
        "acts too early",
        "export default (pi: any) => pi.setSessionName('x');\n",
        &["Failed to load extension: Extension runtime not initialized."],
    ),
    (
        "missing import",
        "import { x } from './nowhere';\nexport default () => x;\n",
        &["Failed to load extension: ", "./nowhere"],
    ),
    (
        "busy for ever",
        "for (;;);\nexport default () => {};\n",
        &["Failed to load extension: It ran for more than 0.2 s"],
    ),
    ("exits", "process.exit(7);\nexport default () => {};\n", &["Failed to load extension: ", "process.exit(7)"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_cannot_be_loaded_ends_the_program_in_every_mode() {
    for (name, script, expected) in BROKEN {
        let limits = serde_json::json!({"turnSeconds": 0.2});
        let stage = Stage::of(script, 0).await.set("extensionLimits", limits);
        for mode in [&["--mode", "rpc"][..], &["--mode", "json", "hello"], &["-p", "hello"]] {
            let ended = stage.world.run(&stage.arguments(mode)).await;
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{name} {mode:?}: {}", ended.stderr);
            for text in *expected {
                assert!(ended.stderr.contains(text), "{name}: {}", ended.stderr);
            }
        }
    }
}
