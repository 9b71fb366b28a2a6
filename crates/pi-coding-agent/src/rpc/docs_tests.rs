//! `docs/rpc.md` against the declarations of the commands. What stands between its two marks is generated: with
//! `UPDATE_RPC_DOCS=1` the test writes it.

use std::fmt::Write;
use std::path::PathBuf;

use super::command_table::{command_table, json_name};

/// The marks around what is generated, on lines of their own.
const MARKS: [&str; 2] = ["<!-- commands: generated -->\n", "<!-- commands: end -->\n"];

struct Row {
    name: &'static str,
    pace: &'static str,
    sentences: &'static [&'static str],
    fields: Vec<(String, &'static str)>,
    answer: (Option<&'static str>, &'static str),
}

macro_rules! rows {
    ($({
        $(#[doc = $doc:literal])*
        $name:ident $variant:ident $pace:ident {
            $(needs $need:ident: $need_type:ty $(= $need_param:ty)?, $need_text:literal;)*
            $(takes $take:ident: $take_type:ty $(= $take_param:ty)?, $take_text:literal;)*
        } -> $answer:tt $answer_text:literal, $owner:ident $method:ident
    })*) => {
        vec![$(Row {
            name: stringify!($name),
            pace: stringify!($pace),
            sentences: &[$($doc),*],
            fields: vec![
                $((format!("`{}`", json_name(stringify!($need))), $need_text),)*
                $((format!("`{}?`", json_name(stringify!($take))), $take_text),)*
            ],
            answer: (field_of_answer!($answer), $answer_text),
        },)*]
    };
}

macro_rules! field_of_answer {
    (($field:ident: $type:ty)) => {
        Some(stringify!($field))
    };
    ($other:tt) => {
        None
    };
}

fn table() -> String {
    let rows: Vec<Row> = command_table!(rows);
    let mut out = "| Command | Effect | Fields | `data` |\n|---|---|---|---|\n".to_owned();
    for row in &rows {
        let effect: String = row.sentences.concat();
        let fields: Vec<String> = row.fields.iter().map(|(name, text)| described(name, text)).collect();
        let answer = match row.answer {
            (Some(field), text) => described(&format!("`{field}`"), text),
            (None, text) => text.to_owned(),
        };
        let [fields, answer] =
            [fields.join("; "), answer].map(|cell| if cell.is_empty() { "–".to_owned() } else { cell });
        writeln!(out, "| `{}` | {} | {fields} | {answer} |", row.name, effect.trim()).unwrap();
    }
    let urgent: Vec<String> =
        rows.iter().filter(|row| row.pace == "Urgent").map(|row| format!("`{}`", row.name)).collect();
    writeln!(out, "\n*Urgent* commands end or answer something that is in progress: {}.", urgent.join(", ")).unwrap();
    out
}

fn described(name: &str, text: &str) -> String {
    if text.is_empty() { name.to_owned() } else { format!("{name}: {text}") }
}

#[test]
fn the_page_has_all_commands() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/rpc.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (stored, after) = rest.split_once(MARKS[1]).unwrap();
    let table = format!("\n{}\n", table());
    if std::env::var_os("UPDATE_RPC_DOCS").is_some() {
        std::fs::write(path, [before, MARKS[0], &table, MARKS[1], after].concat()).unwrap();
    } else {
        assert!(stored == table, "docs/rpc.md is stale: UPDATE_RPC_DOCS=1 writes it\n{table}");
    }
}
