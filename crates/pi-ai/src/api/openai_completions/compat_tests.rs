//! The resolved dialect of every published model, as the catalogue has it, against the table of the specification.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::compat::{Compat, ThinkingFormat};
use crate::catalog::get_model;
use crate::model::Model;

/// Models by provider and dialect.
type Counts = BTreeMap<(String, String), usize>;

fn shared(path: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    let text = std::fs::read_to_string(&path).ok();
    assert!(text.is_some() || std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    text
}

/// The cells of a row: store, developer, effort, limit field, reasoning content, format, tool stream, strict, cache
/// control, affinity, long cache.
fn dialect(model: &Model) -> String {
    let compat = Compat::of(model);
    let yes = |flag: bool| if flag { "Y" } else { "n" };
    let format = match compat.thinking_format {
        ThinkingFormat::OpenAi => "openai",
        ThinkingFormat::OpenRouter => "openrouter",
        ThinkingFormat::DeepSeek => "deepseek",
        ThinkingFormat::Together => "together",
        ThinkingFormat::Zai => "zai",
        ThinkingFormat::Qwen => "qwen",
        ThinkingFormat::AntLing => "ant-ling",
        ThinkingFormat::ChatTemplate | ThinkingFormat::QwenChatTemplate | ThinkingFormat::StringThinking => "other",
    };
    [
        yes(compat.supports_store),
        yes(compat.supports_developer_role),
        yes(compat.supports_reasoning_effort),
        if compat.max_tokens_field == "max_tokens" { "mt" } else { "mct" },
        yes(compat.requires_reasoning_content),
        format,
        yes(compat.zai_tool_stream),
        yes(compat.supports_strict_mode),
        if compat.anthropic_cache_control { "anthropic" } else { "-" },
        yes(compat.send_session_affinity_headers),
        yes(compat.supports_long_cache_retention),
    ]
    .join(" | ")
}

fn actual(published: &str) -> Counts {
    let published: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_str(published).unwrap();
    let names = published.iter().flat_map(|(provider, models)| models.keys().map(move |id| (provider, id)));
    let mut counts = Counts::new();
    for model in names.map(|(provider, id)| get_model(provider, id).unwrap()).filter(|model| model.api == super::NAME) {
        *counts.entry((model.provider.clone(), dialect(&model))).or_default() += 1;
    }
    counts
}

/// Rows such as `| cerebras 2; fireworks 1 (names) | n | … |`.
fn expected(specification: &str) -> Counts {
    let (_, table) = specification.split_once("| Providers and model counts |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut counts = Counts::new();
    for row in rows {
        let (models, cells) = row.trim_matches(['|', ' ']).split_once(" | ").unwrap();
        for models in models.split(';') {
            let mut words = models.split_whitespace();
            let (provider, count) = (words.next().unwrap(), words.next().unwrap());
            *counts.entry((provider.to_owned(), cells.to_owned())).or_default() += count.parse::<usize>().unwrap();
        }
    }
    counts
}

#[test]
fn every_published_model_speaks_the_specified_dialect() {
    let (Some(published), Some(specification)) = (shared("catalog/reference.json"), shared("spec/pi-ai.md")) else {
        return;
    };
    let (actual, expected) = (actual(&published), expected(&specification));
    let total: usize = actual.values().sum();
    assert!(total > 400, "only {total} models");
    assert_eq!(actual, expected);
}

#[test]
fn a_value_of_the_wrong_type_counts_as_absent() {
    let mut model = Model { base_url: "https://llm.example".into(), ..Model::default() };
    let plain = dialect(&model);
    let odd = serde_json::json!({"supportsStore": "no", "thinkingFormat": "new", "maxTokensField": 1});
    model.compat = odd.as_object().cloned();
    assert_eq!(dialect(&model), plain);
}
