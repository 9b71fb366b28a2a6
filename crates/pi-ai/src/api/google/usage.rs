//! Token counts as this format reports them: cached tokens are part of the prompt's count, thoughts are not part of the
//! answer's.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Reads a report; the last one of an answer counts.
pub(super) fn read(report: &Json<'_>, model: &Model) -> Usage {
    let count = |key: &str| from_value(&report[key]);
    let cache_read = count("cachedContentTokenCount");
    let mut usage = Usage {
        input: count("promptTokenCount").saturating_sub(cache_read),
        output: count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount")),
        cache_read,
        total_tokens: count("totalTokenCount"),
        ..Usage::default()
    };
    calculate_cost(model, &mut usage);
    usage
}
