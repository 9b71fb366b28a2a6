//! Scripts of keys, and small helpers of the widgets' tests.

use crate::input::{Dialect, Input, KeyEvent};
use crate::text::Row;

/// The inputs of a script: characters are typed, `<ctrl+w>` is a key, `<paste:text>` a paste.
pub(super) fn inputs(script: &str) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut rest = script;
    while let Some(char) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            inputs.push(
                name.strip_prefix("paste:").map_or_else(|| key(&bytes_of(name)), |text| Input::Paste(text.into())),
            );
            rest = after;
        } else {
            inputs.push(key(&rest.as_bytes()[..char.len_utf8()]));
            rest = &rest[char.len_utf8()..];
        }
    }
    inputs
}

fn key(bytes: &[u8]) -> Input {
    Input::Key(KeyEvent::read(bytes, Dialect::default()))
}

/// What a terminal sends for a key.
fn bytes_of(name: &str) -> Vec<u8> {
    let fixed: &[u8] = match name {
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "ctrl+left" => b"\x1b[1;5D",
        "ctrl+right" => b"\x1b[1;5C",
        "home" => b"\x1b[H",
        "end" => b"\x1b[F",
        "pageUp" => b"\x1b[5~",
        "pageDown" => b"\x1b[6~",
        "delete" => b"\x1b[3~",
        "backspace" => b"\x7f",
        "enter" => b"\r",
        "shift+enter" => b"\x1b[13;2u",
        "lf" => b"\n",
        "tab" => b"\t",
        "escape" => b"\x1b",
        "ctrl+-" => b"\x1f",
        "ctrl+]" => b"\x1d",
        "ctrl+alt+]" => b"\x1b\x1d",
        _ => return letter(name),
    };
    fixed.to_vec()
}

fn letter(name: &str) -> Vec<u8> {
    match name.split_once('+') {
        Some(("ctrl", letter)) => vec![letter.as_bytes()[0] & 0x1f],
        Some(("alt", letter)) => [b"\x1b", letter.as_bytes()].concat(),
        _ => panic!("no such key: {name}"),
    }
}

/// Rows as text, an inverse cell in `⟦⟧`, one row a line.
pub(super) fn shown(rows: &[Row]) -> String {
    let text = |row: &Row| row.text().replace("\x1b[7m", "⟦").replace("\x1b[0m", "⟧").trim_end().to_owned();
    rows.iter().map(text).collect::<Vec<_>>().join("\n")
}
