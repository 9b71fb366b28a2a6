//! The table of events in `docs/extensions.md` says what the events declare.
//! `UPDATE_EVENTS=1 cargo test -p pi-coding-agent --test extension events_page` writes it.

use std::fmt::Write;
use std::path::Path;

use pi_coding_agent::extension::events::{EVENTS, EventInfo};

const HEAD: &str = "| Event | When | What a handler may answer | Several answers |\n|---|---|---|---|\n";

/// One row for events that stand beside each other and differ in nothing but their names.
fn table() -> String {
    let about = |event: &EventInfo| (event.when, event.answer, event.several);
    let mut table = HEAD.to_owned();
    for events in EVENTS.chunk_by(|one, next| about(one) == about(next)) {
        let names: Vec<String> = events.iter().map(|event| format!("`{}`", event.name)).collect();
        let (when, answer, several) = about(&events[0]);
        let [when, answer, several] = [when, answer, several].map(|text| if text.is_empty() { "–" } else { text });
        writeln!(table, "| {} | {when} | {answer} | {several} |", names.join(", ")).unwrap();
    }
    table
}

#[test]
fn the_page_has_the_events_that_are_declared() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/extensions.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find(HEAD).expect("the page has a table of events");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let table = table();
    if std::env::var_os("UPDATE_EVENTS").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &page[..start], &page[end..])).unwrap();
        return;
    }
    let (shown, declared): (Vec<&str>, Vec<&str>) = (page[start..end].lines().collect(), table.lines().collect());
    let missing: Vec<_> = declared.iter().filter(|row| !shown.contains(row)).collect();
    let unknown: Vec<_> = shown.iter().filter(|row| !declared.contains(row)).collect();
    assert!(shown == declared, "UPDATE_EVENTS=1 writes the table. Missing: {missing:#?}; not declared: {unknown:#?}");
}

#[test]
fn what_is_answered_is_declared_with_what_becomes_of_it() {
    for event in EVENTS {
        assert_eq!(event.answer.is_empty(), event.several.is_empty(), "{}", event.name);
        assert!(event.mutable.is_empty() || event.is_asked(), "{}", event.name);
    }
}
