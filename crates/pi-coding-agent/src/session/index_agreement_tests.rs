//! Test: reading a file backwards and asking its index give the same answers, whatever the file looks like.

use std::io::Write;
use std::path::Path;

use proptest::prelude::*;

use super::context::{SessionContext, build, entries};
use super::record::StoredEntry;
use super::store::EntryStore;

/// One line of a generated session.
#[derive(Debug, Clone)]
enum Line {
    User,
    Answer,
    Level(u8),
    Model,
    Custom,
    Label(usize),
    /// Keeps from an earlier entry on, counted back; beyond the first one it names an entry that does not exist.
    Compaction(usize),
    Garbage,
    /// An entry that names a parent nobody has.
    Orphan,
    /// An entry that names itself as its parent.
    Own,
    /// An entry that names the next one.
    Later,
    /// The start of an entry with the next one glued to it.
    Half,
    /// An entry with a hole in what it holds.
    Hole,
    Empty,
}

fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        6 => Just(Line::User),
        6 => Just(Line::Answer),
        1 => (0..4u8).prop_map(Line::Level),
        1 => Just(Line::Model),
        2 => Just(Line::Custom),
        1 => (0..30usize).prop_map(Line::Label),
        1 => (0..60usize).prop_map(Line::Compaction),
        1 => prop_oneof![
            Just(Line::Garbage), Just(Line::Orphan), Just(Line::Own), Just(Line::Later), Just(Line::Half), Just(Line::Hole), Just(Line::Empty)
        ],
    ]
}

/// The text of a session. `back` says for each line how far back its parent is: mostly the line before.
fn text(lines: &[(Line, Option<usize>)]) -> (String, Vec<String>) {
    let mut text =
        String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\"}\n");
    let mut ids: Vec<String> = vec![];
    for (number, (line, back)) in lines.iter().enumerate() {
        let id = format!("{number:08x}");
        let earlier = |back: usize| ids.len().checked_sub(back + 1).map(|index| ids[index].clone());
        let parent = earlier(back.unwrap_or(0)).map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        let entry = |kind: &str, fields: &str| {
            format!(
                "{{\"type\":\"{kind}\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:00:00.000Z\"{fields}}}"
            )
        };
        let user =
            |text: &str| entry("message", &format!(r#","message":{{"role":"user","content":"{text}","timestamp":1}}"#));
        let written = match line {
            Line::User => user(&format!("q{number}")),
            Line::Answer => entry(
                "message",
                &format!(
                    r#","message":{{"role":"assistant","content":[{{"type":"text","text":"a{number}"}}],"api":"x","provider":"p{number}","model":"m","usage":{{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}},"stopReason":"stop","timestamp":1}}"#
                ),
            ),
            Line::Level(level) => entry(
                "thinking_level_change",
                &format!(r#","thinkingLevel":"{}""#, ["off", "low", "high", "new"][*level as usize]),
            ),
            Line::Model => entry("model_change", &format!(r#","provider":"c{number}","modelId":"m""#)),
            Line::Custom => format!(
                r#"{{"type":"custom","customType":"t","data":{{"parentId":1}},"id":"{id}","parentId":{parent},"timestamp":"t"}}"#
            ),
            Line::Label(target) => entry("label", &format!(r#","targetId":"{target:08x}","label":"L""#)),
            Line::Compaction(kept) => {
                let kept = earlier(*kept).unwrap_or_else(|| "nowhere".to_owned());
                entry("compaction", &format!(r#","summary":"s{number}","firstKeptEntryId":"{kept}","tokensBefore":5"#))
            }
            Line::Garbage => "garbage }".to_owned(),
            Line::Orphan => user("o").replace(&parent, "\"lost\""),
            Line::Own => user("own").replace(&format!("\"parentId\":{parent}"), &format!("\"parentId\":\"{id}\"")),
            Line::Later => {
                let later = format!("\"parentId\":\"{:08x}\"", number + 1);
                user("later").replace(&format!("\"parentId\":{parent}"), &later)
            }
            Line::Half => user("half")[..30].to_owned() + &user("after half"),
            Line::Hole => user("a\u{0}hole"),
            Line::Empty => String::new(),
        };
        if !matches!(line, Line::Garbage | Line::Empty) {
            ids.push(id.clone());
        }
        text.push_str(&written);
        text.push('\n');
    }
    (text, ids)
}

/// Asks an index and, for every entry, a store of which nothing was read yet.
fn compare(lines: &[(Line, Option<usize>)], appended: usize) {
    let (text, mut ids) = text(lines);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let path = Path::new("s.jsonl");
    let store = || EntryStore::open_unread(path, file.try_clone().unwrap(), text.len() as u64);
    let last = store().last_id().unwrap();
    assert_eq!(last, ids.last().cloned());
    let mut indexed = store();
    indexed.index().unwrap();
    let mut unread: Vec<_> = (0..2 * (ids.len() + appended)).map(|_| store()).collect();
    let mut parent = last;
    for number in 0..appended {
        let id = format!("new-{number}");
        let parent_json = serde_json::to_string(&parent).unwrap();
        let raw = format!(
            r#"{{"type":"message","id":"{id}","parentId":{parent_json},"timestamp":"t","message":{{"role":"user","content":"n","timestamp":1}}}}"#
        );
        let entry = StoredEntry::index(raw.into()).unwrap();
        unread.iter_mut().chain([&mut indexed]).for_each(|store| store.push(&entry, None));
        parent = Some(id.clone());
        ids.push(id);
    }
    for (leaf, stores) in ids.iter().zip(unread.chunks(2)) {
        // Each question has a store of its own: the first one may make the index.
        assert_eq!(context_at(&indexed, leaf), context_at(&stores[0], leaf), "context at {leaf}: {lines:?}");
        assert_eq!(entries_at(&indexed, leaf), entries_at(&stores[1], leaf), "entries at {leaf}: {lines:?}");
    }
}

fn context_at(store: &EntryStore, leaf: &str) -> SessionContext {
    build(store, Some(leaf)).unwrap()
}

fn entries_at(store: &EntryStore, leaf: &str) -> Vec<StoredEntry> {
    entries(store, Some(leaf)).unwrap()
}

#[test]
fn odd_parents() {
    let at = |line: Line| (line, None);
    compare(&[at(Line::User), at(Line::Garbage), at(Line::Orphan), at(Line::User)], 1);
    compare(&[at(Line::User), at(Line::Own), at(Line::User)], 1);
    compare(&[at(Line::Level(1)), at(Line::Later), at(Line::User), at(Line::Answer)], 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn backwards_and_indexed(
        lines in prop::collection::vec((line(), prop_oneof![9 => Just(None), 1 => (0..8usize).prop_map(Some)]), 1..40),
        appended in 0..3usize,
    ) {
        compare(&lines, appended);
    }
}
