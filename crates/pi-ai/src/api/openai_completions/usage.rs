//! Token counts as this format reports them: cached tokens are part of the prompt's count.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Reads a report. Its own total is ignored: endpoints disagree about what it sums up.
pub(super) fn read(report: &Json<'_>, model: &Model) -> Usage {
    let details = &report["prompt_tokens_details"];
    let cached = &details["cached_tokens"];
    let cache_read = from_value(if cached.is_null() { &report["prompt_cache_hit_tokens"] } else { cached });
    let cache_write = from_value(&details["cache_write_tokens"]);
    let prompt = from_value(&report["prompt_tokens"]);
    let mut usage = Usage {
        input: prompt.saturating_sub(cache_read).saturating_sub(cache_write),
        output: from_value(&report["completion_tokens"]),
        cache_read,
        cache_write,
        ..Usage::default()
    };
    usage.total_tokens = usage.sum();
    calculate_cost(model, &mut usage);
    usage
}
