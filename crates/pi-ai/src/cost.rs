//! Turns token usage into money.

use serde_json::Value;

use crate::model::{Model, ModelCost};
use crate::usage::Usage;

/// Prices are per so many tokens.
const PRICE_UNIT: f64 = 1e6;
/// A cache write with one hour of retention costs this multiple of an uncached prompt token.
const LONG_WRITE_FACTOR: f64 = 2.0;

/// Computes the cost of `usage` at the model's prices, stores it in `usage.cost` and returns the total in US dollars.
///
/// Tokens written with one hour of retention cost twice the input price instead of the cache write price.
pub fn calculate_cost(model: &Model, usage: &mut Usage) -> f64 {
    let price = &price_for(&model.cost, usage);
    let long = usage.cache_write_1h.unwrap_or(0);
    let short = usage.cache_write.saturating_sub(long);
    let cost = &mut usage.cost;
    cost.input = price.input / PRICE_UNIT * usage.input as f64;
    cost.output = price.output / PRICE_UNIT * usage.output as f64;
    cost.cache_read = price.cache_read / PRICE_UNIT * usage.cache_read as f64;
    cost.cache_write = (price.cache_write * short as f64 + LONG_WRITE_FACTOR * price.input * long as f64) / PRICE_UNIT;
    cost.total = cost.input + cost.output + cost.cache_read + cost.cache_write;
    cost.total
}

/// The prices that hold for a request of this size: those of the highest tier whose threshold the prompt exceeds, cached
/// tokens included, for all of its tokens. What a tier does not name costs as without it.
fn price_for(cost: &ModelCost, usage: &Usage) -> Price {
    let prompt = [usage.cache_read, usage.cache_write].into_iter().fold(usage.input, u64::saturating_add) as f64;
    let above = |tier: &&Value| tier["inputTokensAbove"].as_f64().filter(|above| prompt > *above);
    let tiers = cost.extra.get("tiers").and_then(Value::as_array).into_iter().flatten();
    let tier = tiers
        .filter_map(|tier| Some((above(&tier)?, tier)))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, tier)| tier);
    let of = |name: &str, base: f64| tier.and_then(|tier| tier[name].as_f64()).unwrap_or(base);
    Price {
        input: of("input", cost.input),
        output: of("output", cost.output),
        cache_read: of("cacheRead", cost.cache_read),
        cache_write: of("cacheWrite", cost.cache_write),
    }
}

/// Prices in US dollars per million tokens.
struct Price {
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12
    }

    #[test]
    fn the_highest_tier_that_a_prompt_exceeds_prices_all_of_it() {
        let tiers = serde_json::json!({"input": 1, "output": 2, "cacheRead": 0.1, "cacheWrite": 0, "tiers": [
            {"inputTokensAbove": 1000, "input": 10, "output": 20},
            {"inputTokensAbove": 9000, "input": 100},
        ]});
        let model = Model { cost: serde_json::from_value(tiers).unwrap(), ..Model::default() };
        for (input, cache_read, expected) in
            [(1000, 0, 0.0012), (900, 101, 0.011_010_1), (5000, 0, 0.052), (9001, 0, 0.9003)]
        {
            let mut usage = Usage { input, cache_read, output: 100, ..Usage::default() };
            let total = calculate_cost(&model, &mut usage);
            assert!(close(total, expected), "{input}: {total}");
        }
    }

    #[test]
    fn one_hour_cache_writes_cost_twice_the_input_price() {
        let cost = ModelCost { input: 3.0, output: 15.0, cache_read: 0.3, cache_write: 3.75, ..ModelCost::default() };
        let model = Model { cost, ..Model::default() };
        let mut usage = Usage {
            input: 120,
            output: 34,
            cache_read: 1000,
            cache_write: 250,
            cache_write_1h: Some(100),
            ..Usage::default()
        };
        let total = calculate_cost(&model, &mut usage);
        assert!(close(usage.cost.input, 0.00036));
        assert!(close(usage.cost.output, 0.00051));
        assert!(close(usage.cost.cache_read, 0.0003));
        assert!(close(usage.cost.cache_write, 150.0 * 3.75e-6 + 100.0 * 6e-6));
        assert!(close(total, 0.00036 + 0.00051 + 0.0003 + 0.0011625));
    }
}
