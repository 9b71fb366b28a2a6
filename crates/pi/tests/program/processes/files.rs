//! Files that a killed `pi` leaves: removed by the next run.

use std::fs;
use std::path::Path;

use rustix::process::Signal;
use serde_json::json;

use crate::processes::marked::Marked;
use pi_test_kit::{Provider, World, answer, scale, tool_call};

fn temporary(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".pi-")).collect()
}

#[tokio::test]
async fn temporary_files_of_a_killed_write_are_removed_by_the_next_run() {
    let (wanted, mut kills, mut left) = (scale(1, 20), 0, 0);
    let content = "0123456789abcdef".repeat(1 << 17);
    while left < wanted {
        assert!(kills < 200 + 20 * wanted, "no kill came at the right moment");
        let call = tool_call("call_1", "write", &json!({"path": "big.txt", "content": content}));
        let provider = Provider::start([call, answer("ok")]).await;
        let marked = Marked::new(World::with(&provider));
        let cwd = marked.world.cwd();
        marked.world.write("big.txt", "old");
        // Nobody's business: not on a list.
        marked.world.write(".pi-foreig.tmp", "foreign");
        let mut pi = marked.pi(&["-p", "go"]).start();
        pi.close_stdin();
        let is_written = || fs::metadata(cwd.join("big.txt")).unwrap().len() > 3;
        marked.until("it writes", || temporary(&cwd).len() > 1 || is_written()).await;
        pi.signal(Signal::KILL);
        pi.finish_unread().await;
        kills += 1;
        let was_left = temporary(&cwd).len() - 1;
        left += was_left;
        let provider = Provider::start([answer("hello")]).await;
        marked.world.write_config(
            "models.json",
            &json!({"providers": {"mock": {"baseUrl": provider.url(), "api": "anthropic-messages", "apiKey": "k",
                "models": [{"id": "m1"}]}}}),
        );
        assert_eq!(marked.pi(&["-p", "hi"]).run().await.success(), "hello\n");
        assert_eq!(temporary(&cwd), [".pi-foreig.tmp"]);
        assert_eq!(fs::read_dir(marked.world.agent_dir().join("unfinished")).unwrap().count(), 0);
    }
    println!("kills during a write: {kills}, temporary files left: {left}, after the next run: none");
}
