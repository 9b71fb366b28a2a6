//! Refreshing from sources on the loopback interface: filters, mappings, and sources that fail.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::json;

use super::*;
use crate::models::rows::{Cost, Facts, Key, Price};
use crate::models::snapshot::file_of;

/// Answers each path with a response; an unknown one with 404, an empty one never. Lives as long as the test process.
fn serve(answers: Vec<(&'static str, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap();
            let path = String::from_utf8_lossy(&head[..length]).split(' ').nth(1).unwrap_or_default().to_owned();
            match answers.iter().find(|(name, _)| *name == path) {
                Some((_, answer)) if answer.is_empty() => silent.push(stream),
                Some((_, answer)) => stream.write_all(answer.as_bytes()).unwrap(),
                None => stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").unwrap(),
            }
        }
    });
    format!("http://{address}")
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn row(provider: &str, id: &str) -> SourceRow {
    let cost = Cost { input: Price(1.0), output: Price(1.0), cache_read: Price(0.0), cache_write: Price(0.0) };
    let input = vec!["text".to_owned()];
    let facts = Facts { name: "Old".into(), reasoning: false, input, cost, context_window: 1, max_tokens: 1 };
    SourceRow { key: Key::new(provider, id), facts, npm: None }
}

/// A snapshot that knows a few models of each source.
fn old() -> Snapshot {
    let models_dev = ["a", "b", "c"].map(|id| row("groq", id)).into_iter().chain([row("xai", "grok")]);
    let sources = BTreeMap::from([
        (Source::ModelsDev, models_dev.collect()),
        (Source::OpenRouter, vec![row("openrouter", "a")]),
        (Source::VercelGateway, vec![row("vercel-ai-gateway", "a")]),
    ]);
    Snapshot { published: Vec::new(), wire: Vec::new(), sources }
}

/// Refreshes, and returns what was kept and the files.
fn refreshed(base: &str, snapshot: &mut Snapshot) -> (Vec<String>, BTreeMap<Source, String>) {
    let folder = tempfile::tempdir().unwrap();
    let addresses = Addresses {
        models_dev: format!("{base}/models.dev"),
        openrouter: format!("{base}/openrouter"),
        vercel: format!("{base}/vercel"),
        timeout: Duration::from_secs(2),
    };
    let kept = refresh(folder.path(), snapshot, &addresses).unwrap();
    let kept = kept.into_iter().map(|line| line.replace(base, "BASE")).collect();
    let text = |source| std::fs::read_to_string(folder.path().join(file_of(source))).unwrap_or_default();
    (kept, Source::ALL.into_iter().map(|source| (source, text(source))).collect())
}

fn models_dev() -> Value {
    let model = |name: &str| {
        json!({"name": name, "tool_call": true, "reasoning": true, "modalities": {"input": ["text", "image", "pdf"]},
            "cost": {"input": 3, "output": 15, "cache_read": 0.3}, "limit": {"context": 200000, "output": 64000}})
    };
    let changed = |changes: Value| {
        let mut model = model("M");
        model.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        model
    };
    json!({
        "groq": {"models": {"full": model(" Full\tName "), "b": changed(json!({"limit": {}, "cost": null, "name": ""})),
            "toolless": changed(json!({"tool_call": false})), "plain": changed(json!({"modalities": {}}))}},
        "amazon-bedrock": {"models": {"ai21.jamba-1": model("J"), "eu.anthropic.claude": model("C")}},
        "github-copilot": {"models": {"gpt-4.1": changed(json!({"limit": {}})), "old": changed(json!({"status": "deprecated"}))}},
        "opencode": {"models": {"x": changed(json!({"provider": {"npm": "@ai-sdk/openai"}}))}},
        "cloudflare-ai-gateway": {"models": {"anthropic/claude-x": model("A"), "workers-ai/@cf/y": model("W"), "other/z": model("Z")}},
        "kimi-for-coding": {"models": {"k2": model("K")}},
        "unknown-provider": {"models": {"q": model("Q")}},
    })
}

