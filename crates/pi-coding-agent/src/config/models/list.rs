//! Models as a table for people, and the search in it.

use std::sync::Arc;

use pi_ai::Model;

use super::collate::compare;

const HEADINGS: [&str; 6] = ["provider", "model", "context", "max-out", "thinking", "images"];
/// Behind those where prices are listed, in dollars per million tokens.
const PRICES: [&str; 2] = ["$ in", "$ out"];

/// The models that fit a search term: every word of it must occur in `provider id` as a sequence of letters that may
/// have gaps.
pub fn filter_models(models: &[Arc<Model>], term: &str) -> Vec<Arc<Model>> {
    let words: Vec<String> = term
        .split(|c: char| c.is_whitespace() || c == '/')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let fits = |model: &&Arc<Model>| {
        let text = format!("{} {}", model.provider, model.id).to_lowercase();
        words.iter().all(|word| fuzzy(word, &text))
    };
    models.iter().filter(fits).cloned().collect()
}

/// A table with one line per model, sorted by provider and id. Columns are as wide as their widest cell, also the
/// last one.
pub fn models_table(models: &[Arc<Model>]) -> String {
    let rows = sorted(models).into_iter().map(|model| row(model).to_vec());
    aligned(&std::iter::once(HEADINGS.map(str::to_owned).to_vec()).chain(rows).collect::<Vec<_>>()).join("\n")
}

/// The lines of such a table with prices, the heading first; a star in front of the model that `is_default`.
pub fn models_rows(models: &[Arc<Model>], is_default: impl Fn(&Model) -> bool) -> Vec<String> {
    let heading = std::iter::once("").chain(HEADINGS).chain(PRICES).map(str::to_owned).collect();
    let rows = sorted(models).into_iter().map(|model| {
        let mark = if is_default(model) { "*" } else { "" };
        let prices = [price(model.cost.input), price(model.cost.output)];
        std::iter::once(mark.to_owned()).chain(row(model)).chain(prices).collect()
    });
    aligned(&std::iter::once(heading).chain(rows).collect::<Vec<_>>())
}

fn sorted(models: &[Arc<Model>]) -> Vec<&Arc<Model>> {
    let mut models: Vec<_> = models.iter().collect();
    models.sort_by(|a, b| compare(&a.provider, &b.provider).then_with(|| compare(&a.id, &b.id)));
    models
}

fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// Dollars; nothing where the price is not known or there is none.
fn price(dollars: f64) -> String {
    if dollars > 0.0 { format!("{dollars}") } else { "-".to_owned() }
}

fn row(model: &Model) -> [String; 6] {
    let yes_no = |value: bool| if value { "yes" } else { "no" }.to_owned();
    [
        model.provider.clone(),
        model.id.clone(),
        tokens(model.context_window),
        tokens(model.max_tokens),
        yes_no(model.reasoning),
        yes_no(model.accepts_images()),
    ]
}

/// `200K`, `1.5M`, `512`.
fn tokens(count: u64) -> String {
    let scaled = |unit: u64, name: &str| {
        if count.is_multiple_of(unit) {
            format!("{}{name}", count / unit)
        } else {
            format!("{:.1}{name}", count as f64 / unit as f64)
        }
    };
    match count {
        1_000_000.. => scaled(1_000_000, "M"),
        1_000.. => scaled(1_000, "K"),
        _ => count.to_string(),
    }
}

/// Whether the letters of `word` occur in `text` in order; `abc12` also fits where `12abc` does.
fn fuzzy(word: &str, text: &str) -> bool {
    is_subsequence(word, text) || swapped(word).is_some_and(|word| is_subsequence(&word, text))
}

fn is_subsequence(word: &str, text: &str) -> bool {
    let mut letters = text.chars();
    word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

/// Letters followed by digits, or digits followed by letters, with the two swapped.
fn swapped(word: &str) -> Option<String> {
    let first_is_digit = word.starts_with(|c: char| c.is_ascii_digit());
    let split = word.find(|c: char| c.is_ascii_digit() != first_is_digit)?;
    let (head, tail) = word.split_at(split);
    let uniform = |part: &str, digits: bool| {
        part.bytes().all(|byte| if digits { byte.is_ascii_digit() } else { byte.is_ascii_lowercase() })
    };
    (uniform(head, first_is_digit) && uniform(tail, !first_is_digit)).then(|| format!("{tail}{head}"))
}
