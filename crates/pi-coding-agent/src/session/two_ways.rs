//! Test: reading a file backwards and asking its index give the same answers, whatever the file looks like.

use std::io::Write;
use std::path::Path;

use proptest::prelude::*;

use super::context::{build, entries};
use super::record::StoredEntry;
use super::store::EntryStore;
use crate::error::Error;

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
            Just(Line::Garbage), Just(Line::Orphan), Just(Line::Half), Just(Line::Hole), Just(Line::Empty)
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

fn answers(store: &EntryStore, leaf: &str) -> Result<String, Error> {
    let context = build(store, Some(leaf))?;
    let ids: Vec<_> = entries(store, Some(leaf))?.iter().map(|entry| entry.id().to_owned()).collect();
    Ok(format!("{context:?} {ids:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn backwards_and_indexed(
        lines in prop::collection::vec((line(), prop_oneof![9 => Just(None), 1 => (0..8usize).prop_map(Some)]), 1..60),
        appended in 0..3usize,
    ) {
        let (text, mut ids) = text(&lines);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let path = Path::new("s.jsonl");
        let store = || EntryStore::open_unread(path, file.try_clone().unwrap(), text.len() as u64);
        let last = store().last_id().unwrap();
        prop_assert_eq!(&last, &ids.last().cloned());
        let mut stores = (0..2 + ids.len()).map(|_| store()).collect::<Vec<_>>();
        stores[0].index().unwrap();
        let mut parent = last;
        for number in 0..appended {
            let id = format!("new-{number}");
            let parent_json = serde_json::to_string(&parent).unwrap();
            let raw = format!(r#"{{"type":"message","id":"{id}","parentId":{parent_json},"timestamp":"t","message":{{"role":"user","content":"n","timestamp":1}}}}"#);
            let entry = StoredEntry::index(raw.into()).unwrap();
            stores.iter_mut().for_each(|store| store.push(&entry, None));
            parent = Some(id.clone());
            ids.push(id);
        }
        let (indexed, unread) = stores.split_first().unwrap();
        for (leaf, store) in ids.iter().zip(unread.iter().cycle()) {
            prop_assert_eq!(answers(indexed, leaf).unwrap(), answers(store, leaf).unwrap(), "at {}", leaf);
        }
    }
}
