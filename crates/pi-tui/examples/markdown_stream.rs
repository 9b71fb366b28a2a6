//! What it costs to show 200 kB of Markdown that come in deltas of ten bytes, drawn after each delta.
//!
//! ```sh
//! cargo run --release -p pi-tui --example markdown_stream
//! ```

use std::io::{self, Write};
use std::time::Instant;

use pi_tui::document::Block;
use pi_tui::text::Row;
use pi_tui::widgets::markdown::{Markdown, MarkdownStyle};

const BYTES: usize = 200_000;
const DELTA: usize = 10;
const COLUMNS: u16 = 120;
/// Final rows that stay in the window before they are given to the terminal.
const WINDOW: usize = 40;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let texts = [
        ("prose", prose()),
        ("one fence", fence()),
        ("one list", list()),
        ("one table", table()),
        ("one paragraph", paragraph()),
    ];
    for (name, text) in texts {
        let start = Instant::now();
        let (frames, rows) = stream(&text);
        let time = start.elapsed();
        let per_delta = time.as_secs_f64() * 1e6 / f64::from(frames);
        writeln!(out, "{name:13} {:8.1} ms  {per_delta:6.1} µs per delta  {rows} rows", time.as_secs_f64() * 1e3)?;
    }
    Ok(())
}

/// Draws after each delta, and gives away what the window has no room for.
fn stream(text: &str) -> (u32, usize) {
    let mut markdown = Markdown::new(MarkdownStyle::default());
    let mut rows: Vec<Row> = Vec::new();
    let (mut frames, mut given) = (0, 0);
    for delta in text.as_bytes().chunks(DELTA) {
        // The texts are ASCII.
        markdown.push(&String::from_utf8_lossy(delta));
        rows.clear();
        let last = markdown.draw(COLUMNS, &mut rows);
        let sealed = last.saturating_sub(WINDOW);
        markdown.seal(sealed);
        given += sealed;
        frames += 1;
    }
    (frames, given + rows.len())
}

fn repeated(head: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = head.to_owned();
    for n in 0.. {
        if text.len() >= BYTES {
            break;
        }
        text.push_str(&part(n));
    }
    text
}

fn prose() -> String {
    repeated("", |n| {
        format!(
            "## Part {n}\n\nSome **bold** words, `code` and a [link](https://example.com/{n}); the paragraph goes on for a while so \
             that it is wrapped a few times at the usual widths of a terminal, as answers of a model are.\n\n- one item\n- \
             another item with *emphasis*\n\n```rust\nfn answer() -> u32 {{\n    {n} // of course\n}}\n```\n\n"
        )
    })
}

fn fence() -> String {
    repeated("```rust\n", |n| format!("    let value_{n} = compute(\"text\", {n}); // why it is so\n"))
}

fn list() -> String {
    repeated("", |n| format!("- item {n} with some **words** that say what is to be done and `where`\n"))
}

fn table() -> String {
    repeated("| Name | Value |\n|---|---|\n", |n| format!("| name {n} | a value of `some` words |\n"))
}

fn paragraph() -> String {
    repeated("", |n| format!("line {n} of a text that has no blank lines, such as a log\n"))
}
