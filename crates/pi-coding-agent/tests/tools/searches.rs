//! Searches as such: they end when nobody waits for them, stay inside of their fence, and may be made elsewhere.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{FutureExt, ready};
use pi_agent_core::ToolUpdates;
use pi_coding_agent::tools::{
    DirectoryEntry, EntryKind, FindOperations, FindReport, FindRequest, GrepMatch, GrepOperations, GrepReport,
    GrepRequest, LsOperations, OperationError, OperationResult, PathOperations, ToolPolicy,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, text};

/// A tree that takes long to search: one file under many names.
fn big_tree() -> Workbench {
    let bench = Workbench::new();
    let mut file = File::create(bench.path("f")).unwrap();
    for _ in 0..64 {
        file.write_all(&b"nothing to be found in here\n".repeat(40_000)).unwrap();
    }
    for n in 0..900 {
        fs::hard_link(bench.path("f"), bench.path(&format!("f{n}"))).unwrap();
    }
    bench
}

/// One that has no end within reach: zeros that take no room on the disk.
fn endless_file() -> Workbench {
    let bench = Workbench::new();
    File::create(bench.path("zeros")).unwrap().set_len(1 << 42).unwrap();
    bench
}

/// Waits until the process has no file below `root` open any more.
async fn all_closed(root: &Path) {
    let is_open = || {
        let links = fs::read_dir("/proc/self/fd").unwrap().filter_map(|fd| fs::read_link(fd.unwrap().path()).ok());
        links.into_iter().any(|target| target.starts_with(root))
    };
    for _ in 0..2000 {
        if !is_open() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("a search goes on below {}", root.display());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abort_ends_a_search() {
    for (bench, call) in [
        (big_tree(), json!({"pattern": "needle"})),
        (endless_file(), json!({"pattern": "needle", "path": "zeros"})),
        (endless_file(), json!({"pattern": "needle", "path": "zeros", "context": 5})),
    ] {
        let cancel = CancellationToken::new();
        let search = bench.call_with("grep", call, cancel.clone(), ToolUpdates::ignored());
        let abort = async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            cancel.cancel();
        };
        let (answer, ()) = tokio::join!(search, abort);
        assert_eq!(text(&answer), "Operation aborted");
        all_closed(&bench.root()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_search_ends() {
    for (bench, call) in
        [(big_tree(), json!({"pattern": "needle"})), (endless_file(), json!({"pattern": "needle", "path": "zeros"}))]
    {
        let search = bench.call("grep", call);
        assert!(tokio::time::timeout(Duration::from_millis(30), search).await.is_err());
        all_closed(&bench.root()).await;
    }
}

#[tokio::test]
async fn an_aborted_run_searches_nothing() {
    let bench = Workbench::with(&[("a.txt", b"a")]);
    let cancel = CancellationToken::new();
    cancel.cancel();
    for (tool, call) in calls() {
        let answer = bench.call_with(tool, call, cancel.clone(), ToolUpdates::ignored()).await;
        assert_eq!(text(&answer), "Operation aborted");
    }
}

#[tokio::test]
async fn a_fence_holds_for_searches() {
    let mut bench = Workbench::with(&[("in/a.txt", b"a\n")]);
    std::os::unix::fs::symlink(bench.root(), bench.path("in/out")).unwrap();
    bench.options.policy = ToolPolicy::confined_to(bench.path("in"));
    for (tool, call) in calls() {
        for path in ["..", "in/out"] {
            let mut call = call.clone();
            call["path"] = json!(path);
            let refused = text(&bench.call(tool, call).await);
            assert!(refused.contains("to which the tools are confined"), "{tool} {path}: {refused}");
        }
        let mut call = call.clone();
        call["path"] = json!("in");
        assert!(text(&bench.call(tool, call).await).starts_with("a.txt"));
    }
}

fn calls() -> [(&'static str, Value); 3] {
    [("grep", json!({"pattern": "a"})), ("find", json!({"pattern": "a*"})), ("ls", json!({}))]
}

/// A place with one file, which remembers what it was asked.
#[derive(Debug, Default)]
struct FarAway(Mutex<Vec<String>>);

impl FarAway {
    fn note(&self, request: &impl std::fmt::Debug) {
        self.0.lock().unwrap().push(format!("{request:?}"));
    }
}

impl PathOperations for FarAway {}

impl GrepOperations for FarAway {
    fn grep(&self, request: GrepRequest) -> OperationResult<'_, GrepReport> {
        self.note(&(&request.pattern, request.literal, &request.path, &request.base, request.context, request.limit));
        if request.pattern == "gone" {
            return ready(Err(OperationError::with_code("ENOENT", "no such thing"))).boxed();
        }
        let (path, text) = (request.path.join("far.txt"), "needle".to_owned());
        let found = GrepMatch { path, line: 7, text, before: vec!["six".to_owned()], after: vec!["eight".to_owned()] };
        ready(Ok(GrepReport { matches: vec![found], limit_reached: true, is_directory: true, note: None })).boxed()
    }
}

impl FindOperations for FarAway {
    fn find(&self, request: FindRequest) -> OperationResult<'_, FindReport> {
        self.note(&(&request.pattern, &request.path, request.limit));
        ready(Err(OperationError::new("the line is down"))).boxed()
    }
}

impl LsOperations for FarAway {
    fn read_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<DirectoryEntry>> {
        self.note(&path);
        let entry = |name: &str, kind| DirectoryEntry { name: name.to_owned(), kind };
        let entries = [entry("b", EntryKind::Other), entry("A", EntryKind::Directory), entry("?", EntryKind::Unknown)];
        ready(if path.ends_with("locked") { Err(OperationError::new("EACCES: no")) } else { Ok(entries.into()) })
            .boxed()
    }
}

#[tokio::test]
async fn searching_elsewhere() {
    let far = Arc::new(FarAway::default());
    let mut bench = Workbench::new();
    bench.options.grep_operations = Some(far.clone());
    bench.options.find_operations = Some(far.clone());
    bench.options.ls_operations = Some(far.clone());
    let shown = [
        bench.show("grep", json!({"pattern": "n", "path": "@d", "context": 1, "limit": 2.5})).await,
        bench.show("grep", json!({"pattern": "gone", "literal": true})).await,
        bench.show("find", json!({"pattern": "*", "limit": 0})).await,
        bench.show("ls", json!({"path": "x"})).await,
        bench.show("ls", json!({"path": "locked"})).await,
        far.0.lock().unwrap().join("\n").replace(&bench.root().display().to_string(), "<ROOT>"),
    ];
    insta::assert_snapshot!(shown.concat());
}
