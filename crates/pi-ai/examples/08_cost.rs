//! What calls cost: from the catalogue before, from the answer's usage after.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;

use pi_ai::{Usage, calculate_cost, get_model};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut usage = Usage { input: 2_000, output: 500, cache_read: 30_000, cache_write: 1_000, ..Usage::default() };
    for id in ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"] {
        let model = get_model("anthropic", id).ok_or("not in the catalogue")?;
        calculate_cost(&model, &mut usage);
        let cost = &usage.cost;
        println!(
            "{id}: ${:.4} (input {:.4}, output {:.4}, cache {:.4})",
            cost.total,
            cost.input,
            cost.output,
            cost.cache_read + cost.cache_write
        );
    }
    Ok(())
}
