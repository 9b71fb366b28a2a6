//! The door against real pipes, sockets, devices, links and files that are exchanged meanwhile.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of a test

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

fn fifo(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
}

/// A repository `repo` with one file of each sort, and a file `secret` beside it.
fn world() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let repo = fs::canonicalize(root.path()).unwrap().join("repo");
    fs::create_dir_all(repo.join(".git")).unwrap();
    fs::create_dir_all(repo.join("sub/dir")).unwrap();
    fs::write(repo.join("../secret"), "secret").unwrap();
    fs::write(repo.join("file"), "text").unwrap();
    fifo(&repo.join("fifo"));
    UnixListener::bind(repo.join("socket")).unwrap();
    File::create(repo.join("sparse")).unwrap().set_len(2 << 30).unwrap();
    for (link, target) in [
        ("zero", "/dev/zero"),
        ("null", "/dev/null"),
        ("to_fifo", "fifo"),
        ("in", "sub/../file"),
        ("chain", "in"),
        ("out", "../secret"),
        ("sub/out", "../../secret"),
        ("out_chain", "sub/out"),
        ("home", ".."),
        ("gone", "nowhere"),
        ("loop", "loop2"),
        ("loop2", "loop"),
        ("sub/in", "../file"),
        ("environment", "/proc/self/environ"),
    ] {
        symlink(target, repo.join(link)).unwrap();
    }
    symlink(repo.join("file"), repo.join("absolute")).unwrap();
    (root, repo)
}

#[test]
fn what_could_hang_or_never_end_is_refused() {
    let (_root, repo) = world();
    for (name, expected) in [
        ("file", "text"),
        ("fifo", "it is a named pipe, not a regular file"),
        ("to_fifo", "it is a named pipe, not a regular file"),
        ("socket", "it is a socket, not a regular file"),
        ("zero", "it is a device, not a regular file"),
        ("null", "it is a device, not a regular file"),
        ("sub", "Is a directory (os error 21)"),
        ("sparse", "it has 2 GB, more than the 1 MB that a context file may have"),
        ("gone", "No such file or directory (os error 2)"),
        ("loop", "Too many levels of symbolic links (os error 40)"),
        ("chain", "text"),
        ("out", "secret"),
    ] {
        let path = repo.join(name);
        let read = read_text(&path, FileKind::Context).unwrap_or_else(|error| error.to_string());
        assert_eq!(read, expected, "{name}");
        let is_open = open_regular(&path).is_ok();
        assert_eq!(is_open, !expected.contains("regular file") && !expected.contains("os error"));
        assert_eq!(open_regular_for_appending(&path).is_ok(), is_open, "{name}");
    }
    // A file of the kernel says that it is empty, and may have any amount.
    let maps = read_bytes(Path::new("/proc/self/maps"), FileKind::Context).unwrap();
    assert!(!maps.is_empty());
    fs::write(repo.join("binary"), b"\xff\x00\xfe").unwrap();
    assert!(read_text(&repo.join("binary"), FileKind::Context).unwrap_err().to_string().contains("UTF-8"));
    assert_eq!(decoded(b"\xef\xbb\xbfa\xff\x00"), "a\u{fffd}\0");
}

#[test]
fn limits_are_exact() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("f");
    for (size, fits) in [(1 << 20, true), ((1 << 20) + 1, false)] {
        fs::write(&file, vec![b'a'; size]).unwrap();
        assert_eq!(read_bytes(&file, FileKind::Skill).is_ok(), fits, "{size}");
    }
}

