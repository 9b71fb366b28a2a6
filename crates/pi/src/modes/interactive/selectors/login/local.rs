//! Model servers on this machine: looked for when the user asks, and taken into `models.json`.

use std::time::Duration;

use futures::StreamExt;
use pi_ai::transport::{HttpRequest, HttpTransport, ReqwestTransport};
use pi_coding_agent::host::FileKind;
use pi_coding_agent::host::json_file::{read_object, write_object};
use pi_coding_agent::paths::Paths;
use serde_json::{Map, Value, json};

use super::super::super::app::App;
use super::super::super::chat::NoteKind;
use super::super::super::dialogs;
use super::super::super::jobs::flat;
use super::{after_login, no_model};

/// A kind of server and where it listens by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    id: &'static str,
    name: &'static str,
    port: u16,
}

const KINDS: [Kind; 3] = [
    Kind { id: "ollama", name: "Ollama", port: 11434 },
    Kind { id: "llama-cpp", name: "llama.cpp", port: 8080 },
    Kind { id: "lm-studio", name: "LM Studio", port: 1234 },
];

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest list of models that is read.
const LONGEST: usize = 1 << 20;

/// A server that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Server {
    kind: Kind,
    models: Vec<String>,
}

impl Kind {
    fn base_url(self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

/// Looks for servers and offers those that answer.
pub(super) fn look(app: &mut App) {
    app.status("Looking for model servers on this machine…");
    let work = tokio::spawn(async { futures::future::join_all(KINDS.map(ask)).await.into_iter().flatten().collect() });
    app.spawn(work, |app, found: Result<Vec<Server>, _>| {
        let servers = found.unwrap_or_default();
        if servers.is_empty() {
            let places: Vec<String> = KINDS.iter().map(|kind| format!("{} ({})", kind.name, kind.port)).collect();
            app.note(NoteKind::Warning, format!("No model server answers on this machine: {}", places.join(", ")));
            return no_model::open(app);
        }
        let label = |server: &Server| format!("{}: {}", server.kind.name, listed(&server.models));
        let items = servers.iter().map(|server| dialogs::item(label(server))).collect();
        let text = "The chosen one is added to models.json.";
        dialogs::choose(app, "Model servers on this machine", text, items, move |app, index| {
            match index.and_then(|index| servers.into_iter().nth(index)) {
                Some(server) => add(app, server),
                None => no_model::open(app),
            }
        });
    });
}

fn listed(models: &[String]) -> String {
    const LISTED: usize = 3;
    let mut names: Vec<&str> = models.iter().take(LISTED).map(String::as_str).collect();
    if models.len() > LISTED {
        names.push("…");
    }
    names.join(", ")
}

/// Asks for the models of a server; `None` where none answers, or it has none.
async fn ask(kind: Kind) -> Option<Server> {
    // What is on this machine is not behind a proxy.
    let transport = ReqwestTransport::new(&|_| None);
    let request = HttpRequest {
        method: "GET".parse().unwrap_or_default(),
        url: format!("{}/models", kind.base_url()),
        headers: Default::default(),
        body: Default::default(),
    };
    let answer = async {
        let mut response = transport.send(request).await.ok().filter(|response| response.status == 200)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.body.next().await {
            body.extend_from_slice(&chunk.ok()?);
            if body.len() > LONGEST {
                return None;
            }
        }
        let models = model_ids(&serde_json::from_slice(&body).ok()?);
        (!models.is_empty()).then_some(Server { kind, models })
    };
    tokio::time::timeout(PATIENCE, answer).await.ok().flatten()
}

/// The ids in a list of models. Models that only embed are no use here.
fn model_ids(answer: &Value) -> Vec<String> {
    let models = answer.get("data").and_then(Value::as_array).into_iter().flatten();
    let ids = models.filter_map(|model| model.get("id")?.as_str());
    ids.filter(|id| !id.is_empty() && !id.contains("embed")).map(str::to_owned).collect()
}

fn add(app: &mut App, server: Server) {
    let (paths, kind) = (app.paths.clone(), server.kind);
    let work = tokio::task::spawn_blocking(move || write(&paths, &server));
    app.spawn(work, move |app, result| match flat(result) {
        Ok(()) => after_login::has_key(app, kind.id, "its models are in models.json"),
        Err(error) => app.error(error),
    });
}

/// Puts the server into `models.json`; what else is in it stays.
fn write(paths: &Paths, server: &Server) -> Result<(), pi_coding_agent::host::Error> {
    let file = paths.models_file();
    let mut object = read_object(&file, FileKind::Models)?.unwrap_or_default();
    with_server(&mut object, server);
    write_object(&file, &object, FileKind::Models, None)
}

fn with_server(object: &mut Map<String, Value>, server: &Server) {
    let models: Vec<Value> = server.models.iter().map(|id| json!({ "id": id })).collect();
    let provider = json!({
        "name": server.kind.name,
        "baseUrl": server.kind.base_url(),
        "api": "openai-completions",
        "apiKey": "none",
        "models": models,
    });
    let providers = object.entry("providers").or_insert_with(|| json!({}));
    if !providers.is_object() {
        *providers = json!({});
    }
    if let Some(providers) = providers.as_object_mut() {
        providers.insert(server.kind.id.to_owned(), provider);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_added_and_the_rest_stays() {
        let ids = model_ids(&json!({"data": [{"id": "qwen"}, {"id": "nomic-embed-text"}, {"x": 1}]}));
        assert_eq!(ids, ["qwen"]);
        let mut object = json!({"providers": {"own": {"baseUrl": "x"}}, "other": 1}).as_object().cloned().unwrap();
        with_server(&mut object, &Server { kind: KINDS[0], models: ids });
        assert_eq!(object["other"], 1);
        assert_eq!(object["providers"]["own"]["baseUrl"], "x");
        assert_eq!(object["providers"]["ollama"]["models"][0]["id"], "qwen");
        assert_eq!(object["providers"]["ollama"]["baseUrl"], "http://127.0.0.1:11434/v1");
    }
}
