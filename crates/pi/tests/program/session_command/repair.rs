//! Repair: whatever is done to a sound session, the copy is sound and no undamaged entry is missing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::session::doctor::{Repaired, examine, repair};
use pi_coding_agent::session::{Error, load_session};
use proptest::prelude::*;
use serde_json::Value;

use crate::session_command::samples::{HEADER, answer, sound, user, write};

fn mend(file: &Path, target: Option<&Path>) -> Result<Repaired, Error> {
    repair(file, target, &SequentialIds::default())
}

/// One way to damage bytes; places are parts of the whole.
#[derive(Debug, Clone)]
enum Damage {
    Flip(f64, u8),
    Delete(f64, usize),
    Duplicate(f64, usize),
    Zero(f64, usize),
    Truncate(f64),
    Glue(f64),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = |part: f64| ((bytes.len() as f64 * part) as usize).min(bytes.len().saturating_sub(1));
        let range = |part: f64, length: usize| at(part)..(at(part) + length).min(bytes.len());
        match *self {
            _ if bytes.is_empty() => {}
            Self::Flip(part, mask) => {
                let place = at(part);
                bytes[place] ^= mask;
            }
            Self::Delete(part, length) => drop(bytes.drain(range(part, length))),
            Self::Duplicate(part, length) => {
                let range = range(part, length);
                let copy = bytes[range.clone()].to_vec();
                bytes.splice(range.end..range.end, copy);
            }
            Self::Zero(part, length) => {
                let range = range(part, length);
                bytes[range].fill(0);
            }
            Self::Truncate(part) => {
                let length = at(part);
                bytes.truncate(length);
            }
            Self::Glue(part) => {
                let from = at(part);
                if let Some(found) = bytes[from..].iter().position(|byte| *byte == b'\n') {
                    bytes.remove(from + found);
                }
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let part = 0.0..1.0_f64;
    prop_oneof![
        (part.clone(), 1_u8..).prop_map(|(part, mask)| Damage::Flip(part, mask)),
        (part.clone(), 1_usize..600).prop_map(|(part, length)| Damage::Delete(part, length)),
        (part.clone(), 1_usize..900).prop_map(|(part, length)| Damage::Duplicate(part, length)),
        (part.clone(), 1_usize..600).prop_map(|(part, length)| Damage::Zero(part, length)),
        part.clone().prop_map(Damage::Truncate),
        part.prop_map(Damage::Glue),
    ]
}

/// The entries of the damaged file that a repair has no reason to touch: whole lines of the sound session whose id and
/// whose references stand in the file in their sound form only.
fn untouched(damaged: &[u8]) -> Vec<String> {
    let sound = sound();
    let lines: HashSet<&[u8]> = damaged.split(|byte| *byte == b'\n').collect();
    let intact: HashMap<String, &String> = sound[1..]
        .iter()
        .filter(|line| lines.contains(line.as_bytes()))
        .map(|line| (field(line, "id").unwrap(), line))
        .collect();
    let claims = |id: &str| {
        let claim = format!("\"id\":\"{id}\"");
        let sound = sound.iter().find(|line| line.contains(&claim)).unwrap();
        let all = damaged.windows(claim.len()).filter(|window| *window == claim.as_bytes()).count();
        let whole = damaged.windows(sound.len()).filter(|window| *window == sound.as_bytes()).count();
        all == whole
    };
    let settled = |id: &String| intact.contains_key(id) && claims(id);
    let mut kept: Vec<String> = intact
        .values()
        .filter(|line| {
            let references = ["parentId", "targetId", "firstKeptEntryId"];
            claims(&field(line, "id").unwrap())
                && references.iter().filter_map(|key| field(line, key)).all(|id| settled(&id))
        })
        .map(|line| (*line).clone())
        .collect();
    kept.sort();
    kept
}

fn field(line: &str, key: &str) -> Option<String> {
    let entry: Value = serde_json::from_str(line).unwrap();
    entry[key].as_str().map(ToOwned::to_owned)
}

/// An entry without its links.
fn content(line: &str) -> Value {
    let mut entry: Value = serde_json::from_str(line).unwrap();
    for key in ["id", "parentId", "targetId", "firstKeptEntryId"] {
        entry.as_object_mut().unwrap().remove(key);
    }
    entry
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_not_damaged_survives(damages in proptest::collection::vec(damage(), 1..4)) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.jsonl");
        let mut bytes = (sound().join("\n") + "\n").into_bytes();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        fs::write(&file, &bytes).unwrap();
        let repaired = match mend(&file, None) {
            Err(Error::NothingToRepair { .. }) => return Ok(()),
            result => result.unwrap(),
        };
        prop_assert_eq!(fs::read(&file).unwrap(), bytes.clone());
        let diagnosis = examine(&repaired.path, &SequentialIds::default()).unwrap();
        prop_assert!(diagnosis.is_sound(), "{:?}", diagnosis.findings);
        prop_assert_eq!(diagnosis.entries, repaired.entries);
        let after = fs::read_to_string(&repaired.path).unwrap();
        let after: HashSet<&str> = after.lines().collect();
        for line in untouched(&bytes) {
            prop_assert!(after.contains(line.as_str()), "{} is not in {:#?}", line, after);
        }
        // Whole lines keep their content also where their links had to be changed.
        let contents: Vec<Value> = after.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok().map(|_| content(line))).collect();
        for line in &sound()[1..] {
            if bytes.split(|byte| *byte == b'\n').any(|whole| whole == line.as_bytes()) {
                prop_assert!(contents.contains(&content(line)), "{}", line);
            }
        }
        prop_assert_eq!(load_session(&repaired.path, &SequentialIds::default()).unwrap().problems, vec![]);
        // A second repair finds nothing to do.
        let again = mend(&repaired.path, None).unwrap();
        prop_assert_eq!((again.changed, again.set_aside), (0, 0));
        prop_assert_eq!(fs::read(&again.path).unwrap(), fs::read(&repaired.path).unwrap());
    }
}

