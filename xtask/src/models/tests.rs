//! Merging, and the committed files: what wins, who stays, what a stale catalogue looks like.

use std::path::Path;

use super::overrides::Override;
use super::provider_table::Source;
use super::rows::{Entry, Key, SourceRow, WireRow};
use super::snapshot::file_of;
use super::*;

fn row(provider: &str, id: &str, input: f64) -> String {
    format!(
        r#"{{"provider":"{provider}","id":"{id}","name":"New {id}","reasoning":true,"input":["text"],"cost":{{"input":{input},"output":2,"cacheRead":0,"cacheWrite":0}},"contextWindow":1000,"maxTokens":100}}"#
    )
}

fn published_row(provider: &str, id: &str, wire: &str) -> String {
    row(provider, id, 1.0).replace("New", "Old").replace("100}", &format!("100,{wire}}}"))
}

const COMPLETIONS: &str =
    r#""api":"openai-completions","baseUrl":"https://old.example","compat":{"supportsStore":false}"#;

/// A checkout with just the files that this command reads.
fn checkout(
    published: &[String],
    wire: &[String],
    models_dev: &[String],
    overrides: &str,
) -> (tempfile::TempDir, Places) {
    let dir = tempfile::tempdir().unwrap();
    let places = Places::below(dir.path());
    std::fs::create_dir_all(&places.snapshot).unwrap();
    let write = |name: &str, lines: &[String]| {
        std::fs::write(places.snapshot.join(name), lines.iter().map(|line| format!("{line}\n")).collect::<String>())
            .unwrap();
    };
    write("published.jsonl", published);
    write("wire.jsonl", wire);
    write(file_of(Source::ModelsDev), models_dev);
    write(file_of(Source::OpenRouter), &[row("openrouter", "auto", 0.0)]);
    write(file_of(Source::VercelGateway), &[row("vercel-ai-gateway", "x/y", 1.0)]);
    std::fs::write(&places.overrides, overrides).unwrap();
    (dir, places)
}

fn built(places: &Places) -> Vec<String> {
    let snapshot = Snapshot::read(&places.snapshot).unwrap();
    let built = build::build(&snapshot, &overrides::read(&places.overrides).unwrap()).unwrap();
    build::verify(&built.entries).unwrap();
    built.entries.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect()
}

