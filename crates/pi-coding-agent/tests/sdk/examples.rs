//! Every example for programs that embed pi runs without key and network, and says what it is there to say.

use std::fs;
use std::path::Path;
use std::process::Command;

use pi_test_kit::example;
use regex::Regex;

fn run(name: &str, arguments: &[&str]) -> String {
    // A directory without instructions above it, and no key of whoever runs the test.
    let dir = tempfile::tempdir().unwrap();
    let features: &[&str] = if cfg!(feature = "container") { &["container"] } else { &[] };
    let program = example("pi-coding-agent", name, features);
    let output = Command::new(program).args(arguments).current_dir(dir.path()).output().unwrap();
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && failed.is_empty(), "{name}: {said}{failed}");
    said.into_owned()
}

macro_rules! examples {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            insta::assert_snapshot!($name, run($name, &[]));
        })*
    };
}

examples! {
    minimal "01_minimal"
    custom_model "02_custom_model"
    custom_prompt "03_custom_prompt"
    skills "04_skills"
    tools "05_tools"
    extensions "06_extensions"
    context_files "07_context_files"
    prompt_templates "08_prompt_templates"
    api_keys "09_api_keys"
    settings "10_settings"
    sessions "11_sessions"
    full_control "12_full_control"
    session_alone "session_alone"
    tools_alone "tools_alone"
}

#[cfg(feature = "container")]
examples! {
    remote_tools "16_remote_tools"
}

/// What it measures differs from machine to machine.
#[test]
fn concurrent_sessions() {
    let said = run("13_concurrent_sessions", &["7", "3"]);
    let measured = Regex::new(r"(memory of the process:|median|p99) [^\n,]*(, \w+: [^\n,]*)*").unwrap();
    insta::assert_snapshot!("13_concurrent_sessions", measured.replace_all(&said, "$1 …"));
}

/// Its cassette is in a directory of its own.
#[test]
fn replay() {
    let said = run("15_replay", &[]);
    let directory = Regex::new(r"Cassette \S*run\.jsonl").unwrap();
    insta::assert_snapshot!("15_replay", directory.replace(&said, "Cassette …/run.jsonl"));
}

/// The names of all Rust files below a directory, and what they say.
fn sources(dir: &Path) -> Vec<(String, String)> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let each = paths.flat_map(|path| {
        if path.is_dir() {
            return sources(&path);
        }
        let stem = path.file_stem().unwrap();
        // A program of several files is named like its folder.
        let name = if stem == "main" { path.parent().unwrap().file_name().unwrap() } else { stem };
        let name = name.to_str().unwrap().to_owned();
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        if is_rust { vec![(name, fs::read_to_string(&path).unwrap())] } else { Vec::new() }
    });
    each.collect()
}

/// An example that no test runs may have stopped working long ago.
#[test]
fn every_example_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = root.join("../pi");
    let tests = [sources(&root.join("tests")), sources(&program.join("tests"))].concat();
    let directories = [root.join("examples/sdk"), program.join("examples/extensions")];
    let examples: Vec<(String, String)> = directories.iter().flat_map(|dir| sources(dir)).collect();
    let programs: Vec<&String> =
        examples.iter().filter(|(_, text)| text.contains("fn main()")).map(|(name, _)| name).collect();
    assert!(programs.len() > 15, "{programs:?}");
    for name in programs {
        let quoted = format!("\"{name}\"");
        assert!(tests.iter().any(|(_, text)| text.contains(&quoted)), "no test runs the example {name}");
    }
}
