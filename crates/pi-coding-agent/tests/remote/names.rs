//! Names that would do harm if anybody read them as anything but names.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use pi_coding_agent::tools::{LsOperations, PathOperations, ReadOperations, WriteOperations};
use proptest::prelude::*;

use crate::places::Place;

fn name() -> impl Strategy<Value = Vec<u8>> {
    let hostile = prop_oneof![
        "[-'\"$`(){}*?\\[\\]\\\\!#~;&|<> \n\t\u{e9}@%=a]{1,12}".prop_map(String::into_bytes),
        Just(b"$(touch injected)".to_vec()),
        Just(b"'; touch injected; '".to_vec()),
        Just(b"`touch injected`".to_vec()),
        Just(b"-rf".to_vec()),
        Just(b"x\n\n".to_vec()),
        prop::collection::vec((1u8..).prop_filter("a name has no slash", |byte| *byte != b'/'), 1..12),
    ];
    hostile.prop_filter("these are no names", |name| name != b"." && name != b"..")
}

async fn use_names(place: &Place, directory: &[u8], file: &[u8]) {
    let machine = place.machine();
    let directory = place.work().join(OsStr::from_bytes(directory));
    let path = directory.join(OsStr::from_bytes(file));
    machine.create_dir(&directory).await.unwrap();
    machine.write_file(&path, "harmless").await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"harmless");
    ReadOperations::access(&**machine, &path).await.unwrap();
    assert_eq!(ReadOperations::read_file(&**machine, &path).await.unwrap(), b"harmless");
    assert_eq!(machine.real_path(&path).await.unwrap(), path);
    let entries = machine.read_dir(&directory).await.unwrap();
    assert_eq!(entries.iter().map(|entry| &entry.name).collect::<Vec<_>>(), [&String::from_utf8_lossy(file)]);
    fs::remove_dir_all(&directory).unwrap();
    // Nothing else was made, here or where the shell runs.
    assert_eq!(fs::read_dir(place.work()).unwrap().count(), 0);
    assert!(!fs::exists("injected").unwrap());
}

fn check(place: Option<Place>, cases: u32) {
    let Some(place) = place else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        cases,
        ..ProptestConfig::default()
    });
    let names = (name(), name());
    runner
        .run(&names, |(directory, file)| {
            runtime.block_on(use_names(&place, &directory, &file));
            Ok(())
        })
        .unwrap();
}

#[test]
fn names_are_names_over_ssh() {
    check(Place::ssh(), 16);
}

#[test]
fn names_are_names_in_a_container() {
    check(Some(Place::container()), 48);
}

#[test]
fn names_are_names_for_busybox() {
    check(Place::busybox(), 24);
}
