//! The first program of `docs/embedding.md`, as somebody would paste it: into a new crate with the dependencies that the
//! page names, run against a provider on loopback.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The first fenced block of a language on the page.
fn block(language: &str) -> String {
    let page = fs::read_to_string(root().join("docs/embedding.md")).unwrap();
    let after = page.split_once(&format!("```{language}\n")).unwrap().1;
    after.split_once("```").unwrap().0.to_owned()
}

fn program() -> String {
    block("rust,no_run")
}

#[test]
fn the_shortest_program_is_short() {
    let program = program();
    assert!(program.lines().count() <= 12, "{program}");
    let is_hidden = |line: &str| line.starts_with('#') && !line.starts_with("#[");
    assert!(!program.lines().any(is_hidden), "what is hidden is not pasted: {program}");
}

/// The build settings of this workspace, so that what it has built already fits.
fn profiles() -> String {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let from = manifest.find("[profile.dev]").unwrap();
    manifest[from..manifest.find("[profile.release]").unwrap()].to_owned()
}

/// A crate as `cargo new` makes it, with the dependencies and the program of the page.
fn pasted(dir: &Path) -> PathBuf {
    let krate = dir.join("hello-pi");
    fs::create_dir_all(krate.join("src")).unwrap();
    let dependencies = block("toml").replace("../pi/", &format!("{}/", root().display()));
    let package = "[package]\nname = \"hello-pi\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    fs::write(krate.join("Cargo.toml"), format!("{package}{dependencies}\n{}", profiles())).unwrap();
    fs::write(krate.join("src/main.rs"), program()).unwrap();
    // The same versions, which are there already.
    fs::copy(root().join("Cargo.lock"), krate.join("Cargo.lock")).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--offline"]).current_dir(&krate).env("CARGO_TARGET_DIR", target());
    // Built once and thrown away: what speeds up the next change would only cost time and disk.
    build.env("CARGO_INCREMENTAL", "0");
    let built = build.output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target().join("debug").join(format!("hello-pi{}", std::env::consts::EXE_SUFFIX))
}

/// Where this test was built.
fn target() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.ancestors().nth(3).unwrap().to_owned()
}

/// A provider that answers one request. Returns its address and, later, what it was asked.
fn provider(status: u16, kind: &'static str, body: String) -> (String, std::thread::JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let asked = read_request(&stream);
        let length = body.len();
        write!(&stream, "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
            .unwrap();
        asked
    });
    (address, asked)
}

fn read_request(stream: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).unwrap();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((_, value)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (first, serde_json::from_slice(&body).unwrap())
}

/// An answer in the format of Anthropic, in two pieces.
fn answer(pieces: [&str; 2]) -> String {
    let delta =
        |text| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    let usage = json!({"input_tokens": 3, "output_tokens": 2});
    let events = [
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
            "model": "claude-sonnet-4-5", "content": [], "usage": usage}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        delta(pieces[0]),
        delta(pieces[1]),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

/// Runs the program in the home directory of a user who reaches Anthropic at this address.
fn run(program: &Path, address: &str) -> Output {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".pi/agent")).unwrap();
    let models = json!({"providers": {"anthropic": {"baseUrl": address}}});
    fs::write(home.path().join(".pi/agent/models.json"), models.to_string()).unwrap();
    let mut command = Command::new(program);
    command.current_dir(home.path()).env_clear().env("HOME", home.path()).env("ANTHROPIC_API_KEY", "sk-test");
    command.output().unwrap()
}

#[test]
fn the_first_program_can_be_pasted_and_run() {
    let dir = tempfile::tempdir().unwrap();
    let program = pasted(dir.path());

    let (address, asked) = provider(200, "text/event-stream", answer(["An empty ", "directory."]));
    let output = run(&program, &address);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{failed}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "An empty directory.");
    let (line, body) = asked.join().unwrap();
    assert!(line.starts_with("POST /v1/messages"), "{line}");
    assert_eq!(body["messages"][0]["content"][0]["text"], "What is in this directory?");

    // A call that fails is no `Err` of the prompt, but it must be seen.
    let refusal = json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}});
    let (address, asked) = provider(401, "application/json", refusal.to_string());
    let output = run(&program, &address);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && failed.contains("invalid x-api-key"), "{failed}");
    asked.join().unwrap();
}
