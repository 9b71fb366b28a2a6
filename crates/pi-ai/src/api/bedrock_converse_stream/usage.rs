//! Token counts as this format reports them: once, after the answer.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Takes over the report of `metadata`.
pub(super) fn report(usage: &mut Usage, report: &Json<'_>, model: &Model) {
    usage.input = from_value(&report["inputTokens"]);
    usage.output = from_value(&report["outputTokens"]);
    usage.cache_read = from_value(&report["cacheReadInputTokens"]);
    usage.cache_write = from_value(&report["cacheWriteInputTokens"]);
    usage.total_tokens = match from_value(&report["totalTokens"]) {
        0 => usage.input.saturating_add(usage.output),
        total => total,
    };
    calculate_cost(model, usage);
}
