//! Files that are not on this machine: the operations decide, and an abort does not wait for them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::{FutureExt, pending, ready};
use pi_agent_core::ToolUpdates;
use pi_coding_agent::tools::{OperationError, OperationResult, PathOperations, ReadOperations, WriteOperations};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, text};

/// Has one file, an image, and a second one that never arrives.
#[derive(Debug)]
struct FarFiles;

impl PathOperations for FarFiles {}

impl ReadOperations for FarFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        if path.ends_with("slow") { pending().boxed() } else { ready(Ok(b"GIF, but only text here".to_vec())).boxed() }
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        let missing = path.ends_with("missing").then(|| OperationError::new("No such file over there"));
        ready(missing.map_or(Ok(()), Err)).boxed()
    }
}

#[tokio::test]
async fn reading_elsewhere() {
    let mut bench = Workbench::new();
    bench.options.read_operations = Some(Arc::new(FarFiles));
    // Without a way to recognise images everything is text.
    assert_eq!(text(&bench.call("read", json!({"path": "pic.gif"})).await), "GIF, but only text here");
    assert_eq!(text(&bench.call("read", json!({"path": "missing"})).await), "No such file over there");
    let cancel = CancellationToken::new();
    let call = bench.call_with("read", json!({"path": "slow"}), cancel.clone(), ToolUpdates::ignored());
    let (answer, ()) = tokio::join!(call, async { cancel.cancel() });
    assert_eq!(text(&answer), "Operation aborted");
}

/// Fires an abort while it writes.
#[derive(Debug)]
struct AbortingDisk {
    cancel: CancellationToken,
    written: Mutex<Vec<String>>,
}

impl PathOperations for AbortingDisk {}

impl WriteOperations for AbortingDisk {
    fn write_file<'a>(&'a self, _path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        self.cancel.cancel();
        async move {
            // The step under way is finished all the same.
            tokio::task::yield_now().await;
            self.written.lock().unwrap().push(text.to_owned());
            Ok(())
        }
        .boxed()
    }

    fn create_dir<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, ()> {
        ready(Ok(())).boxed()
    }
}

#[tokio::test]
async fn an_abort_during_a_write_lets_it_finish_and_is_reported() {
    let cancel = CancellationToken::new();
    let disk = Arc::new(AbortingDisk { cancel: cancel.clone(), written: Mutex::default() });
    let mut bench = Workbench::new();
    bench.options.write_operations = Some(disk.clone());
    let call = json!({"path": "f", "content": "whole"});
    let answer = bench.call_with("write", call, cancel, ToolUpdates::ignored()).await;
    assert_eq!(text(&answer), "Operation aborted");
    assert_eq!(*disk.written.lock().unwrap(), ["whole"]);
}
