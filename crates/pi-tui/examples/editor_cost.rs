//! What pastes and keys cost in an editor: `cargo run --release -p pi-tui --example editor_cost`.
#![allow(clippy::print_stdout, reason = "the figures are its output")]

use std::time::{Duration, Instant};

use pi_tui::input::{Dialect, Input, KeyEvent};
use pi_tui::keymap::Keymap;
use pi_tui::widgets::editor::{Editor, EditorStyle};

const MEGABYTE: usize = 1_000_000;

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The median of many keys, each drawn.
fn per_key(editor: &mut Editor, keys: &Keymap) -> Duration {
    let typed = Input::Key(KeyEvent::read(b"x", Dialect::default()));
    let blank = Input::Key(KeyEvent::read(b" ", Dialect::default()));
    let mut times: Vec<Duration> = (0..1000)
        .map(|index| {
            timed(|| {
                editor.handle(if index % 6 == 5 { &blank } else { &typed }, keys);
                editor.rows(120, 12);
            })
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let keys = Keymap::default();
    let texts = [
        ("lines of code", "    let value = compute(index);\r\n".repeat(MEGABYTE / 33)),
        ("one long line", "word ".repeat(MEGABYTE / 5)),
        ("Japanese", "日本語の文章です。\n".repeat(MEGABYTE / 28)),
        ("short lines", "\n".repeat(MEGABYTE / 10)),
    ];
    let mut editor = Editor::new(EditorStyle::default());
    println!("{:16} {:>10?} per key", "empty", per_key(&mut editor, &keys));
    for (name, text) in texts {
        let mut editor = Editor::new(EditorStyle::default());
        let paste = timed(|| {
            editor.paste(&text);
            editor.rows(120, 12);
        });
        let submit = timed(|| drop(editor.take()));
        let set = timed(|| {
            editor.set_text(&text);
            editor.rows(120, 12);
        });
        editor.insert("\n");
        let key = per_key(&mut editor, &keys);
        println!(
            "{name:16} {paste:>10.1?} paste {submit:>10.1?} submit {set:>10.1?} set and drawn {key:>10.1?} per key after it"
        );
    }
}