#[test]
fn newer_facts_win_and_ways_of_speaking_stay() {
    let (_dir, places) = checkout(
        &[published_row("groq", "both", COMPLETIONS), published_row("groq", "gone", COMPLETIONS)],
        &[r#"{"provider":"groq","id":"newer","api":"openai-responses","baseUrl":"https://new.example"}"#.to_owned()],
        &[
            row("groq", "both", 3.5),
            row("groq", "newer", 4.0),
            row("groq", "unknown", 5.0),
            row("openai", "gpt-7", 6.0),
        ],
        concat!(
            "// comment\n",
            r#"{"because":"b","provider":"openai","ids":["gpt-7"],"set":{"contextWindow":5,"cost":{"cacheRead":0.5}}}"#,
            "\n",
            r#"{"because":"b","provider":"vercel-ai-gateway","ids":["x/y"],"remove":true}"#,
            "\n",
            r#"{"because":"b","provider":"openai-codex","ids":["gpt-7"],"add":{"name":"Added","reasoning":true,"input":["text"],"cost":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0},"contextWindow":9,"maxTokens":9}}"#,
        ),
    );
    assert_eq!(built(&places).join("\n"), BUILT.trim());
}

/// In turn: a copy with uncorrected facts; newer facts with old ways; old facts; a row of its own; the provider's rule.
const BUILT: &str = r#"
{"provider":"azure-openai-responses","id":"gpt-7","name":"New gpt-7","reasoning":true,"input":["text"],"cost":{"input":6,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"azure-openai-responses","baseUrl":"","thinkingLevelMap":{"off":null,"xhigh":"xhigh","max":"max"}}
{"provider":"groq","id":"both","name":"New both","reasoning":true,"input":["text"],"cost":{"input":3.5,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"openai-completions","baseUrl":"https://old.example","compat":{"supportsStore":false}}
{"provider":"groq","id":"gone","name":"Old gone","reasoning":true,"input":["text"],"cost":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"openai-completions","baseUrl":"https://old.example","compat":{"supportsStore":false}}
{"provider":"groq","id":"newer","name":"New newer","reasoning":true,"input":["text"],"cost":{"input":4,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"openai-responses","baseUrl":"https://new.example"}
{"provider":"groq","id":"unknown","name":"New unknown","reasoning":true,"input":["text"],"cost":{"input":5,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"openai-completions","baseUrl":"https://api.groq.com/openai/v1"}
{"provider":"openai","id":"gpt-7","name":"New gpt-7","reasoning":true,"input":["text"],"cost":{"input":6,"output":2,"cacheRead":0.5,"cacheWrite":0},"contextWindow":5,"maxTokens":100,"api":"openai-responses","baseUrl":"https://api.openai.com/v1","thinkingLevelMap":{"off":null,"xhigh":"xhigh","max":"max"}}
{"provider":"openai-codex","id":"gpt-7","name":"Added","reasoning":true,"input":["text"],"cost":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0},"contextWindow":9,"maxTokens":9,"api":"openai-codex-responses","baseUrl":"https://chatgpt.com/backend-api","thinkingLevelMap":{"minimal":"low","xhigh":"xhigh","max":"max"}}
{"provider":"openrouter","id":"auto","name":"New auto","reasoning":true,"input":["text"],"cost":{"input":0,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,"api":"openai-completions","baseUrl":"https://openrouter.ai/api/v1"}
"#;

#[test]
fn a_stale_catalogue_is_found_and_mended() {
    let (_dir, places) = checkout(&[], &[], &[row("groq", "a", 1.0)], "");
    let error = check(&places).unwrap_err().to_string();
    assert!(error.contains("run `cargo xtask codegen-models` and commit"), "{error}");
    update(&places, None).unwrap();
    check(&places).unwrap();

    let block = places.output.join("generated/groq.txt");
    let right = std::fs::read_to_string(&block).unwrap();
    assert_eq!(
        right,
        "{\"api\":\"openai-completions\",\"baseUrl\":\"https://api.groq.com/openai/v1\"}\na\tNew a\t0\tr\t1\t2\t0\t0\t1000\t100\n"
    );
    std::fs::write(&block, right.replace("New", "Edited")).unwrap();
    assert!(check(&places).unwrap_err().to_string().contains("groq.txt is not what"));
    update(&places, None).unwrap();
    assert_eq!(std::fs::read_to_string(&block).unwrap(), right);

    // A block that nobody generates any more is stale, too.
    let orphan = places.output.join("generated/orphan.txt");
    std::fs::write(&orphan, "").unwrap();
    assert!(check(&places).unwrap_err().to_string().contains("orphan.txt"));
    update(&places, None).unwrap();
    assert!(!orphan.exists());
    check(&places).unwrap();
}

#[test]
fn mistakes_in_the_snapshot_are_named() {
    for (models_dev, expected) in [
        (vec![row("groq", "a", 1.0), row("groq", "a", 2.0)], "models-dev.jsonl line 2: groq/a is there twice"),
        (vec!["{".to_owned()], "models-dev.jsonl line 1"),
        (vec![row("nobody", "a", 1.0)], "nobody/a: no such provider"),
        (vec![row("groq", "a", -1.0)], "groq/a: Cost"),
    ] {
        let (_dir, places) = checkout(&[], &[], &models_dev, "");
        let error = format!("{:#}", update(&places, None).unwrap_err());
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn sources_that_cannot_be_reached_leave_everything_as_it_was_and_say_so() {
    let (_dir, places) = checkout(&[], &[], &[row("groq", "a", 1.0)], "");
    // Nobody listens there.
    let nowhere = || "http://127.0.0.1:9/".to_owned();
    let timeout = Duration::from_secs(5);
    let addresses = Addresses { models_dev: nowhere(), openrouter: nowhere(), vercel: nowhere(), timeout };
    let before = Snapshot::read(&places.snapshot).unwrap();
    let error = update(&places, Some(&addresses)).unwrap_err().to_string();
    assert!(error.starts_with("codegen-models: 3 problems."), "{error}");
    assert_eq!(Snapshot::read(&places.snapshot).unwrap(), before);
    check(&places).unwrap();
}

fn committed() -> Places {
    Places::below(&root().unwrap())
}

/// The package by which models.dev would say that a model has this wire format.
fn npm(entry: &Entry) -> Option<&'static str> {
    match entry.wire.api.as_str() {
        "openai-responses" => Some("@ai-sdk/openai"),
        "anthropic-messages" => Some("@ai-sdk/anthropic"),
        "google-generative-ai" => Some("@ai-sdk/google"),
        _ => None,
    }
}

/// The tables agree with what is known of published models: address, format and headers exactly, but for models that
/// are known to differ from their siblings.
#[test]
fn the_provider_table_fits_the_published_models() {
    let snapshot = Snapshot::read(&committed().snapshot).unwrap();
    let mut others = Vec::new();
    for entry in &snapshot.published {
        let wire = rules::wire(&entry.key, entry.facts.reasoning, npm(entry)).unwrap();
        assert_eq!(wire.headers, entry.wire.headers, "{}", entry.key);
        // New models of these two are reached at another address than published ones.
        let moved = entry.key.provider.starts_with("opencode");
        if wire.api != entry.wire.api || (wire.base_url != entry.wire.base_url && !moved) {
            others.push(entry.key.to_string());
        }
    }
    assert_eq!(others, ["fireworks/accounts/fireworks/models/glm-5p2", "github-copilot/claude-fable-5",]);
}

#[test]
fn families_are_known_where_it_matters() {
    let snapshot = Snapshot::read(&committed().snapshot).unwrap();
    for entry in snapshot.published.iter().filter(|entry| entry.key.provider == "anthropic") {
        assert_eq!(rules::wire(&entry.key, entry.facts.reasoning, None).unwrap(), entry.wire, "{}", entry.key);
    }
}

#[test]
fn the_committed_files_are_in_order() {
    let places = committed();
    let snapshot = Snapshot::read(&places.snapshot).unwrap();
    assert!(snapshot.published.is_sorted_by_key(|entry: &Entry| entry.key.clone()));
    assert!(snapshot.wire.is_sorted_by_key(|row: &WireRow| row.key.clone()));
    for (source, rows) in &snapshot.sources {
        assert!(rows.is_sorted_by_key(|row: &SourceRow| row.key.clone()), "{}", source.name());
    }
    let overrides: Vec<Override> = overrides::read(&places.overrides).unwrap();
    let built = build::build(&snapshot, &overrides).unwrap();
    build::verify(&built.entries).unwrap();
    let keys: std::collections::BTreeSet<&Key> = built.entries.iter().map(|entry| &entry.key).collect();
    for entry in &snapshot.published {
        assert!(keys.contains(&entry.key), "{} was published and is no longer listed", entry.key);
    }
}

/// Compares the snapshot with the published catalogue that lies beside the checkout.
#[test]
fn all_of_the_published_catalogue_is_in_the_snapshot() {
    let Some(folder) = crate::workspace::shared("catalog").unwrap() else { return };
    let text = std::fs::read_to_string(Path::new(&folder).join("reference.json")).unwrap();
    let models: std::collections::BTreeMap<String, std::collections::BTreeMap<String, Entry>> =
        serde_json::from_str(&text).unwrap();
    let snapshot = Snapshot::read(&committed().snapshot).unwrap();
    let expected: Vec<Entry> = models.into_values().flat_map(std::collections::BTreeMap::into_values).collect();
    assert_eq!(snapshot.published.len(), expected.len());
    for (entry, expected) in snapshot.published.iter().zip(expected) {
        let trimmed = expected.facts.name.trim().to_owned();
        let entry = without_max(entry.clone());
        assert_eq!(entry, Entry { facts: rows::Facts { name: trimmed, ..expected.facts }, ..expected });
    }
}

/// The level came after the catalogue was published.
fn without_max(mut entry: Entry) -> Entry {
    if let Some(map) = &mut entry.wire.thinking_level_map {
        map.shift_remove("max");
    }
    entry.wire.thinking_level_map = entry.wire.thinking_level_map.filter(|map| !map.is_empty());
    entry
}

/// What the rules say about a model that no row describes is right for seven of eight published models; the rest are
/// peculiarities of single models, for which there are rows.
#[test]
fn most_published_models_follow_the_rules() {
    let snapshot = Snapshot::read(&committed().snapshot).unwrap();
    let follows = |entry: &&Entry| {
        let wire = rules::wire(&entry.key, entry.facts.reasoning, npm(entry)).unwrap();
        (wire.compat, wire.thinking_level_map) == (entry.wire.compat.clone(), entry.wire.thinking_level_map.clone())
    };
    let (all, followers) = (snapshot.published.len(), snapshot.published.iter().filter(follows).count());
    assert!(followers * 8 >= all * 7, "{followers} of {all}");
}
