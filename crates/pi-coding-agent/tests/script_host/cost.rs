//! What scripts cost those who have none.

use serde_json::json;

use crate::stage::{Stage, ask};

/// Names of the threads of a process.
fn threads(id: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let name = |task: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(task.unwrap().path().join("comm"));
    tasks.filter_map(|task| name(task).ok()).map(|name| name.trim().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn there_is_a_thread_for_each_script_and_none_without() {
    let script = "export default () => {}";
    for scripts in [&[][..], &[("one.ts", script)], &[("one.ts", script), ("two.ts", script)]] {
        let stage = Stage::new(scripts, []).await;
        let mut pi = stage.serve();
        ask(&mut pi, json!({"type": "get_state"})).await;
        let mut engines: Vec<String> = threads(pi.id()).into_iter().filter(|name| name.starts_with("js ")).collect();
        engines.sort();
        let expected: Vec<String> = scripts.iter().map(|(name, _)| format!("js {name}")).collect();
        assert_eq!(engines, expected);
        assert_eq!(pi.end().await.0, 0);
    }
}
