//! Says what a run changes: models that come, go, or get another price.

use std::collections::BTreeMap;
use std::fmt;

use super::generate::Output;

const PRICES: [&str; 4] = ["input", "output", "cache read", "cache write"];
/// Columns of a model's line before its prices.
const BEFORE_PRICES: usize = 4;

/// `provider/id` → its prices, as text.
type Prices<'a> = BTreeMap<String, Vec<&'a str>>;

/// The difference between two catalogues.
#[derive(Debug, PartialEq)]
pub(super) struct Summary {
    models: usize,
    providers: usize,
    added: Vec<String>,
    removed: Vec<String>,
    /// `provider/id: input 3 → 2.5`.
    repriced: Vec<String>,
}

impl Summary {
    /// Compares generated files.
    pub(super) fn between(old: &Output, new: &Output) -> Self {
        let (before, after) = (prices(old), prices(new));
        let missing_in = |other: &Prices<'_>, these: &Prices<'_>| {
            these.keys().filter(|key| !other.contains_key(*key)).cloned().collect::<Vec<_>>()
        };
        let repriced = after.iter().filter_map(|(key, new)| repriced(key, before.get(key)?, new));
        Self {
            models: after.len(),
            providers: new.len().saturating_sub(1),
            added: missing_in(&before, &after),
            removed: missing_in(&after, &before),
            repriced: repriced.collect(),
        }
    }
}

fn prices(output: &Output) -> Prices<'_> {
    let mut prices = Prices::new();
    for (path, text) in output.iter().filter(|(path, _)| path.extension().is_some_and(|it| it == "txt")) {
        let provider = path.file_stem().unwrap_or_default().to_string_lossy();
        for line in text.lines().filter(|line| !line.starts_with('{')) {
            let mut columns = line.split('\t');
            let id = columns.next().unwrap_or_default();
            prices.insert(format!("{provider}/{id}"), columns.skip(BEFORE_PRICES - 1).take(PRICES.len()).collect());
        }
    }
    prices
}

fn repriced(key: &str, old: &[&str], new: &[&str]) -> Option<String> {
    let changes = PRICES.iter().zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
    let changes: Vec<String> = changes.map(|(name, (old, new))| format!("{name} {old} → {new}")).collect();
    (!changes.is_empty()).then(|| format!("{key}: {}", changes.join(", ")))
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} models of {} providers; {} added, {} removed, {} repriced",
            self.models,
            self.providers,
            self.added.len(),
            self.removed.len(),
            self.repriced.len()
        )?;
        for (word, lines) in [("added", &self.added), ("removed", &self.removed), ("repriced", &self.repriced)] {
            for line in lines {
                write!(f, "\n  {word} {line}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(lines: &str) -> Output {
        Output::from([
            ("generated/p.txt".into(), format!("{{\"api\":\"a\"}}\n{lines}")),
            ("generated.rs".into(), String::new()),
        ])
    }

    #[test]
    fn names_what_came_what_went_and_what_costs_something_else() {
        let old = output("a\tA\t0\tr\t3\t15\t0.3\t0\t1000\t10\nb\tB\t0\t\t1\t2\t0\t0\t1000\t10\n");
        let new = output("a\tA2\t0\tr\t2.5\t15\t0.3\t4\t1000\t10\nc\tC\t0\t\t1\t2\t0\t0\t1000\t10\n");
        let text = Summary::between(&old, &new).to_string();
        assert_eq!(
            text,
            "2 models of 1 providers; 1 added, 1 removed, 1 repriced\n  added p/c\n  removed p/b\n  \
             repriced p/a: input 3 → 2.5, cache write 0 → 4"
        );
        assert!(Summary::between(&new, &new).to_string().ends_with("0 added, 0 removed, 0 repriced"));
    }
}
