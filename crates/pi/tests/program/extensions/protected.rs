//! The examples `protected_paths`, as programs.

use serde_json::{Value, json};

use crate::extensions::programs::{notices, programs, run, tool_result};
use pi_test_kit::{Provider, World, answer, tool_call};

fn write(path: &str) -> Value {
    json!({"path": path, "content": "new"})
}

/// A path, and whether it is protected.
const PATHS: [(&str, bool); 12] = [
    (".env", true),
    ("@.env", true),
    ("deep/.env.local", true),
    ("src/../.ENV", true),
    (".git/hooks/pre-commit", true),
    ("web/node_modules/left-pad/index.js", true),
    ("link/config", true),
    (".env.example", false),
    (".gitignore", false),
    ("environment.env", false),
    ("node_modules.md", false),
    ("src/main.rs", false),
];

#[tokio::test]
async fn what_is_protected_stays() {
    for program in programs("protected_paths", "protected-paths.ts") {
        let calls = PATHS.map(|(path, _)| [tool_call("t1", "write", &write(path)), answer("Well.")]);
        let provider = Provider::start(calls.into_iter().flatten()).await;
        let world = World::with(&provider);
        world.write(".git/config", "old");
        std::os::unix::fs::symlink(".git", world.cwd().join("link")).unwrap();
        let mut pi = program.rpc(&world, &[]);
        for (path, protected) in PATHS {
            let lines = run(&mut pi, path).await;
            let (failed, text) = tool_result(&lines);
            assert_eq!(failed, protected, "{path}: {text} {}", program.name);
            let told: Vec<String> = if protected {
                assert_eq!(
                    text,
                    format!("{path} is protected and was not changed. If it has to change, tell the user what to do.")
                );
                vec![format!("Protected: write of {path} was blocked.")]
            } else {
                Vec::new()
            };
            assert_eq!(notices(&lines), told);
            assert_eq!(world.cwd().join(path).exists() && !path.starts_with("link"), !protected, "{path}");
        }
        assert_eq!(std::fs::read_to_string(world.cwd().join(".git/config")).unwrap(), "old");
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

/// Without a user there is nobody to tell, and nothing is changed either. Reading is nobody's business.
#[tokio::test]
async fn edits_are_blocked_and_reads_are_not() {
    let edit = json!({"path": ".env", "edits": [{"oldText": "secret", "newText": "known"}]});
    for program in programs("protected_paths", "protected-paths.ts") {
        let replies =
            [tool_call("t1", "edit", &edit), tool_call("t2", "read", &json!({"path": ".env"})), answer("Well.")];
        let provider = Provider::start(replies).await;
        let world = World::with(&provider);
        world.write(".env", "secret");
        let said = program.with(&world, &["-p", "go"]).run().await.success();
        assert_eq!(said, "Well.\n", "{}", program.name);
        let requests = provider.requests();
        assert!(requests[1].body["messages"].to_string().contains(".env is protected"));
        assert!(requests[2].body["messages"].to_string().contains("secret"));
        assert_eq!(std::fs::read_to_string(world.cwd().join(".env")).unwrap(), "secret");
    }
}
