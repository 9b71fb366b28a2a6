//! Models as a table.

use std::sync::Arc;

use pi_ai::{InputKind, Model};
use pi_coding_agent::models::{filter_models, models_table};

use crate::support::{model, names};

fn sized(provider: &str, id: &str, context_window: u64, max_tokens: u64, plain: bool) -> Arc<Model> {
    let mut model = Model::clone(&model(provider, id));
    (model.context_window, model.max_tokens) = (context_window, max_tokens);
    if plain {
        (model.reasoning, model.input) = (false, vec![InputKind::Text]);
    }
    Arc::new(model)
}

#[test]
fn columns_are_padded_and_rows_sorted() {
    let models = [
        sized("zed", "a", 1_048_576, 65_536, false),
        sized("alpha", "gpt-5", 2_000_000, 999, true),
        sized("alpha", "GPT-4", 200_000, 1_000, false),
        sized("alpha", "gpt.5", 262_144, 8_192, false),
    ];
    let table = models_table(&models);
    insta::assert_snapshot!(table.lines().map(|line| format!("|{line}|\n")).collect::<String>());
}

#[test]
fn every_word_must_fit() {
    let models = [model("anthropic", "claude-sonnet-4-5"), model("openai", "gpt-5.4"), model("router", "openai/o3")];
    let found = |term: &str| names(&filter_models(&models, term)).join(" ");
    for (term, expected) in [
        ("SONNET", "anthropic/claude-sonnet-4-5"),
        ("anthr/son", "anthropic/claude-sonnet-4-5"),
        ("cs45", "anthropic/claude-sonnet-4-5"),
        ("openai", "openai/gpt-5.4 router/openai/o3"),
        ("openai gpt", "openai/gpt-5.4"),
        ("5gpt", "openai/gpt-5.4"),
        ("3o", "router/openai/o3"),
        ("tpg", ""),
        ("", "anthropic/claude-sonnet-4-5 openai/gpt-5.4 router/openai/o3"),
    ] {
        assert_eq!(found(term), expected, "{term}");
    }
}
