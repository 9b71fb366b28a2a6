//! The commands of the manual are those of the table. `UPDATE_COMMANDS=1` writes them into the page.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::COMMANDS;

const MARKS: [&str; 2] = ["<!-- commands: generated -->\n", "<!-- commands: end -->"];

fn table() -> String {
    let mut table = "\n| Command | Effect |\n|---|---|\n".to_owned();
    for command in COMMANDS {
        let argument = command.argument().map(|argument| format!(" {argument}")).unwrap_or_default();
        writeln!(table, "| `/{}{argument}` | {} |", command.name, command.description).unwrap();
    }
    table + "\n"
}

#[test]
fn the_manual_lists_every_command() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/interactive.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (stored, after) = rest.split_once(MARKS[1]).unwrap();
    let table = table();
    if std::env::var_os("UPDATE_COMMANDS").is_some() {
        std::fs::write(path, [before, MARKS[0], &table, MARKS[1], after].concat()).unwrap();
    } else {
        assert!(stored == table, "docs/interactive.md is stale: UPDATE_COMMANDS=1 writes it\n{table}");
    }
}