#[test]
fn each_source_is_filtered_and_mapped() {
    let openrouter = json!({"data": [
        {"id": "v/m", "name": "V: M", "supported_parameters": ["tools", "reasoning"], "context_length": 1000,
         "architecture": {"modality": "text+image->text"}, "top_provider": {"max_completion_tokens": 50},
         "pricing": {"prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003", "input_cache_write": "0.00000375"}},
        {"id": "painter", "supported_parameters": ["tools"], "architecture": {"modality": "text->text+image"},
         "top_provider": {"max_completion_tokens": null}, "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "toolless", "supported_parameters": ["reasoning"]},
    ]});
    let vercel = json!({"data": [
        {"id": "c/m", "name": "M", "tags": ["tool-use", "vision", "reasoning"], "context_window": 9, "max_tokens": 8,
         "pricing": {"input": "0.000001", "output": "0.0000025", "input_cache_read": "0.0000001"}},
        {"id": "image-maker", "tags": ["image-generation"]},
    ]});
    let base = serve(vec![
        ("/models.dev", ok(&models_dev().to_string())),
        ("/openrouter", ok(&openrouter.to_string())),
        ("/vercel", ok(&vercel.to_string())),
    ]);
    let (kept, files) = refreshed(&base, &mut old());
    assert_eq!(kept, ["models.dev: xai is gone, its 1 old models are kept"]);
    assert_eq!(files.into_values().collect::<Vec<_>>().join("\n"), MAPPED.trim_start());
}

const MAPPED: &str = r#"
{"provider":"amazon-bedrock","id":"eu.anthropic.claude","name":"C","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"cloudflare-ai-gateway","id":"claude-x","name":"A","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"cloudflare-ai-gateway","id":"workers-ai/@cf/y","name":"W","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"github-copilot","id":"gpt-4.1","name":"M","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":128000,"maxTokens":8192}
{"provider":"groq","id":"b","name":"b","reasoning":true,"input":["text","image"],"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"contextWindow":4096,"maxTokens":4096}
{"provider":"groq","id":"full","name":"Full Name","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"groq","id":"plain","name":"M","reasoning":true,"input":["text"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"kimi-coding","id":"k2","name":"K","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000}
{"provider":"opencode","id":"x","name":"M","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0},"contextWindow":200000,"maxTokens":64000,"npm":"@ai-sdk/openai"}
{"provider":"xai","id":"grok","name":"Old","reasoning":false,"input":["text"],"cost":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0},"contextWindow":1,"maxTokens":1}

{"provider":"openrouter","id":"painter","name":"painter","reasoning":false,"input":["text"],"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"contextWindow":4096,"maxTokens":4096}
{"provider":"openrouter","id":"v/m","name":"V: M","reasoning":true,"input":["text","image"],"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75},"contextWindow":1000,"maxTokens":50}

{"provider":"vercel-ai-gateway","id":"c/m","name":"M","reasoning":true,"input":["text","image"],"cost":{"input":1,"output":2.5,"cacheRead":0.1,"cacheWrite":0},"contextWindow":9,"maxTokens":8}
"#;

#[test]
fn a_source_that_fails_keeps_its_data_and_the_others_go_on() {
    let good = ok(r#"{"data": [{"id": "new", "tags": ["tool-use"]}]}"#);
    for (answer, expected) in [
        ("HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n".to_owned(), "BASE/models.dev answered 503"),
        (ok("<html>maintenance</html>"), "BASE/models.dev did not answer with JSON"),
        (ok("[]"), "the answer is no object of providers"),
        (ok("{}"), "it lists no models"),
        (ok(r#"{"groq": {"models": {"a": {"tool_call": true}}}}"#), "it lists 1 models, it used to list 4"),
        ("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 99\r\n\r\n{".to_owned(), "BASE/models.dev broke off"),
        (String::new(), "cannot reach BASE/models.dev"),
    ] {
        let base = serve(vec![("/models.dev", answer), ("/vercel", good.clone())]);
        let mut snapshot = old();
        let (kept, files) = refreshed(&base, &mut snapshot);
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert!(kept[0].starts_with("models.dev: its old data is kept: ") && kept[0].contains(expected), "{kept:?}");
        assert!(kept[1].starts_with("OpenRouter: its old data is kept: BASE/openrouter answered 404"), "{kept:?}");
        assert_eq!(files[&Source::ModelsDev], "", "nothing is written");
        assert!(files[&Source::VercelGateway].contains(r#""id":"new""#), "{files:?}");
        assert_eq!(snapshot.sources[&Source::ModelsDev], old().sources[&Source::ModelsDev]);
        assert_eq!(snapshot.sources[&Source::VercelGateway].len(), 1);
    }
}
