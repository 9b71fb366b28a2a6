//! The queue of mutations: one at a time per file, in order, whatever happens to the callers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{FutureExt, join_all, pending, ready};
use pi_agent_core::ToolUpdates;
use pi_coding_agent::tools::{OperationResult, PathOperations, WriteOperations, with_file_mutation_queue};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::Workbench;

#[tokio::test(flavor = "multi_thread")]
async fn one_file_one_writer_in_order_of_the_calls() {
    let bench = Workbench::with(&[("f", b"")]);
    std::os::unix::fs::symlink(bench.path("f"), bench.path("link")).unwrap();
    let (order, busy) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
    let calls = (0..40).map(|n| {
        let (order, busy, cancel) = (order.clone(), busy.clone(), CancellationToken::new());
        let path = bench.path(if n % 2 == 0 { "f" } else { "link" });
        async move {
            with_file_mutation_queue(&path, &cancel, move |_| async move {
                assert!(!busy.swap(true, Ordering::SeqCst));
                tokio::time::sleep(Duration::from_micros(u64::from(n * 37 % 500))).await;
                order.lock().unwrap().push(n);
                busy.store(false, Ordering::SeqCst);
            })
            .await
            .unwrap();
        }
    });
    join_all(calls).await;
    assert_eq!(*order.lock().unwrap(), (0..40).collect::<Vec<u32>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_a_file_that_is_not_there_yet_are_one() {
    let bench = Workbench::new();
    std::fs::create_dir(bench.path("dir")).unwrap();
    for (target, link) in [("dir", "linked-dir"), ("dir/new", "dangling")] {
        std::os::unix::fs::symlink(target, bench.path(link)).unwrap();
    }
    let busy = Arc::new(AtomicBool::new(false));
    let calls = (0..30).map(|n| {
        let (busy, cancel) = (busy.clone(), CancellationToken::new());
        let path = bench.path(["dir/new", "linked-dir/new", "dangling"][n % 3]);
        async move {
            with_file_mutation_queue(&path, &cancel, move |_| async move {
                assert!(!busy.swap(true, Ordering::SeqCst));
                tokio::time::sleep(Duration::from_micros(200)).await;
                busy.store(false, Ordering::SeqCst);
            })
            .await
            .unwrap();
        }
    });
    join_all(calls).await;
}

/// Files elsewhere: all names that end alike are one file; a host that does not answer.
#[derive(Debug, Default)]
struct FarDisk {
    busy: AtomicBool,
    order: Mutex<Vec<String>>,
}

impl PathOperations for FarDisk {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        if path.ends_with("never") {
            return pending().boxed();
        }
        ready(Ok(Path::new("/far").join(path.file_name().unwrap()))).boxed()
    }
}

impl WriteOperations for FarDisk {
    fn write_file<'a>(&'a self, _path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        async move {
            assert!(!self.busy.swap(true, Ordering::SeqCst));
            tokio::time::sleep(Duration::from_millis(1)).await;
            self.order.lock().unwrap().push(text.to_owned());
            self.busy.store(false, Ordering::SeqCst);
            Ok(())
        }
        .boxed()
    }

    fn create_dir<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, ()> {
        ready(Ok(())).boxed()
    }
}

#[tokio::test]
async fn files_elsewhere_are_told_apart_elsewhere() {
    let mut bench = Workbench::new();
    let disk = Arc::new(FarDisk::default());
    bench.options.write_operations = Some(disk.clone());
    let write = |n: usize| {
        let path = ["f", "a/f", "b/f"][n % 3];
        bench.call("write", json!({"path": path, "content": n.to_string()}))
    };
    assert!(join_all((0..20).map(write)).await.iter().all(Result::is_ok));
    assert_eq!(*disk.order.lock().unwrap(), (0..20).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_host_that_does_not_answer_holds_up_nobody_else_and_can_be_aborted() {
    let mut far = Workbench::new();
    far.options.write_operations = Some(Arc::new(FarDisk::default()));
    let cancel = CancellationToken::new();
    let call = json!({"path": "never", "content": ""});
    let call = far.call_with("write", call, cancel.clone(), ToolUpdates::ignored());
    let here = async {
        let bench = Workbench::new();
        bench.call("write", json!({"path": "f", "content": "written"})).await.unwrap();
        cancel.cancel();
    };
    let (answer, ()) = tokio::join!(call, here);
    assert_eq!(answer.unwrap_err().to_string(), "Operation aborted");
}

#[tokio::test]
async fn different_files_do_not_wait_for_each_other() {
    let bench = Workbench::new();
    let barrier = Arc::new(tokio::sync::Barrier::new(2));
    let calls =
        ["a", "b"].map(|name| {
            let (barrier, path, cancel) = (barrier.clone(), bench.path(name), CancellationToken::new());
            async move {
                with_file_mutation_queue(&path, &cancel, move |_| async move { barrier.wait().await }).await.unwrap()
            }
        });
    join_all(calls).await;
}

#[tokio::test]
async fn a_caller_that_goes_away_is_told_and_does_not_let_others_in_early() {
    let bench = Workbench::new();
    let path = bench.path("f");
    let cancel = CancellationToken::new();
    let (started, steps) = (Arc::new(tokio::sync::Notify::new()), Arc::new(AtomicUsize::new(0)));
    let first = {
        let (started, steps) = (started.clone(), steps.clone());
        with_file_mutation_queue(&path, &cancel, move |abandoned| async move {
            started.notify_one();
            abandoned.cancelled().await;
            tokio::time::sleep(Duration::from_millis(50)).await;
            steps.store(1, Ordering::SeqCst);
        })
    };
    tokio::select! {
        _ = first => panic!("the first call ended"),
        () = started.notified() => {}
    }
    let before = with_file_mutation_queue(&path, &cancel, move |_| async move { steps.load(Ordering::SeqCst) }).await;
    assert_eq!(before.unwrap(), 1);
}

#[tokio::test]
async fn a_failure_lets_the_next_one_in() {
    let bench = Workbench::with(&[("f", b"a b")]);
    let edit = |old: &str| json!({"path": "f", "edits": [{"oldText": old, "newText": "x"}]});
    let answers =
        join_all([bench.call("edit", edit("?")), bench.call("edit", edit("a")), bench.call("edit", edit("b"))]).await;
    assert_eq!(answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(bench.get("f"), "x x");
    let (path, cancel) = (bench.path("f"), CancellationToken::new());
    let panicked = with_file_mutation_queue(&path, &cancel, |_| async { panic!("oops") }).await;
    assert!(panicked.map(|(): ()| ()).unwrap_err().to_string().starts_with("The file operation did not finish: "));
    bench.call("edit", edit("x x")).await.unwrap();
}

#[tokio::test]
async fn a_path_that_cannot_be_resolved_is_an_error() {
    let bench = Workbench::new();
    std::os::unix::fs::symlink("loop", bench.path("loop")).unwrap();
    let error = bench.call("write", json!({"path": "loop", "content": ""})).await.unwrap_err();
    let expected = format!("ELOOP: too many symbolic links encountered, realpath '{}'", bench.path("loop").display());
    assert_eq!(error.to_string(), expected);
}
