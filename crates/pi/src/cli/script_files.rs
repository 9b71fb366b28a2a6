//! Extensions in files: what loads them, as this program was built.

use std::sync::Arc;

use pi_ai::Clock;
use pi_coding_agent::extension::{ExtensionLoader, MakeExtension};
use pi_coding_agent::ids::RandomIds;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;

/// How each file of sessions with these settings becomes an extension.
pub(super) fn maker(settings: &Arc<SettingsManager>, paths: &Paths, clock: &Arc<dyn Clock>) -> Arc<MakeExtension> {
    let host = SessionHost { paths: paths.clone(), clock: Arc::clone(clock), ids: RandomIds::shared() };
    loader().maker(settings, &host)
}

#[cfg(feature = "typescript")]
fn loader() -> impl ExtensionLoader {
    pi_script_extensions::Scripts::default().with_command_line(super::parsed::parsed)
}

#[cfg(not(feature = "typescript"))]
fn loader() -> impl ExtensionLoader {
    pi_coding_agent::extension::NoLoader
}
