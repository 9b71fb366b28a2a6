//! The lines that extensions make the client read, and what becomes of its replies.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind, WidgetPlacement};
use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::rpc::{Output, RpcUi, UiReply};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use crate::extensions::served::Sink;

fn client() -> (Arc<RpcUi>, UnboundedReceiver<Value>) {
    let (sink, lines) = Sink::new();
    let (output, _thread) = Output::start(sink).unwrap();
    (Arc::new(RpcUi::new(output, SequentialIds::shared())), lines)
}

fn within(milliseconds: u64) -> DialogOptions {
    DialogOptions { timeout: Some(Duration::from_millis(milliseconds)), cancel: None }
}

fn reply(value: Value) -> UiReply {
    serde_json::from_value(value).unwrap()
}

/// Asks one of each kind; the answer in words.
fn ask(ui: Arc<RpcUi>, method: &'static str, dialog: DialogOptions) -> BoxFuture<'static, String> {
    let options = ["one".to_owned(), "two".to_owned()];
    async move {
        match method {
            "select" => format!("{:?}", ui.select("Which?", &options, dialog).await),
            "confirm" => format!("{:?}", ui.confirm("Sure?", "It is final.", dialog).await),
            "input" => format!("{:?}", ui.input("Name?", Some("Ada"), dialog).await),
            _ => format!("{:?}", ui.editor("Text", Some("a\nb")).await),
        }
    }
    .boxed()
}

#[tokio::test]
async fn every_method_has_its_line() {
    let (ui, mut lines) = client();
    let (one, widget) = (["one".to_owned()], ["a".to_owned(), "\u{2028}b\n".to_owned()]);
    let dialogs = async {
        ui.select("Which?", &one, within(1500)).await;
        ui.select("Which?", &[], DialogOptions::default()).await;
        ui.confirm("Sure?", "It is final.", within(1)).await;
        ui.confirm("Sure?", "", DialogOptions::default()).await;
        ui.input("Name?", Some("Ada"), within(60_000)).await;
        ui.input("Name?", None, DialogOptions::default()).await;
        ui.editor("Text", Some("so far")).await;
        ui.editor("Text", None).await;
    };
    let mut seen = Vec::new();
    let client = async {
        for _ in 0..8 {
            let line = lines.recv().await.unwrap();
            ui.reply(line["id"].as_str().unwrap(), UiReply::default());
            seen.push(line.to_string());
        }
    };
    tokio::join!(dialogs, client);
    ui.notify("Hello", None).await;
    for kind in [NotifyKind::Info, NotifyKind::Warning, NotifyKind::Error] {
        ui.notify("Hello", Some(kind)).await;
    }
    ui.set_status("key", Some("busy")).await;
    ui.set_status("key", None).await;
    ui.set_widget("key", Some(&widget), Some(WidgetPlacement::AboveEditor)).await;
    ui.set_widget("key", Some(&widget), Some(WidgetPlacement::BelowEditor)).await;
    ui.set_widget("key", None, None).await;
    ui.set_title("Title").await;
    ui.set_editor_text("text").await;
    for _ in 0..11 {
        seen.push(lines.recv().await.unwrap().to_string());
    }
    insta::assert_snapshot!(seen.join("\n"));
}

#[tokio::test]
async fn replies_are_taken_as_they_fit() {
    let cases = [
        ("select", json!({"value": "two"}), "Some(\"two\")"),
        ("select", json!({"value": "none of them"}), "Some(\"none of them\")"),
        ("select", json!({"cancelled": true}), "None"),
        ("select", json!({"cancelled": true, "value": "two"}), "None"),
        ("select", json!({"cancelled": false, "value": "two"}), "Some(\"two\")"),
        ("select", json!({}), "None"),
        ("select", json!({"value": 2, "colour": "blue"}), "None"),
        ("confirm", json!({"confirmed": true}), "true"),
        ("confirm", json!({"confirmed": false}), "false"),
        ("confirm", json!({"confirmed": "yes"}), "false"),
        ("confirm", json!({"cancelled": true}), "false"),
        ("confirm", json!({"value": "yes"}), "false"),
        ("input", json!({"value": ""}), "Some(\"\")"),
        ("input", json!({"cancelled": true}), "None"),
        ("editor", json!({"value": "a\nb\nc"}), "Some(\"a\\nb\\nc\")"),
        ("editor", json!({"confirmed": true}), "None"),
    ];
    for (method, answer, expected) in cases {
        let (ui, mut lines) = client();
        let client = async {
            let request = lines.recv().await.unwrap();
            assert_eq!(request["method"], method);
            ui.reply(request["id"].as_str().unwrap(), reply(answer.clone()));
        };
        let (got, ()) = tokio::join!(ask(Arc::clone(&ui), method, DialogOptions::default()), client);
        assert_eq!(got, expected, "{method} {answer}");
    }
}

#[tokio::test]
async fn a_reply_counts_once_and_only_for_its_own_question() {
    let (ui, mut lines) = client();
    let both = async {
        let ask = || ask(Arc::clone(&ui), "input", DialogOptions::default());
        tokio::join!(ask(), ask())
    };
    let client = async {
        let (first, second) = (lines.recv().await.unwrap(), lines.recv().await.unwrap());
        let say =
            |request: &Value, text: &str| ui.reply(request["id"].as_str().unwrap(), reply(json!({"value": text})));
        ui.reply("nobody", reply(json!({"value": "lost"})));
        say(&second, "for the second");
        say(&second, "too late");
        say(&first, "for the first");
    };
    let (answers, ()) = tokio::join!(both, client);
    assert_eq!(answers, ("Some(\"for the first\")".to_owned(), "Some(\"for the second\")".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_dialog_ends_with_its_time_and_late_replies_are_lost() {
    let (ui, mut lines) = client();
    for (method, none) in [("select", "None"), ("confirm", "false"), ("input", "None")] {
        assert_eq!(ask(Arc::clone(&ui), method, within(500)).await, none);
        let request = lines.recv().await.unwrap();
        assert_eq!(request["timeout"], 500);
        ui.reply(request["id"].as_str().unwrap(), reply(json!({"value": "late", "confirmed": true})));
    }
    assert_eq!(format!("{ui:?}"), "RpcUi { pending: 0, .. }");
}

#[tokio::test]
async fn a_dialog_can_be_called_off() {
    let (ui, mut lines) = client();
    let cancel = CancellationToken::new();
    let dialog = || DialogOptions { timeout: None, cancel: Some(cancel.clone()) };
    for (method, none) in [("select", "None"), ("confirm", "false"), ("input", "None")] {
        let cancel = CancellationToken::new();
        let dialog = DialogOptions { timeout: None, cancel: Some(cancel.clone()) };
        let client = async {
            lines.recv().await.unwrap();
            cancel.cancel();
        };
        let (answer, ()) = tokio::join!(ask(Arc::clone(&ui), method, dialog), client);
        assert_eq!(answer, none);
    }
    cancel.cancel();
    // The client is not asked at all.
    assert_eq!(ask(Arc::clone(&ui), "select", dialog()).await, "None");
    ui.set_title("next").await;
    assert_eq!(lines.recv().await.unwrap()["method"], "setTitle");
}

#[tokio::test]
async fn a_client_that_hangs_up_has_cancelled_everything() {
    let (ui, mut lines) = client();
    for method in ["select", "editor"] {
        let (ui, mut lines) = client();
        let hang_up = async {
            lines.recv().await.unwrap();
            ui.close();
        };
        let (answer, ()) = tokio::join!(ask(Arc::clone(&ui), method, DialogOptions::default()), hang_up);
        assert_eq!(answer, "None");
    }
    ui.close();
    assert_eq!(ask(Arc::clone(&ui), "confirm", DialogOptions::default()).await, "false");
    // It may still be told something.
    ui.notify("good-bye", None).await;
    assert_eq!(lines.recv().await.unwrap()["message"], "good-bye");
}
