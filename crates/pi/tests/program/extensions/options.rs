//! Options that extensions bring, and those about extensions.

use serde_json::json;

use crate::extensions::programs::example;
use pi_test_kit::{Provider, World, answer, tool_call};

#[tokio::test]
async fn wrong_options_end_the_program() {
    let world = World::at("http://127.0.0.1:9");
    world.write("loose/tool.ts", "export default () => {}");
    let cases: &[&[&str]] = &[
        &["--gate-timeout"],
        &["--gate-timeout", "--gate-block"],
        &["--gate", "--gate-block", "--plan=1"],
        &["-e", "missing.ts"],
        &["--extension", "loose"],
    ];
    let mut seen = String::new();
    for args in cases {
        for mode in [["--mode", "rpc"], ["--mode", "json"]] {
            let args: Vec<&str> = mode.into_iter().chain(args.iter().copied()).collect();
            let finished = world.program(&example("permission_gate"), &args).run().await;
            assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{args:?}");
            seen += &format!("{}\n{}\n", world.mask(&args.join(" ")), finished.stderr);
        }
    }
    insta::assert_snapshot!(seen);
}

#[tokio::test]
async fn help_names_the_options_also_when_something_is_wrong() {
    let world = World::at("http://127.0.0.1:9");
    let help = world.program(&example("permission_gate"), &["--help", "-e", "missing.ts"]).run().await.success();
    let (_, own) = help.split_once("\nOptions of extensions:\n").unwrap();
    insta::assert_snapshot!(own);
    let plain = world.run(&["--help"]).await.success();
    assert!(!plain.contains("Options of extensions"), "{plain}");
    assert_eq!(
        world.program(&example("permission_gate"), &["--version"]).run().await.success(),
        concat!(env!("CARGO_PKG_VERSION"), "\n")
    );
    let listed = world.program(&example("permission_gate"), &["--list-models", "-e", "missing.ts"]).run().await;
    assert!(listed.code == Some(0) && listed.stderr.starts_with("Warning: "), "{}", listed.stderr);
}

#[tokio::test]
async fn a_flag_without_a_value_leaves_the_message_alone() {
    let call = tool_call("t1", "bash", &json!({"command": "sudo true"}));
    let provider = Provider::start([call, answer("Well."), answer("Then.")]).await;
    let world = World::with(&provider);
    let args = ["-p", "--gate-block", "first", "--gate-timeout", "1", "second", "--no-extensions"];
    let finished = world.program(&example("permission_gate"), &args).run().await;
    assert_eq!(finished.success(), "Then.\n");
    let requests = provider.requests();
    assert!(requests[1].body["messages"].to_string().contains("Dangerous commands are blocked in this run."));
    assert_eq!(requests[2].texts("user").first().map(String::as_str), Some("first"));
    assert_eq!(requests[2].texts("user").last().map(String::as_str), Some("second"));
}

/// The plain program has nobody who could know the option.
#[tokio::test]
async fn without_extensions_the_option_is_unknown() {
    let world = World::at("http://127.0.0.1:9");
    let finished = world.run(&["--gate-block", "-p", "hello"]).await;
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(1), "Error: Unknown option: --gate-block\n"));
}
