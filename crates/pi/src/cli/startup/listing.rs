//! `--list-models`.

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use pi_coding_agent::models::{ModelRegistry, filter_models, models_table};

/// Prints the models that are ready to use; exit code 0 also when there are none.
pub(in crate::cli) fn print_models(models: &ModelRegistry, search: Option<&str>) -> u8 {
    if let Some(problem) = models.error() {
        complain(&format!("Warning: errors loading models.json:\n{problem}"));
    }
    let available = models.available();
    if available.is_empty() {
        return print(NONE);
    }
    let shown = search.map_or_else(|| available.clone(), |term| filter_models(&available, term));
    match search {
        Some(term) if shown.is_empty() => print(&format!("No models matching \"{term}\"\n")),
        _ => print(&format!("{}\n", models_table(&shown))),
    }
}

/// What is said where no model has a key.
pub(in crate::cli) const NONE: &str = "\
No model has a key yet.
Log in or store a key: pi auth login. Or set the environment variable of a provider (pi --help names some).
Servers of your own go into models.json, in the configuration directory (~/.pi/agent).
";
