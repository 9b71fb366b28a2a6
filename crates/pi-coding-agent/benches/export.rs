//! What a page costs: a session of 10,000 entries with code, tool calls, results, diffs and forks, about 16 MB.
//!
//! Time per entry must be the same for 1,000 and 10,000 entries. Run with `cargo bench -p pi-coding-agent`.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros generate undocumented items; benches may panic"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pi_coding_agent::export::{HtmlOptions, SessionSnapshot, write_html, write_jsonl};
use serde_json::{Value, json};

const SIZES: [usize; 2] = [1_000, 10_000];
/// A prompt, and four rounds of a call with its result before the answer.
const ROUND: usize = 10;
/// So often a branch is left.
const FORK: usize = 50;

fn code(lines: usize) -> String {
    let line = "    let value = compute(index, \"text\", 0x1f); // a comment with several words in it\n";
    line.repeat(lines)
}

fn message(index: usize) -> Value {
    let text = |text: String| json!([{"type": "text", "text": text}]);
    let assistant = |content: Value| {
        json!({"role": "assistant", "content": content, "api": "anthropic-messages", "provider": "anthropic",
            "model": "claude", "usage": {"input": 1200, "output": 300, "cacheRead": 9000, "cost": {"total": 0.01}},
            "stopReason": "stop", "timestamp": 1})
    };
    let call = |name: &str, arguments: Value| {
        assistant(json!([
            {"type": "thinking", "thinking": "What to look at next, and why that. ".repeat(8), "thinkingSignature": "x".repeat(400)},
            {"type": "toolCall", "id": format!("call-{index}"), "name": name, "arguments": arguments},
        ]))
    };
    let result = |name: &str, output: String, details: Value| {
        json!({"role": "toolResult", "toolCallId": format!("call-{}", index - 1), "toolName": name,
            "content": text(output), "details": details, "isError": false, "timestamp": 1})
    };
    match index % ROUND {
        0 => {
            json!({"role": "user", "content": text(format!("Please change part {index} of the program.")), "timestamp": 1})
        }
        1 => call("read", json!({"path": format!("src/part{index}.rs")})),
        2 => result("read", code(60), Value::Null),
        3 | 7 => call("bash", json!({"command": "cargo test --quiet 2>&1 | tail -n 40"})),
        4 | 8 => result("bash", "test some::module::name ... ok\n".repeat(40), Value::Null),
        5 => call("edit", json!({"path": "src/part.rs", "edits": [{"oldText": code(4), "newText": code(5)}]})),
        6 => result("edit", "Done.".into(), json!({"diff": "+ 12 let a = 1;\n- 12 let b = 2;\n  13 }\n".repeat(6)})),
        _ => assistant(text(format!(
            "The part is **changed** now:\n\n```rust\n{}```\n\n- one\n- `two`\n\nAnd so on. ",
            code(12)
        ))),
    }
}

/// A session file of so many entries.
fn session(entries: usize) -> String {
    let mut file =
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-21T20:14:22.840Z","cwd":"/srv/app"}"#.to_owned();
    for index in 0..entries {
        let parent = match index {
            0 => Value::Null,
            // Back to the answer before the last round.
            _ if index % (FORK * ROUND) == 0 && index > ROUND => json!(format!("{:08x}", index - ROUND - 1)),
            _ => json!(format!("{:08x}", index - 1)),
        };
        let entry = json!({"type": "message", "id": format!("{index:08x}"), "parentId": parent,
            "timestamp": "2026-11-21T20:14:23.000Z", "message": message(index)});
        write!(file, "\n{entry}").unwrap();
    }
    file
}

fn export(c: &mut Criterion) {
    let mut group = c.benchmark_group("export");
    group.sample_size(10);
    let dir = std::env::temp_dir();
    for size in SIZES {
        let file = dir.join(format!("pi-bench-export-{size}.jsonl"));
        std::fs::write(&file, session(size)).unwrap();
        let snapshot = SessionSnapshot::of_file(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        group.throughput(Throughput::Elements(size as u64));
        group.bench_function(BenchmarkId::new("html", size), |b| {
            b.iter(|| write_html(black_box(&snapshot), &HtmlOptions::default(), &mut io::sink()).unwrap());
        });
        group.bench_function(BenchmarkId::new("jsonl", size), |b| {
            b.iter(|| write_jsonl(black_box(&snapshot), 0, &mut io::sink()).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, export);
criterion_main!(benches);
