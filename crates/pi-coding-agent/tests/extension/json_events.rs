//! Events as hosts of extensions in other languages are told: what each looks like, and in which order they come.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::{Model, ThinkingLevel};
use pi_coding_agent::agent_session::{ExtensionBindings, ForkPosition, NavigateOptions, PromptOptions};
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::events::{EVENTS, EventInfo, NAMES};
use pi_coding_agent::extension::json::{
    JsonEvent, JsonHandler, JsonReply, JsonTrustHandler, subscribe, subscribe_trust, views,
};
use pi_coding_agent::extension::{ExtensionApi, LoadOptions, Mode, NoUi, ask_trust};
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Value, json};

use crate::loopback::{Provider, answer, tool_call};
use crate::support::{Stage, calls, echo, extension, says, stage, stage_with};

/// Every event as it was told, and the names of those with a signal.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<(JsonEvent, Value)>>>);

impl Told {
    fn handler(&self) -> Arc<JsonHandler> {
        let told = self.clone();
        Arc::new(move |event, _| {
            let value = serde_json::from_str(&event.json().unwrap()).unwrap();
            told.0.lock().unwrap().push((event, value));
            async { Ok(JsonReply::default()) }.boxed()
        })
    }

    fn listen(&self, pi: &ExtensionApi, names: &[&str]) {
        for name in names {
            assert!(subscribe(pi, name, self.handler()).is_some(), "{name}");
        }
    }

    fn all(&self) -> Vec<Value> {
        self.0.lock().unwrap().iter().map(|(_, value)| value.clone()).collect()
    }

    fn with_signal(&self) -> Vec<&'static str> {
        let told = self.0.lock().unwrap();
        told.iter().filter(|(event, _)| event.cancel.is_some()).map(|(event, _)| event.name).collect()
    }
}

/// Replaces what differs from run to run.
struct Tame {
    dir: String,
    ids: HashMap<String, usize>,
}

impl Tame {
    fn new(dir: &Path) -> Self {
        Self { dir: dir.canonicalize().unwrap().display().to_string(), ids: HashMap::new() }
    }

