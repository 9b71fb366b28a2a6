//! What a file keeps when `write` and `edit` change it: rights that every write takes away, times, owner, names.
//!
//! Root and other users differ in what the kernel lets them keep, so each test runs as both.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags, getxattr, setxattr, utimensat};
use serde_json::{Value, json};

use crate::again;
use crate::support::{Workbench, text};

/// Seconds of the access and the modification of every file here, with nanoseconds.
const ACCESSED: (i64, i64) = (1_000_000_001, 123_456_789);
const MODIFIED: (i64, i64) = (1_500_000_000, 987_654_321);

/// A program file that may do one thing: `cap_net_bind_service=ep`, as the kernel stores it.
const CAPABILITIES: [u8; 20] = [1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Both calls, with what they make of `old`.
fn calls(name: &str) -> [(&'static str, Value); 3] {
    [
        ("write", json!({"path": name, "content": "a longer text than it was"})),
        ("edit", json!({"path": name, "edits": [{"oldText": "longer", "newText": "shorter or longer"}]})),
        ("write", json!({"path": name, "content": "short"})),
    ]
}

fn old(bench: &Workbench, name: &str, mode: u32) {
    bench.put(name, b"old");
    fs::set_permissions(bench.path(name), Permissions::from_mode(mode)).unwrap();
    age(&bench.path(name));
}

fn age(path: &Path) {
    let time = |(tv_sec, tv_nsec): (i64, i64)| Timespec { tv_sec, tv_nsec: tv_nsec as _ };
    let times = Timestamps { last_access: time(ACCESSED), last_modification: time(MODIFIED) };
    utimensat(CWD, path, &times, AtFlags::empty()).unwrap();
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

fn accessed(path: &Path) -> (i64, i64) {
    let metadata = path.metadata().unwrap();
    (metadata.atime(), metadata.atime_nsec())
}

fn modified(path: &Path) -> (i64, i64) {
    let metadata = path.metadata().unwrap();
    (metadata.mtime(), metadata.mtime_nsec())
}

/// As root, then as a user without its rights.
async fn as_each_user(test: &str, check: impl AsyncFn()) {
    check().await;
    again::permissions_bind(test);
}

#[tokio::test]
async fn setuid_setgid_and_sticky_bits_stay() {
    as_each_user("keeping::setuid_setgid_and_sticky_bits_stay", async || {
        for wanted in [0o4755, 0o2755, 0o6711, 0o1644, 0o7777, 0o4600] {
            let bench = Workbench::new();
            old(&bench, "alone", wanted);
            old(&bench, "twin", wanted);
            fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
            old(&bench, "real", wanted);
            symlink("real", bench.path("link")).unwrap();
            for name in ["alone", "twin", "link"] {
                for (tool, arguments) in calls(name) {
                    bench.call(tool, arguments).await.unwrap();
                    assert_eq!(format!("{:o}", mode(&bench.path(name))), format!("{wanted:o}"), "{tool} {name}");
                }
                assert_eq!(bench.get(name), "short");
            }
            assert_eq!((bench.get("other-twin").as_str(), bench.get("real").as_str()), ("short", "short"));
            assert!(bench.path("link").is_symlink());
        }
    })
    .await;
}

#[tokio::test]
async fn the_time_of_access_stays_and_that_of_the_change_goes_with_the_content() {
    as_each_user("keeping::the_time_of_access_stays_and_that_of_the_change_goes_with_the_content", async || {
        let bench = Workbench::new();
        for name in ["alone", "twin"] {
            old(&bench, name, 0o644);
        }
        fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
        for name in ["alone", "twin"] {
            let path = bench.path(name);
            for (tool, arguments) in calls(name) {
                bench.call(tool, arguments).await.unwrap();
                assert_eq!(accessed(&path), ACCESSED, "{tool} {name}");
                assert!(modified(&path) > MODIFIED, "{tool} {name}");
                age(&path);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_file_with_the_same_content_is_not_touched() {
    as_each_user("keeping::a_file_with_the_same_content_is_not_touched", async || {
        let bench = Workbench::new();
        // More than is compared in one go, and not a multiple of it.
        let long = "0123456789".repeat(20_000);
        for (name, content) in [("empty", ""), ("short", "old"), ("long", long.as_str()), ("twin", "old")] {
            bench.put(name, content.as_bytes());
            age(&bench.path(name));
            if name == "twin" {
                fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
            }
            let before = bench.path(name).metadata().unwrap();
            let answer = bench.call("write", json!({"path": name, "content": content})).await;
            assert_eq!(text(&answer), format!("Successfully wrote {} bytes to {name}", content.len()));
            let after = bench.path(name).metadata().unwrap();
            let of = |it: &fs::Metadata| (it.ino(), it.ctime(), it.ctime_nsec());
            assert_eq!(of(&after), of(&before), "{name}");
            assert_eq!((accessed(&bench.path(name)), modified(&bench.path(name))), (ACCESSED, MODIFIED), "{name}");
        }
        // One byte at the end differs.
        let other = format!("{}x", &long[1..]);
        bench.call("write", json!({"path": "long", "content": other})).await.unwrap();
        assert_eq!(bench.get("long"), other);
        assert!(modified(&bench.path("long")) > MODIFIED);
    })
    .await;
}

#[tokio::test]
async fn write_protection_holds_whatever_the_content() {
    if !again::permissions_bind("keeping::write_protection_holds_whatever_the_content") {
        return;
    }
    let bench = Workbench::new();
    old(&bench, "protected", 0o4444);
    for content in ["old", "new"] {
        let refused = format!("EACCES: permission denied, open '{}'", bench.path("protected").display());
        assert_eq!(text(&bench.call("write", json!({"path": "protected", "content": content})).await), refused);
    }
    assert_eq!((bench.get("protected").as_str(), mode(&bench.path("protected"))), ("old", 0o4444));
    // One that may be written and not be read.
    old(&bench, "write-only", 0o4200);
    bench.call("write", json!({"path": "write-only", "content": "new"})).await.unwrap();
    assert_eq!(mode(&bench.path("write-only")), 0o4200);
    fs::set_permissions(bench.path("write-only"), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(bench.get("write-only"), "new");
}

/// Root may write to anybody's file, and gives it back as it was.
#[tokio::test]
async fn files_of_others_keep_owner_group_and_rights() {
    if !rustix::process::geteuid().is_root() {
        return; // nobody else can give a file away
    }
    let bench = Workbench::new();
    for name in ["alone", "twin"] {
        bench.put(name, b"old");
        std::os::unix::fs::chown(bench.path(name), Some(1234), Some(4321)).unwrap();
        fs::set_permissions(bench.path(name), Permissions::from_mode(0o6755)).unwrap();
    }
    fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
    for name in ["alone", "twin"] {
        let path = bench.path(name);
        // Not every file system has them.
        let has_capabilities = setxattr(&path, "security.capability", &CAPABILITIES, XattrFlags::empty()).is_ok();
        for (tool, arguments) in calls(name) {
            bench.call(tool, arguments).await.unwrap();
            let now = path.metadata().unwrap();
            assert_eq!((now.uid(), now.gid(), mode(&path)), (1234, 4321, 0o6755), "{tool} {name}");
            let mut value = [0; 64];
            let kept = getxattr(&path, "security.capability", &mut value).is_ok();
            assert_eq!(kept, has_capabilities, "{tool} {name}");
            assert!(!kept || value[..CAPABILITIES.len()] == CAPABILITIES);
        }
    }
}

/// A file of another owner that everybody may write to: its content changes, and nobody gets rights of its owner by that.
#[tokio::test]
async fn a_stranger_who_may_write_changes_the_content_alone() {
    let test = "keeping::a_stranger_who_may_write_changes_the_content_alone";
    if !rustix::process::geteuid().is_root() && !again::is_inner() {
        return; // nobody else can make a file of another owner
    }
    let Some(shared) = std::env::var_os("PI_TEST_SHARED") else {
        let dir = tempfile::Builder::new().permissions(Permissions::from_mode(0o777)).tempdir().unwrap();
        let path = dir.path().join("shared");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o4777)).unwrap();
        // The inner run inherits it.
        let setup = format!("export PI_TEST_SHARED='{}'", path.display());
        again::as_nobody(test, &setup);
        let now = path.metadata().unwrap();
        assert_eq!((now.uid(), now.gid()), (0, rustix::process::getegid().as_raw()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "short");
        assert_eq!(mode(&path), 0o777, "the kernel takes the bit, and only the owner could give it back");
        return;
    };
    let bench = Workbench::new();
    for (tool, arguments) in calls(shared.to_str().unwrap()) {
        bench.call(tool, arguments).await.unwrap();
    }
}
