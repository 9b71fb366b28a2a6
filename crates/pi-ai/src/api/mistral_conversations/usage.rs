//! Token counts as this format reports them: cached tokens are part of the prompt's count, and have had several names.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Reads a report.
pub(super) fn read(report: &Json<'_>, model: &Model) -> Usage {
    let prompt = from_value(&report["prompt_tokens"]);
    let cached = [
        &report["prompt_tokens_details"]["cached_tokens"],
        &report["prompt_token_details"]["cached_tokens"],
        &report["num_cached_tokens"],
    ];
    let cached = cached.into_iter().find(|count| !count.is_null());
    let cache_read = cached.map_or(0, from_value).min(prompt);
    let mut usage = Usage {
        input: prompt - cache_read,
        output: from_value(&report["completion_tokens"]),
        cache_read,
        ..Usage::default()
    };
    usage.total_tokens = match from_value(&report["total_tokens"]) {
        0 => usage.sum(),
        total => total,
    };
    calculate_cost(model, &mut usage);
    usage
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cached_tokens_by_any_name_and_never_more_than_the_prompt() {
        for (report, expected) in [
            (json!({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}), [10, 2, 0, 12]),
            (json!({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4}}), [6, 0, 4, 10]),
            (json!({"prompt_tokens": 10, "prompt_token_details": {"cached_tokens": 4}}), [6, 0, 4, 10]),
            (json!({"prompt_tokens": 10, "prompt_tokens_details": null, "num_cached_tokens": 99}), [0, 0, 10, 10]),
            (json!({"prompt_tokens": 10, "num_cached_tokens": -3, "total_tokens": 11}), [10, 0, 0, 11]),
            (json!({}), [0, 0, 0, 0]),
        ] {
            let text = report.to_string();
            let usage = read(&serde_json::from_str(&text).unwrap(), &Model::default());
            let got = [usage.input, usage.output, usage.cache_read, usage.total_tokens];
            assert_eq!(got, expected, "{report}");
        }
    }
}
