//! Turns token usage into money.

use crate::model::Model;
use crate::usage::Usage;

/// Prices are per so many tokens.
const PRICE_UNIT: f64 = 1e6;
/// A cache write with one hour of retention costs this multiple of an uncached prompt token.
const LONG_WRITE_FACTOR: f64 = 2.0;

/// Computes the cost of `usage` at the model's prices, stores it in `usage.cost` and returns the total in US dollars.
///
/// Tokens written with one hour of retention cost twice the input price instead of the cache write price.
pub fn calculate_cost(model: &Model, usage: &mut Usage) -> f64 {
    let price = &model.cost;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelCost;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12
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
