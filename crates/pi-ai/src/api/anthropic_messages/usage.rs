//! Token counts as this format reports them: at the start of a message, and corrected at its end.

use crate::cost::calculate_cost;
use crate::json_view::Json;
use crate::model::Model;
use crate::number::count::from_value;
use crate::usage::Usage;

/// Takes over the report of `message_start`.
pub(super) fn start(usage: &mut Usage, report: &Json<'_>, model: &Model) {
    usage.input = from_value(&report["input_tokens"]);
    usage.output = from_value(&report["output_tokens"]);
    usage.cache_read = from_value(&report["cache_read_input_tokens"]);
    usage.cache_write = from_value(&report["cache_creation_input_tokens"]);
    usage.cache_write_1h = Some(from_value(&report["cache_creation"]["ephemeral_1h_input_tokens"]));
    sum_up(usage, model);
}

/// Takes over what `message_delta` corrects; absent counts stay.
pub(super) fn correct(usage: &mut Usage, report: &Json<'_>, model: &Model) {
    for (count, key) in [
        (&mut usage.input, "input_tokens"),
        (&mut usage.output, "output_tokens"),
        (&mut usage.cache_read, "cache_read_input_tokens"),
        (&mut usage.cache_write, "cache_creation_input_tokens"),
    ] {
        if !report[key].is_null() {
            *count = from_value(&report[key]);
        }
    }
    sum_up(usage, model);
}

fn sum_up(usage: &mut Usage, model: &Model) {
    usage.total_tokens = usage.sum();
    calculate_cost(model, usage);
}
