//! `--list-models`.

use crate::models::{ModelRegistry, model_table};

/// Prints the models that are ready to use; exit code 0 also when there are none.
pub(super) fn print_models(models: &ModelRegistry, search: Option<&str>) -> u8 {
    if let Some(problem) = models.load_error() {
        super::diagnostics::complain(&format!("Warning: errors loading models.json:\n{problem}"));
    }
    super::print(&model_table(&models.available(), search))
}
