//! The proxy of the settings beside those of the environment.

use crate::host::env::Env;

/// What a variable that names a proxy says; where the environment names none, `proxy` of the settings counts, which has a
/// name of its own so that complaints name it.
pub fn proxy_variable(env: &Env, proxy: Option<&str>, name: &str) -> Option<String> {
    if name == pi_ai::transport::PROXY_OF_SETTINGS { proxy.map(ToOwned::to_owned) } else { env.var(name) }
}
