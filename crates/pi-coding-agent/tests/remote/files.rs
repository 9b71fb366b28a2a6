//! Files of other machines, at the level of the operations: large ones, streams, what a write keeps.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use futures::StreamExt;
use pi_coding_agent::tools::{
    EntryKind, LocalFiles, LsOperations, OperationError, PathOperations, ReadOperations, WriteOperations,
};

use crate::places::{Place, contained, eventually};

#[tokio::test]
async fn large_files_go_there_and_back() {
    for place in Place::elsewhere() {
        let (machine, path) = (place.machine(), place.path("large"));
        let size = if place.name == "ssh" { 50_000_001 } else { 3_000_001 };
        // Not a multiple of anything, and with whatever ends lines or words.
        let text: String = (0..).map(|n| format!("{n}\u{1e}\r\n'é\t")).take(size / 10).collect();
        let text = &text[..text.floor_char_boundary(size)];
        machine.write_file(&path, text).await.unwrap();
        assert!(fs::read(&path).unwrap() == text.as_bytes(), "{}", place.name);
        assert!(ReadOperations::read_file(&**machine, &path).await.unwrap() == text.as_bytes(), "{}", place.name);
        let pieces: Vec<_> = machine.open(&path).collect().await;
        assert!(pieces.into_iter().flat_map(|piece| piece.unwrap().to_vec()).eq(text.bytes()), "{}", place.name);
    }
}

#[tokio::test]
async fn a_dropped_stream_ends_the_reading_over_there() {
    for place in Place::elsewhere() {
        place.put("big", &vec![b'x'; 64 << 20]);
        let path = place.path("big");
        let mut content = place.machine().open(&path);
        content.next().await.unwrap().unwrap();
        assert!(is_open(&path), "{}", place.name);
        drop(content);
        eventually("the reader ends", || !is_open(&path)).await;
    }
}

/// Whether any process has the file open.
fn is_open(path: &Path) -> bool {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let files = processes.filter_map(|process| fs::read_dir(process.path().join("fd")).ok()).flatten();
    files.filter_map(Result::ok).any(|file| fs::read_link(file.path()).is_ok_and(|target| target == path))
}

#[tokio::test]
async fn a_write_keeps_what_the_file_was() {
    for place in Place::elsewhere() {
        let machine = place.machine();
        place.put("secret", b"old");
        fs::set_permissions(place.path("secret"), fs::Permissions::from_mode(0o2610)).unwrap();
        place.put("linked", b"old");
        fs::hard_link(place.path("linked"), place.path("other name")).unwrap();
        place.link("secret", "link");
        for name in ["secret", "linked", "link", "new"] {
            machine.write_file(&place.path(name), &format!("new {name}")).await.unwrap();
        }
        let mode = |name: &str| fs::metadata(place.path(name)).unwrap().mode() & 0o7777;
        let content = |name: &str| fs::read_to_string(place.path(name)).unwrap();
        assert_eq!((mode("secret"), content("secret")), (0o2610, "new link".to_owned()), "{}", place.name);
        assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
        assert_eq!(content("other name"), "new linked", "{}", place.name);
        fs::write(place.path("plain"), "").unwrap();
        assert_eq!(mode("new"), mode("plain"), "{}", place.name);
        machine.write_file(Path::new("/dev/null"), "gone").await.unwrap();
        assert_eq!(names(&place), ["link", "linked", "new", "other name", "plain", "secret"], "{}", place.name);
    }
}