#[test]
fn a_fence_keeps_links_inside() {
    let (_root, repo) = world();
    let secret = repo.parent().unwrap().join("secret");
    let out = format!(
        "it leads to {}, outside of the repository {}, which is not trusted (--approve trusts it for one run)",
        secret.display(),
        repo.display()
    );
    for cwd in [repo.clone(), repo.join("sub/dir")] {
        let fence = SymlinkGuard::untrusted(&cwd, None);
        for (name, expected) in [
            ("file", "text"),
            ("in", "text"),
            ("chain", "text"),
            ("absolute", "text"),
            ("sub/in", "text"),
            ("sub/../file", "text"),
            ("home/repo/file", "text"),
            ("out", &out),
            ("sub/out", &out),
            ("out_chain", &out),
            ("home/secret", &out),
            ("../secret", &out),
            ("fifo", "it is a named pipe, not a regular file"),
            ("socket", "it is a socket, not a regular file"),
            ("sub", "Is a directory (os error 21)"),
            ("gone", "No such file or directory (os error 2)"),
            ("loop", "Too many levels of symbolic links (os error 40)"),
            ("missing", "No such file or directory (os error 2)"),
            ("sparse", "it has 2 GB, more than the 1 MB that a context file may have"),
        ] {
            let read = read_file(&repo.join(name), FileKind::Context, Some(&fence));
            let read = read.map_or_else(|error| error.to_string(), |bytes| decoded(&bytes));
            assert_eq!(read, expected, "{name}");
        }
        for name in ["zero", "environment"] {
            let error = read_file(&repo.join(name), FileKind::Context, Some(&fence)).unwrap_err();
            assert!(error.to_string().contains("outside of the repository"), "{name}: {error}");
        }
        assert!(fence.has_inside(&repo.join("out")) && fence.has_inside(&repo.join("home/secret")));
        assert!(!fence.has_inside(&secret) && !fence.has_inside(&repo.join("../secret")));
    }
    let bare = SymlinkGuard::untrusted(&repo.parent().unwrap().join("repo/sub"), None);
    assert!(bare.resolve(&repo.join("file")).is_ok(), "the repository begins above");
    for (home, is_top) in [("sub", false), ("", false), ("/nowhere", true)] {
        let fence = SymlinkGuard::untrusted(&repo.join("sub/dir"), Some(&repo.join(home)));
        assert_eq!(fence.resolve(&repo.join("file")).is_ok(), is_top, "a home in {home:?} is no project");
    }
    fs::remove_dir(repo.join(".git")).unwrap();
    let bare = SymlinkGuard::untrusted(&repo.join("sub"), None);
    assert!(bare.resolve(&repo.join("sub/in")).is_err(), "without a repository the directory is the border");
}

/// Links and directories that are exchanged all the time: the file inside, or an error, but never the one outside.
#[test]
fn nothing_is_exchanged_between_the_look_and_the_reading() {
    let (_root, repo) = world();
    let outside = repo.parent().unwrap().join("elsewhere");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("file"), "secret").unwrap();
    fs::create_dir_all(repo.join("real")).unwrap();
    fs::write(repo.join("real/file"), "text").unwrap();
    let is_over = AtomicBool::new(false);
    let (mut inside, mut refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let link = |name: &str, target: &Path| {
                let made = repo.join(name);
                let _ = fs::remove_file(&made);
                symlink(target, &made).unwrap();
                made
            };
            while !is_over.load(Ordering::Relaxed) {
                fs::rename(link("new", &outside), repo.join("way")).unwrap();
                fs::rename(link("new", &repo.join("real")), repo.join("way")).unwrap();
            }
        });
        let fence = SymlinkGuard::untrusted(&repo, None);
        while inside < 20 || refused < 20 {
            match read_file(&repo.join("way/file"), FileKind::Context, Some(&fence)) {
                Ok(bytes) => {
                    assert_eq!(bytes, b"text");
                    inside += 1;
                }
                Err(_) => refused += 1,
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_directory_with_very_many_entries_is_not_looked_through() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..10_000 {
        File::create(dir.path().join(number.to_string())).unwrap();
    }
    assert_eq!(list(dir.path()).unwrap().len(), 10_000);
    File::create(dir.path().join("one more")).unwrap();
    let refused = list(dir.path()).unwrap_err().to_string();
    assert_eq!(refused, "it has more than 10000 entries; it is not looked through");
}

#[test]
fn the_page_on_security_has_the_same_limits() {
    let page = include_str!("../../../../../docs/security.md");
    for kind in kinds_table::ALL {
        let row = page.lines().find(|line| line.strip_prefix("| ").is_some_and(|row| row.starts_with(kind.noun())));
        let row = row.unwrap_or_else(|| panic!("no row for {}", kind.noun()));
        assert!(row.contains(&format!("| {} |", shown_size(kind.limit()))), "{row}");
    }
}