    fn value(&mut self, key: &str, value: &Value) -> Value {
        match value {
            Value::Object(_) if key == "usage" => "<usage>".into(),
            Value::Number(_) if key == "timestamp" => "<ms>".into(),
            Value::String(_) if key == "timestamp" => "<time>".into(),
            Value::String(text) => self.text(key, text).into(),
            Value::Array(items) => items.iter().map(|item| self.value(key, item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (key.clone(), self.value(key, value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    fn text(&mut self, key: &str, text: &str) -> String {
        if text.ends_with(".jsonl") {
            return "<session file>".to_owned();
        }
        if key == "date" {
            return "<date>".to_owned();
        }
        if key == "baseUrl" {
            return "<url>".to_owned();
        }
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let next = self.ids.len() + 1;
            return format!("<id {}>", self.ids.entry(text.to_owned()).or_insert(next));
        }
        let text = text.replace(&self.dir, "<dir>");
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

/// A session whose model is on a loopback socket, with a context that is soon too long.
async fn talking_to(provider: &Provider, told: &Told, names: &'static [&'static str]) -> Stage {
    let told = told.clone();
    let extension = extension("ext", move |pi| {
        pi.register_tool(echo(false));
        told.listen(pi, names);
    });
    let model = Model {
        api: "anthropic-messages".into(),
        provider: "faux".into(),
        base_url: provider.url(),
        ..pi_ai::scripted::model("m1")
    };
    let settings = json!({"retry": {"enabled": false}, "compaction": {"keepRecentTokens": 1}});
    let settings = SettingsManager::in_memory(settings.as_object().unwrap().clone(), Env::fixed([("", ""); 0]));
    let change = |options| CreateAgentSessionOptions {
        model: Some(model.into()),
        settings: Some(Arc::new(settings)),
        ..options
    };
    let stage = stage_with(&[extension], LoadOptions::default(), change).await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Rpc)).await;
    stage
}

/// Everything that can happen to a session: a run with a call, another branch, a compaction, other models, other sessions.
async fn live(stage: &Stage) {
    let session = &stage.session;
    let image = pi_ai::ContentBlock::image("aGk=", "image/png");
    session.prompt("go", PromptOptions { images: vec![image], ..PromptOptions::default() }).await.unwrap();
    let first = session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    let options = NavigateOptions { summarize: true, label: Some("back".to_owned()), ..NavigateOptions::default() };
    session.tree().navigate(&first, options).await.unwrap();
    stage.prompt("again").await;
    session.compaction().run(Some("be brief")).await.unwrap();
    let two = session.models().registry().available().into_iter().find(|model| model.id == "two").unwrap();
    session.models().set(two).await.unwrap();
    session.thinking().set(ThinkingLevel::High).await;
    stage.session.extensions().wait_for_background().await;
    let leaf = session.store().read(|manager| manager.leaf_id().unwrap().to_owned());
    session.tree().fork(&leaf, ForkPosition::At).await.unwrap();
    session.switch().to_new(None).await.unwrap();
    session.dispose().await;
}

fn replies() -> Vec<crate::loopback::Reply> {
    let call = tool_call("toolu_1", "echo", &json!({"word": "hi"}));
    let mut replies = vec![call, answer("done"), answer("what happened there"), answer("well"), answer("in short")];
    replies.push(answer("the beginning of the turn"));
    replies
}

#[tokio::test]
async fn every_event_has_its_json_form() {
    let (provider, told) = (Provider::start(replies()).await, Told::default());
    let stage = talking_to(&provider, &told, NAMES).await;
    live(&stage).await;
    assert_eq!(stage.errors.take(), [""; 0]);
    let mut tame = Tame::new(stage.dir.path());
    let mut first: BTreeMap<String, Value> = BTreeMap::new();
    for event in told.all() {
        let kind = event["type"].as_str().unwrap().to_owned();
        let part = event["assistantMessageEvent"]["type"].as_str().or(event["message"]["role"].as_str());
        let key = part.map_or_else(|| kind.clone(), |part| format!("{kind} {part}"));
        let mut event = tame.value("", &event);
        if kind == "message_update" {
            // What a growing answer looks like at a moment depends on how far the socket was read.
            for place in ["/message", "/assistantMessageEvent/partial"] {
                let grown = event.pointer_mut(place).unwrap();
                *grown = grown.as_object().unwrap().keys().cloned().collect();
            }
        }
        first.entry(key).or_insert(event);
    }
    let missing: Vec<_> = NAMES.iter().filter(|name| !first.keys().any(|key| key.starts_with(**name))).collect();
    assert_eq!(missing, [&"session_compact_failed", &"user_bash"], "nothing fails, and only a terminal asks");
    insta::assert_json_snapshot!(first);
    assert_eq!(told.with_signal(), ["session_before_tree", "session_before_compact"]);
}

#[tokio::test]
async fn events_come_in_their_order() {
    let (provider, told) = (Provider::start(replies()).await, Told::default());
    let stage = talking_to(&provider, &told, NAMES).await;
    stage.prompt("go").await;
    stage.session.dispose().await;
    let mut names: Vec<String> = told.all().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect();
    names.dedup();
    insta::assert_snapshot!(names.join("\n"));
}

#[tokio::test]
async fn an_unknown_name_is_refused_and_nothing_happens() {
    let told = Told::default();
    let own = told.clone();
    let stage = stage(&[extension("ext", move |pi| {
        for name in ["", "session_switch", "tool_calls", "project_trust", "Input"] {
            assert!(subscribe(pi, name, own.handler()).is_none(), "{name}");
        }
    })])
    .await;
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(told.all().len(), 0);
}

#[test]
fn what_a_handler_may_change_in_place_is_known() {
    let mutable: Vec<_> = EVENTS.iter().filter(|event| !event.mutable.is_empty()).map(|event| event.name).collect();
    assert_eq!(
        mutable,
        ["context", "before_provider_headers", "before_provider_request", "message_end", "tool_call", "tool_result"]
    );
    assert_eq!(EventInfo::of("tool_call").unwrap().mutable, ["input"]);
    assert_eq!(EventInfo::of("nothing"), None);
}

#[tokio::test]
async fn trust_has_its_own_handlers() {
    let handler = |answer: Value| -> Arc<JsonTrustHandler> {
        Arc::new(move |event, context| {
            assert_eq!(event.json().unwrap(), r#"{"type":"project_trust","cwd":"/project"}"#);
            assert_eq!(context.cwd, Path::new("/project"));
            let reply =
                JsonReply { result: Some(answer.clone()).filter(|answer| !answer.is_null()), ..JsonReply::default() };
            async { Ok(reply) }.boxed()
        })
    };
    let mut said = String::new();
    for answer in [
        json!({"trusted": "yes", "remember": true}),
        json!({"trusted": "no"}),
        json!({"trusted": "undecided"}),
        json!(null),
        json!({"trusted": true}),
    ] {
        let own = answer.clone();
        let extension = extension("ext", move |pi| {
            subscribe_trust(pi, handler(own.clone()));
        });
        let loaded = pi_coding_agent::extension::load_extensions(&[extension], LoadOptions::default()).await;
        let reply = ask_trust(&loaded.runner, Path::new("/project"), Mode::Print, Arc::new(NoUi)).await;
        said.push_str(&format!("{answer}: {:?} {:?}\n", reply.decision, reply.warnings));
    }
    insta::assert_snapshot!(said);
}

#[tokio::test]
async fn who_listens_late_sees_the_same_message() {
    let (early, late) = (Told::default(), Told::default());
    let (own, other) = (early.clone(), late.clone());
    let stage = stage(&[extension("ext", move |pi| {
        pi.register_tool(echo(false));
        own.listen(pi, &["message_update"]);
        let (late, api) = (other.clone(), pi.clone());
        let begun = std::sync::atomic::AtomicBool::new(false);
        let begins: Arc<JsonHandler> = Arc::new(move |_, _| {
            if !begun.swap(true, std::sync::atomic::Ordering::Relaxed) {
                late.listen(&api, &["message_update"]);
            }
            async { Ok(JsonReply::default()) }.boxed()
        });
        assert!(subscribe(pi, "message_update", begins).is_some());
    })])
    .await;
    stage.script([calls(&["a \"quoted\" word", "b"]), says("done and said")]);
    stage.prompt("go").await;
    assert_eq!(stage.errors.take(), [""; 0]);
    let (early, late) = (early.all(), late.all());
    assert!(late.len() < early.len() && late.len() > 2, "{} {}", early.len(), late.len());
    let kind = |event: &Value| event["assistantMessageEvent"]["type"].as_str().unwrap().to_owned();
    let ends = |events: &[Value]| -> Vec<Value> {
        events.iter().filter(|event| kind(event).ends_with("_end")).cloned().collect()
    };
    let (early_ends, late_ends) = (ends(&early), ends(&late));
    // The handle of a moment may be ahead of its event; what is complete is the same for both.
    for (early, late) in early_ends.iter().rev().zip(late_ends.iter().rev()) {
        assert_eq!(early["assistantMessageEvent"]["content"], late["assistantMessageEvent"]["content"]);
        assert_eq!(early["assistantMessageEvent"]["toolCall"], late["assistantMessageEvent"]["toolCall"]);
    }
    assert_eq!(early.last(), late.last());
    for event in &late {
        assert_eq!(event["message"], event["assistantMessageEvent"]["partial"]);
        assert_eq!(event["message"]["role"], "assistant");
        let fields: Vec<&String> = event.as_object().unwrap().keys().collect();
        assert_eq!(fields, early[0].as_object().unwrap().keys().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_session_has_views() {
    let (provider, told) = (Provider::start(replies()).await, Told::default());
    let stage = talking_to(&provider, &told, &[]).await;
    let skill = stage.dir.path().join("agent/skills/sum");
    std::fs::create_dir_all(&skill).unwrap();
    std::fs::write(skill.join("SKILL.md"), "---\nname: sum\ndescription: Adds up\n---\nAdd.").unwrap();
    std::fs::write(stage.dir.path().join("AGENTS.md"), "Be kind.").unwrap();
    stage.session.reload().await.unwrap();
    stage.prompt("go").await;
    let first = stage.session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    let options = NavigateOptions { summarize: true, label: Some("back".to_owned()), ..NavigateOptions::default() };
    stage.session.tree().navigate(&first, options).await.unwrap();
    let read = |text: String| -> Value { serde_json::from_str(&text).unwrap() };
    let (tree, entries, branch) = stage.session.store().read(|manager| {
        let all: Vec<_> = manager.entries().iter().map(Result::unwrap).collect();
        let branch = manager.entries().current_branch().unwrap();
        (
            read(views::tree_json(manager).unwrap()),
            read(views::entries_json(&all).unwrap()),
            read(views::entries_json(&branch).unwrap()),
        )
    });
    let listed = entries.as_array().unwrap();
    let nodes = tree.as_array().unwrap();
    assert_eq!(nodes.len(), listed.len());
    for (number, node) in nodes.iter().enumerate() {
        assert!(listed.contains(&node["entry"]), "{node}");
        match node.get("parent").and_then(Value::as_u64) {
            Some(parent) => {
                assert!(parent < number as u64);
                assert_eq!(nodes[parent as usize]["entry"]["id"], node["entry"]["parentId"]);
            }
            None => assert_eq!(node["entry"]["parentId"], Value::Null),
        }
    }
    let mut tame = Tame::new(stage.dir.path());
    let outline = |node: &Value| {
        json!([node["entry"]["type"], node["parent"], node["label"], node["labelTimestamp"].is_string()])
    };
    let context = stage.session.stats().context_usage();
    let seen = json!({
        "tree": nodes.iter().map(outline).collect::<Vec<_>>(),
        "branch": tame.value("", &branch),
        "systemPromptOptions": tame.value("", &read(views::system_prompt_options_json(&stage.session.extensions().system_prompt_options()).unwrap())),
        "model": tame.value("", &serde_json::to_value(stage.session.model()).unwrap()),
        "contextUsage": context.is_some(),
        "tool": tame.value("", &serde_json::to_value(stage.session.tools().all().pop()).unwrap()),
    });
    insta::assert_json_snapshot!(seen);
}
