//! Tools that are confined to a directory: no path leads out, however it is written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::{FutureExt, ready};
use pi_coding_agent::tools::{OperationResult, PathOperations, ReadOperations, ToolPolicy};
use serde_json::{Value, json};

use crate::support::{Workbench, text};

/// Confined to its working directory. Links lead out of it; `outside` beside it has a file `f`.
fn confined() -> Workbench {
    let mut bench = Workbench::with(&[("f", b"inside"), ("sub/f", b"inside"), ("../outside/f", b"outside")]);
    bench.put("../home/f", b"home");
    symlink("../outside/f", bench.path("file-link")).unwrap();
    symlink("../outside", bench.path("dir-link")).unwrap();
    symlink("../outside/not-yet", bench.path("dangling")).unwrap();
    symlink("../outside/no/such/dir", bench.path("dangling-dir")).unwrap();
    symlink("sub", bench.path("inner-link")).unwrap();
    symlink("dir-link/../work/f", bench.path("there-and-back")).unwrap();
    bench.options.policy = ToolPolicy::confined_to(&bench.options.cwd);
    bench
}

/// Calls of all file tools for a path.
fn calls(path: &str) -> [(&'static str, Value); 3] {
    [
        ("read", json!({ "path": path })),
        ("write", json!({"path": path, "content": "written"})),
        ("edit", json!({"path": path, "edits": [{"oldText": "i", "newText": "I"}]})),
    ]
}

#[tokio::test]
async fn no_path_leads_out() {
    let bench = confined();
    let outside = bench.root().join("outside");
    let absolute = outside.join("f").display().to_string();
    let url = format!("file://{absolute}");
    let encoded = url.replace("outside", "out%73ide");
    let paths = [
        "../outside/f",
        "sub/../../outside/f",
        "@../outside/f",
        &absolute,
        &url,
        &encoded,
        "/etc/hostname",
        "~/f",
        "~",
        "..",
        "file-link",
        "dir-link/f",
        "dir-link/new",
        "dir-link/new-dir/new",
        "dangling",
        "dangling-dir/new",
        "../work-not/f",
    ];
    for path in paths {
        for (tool, arguments) in calls(path) {
            let answer = text(&bench.call(tool, arguments).await);
            let end = format!(" is outside of {}, to which the tools are confined.", bench.options.cwd.display());
            assert!(answer.ends_with(&end), "{tool} {path}: {answer}");
        }
    }
    assert_eq!(fs::read_to_string(outside.join("f")).unwrap(), "outside");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert!(!bench.root().join("work-not").exists());
}

#[tokio::test]
async fn what_is_inside_works_as_ever() {
    let bench = confined();
    let absolute = bench.path("sub/f").display().to_string();
    for path in ["f", "sub/../f", "inner-link/f", &absolute, "../work/f", "there-and-back", "new-dir/deeper/f"] {
        for (tool, arguments) in [&calls(path)[1], &calls(path)[0], &calls(path)[2]] {
            let answer = bench.call(tool, arguments.clone()).await;
            assert!(answer.is_ok(), "{tool} {path}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_link_is_named_with_its_target() {
    let bench = confined();
    let answer = text(&bench.call("read", json!({"path": "file-link"})).await);
    let (link, target) = (bench.path("file-link"), bench.root().join("outside/f"));
    let (link, target, root) = (link.display(), target.display(), bench.options.cwd.display());
    let expected = format!("{link} (it leads to {target}) is outside of {root}, to which the tools are confined.");
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn the_root_may_be_a_link_but_must_be_there() {
    let mut bench = confined();
    symlink("work", bench.path("../root-link")).unwrap();
    bench.options.policy = ToolPolicy::confined_to(bench.root().join("root-link"));
    assert_eq!(text(&bench.call("read", json!({"path": "f"})).await), "inside");
    let through_link = bench.root().join("root-link/f").display().to_string();
    assert_eq!(text(&bench.call("read", json!({ "path": through_link })).await), "inside");
    assert!(bench.call("read", json!({"path": "../outside/f"})).await.is_err());
    let missing = bench.root().join("work/missing");
    bench.options.policy = ToolPolicy::confined_to(&missing);
    for (tool, arguments) in calls("missing/f") {
        let expected = format!(
            "The tools are confined to {}, which is no directory. Create it, or choose another one.",
            missing.display()
        );
        assert_eq!(text(&bench.call(tool, arguments).await), expected);
    }
    assert!(!missing.exists());
}

#[tokio::test]
async fn macos_spellings_are_judged_too() {
    let bench = confined();
    symlink("../outside/f", bench.path("it\u{2019}s")).unwrap();
    let answer = text(&bench.call("read", json!({"path": "it's"})).await);
    assert!(answer.contains("is outside of"), "{answer}");
}

#[tokio::test]
async fn commands_run_where_they_are_allowed() {
    let mut bench = confined();
    let call = || json!({"command": "echo ran"});
    let refused = format!(
        "Commands may not run here: the tools are confined to {}. Use the file tools.",
        bench.options.cwd.display()
    );
    assert_eq!(text(&bench.call("bash", call()).await), refused);
    bench.options.policy = ToolPolicy::confined_to(&bench.options.cwd).with_bash();
    assert_eq!(text(&bench.call("bash", call()).await), "ran\n");
    bench.options.policy = ToolPolicy::default();
    assert_eq!(text(&bench.call("bash", call()).await), "ran\n");
    // Nothing is confined unless asked for.
    assert_eq!(text(&bench.call("read", json!({"path": "file-link"})).await), "outside");
}

/// Has no files at all.
#[derive(Debug)]
struct Nowhere;

impl PathOperations for Nowhere {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        // Over there everything is behind a link.
        ready(Ok(Path::new("/real").join(path.strip_prefix("/").unwrap()))).boxed()
    }
}

impl ReadOperations for Nowhere {
    fn read_file<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        ready(Ok(b"from elsewhere".to_vec())).boxed()
    }

    fn access<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, ()> {
        ready(Ok(())).boxed()
    }
}

#[tokio::test]
async fn paths_elsewhere_are_judged_elsewhere() {
    let mut bench = confined();
    bench.options.read_operations = Some(Arc::new(Nowhere));
    assert_eq!(text(&bench.call("read", json!({"path": "file-link"})).await), "from elsewhere");
    let answer = text(&bench.call("read", json!({"path": "../f"})).await);
    assert!(answer.contains("(it leads to /real/"), "{answer}");
}

#[tokio::test]
async fn long_output_of_commands_may_be_read_from_anywhere() {
    let mut bench = confined();
    bench.options.policy = ToolPolicy::confined_to(&bench.options.cwd).with_bash();
    bench.options.read_operations = Some(Arc::new(Nowhere));
    let output = bench.call("bash", json!({"command": "seq 3000"})).await.unwrap();
    let log = output.details.unwrap()["fullOutputPath"].as_str().unwrap().to_owned();
    let read = |path: &str| bench.call("read", json!({"path": path, "limit": 1}));
    assert!(text(&read(&log).await).starts_with("1\n\n[The file has 3000 more lines."));
    // Only files that look like those, only there, and no links.
    let tmp = bench.root().join("tmp");
    let name = |name: &str| tmp.join(name).display().to_string();
    for other in ["pi-bash-0123456789abcdeg.log", "pi-bash-0123.log", "other.log", "sub/pi-bash-0123456789abcde0.log"] {
        bench.put(&name(other), b"secret");
    }
    symlink("../outside/f", tmp.join("pi-bash-00000000000000aa.log")).unwrap();
    for other in [
        "pi-bash-0123456789abcdeg.log",
        "pi-bash-0123.log",
        "other.log",
        "sub/pi-bash-0123456789abcde0.log",
        "pi-bash-00000000000000aa.log",
        "pi-bash-00000000000000bb.log",
    ] {
        assert!(text(&read(&name(other)).await).contains("is outside of"), "{other}");
    }
    // Writing is another matter.
    let answer = bench.call("write", json!({"path": log, "content": ""})).await;
    assert!(text(&answer).contains("is outside of"));
}
