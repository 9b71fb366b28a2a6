//! The example does what it shows.

use std::process::Command;

/// `cargo test` builds examples beside the tests; whoever builds this test alone gets it built here.
#[test]
fn the_example_runs_by_itself() {
    let built = std::env::current_exe().unwrap().parent().unwrap().join("../examples/proxy");
    if !built.exists() {
        let arguments = ["build", "-p", "pi-agent-core", "--example", "proxy"];
        assert!(Command::new(env!("CARGO")).args(arguments).status().unwrap().success());
    }
    let output = Command::new(built).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap(), @r"
    I have no key, but I know who does.

    failed: Proxy error: Unknown token
    ");
}
