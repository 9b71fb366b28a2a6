//! The vectors in `fixtures/tui`, which the modules for scripts are tested with as well.

use pi_tui::input::{Dialect, KeyEvent, KeyKind};
use pi_tui::text::{Line, width, wrap};
use serde_json::{Value, json};

fn vectors(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(super::fixtures().join("tui").join(name).with_extension("json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn columns(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn widths() {
    for row in vectors("widths") {
        assert_eq!(width(text(&row[0])), columns(&row[1]), "{}", row[0]);
    }
}

#[test]
fn wrapping() {
    for row in vectors("wrapping") {
        let lines = wrap(&Line::from(text(&row[0])), columns(&row[1]));
        assert_eq!(json!(lines.iter().map(Line::text).collect::<Vec<_>>()), row[2], "{row}");
    }
}

#[test]
fn truncation() {
    for row in vectors("truncation") {
        let cut = Line::from(text(&row[0])).cut(columns(&row[1]), text(&row[2]));
        assert_eq!(cut.text(), text(&row[3]), "{row}");
        assert!(cut.width() <= columns(&row[1]), "{row}");
    }
}

#[test]
fn keys() {
    for row in vectors("keys") {
        for (is_kitty, names) in [(false, &row["keys"]), (true, row.get("kitty").unwrap_or(&row["keys"]))] {
            let event = KeyEvent::read(text(&row["raw"]).as_bytes(), Dialect { kitty: is_kitty, ..Dialect::default() });
            assert_eq!(json!(event.keys.iter().map(ToString::to_string).collect::<Vec<_>>()), *names, "{row}");
            assert_eq!(event.text.as_deref(), row.get("text").map(text), "{row}");
            let kind = match row.get("kind").map(text) {
                Some("release") => KeyKind::Release,
                Some("repeat") => KeyKind::Repeat,
                _ => KeyKind::Press,
            };
            assert_eq!(event.kind, kind, "{row}");
        }
    }
}