fn names(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.work()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_write_cut_off_leaves_the_old_content_and_nothing_else() {
    let place = Place::container();
    place.put("file", b"old");
    // The connection carries only so much.
    let cut = contained(&["sh", "-c", "dd bs=65536 count=4 2>/dev/null | \"$@\"", "sh"]);
    let error = cut.write_file(&place.path("file"), &"x".repeat(1_000_000)).await.unwrap_err();
    assert!(error.to_string().starts_with("EIO: i/o error, write"), "{error}");
    assert_eq!(fs::read(place.path("file")).unwrap(), b"old");
    eventually("the spool is removed", || names(&place) == ["file"]).await;
}

#[tokio::test]
async fn what_a_user_may_not_do() {
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    if !Command::new(nobody[0]).args(&nobody[1..]).arg("true").output().is_ok_and(|output| output.status.success()) {
        println!("SKIPPED: only root can be somebody else");
        return;
    }
    let machine = contained(&nobody);
    // Below a directory that everybody may enter.
    let root = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir_in("/tmp").unwrap();
    let at = |name: &str| root.path().join(name);
    for (name, mode) in [("unreadable", 0o600), ("readonly", 0o644), ("shared", 0o666)] {
        fs::write(at(name), "content").unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::create_dir(at("closed")).unwrap();
    fs::write(at("closed/file"), "").unwrap();
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    let mut told = String::new();
    let mut tell = |what: &str, result: Result<(), OperationError>| {
        let answer = result.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
        told += &format!("{what}: {}\n", answer.replace(&root.path().display().to_string(), "<ROOT>"));
    };
    tell("access unreadable", ReadOperations::access(&machine, &at("unreadable")).await);
    tell("read unreadable", ReadOperations::read_file(&machine, &at("unreadable")).await.map(drop));
    tell("read below closed", ReadOperations::read_file(&machine, &at("closed/file")).await.map(drop));
    tell("real path below closed", machine.real_path(&at("closed/file")).await.map(drop));
    tell("list closed", machine.read_dir(&at("closed")).await.map(drop));
    tell("write readonly", machine.write_file(&at("readonly"), "x").await);
    tell("write new", machine.write_file(&at("new"), "x").await);
    tell("write shared", machine.write_file(&at("shared"), "x").await);
    tell("mkdir", machine.create_dir(&at("dir/deep")).await);
    tell("mkdir below closed", machine.create_dir(&at("closed/dir")).await);
    insta::assert_snapshot!(told, @"
    access unreadable: EACCES: permission denied, access '<ROOT>/unreadable'
    read unreadable: EACCES: permission denied, open '<ROOT>/unreadable'
    read below closed: EACCES: permission denied, open '<ROOT>/closed/file'
    real path below closed: EACCES: permission denied, realpath '<ROOT>/closed/file'
    list closed: EACCES: permission denied, scandir '<ROOT>/closed'
    write readonly: EACCES: permission denied, open '<ROOT>/readonly'
    write new: EACCES: permission denied, open '<ROOT>/new'
    write shared: ok
    mkdir: EACCES: permission denied, mkdir '<ROOT>/dir/deep'
    mkdir below closed: EACCES: permission denied, mkdir '<ROOT>/closed/dir'
    ");
    assert_eq!(fs::read(at("shared")).unwrap(), b"x");
}

#[tokio::test]
async fn directories_are_listed_whatever_is_in_them() {
    for place in Place::elsewhere() {
        for name in [".hidden", "..two dots", "...", "*", "new\nline", "-n", " ", "caf\u{e9}", "\\", "[!a]*"] {
            place.put(name, b"");
        }
        fs::create_dir(place.path("dir")).unwrap();
        place.link("dir", "link to dir");
        place.link("missing", "broken");
        for n in 0..500 {
            place.put(&format!("many/{n}"), b"");
        }
        let machine = place.machine();
        let mut entries = machine.read_dir(&place.work()).await.unwrap();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let listing: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect();
        use EntryKind::{Directory, Other, Unknown};
        let expected = [
            (" ", Other),
            ("*", Other),
            ("-n", Other),
            ("...", Other),
            ("..two dots", Other),
            (".hidden", Other),
            ("[!a]*", Other),
            ("\\", Other),
            ("broken", Unknown),
            ("café", Other),
            ("dir", Directory),
            ("link to dir", Directory),
            ("many", Directory),
            ("new\nline", Other),
        ];
        assert_eq!(listing, expected, "{}", place.name);
        assert_eq!(machine.read_dir(&place.path("many")).await.unwrap().len(), 500);
        assert_eq!(machine.read_dir(&place.path("dir")).await.unwrap(), []);
        for (name, code) in [("missing", "ENOENT"), ("*", "ENOTDIR"), ("broken", "ENOENT")] {
            assert_eq!(machine.read_dir(&place.path(name)).await.unwrap_err().code(), Some(code), "{}", place.name);
        }
    }
}

#[tokio::test]
async fn real_paths_are_those_of_this_machine() {
    for place in Place::elsewhere() {
        place.put("dir/sub/file", b"");
        for (target, name) in [
            ("dir", "to dir"),
            ("to dir/sub", "to sub"),
            ("nowhere/deep", "dangling"),
            ("loop2", "loop1"),
            ("loop1", "loop2"),
            ("/", "root"),
            ("../work/./dir/../dir", "dotted"),
            ("dir/", "slash"),
            ("end\n", "to line end"),
            ("..", "up"),
        ] {
            place.link(target, name);
        }
        for name in [
            "",
            "dir",
            "to dir/sub/file",
            "to sub/file",
            "to sub/new/deep",
            "dangling",
            "dangling/x",
            "loop1",
            "loop1/x",
            "root/etc",
            "dotted/sub",
            "slash/sub",
            "to line end",
            "up/work",
            "dir/sub/file/x",
            "new",
        ] {
            let path = place.path(name);
            let expected = LocalFiles.real_path(&path).await;
            assert_eq!(place.machine().real_path(&path).await, expected, "{name:?} on {}", place.name);
        }
    }
}
