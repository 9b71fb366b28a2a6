//! Pictures of lists and questions: the first start, models, sessions, settings.

use std::fs;
use std::time::{Duration, SystemTime};

use pi_test_kit::Provider;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::shop::{Shop, compare};

#[tokio::test]
async fn the_first_start() {
    let shop = Shop::empty();
    let mut screen = shop.open("", (80, 34));
    screen.see("no-model").await;
    screen.type_in("explain this project\r").await;
    screen.see("No model yet").await;
    compare(&mut screen, "first-run", "pi — ~/shop").await;
    screen.type_in("\r").await;
    screen.see("With which account?").await;
    compare(&mut screen, "sign-in", "pi — ~/shop").await;
}

#[tokio::test]
async fn models() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("/model\r").await;
    screen.see("oak-coder").await;
    compare(&mut screen, "models", "pi — ~/shop").await;
}

#[tokio::test]
async fn settings() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("/settings\r").await;
    screen.see("Type to search").await;
    compare(&mut screen, "settings", "pi — ~/shop").await;
}

#[tokio::test]
async fn sessions() {
    const HOUR: u64 = 3600;
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let stored = [
        (HOUR / 2, None, "fix the failing test", 12),
        (3 * HOUR, Some("tax rates"), "add a function for the tax", 34),
        (26 * HOUR, None, "why is the import so slow?", 6),
        (9 * 24 * HOUR, Some("release 1.2"), "write the changelog for 1.2", 58),
    ];
    for (number, (age, name, text, count)) in stored.into_iter().enumerate() {
        store(&shop, number, age, name, text, count);
    }
    let mut screen = shop.open("-r", (100, 24));
    screen.see("why is the import so slow?").await;
    compare(&mut screen, "sessions", "pi -r — ~/shop").await;
}

/// A session of so many messages, the newest of them so many seconds old.
fn store(shop: &Shop, number: usize, age: u64, name: Option<&str>, text: &str, count: usize) {
    // Half a minute more, so that a slow start changes no figure.
    let then = SystemTime::now() - Duration::from_secs(age + 30);
    let moment = OffsetDateTime::from(then).format(&Rfc3339).unwrap();
    let cwd = shop.dir();
    let id = format!("0199c8a1-0000-7000-8000-{number:012}");
    let mut lines =
        vec![json!({"type": "session", "version": 3, "id": id, "timestamp": moment, "cwd": cwd.display().to_string()})];
    let mut parent = json!(null);
    for index in 0..count {
        let entry_id = format!("{index:08x}");
        let message = match index % 2 {
            0 => json!({"role": "user", "content": if index == 0 { text } else { "go on" },
                "timestamp": OffsetDateTime::from(then).unix_timestamp() * 1000}),
            _ => {
                json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}], "api": "anthropic-messages",
                "provider": "grove", "model": "maple-2", "stopReason": "stop",
                "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
                    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
                "timestamp": OffsetDateTime::from(then).unix_timestamp() * 1000})
            }
        };
        lines.push(
            json!({"type": "message", "id": entry_id, "parentId": parent, "timestamp": moment, "message": message}),
        );
        parent = json!(entry_id);
    }
    if let Some(name) = name {
        lines.push(
            json!({"type": "session_info", "id": "ffffffff", "parentId": parent, "timestamp": moment, "name": name}),
        );
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let dir = shop
        .agent_dir()
        .join("sessions")
        .join(format!("--{}--", cwd.display().to_string().trim_start_matches('/').replace('/', "-")));
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{}_{id}.jsonl", moment.replace([':', '.'], "-")));
    fs::write(&path, text).unwrap();
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(then).unwrap();
}
