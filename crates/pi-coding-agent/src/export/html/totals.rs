//! What a session adds up to, over all branches.

use pi_ai::Usage;

use super::line::{MessageLine, read};

/// Nobody reads a longer list of models.
const MOST_MODELS: usize = 32;

/// Counts and sums.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) user: usize,
    pub(super) answers: usize,
    pub(super) calls: usize,
    pub(super) results: usize,
    pub(super) custom: usize,
    pub(super) compactions: usize,
    pub(super) branch_summaries: usize,
    pub(super) usage: Usage,
    /// `provider/model`, in order of appearance.
    pub(super) models: Vec<String>,
}

/// What one call of a model took.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Spent {
    pub(super) model: Box<str>,
    /// Tokens in the model's context after the call.
    pub(super) context: u64,
    pub(super) output: u64,
    /// In US dollars.
    pub(super) cost: f64,
}

impl Totals {
    /// Counts an answer, and says what it took.
    pub(super) fn answer(&mut self, message: &MessageLine<'_>, calls: usize) -> Spent {
        self.answers += 1;
        self.calls += calls;
        self.model(&message.provider, &message.model);
        let usage: Usage = read(message.usage);
        let sum = &mut self.usage;
        sum.input = sum.input.saturating_add(usage.input);
        sum.output = sum.output.saturating_add(usage.output);
        sum.cache_read = sum.cache_read.saturating_add(usage.cache_read);
        sum.cache_write = sum.cache_write.saturating_add(usage.cache_write);
        sum.cost.total += usage.cost.total;
        let parts = [usage.input, usage.output, usage.cache_read, usage.cache_write];
        let context = parts.into_iter().fold(0, u64::saturating_add);
        // A sum that nobody can pay is a mistake of whoever wrote it.
        let cost = Some(usage.cost.total).filter(|cost| cost.is_finite() && *cost > 0.0).unwrap_or_default();
        Spent { model: (&*message.model).into(), context, output: usage.output, cost }
    }

    /// Counts a compaction or a branch summary.
    pub(super) fn summary(&mut self, kind: &str) {
        match kind {
            "compaction" => self.compactions += 1,
            _ => self.branch_summaries += 1,
        }
    }

    /// Notes a model.
    pub(super) fn model(&mut self, provider: &str, model: &str) {
        let same = |name: &String| name.strip_prefix(provider).and_then(|rest| rest.strip_prefix('/')) == Some(model);
        if !model.is_empty() && self.models.len() < MOST_MODELS && !self.models.iter().any(same) {
            self.models.push(format!("{provider}/{model}"));
        }
    }
}

/// An amount of US dollars; what is not zero does not look like it.
pub(super) fn dollars(cost: f64) -> String {
    if cost > 0.0 && cost < 0.0005 { "<$0.001".to_owned() } else { format!("${cost:.3}") }
}

/// A number of tokens, short: `950`, `12.3k`, `1.2M`.
pub(super) fn short_count(tokens: u64) -> String {
    match tokens {
        0..1000 => tokens.to_string(),
        1000..1_000_000 => format!("{:.1}k", tokens as f64 / 1e3),
        _ => format!("{:.1}M", tokens as f64 / 1e6),
    }
}
