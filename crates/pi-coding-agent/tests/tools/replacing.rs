//! How files are written: whole or not at all, with what they had besides their content.

use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pi_agent_core::ToolUpdates;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::again;
use crate::support::{Workbench, text};

fn write(path: &str, content: &str) -> Value {
    json!({"path": path, "content": content})
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "edits": [{"oldText": old, "newText": new}]})
}

/// Names in the working directory.
fn names(bench: &Workbench) -> Vec<String> {
    let entries = fs::read_dir(&bench.options.cwd).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

#[tokio::test]
async fn a_file_is_replaced_in_one_step() {
    let bench = Workbench::with(&[("f", b"old content")]);
    for call in [("write", write("f", "new")), ("edit", edit("f", "new", "newer"))] {
        let before = bench.get("f");
        let mut reader = File::open(bench.path("f")).unwrap();
        bench.call(call.0, call.1).await.unwrap();
        // Whoever has the file open goes on reading what it was.
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, before);
    }
    assert_eq!(bench.get("f"), "newer");
    assert_eq!(names(&bench), ["f"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_see_the_old_content_or_the_new() {
    let content = |n: usize| ["a", "b"][n % 2].repeat(200_000 + n);
    let bench = Workbench::with(&[("f", content(0).as_bytes())]);
    let (done, path) = (Arc::new(AtomicBool::new(false)), bench.path("f"));
    let reader = {
        let done = done.clone();
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                let read = fs::read(&path).unwrap();
                let first = read[0];
                assert_eq!(usize::from(first - b'a'), read.len() % 2);
                assert!(read.len() >= 200_000 && read.iter().all(|byte| *byte == first));
            }
        })
    };
    for n in 1..20 {
        bench.call("write", write("f", &content(n))).await.unwrap();
    }
    done.store(true, Ordering::Relaxed);
    reader.join().unwrap();
    assert_eq!(names(&bench), ["f"]);
}

#[tokio::test]
async fn mode_and_attributes_are_kept_and_new_files_get_the_usual_ones() {
    let bench = Workbench::with(&[("script", b"old"), ("secret", b"old"), ("usual", b"")]);
    for (name, wanted) in [("script", 0o755), ("secret", 0o600)] {
        fs::set_permissions(bench.path(name), Permissions::from_mode(wanted)).unwrap();
        bench.call("write", write(name, "new")).await.unwrap();
        assert_eq!(mode(&bench.path(name)), wanted, "{name}");
        bench.call("edit", edit(name, "new", "newer")).await.unwrap();
        assert_eq!(mode(&bench.path(name)), wanted, "{name}");
    }
    bench.call("write", write("new", "x")).await.unwrap();
    assert_eq!(mode(&bench.path("new")), mode(&bench.path("usual")));
    let (flags, path) = (rustix::fs::XattrFlags::empty(), bench.path("usual"));
    // Not every file system has these.
    if rustix::fs::setxattr(&path, "user.pi-test", b"kept", flags).is_ok() {
        bench.call("write", write("usual", "new")).await.unwrap();
        let mut value = [0; 8];
        let length = rustix::fs::getxattr(&path, "user.pi-test", &mut value).unwrap();
        assert_eq!(&value[..length], b"kept");
    }
}

#[tokio::test]
async fn owner_and_group_are_kept() {
    if !rustix::process::geteuid().is_root() {
        return; // nobody else can give a file away
    }
    let bench = Workbench::with(&[("f", b"old")]);
    std::os::unix::fs::chown(bench.path("f"), Some(1234), Some(4321)).unwrap();
    bench.call("write", write("f", "new")).await.unwrap();
    let metadata = bench.path("f").metadata().unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), bench.get("f").as_str()), (1234, 4321, "new"));
}

