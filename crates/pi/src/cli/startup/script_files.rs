//! Extensions in files: what loads them, as this program was built.

use std::sync::Arc;

use pi_ai::Clock;
use pi_coding_agent::extension::{ExtensionLoader, MakeExtension};
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;

/// How each file of sessions with these settings becomes an extension. Sessions that a script makes before there is one have
/// clock and ids of `host`; files and logins have the `real` clock.
pub(in crate::cli) fn maker(
    settings: &Arc<SettingsManager>,
    host: &SessionHost,
    real: &Arc<dyn Clock>,
) -> Arc<MakeExtension> {
    loader(real).maker(settings, host)
}

#[cfg(feature = "typescript")]
fn loader(real: &Arc<dyn Clock>) -> impl ExtensionLoader {
    let scripts = pi_script_extensions::Scripts::default().with_clock(Arc::clone(real));
    scripts.with_command_line(crate::cli::grammar::parsed::parsed)
}

#[cfg(not(feature = "typescript"))]
fn loader(_: &Arc<dyn Clock>) -> impl ExtensionLoader {
    pi_coding_agent::extension::NoLoader
}
