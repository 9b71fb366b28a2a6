//! The examples of this crate run.

#[allow(dead_code, reason = "its main is not used")]
#[path = "../../examples/embed.rs"]
mod embed;

#[tokio::test(flavor = "multi_thread")]
async fn embed_runs_a_tool_in_typescript() {
    assert_eq!(embed::run().await.unwrap(), "HELLO!");
}