#[tokio::test]
async fn links_stay_links() {
    let bench = Workbench::with(&[("real/f", b"old"), ("twin", b"old")]);
    symlink("real/f", bench.path("link")).unwrap();
    symlink("link", bench.path("chain")).unwrap();
    symlink("real/not-yet", bench.path("dangling")).unwrap();
    symlink("/dev/null", bench.path("nowhere")).unwrap();
    fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
    let before = names(&bench);
    for (name, file) in [("link", "real/f"), ("chain", "real/f"), ("dangling", "real/not-yet")] {
        bench.call("write", write(name, name)).await.unwrap();
        assert_eq!(bench.get(file), name);
        bench.call("edit", edit(name, name, "edited")).await.unwrap();
        assert_eq!(bench.get(file), "edited");
        assert!(bench.path(name).is_symlink());
    }
    // A file of two names keeps them; longer and shorter content.
    for content in ["a longer text", "short"] {
        bench.call("write", write("twin", content)).await.unwrap();
        assert_eq!(bench.get("other-twin"), content);
    }
    bench.call("write", write("nowhere", "gone")).await.unwrap();
    assert!(bench.path("nowhere").is_symlink() && !Path::new("/dev/null").is_file());
    assert_eq!(names(&bench), before);
    assert_eq!(fs::read_dir(bench.path("real")).unwrap().count(), 2);
}

#[tokio::test]
async fn permissions_decide_and_a_closed_directory_does_not_stop_an_open_file() {
    if !again::permissions_bind("replacing::permissions_decide_and_a_closed_directory_does_not_stop_an_open_file") {
        return;
    }
    let bench = Workbench::with(&[("closed/f", b"old"), ("protected", b"old")]);
    let chmod = |name: &str, mode| fs::set_permissions(bench.path(name), Permissions::from_mode(mode)).unwrap();
    chmod("closed", 0o555);
    chmod("protected", 0o444);
    bench.call("write", write("closed/f", "new")).await.unwrap();
    bench.call("edit", edit("closed/f", "new", "newer")).await.unwrap();
    assert_eq!(bench.get("closed/f"), "newer");
    let refused = |name: &str| format!("EACCES: permission denied, open '{}'", bench.path(name).display());
    assert_eq!(text(&bench.call("write", write("closed/g", "x")).await), refused("closed/g"));
    assert_eq!(text(&bench.call("write", write("protected", "x")).await), refused("protected"));
    assert_eq!(
        text(&bench.call("edit", edit("protected", "old", "x")).await),
        "Could not edit file: protected. Error code: EACCES."
    );
    assert_eq!(bench.get("protected"), "old");
    chmod("closed", 0o755);
    assert_eq!(fs::read_dir(bench.path("closed")).unwrap().count(), 1);
}

/// No room beyond 64 KiB in a file: the nearest thing to a full disk that needs no disk.
#[tokio::test]
async fn a_full_disk_leaves_the_old_content() {
    let old = "old\n".repeat(1000);
    if !again::is_inner() {
        // The signal would end the process before the error arrives.
        return again::passed(&again::run(
            "replacing::a_full_disk_leaves_the_old_content",
            "trap '' XFSZ; ulimit -f 64",
        ));
    }
    let bench = Workbench::with(&[("f", old.as_bytes()), ("twin", old.as_bytes())]);
    fs::hard_link(bench.path("twin"), bench.path("other-twin")).unwrap();
    let much = "x".repeat(100_000);
    for (call, arguments) in [
        ("write", write("f", &much)),
        ("edit", edit("f", &old, &much)),
        ("write", write("twin", &much)),
        ("write", write("new", &much)),
    ] {
        assert_eq!(text(&bench.call(call, arguments).await), "EFBIG: file too large, write");
    }
    assert!(bench.get("f") == old && bench.get("twin") == old);
    assert_eq!(names(&bench), ["f", "other-twin", "twin"]);
}

#[tokio::test]
async fn an_abort_leaves_no_half_file() {
    let bench = Workbench::with(&[("f", b"old")]);
    let new = "new".repeat(100_000);
    for n in 0..20u32 {
        bench.put("f", b"old");
        let cancel = CancellationToken::new();
        let call = bench.call_with("write", write("f", &new), cancel.clone(), ToolUpdates::ignored());
        let abort = async {
            for _ in 0..n * n {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
        };
        // The step under way is finished before the call settles or the next one begins.
        let _ = tokio::join!(call, abort);
        bench.call("edit", edit("f", "no such text", "x")).await.unwrap_err();
        let content = bench.get("f");
        assert!(content == "old" || content == new);
        assert_eq!(names(&bench), ["f"]);
    }
}
