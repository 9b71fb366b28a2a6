//! The programs of examples.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of an example of this package. `cargo test` builds examples beside the tests; for a test that is asked for
/// alone it is built here, with these features.
pub fn example(package: &str, name: &str, features: &[&str]) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().with_file_name("examples").join(format!("{name}{EXE_SUFFIX}"));
    if !program.exists() {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "-p", package, "--example", name]);
        if !features.is_empty() {
            cargo.args(["--features", &features.join(",")]);
        }
        assert!(cargo.status().unwrap().success(), "the example {name} of {package} does not build");
    }
    program
}

/// The names of the examples in the directory `examples` of a crate that are one file each, sorted.
pub fn example_names(crate_dir: &str) -> Vec<String> {
    let folder = std::fs::read_dir(Path::new(crate_dir).join("examples")).unwrap();
    let files = folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}