#[test]
fn history_before_the_damage_is_back_in_the_context() {
    let dir = tempfile::tempdir().unwrap();
    for (name, rubble) in [("half", &answer("b", "a", "two")[..70]), ("nothing", "\0\0\0\0"), ("foreign", "oops")] {
        let lines =
            [HEADER, &user("a", None, "one"), rubble, &user("c", Some("b"), "three"), &answer("d", "c", "four")];
        let file = write(dir.path(), &format!("{name}.jsonl"), &lines.map(ToOwned::to_owned));
        let repaired = mend(&file, None).unwrap();
        let entries = load_session(&repaired.path, &SequentialIds::default()).unwrap().entries;
        let links: Vec<_> = entries.iter().map(|entry| (entry.id(), entry.parent_id())).collect();
        assert_eq!(links, [("a", None), ("c", Some("a")), ("d", Some("c"))], "{name}");
        let rejected = fs::read_to_string(repaired.rejected.unwrap()).unwrap();
        assert!(rejected.starts_with("# line 3, bytes ") && rejected.contains(rubble), "{name}: {rejected}");
    }
}

#[test]
fn a_lost_entry_on_another_branch_is_traced() {
    let dir = tempfile::tempdir().unwrap();
    // b2 follows a, not what stands before it; half of it is left, and that tells so.
    let lost = answer("b2", "a", "other branch");
    let lines =
        [HEADER, &user("a", None, "one"), &answer("b1", "a", "two"), &lost[..60], &user("c", Some("b2"), "three")];
    let repaired = mend(&write(dir.path(), "s.jsonl", &lines.map(ToOwned::to_owned)), None).unwrap();
    let text = fs::read_to_string(repaired.path).unwrap();
    assert!(text.contains(r#""id":"c","parentId":"a""#), "{text}");
}

#[test]
fn a_lost_header_is_made_anew_from_what_is_known() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("--srv-app--");
    fs::create_dir(&dir).unwrap();
    let entries = [user("a", None, "one")];
    let name = "2026-11-21T20-14-22-840Z_01a1ffbe-e478-7596-a9ad-abb31f51cf1b.jsonl";
    write(&dir, "other.jsonl", &[HEADER.to_owned()]);
    let header = |file: &Path| {
        let repaired = mend(file, None).unwrap();
        let text = fs::read_to_string(repaired.path).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(header(&write(&dir, name, &entries)), HEADER, "from the name and the neighbour");
    let rubble = [HEADER[..HEADER.len() - 1].to_owned(), entries[0].clone()];
    assert_eq!(header(&write(root.path(), "x.jsonl", &rubble)), HEADER, "from the rubble");
    let bare: Value = serde_json::from_str(&header(&write(root.path(), "y.jsonl", &entries))).unwrap();
    assert_eq!((&bare["timestamp"], &bare["cwd"]), (&"2026-11-21T20:15:00.000Z".into(), &"".into()), "from the entry");
}

#[test]
fn nothing_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = sound();
    lines.insert(3, "garbage".to_owned());
    let file = write(dir.path(), "s.jsonl", &lines);
    for (name, expected) in
        [("s.jsonl", "s.jsonl"), ("taken.jsonl", "taken.jsonl"), ("new.jsonl", "new.jsonl.rejected")]
    {
        fs::write(dir.path().join("taken.jsonl"), "mine").unwrap();
        fs::write(dir.path().join("new.jsonl.rejected"), "mine").unwrap();
        let before = fs::read(dir.path().join(expected)).unwrap();
        let error = mend(&file, Some(&dir.path().join(name))).unwrap_err();
        assert!(matches!(&error, Error::RepairTargetExists { path } if path.ends_with(expected)), "{error}");
        assert_eq!(fs::read(dir.path().join(expected)).unwrap(), before);
    }
    let names = [mend(&file, None).unwrap().path, mend(&file, None).unwrap().path];
    assert_eq!(names, [dir.path().join("s.repaired.jsonl"), dir.path().join("s.repaired-2.jsonl")]);
    let missing = mend(&file, Some(&dir.path().join("no/such/dir/s.jsonl"))).unwrap_err();
    assert!(matches!(missing, Error::Host(pi_coding_agent::host::Error::FileWrite { .. })), "{missing}");
    assert!(
        fs::read_dir(dir.path()).unwrap().all(|entry| !entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with(".tmp"))
    );
}
