//! Token counts as these formats report them: cached tokens are part of the input's count.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Reads a report, at ordinary prices.
pub(super) fn read(report: &Json<'_>, model: &Model) -> Usage {
    let cache_read = from_value(&report["input_tokens_details"]["cached_tokens"]);
    let mut usage = Usage {
        input: from_value(&report["input_tokens"]).saturating_sub(cache_read),
        output: from_value(&report["output_tokens"]),
        cache_read,
        ..Usage::default()
    };
    let total = &report["total_tokens"];
    usage.total_tokens = if total.as_f64().is_some() { from_value(total) } else { usage.sum() };
    calculate_cost(model, &mut usage);
    usage
}
