//! What it costs to list and to search a thousand sessions of 200 kB, all warm.
//!
//! Budgets on two cores: the list 150 ms, the first hit of a search 200 ms. `PI_BENCH_SESSIONS` names a directory of
//! sessions to use instead of generated ones. Run with `cargo bench -p pi-coding-agent --bench sessions`.
#![allow(clippy::disallowed_methods, reason = "a measurement is not replayed")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros generate undocumented items; benches may panic"
)]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pi_coding_agent::env::Env;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{
    SearchOptions, SearchQuery, SearchResults, SearchScope, find_session, list_all_sessions, search_sessions,
};
use serde_json::{Value, json};

const FILES: usize = 1_000;
const BYTES: usize = 200_000;
/// Nothing in the generated sessions; a rare word; a word of nearly every message; two words and a pattern.
const QUERIES: [&str; 4] = ["zebra", "\"number 77\"", "value", "words re:compute\\(\\w+"];

fn message(index: usize) -> Value {
    let code = "let value = compute(index, \"text\");\n\t// a comment with several words in it\n".repeat(8);
    let text = json!([{"type": "text", "text": format!("This is number {index}. {code}")}]);
    let usage = json!({"input": 10, "output": 20, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 30,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}});
    let timestamp = 1_767_225_600_000_u64 + index as u64 * 1000;
    match index % 4 {
        0 => json!({"role": "user", "content": text, "timestamp": timestamp}),
        2 => {
            json!({"role": "toolResult", "toolCallId": "c", "toolName": "bash", "isError": false,
                "content": [{"type": "text", "text": code.repeat(2)}], "timestamp": timestamp})
        }
        _ => json!({"role": "assistant", "content": text, "api": "anthropic-messages", "provider": "mock",
            "model": "mock-model", "usage": usage, "stopReason": "stop", "timestamp": timestamp}),
    }
}

fn session(id: usize) -> String {
    let mut file = format!(
        r#"{{"type":"session","version":3,"id":"s{id}","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/srv/app"}}"#
    );
    let mut index = id;
    while file.len() < BYTES {
        let entry = json!({"type": "message", "id": format!("{index:08x}"), "parentId": null,
            "timestamp": "2026-01-01T00:00:00.000Z", "message": message(index)});
        write!(file, "\n{entry}").unwrap();
        index += 1;
    }
    file.push('\n');
    file
}

/// The directory of sessions; generated ones go into `home`.
fn sessions(home: &Path) -> PathBuf {
    if let Some(dir) = std::env::var_os("PI_BENCH_SESSIONS") {
        return dir.into();
    }
    for id in 0..FILES {
        fs::write(home.join(format!("{id}.jsonl")), session(id)).unwrap();
    }
    home.to_owned()
}

fn search(paths: &Paths, dir: &Path, query: &str) -> SearchResults {
    let query = SearchQuery::parse(query).unwrap();
    search_sessions(paths, SearchScope::All { dir: Some(dir) }, query, SearchOptions::default())
}

fn found(c: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let dir = sessions(home.path());
    let paths = Paths::new(Env::fixed([("HOME", "/nowhere")]), "/srv/app");
    let mut group = c.benchmark_group("sessions");
    group.sample_size(20);
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    group.bench_function("list", |b| b.iter(|| black_box(list_all_sessions(&paths, Some(&dir), go_on))));
    group.bench_function("find by id", |b| {
        b.iter(|| black_box(find_session(&paths, Path::new("/srv/app"), Some(&dir), "no-such-id")));
    });
    for query in QUERIES {
        group.bench_function(BenchmarkId::new("first hit", query), |b| {
            b.iter(|| black_box(search(&paths, &dir, query).next()));
        });
    }
    group.sample_size(10);
    for query in QUERIES {
        group.bench_function(BenchmarkId::new("all hits", query), |b| {
            b.iter(|| black_box(search(&paths, &dir, query).ranked()));
        });
    }
    group.finish();
}

criterion_group!(benches, found);
criterion_main!(benches);
