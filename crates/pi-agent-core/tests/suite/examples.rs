//! The examples do what they show, without key and network.

use std::path::{Path, PathBuf};
use std::process::Command;

/// `cargo test` builds the examples beside the tests; whoever builds a single test gets them built here.
fn program(name: &str) -> PathBuf {
    let built = std::env::current_exe().unwrap().parent().unwrap().join("../examples").join(name);
    if !built.exists() {
        let build = ["build", "-p", "pi-agent-core", "--example", name];
        assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success(), "{name} does not build");
    }
    built
}

fn examples() -> Vec<String> {
    let folder = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap();
    let files = folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_example_runs_by_itself() {
    for name in examples() {
        let output = Command::new(program(&name)).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
        insta::assert_snapshot!(name.clone(), String::from_utf8(output.stdout).unwrap());
    }
}
