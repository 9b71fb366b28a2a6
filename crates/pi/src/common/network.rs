//! The network as the environment and the settings want it.

use pi_ai::transport::ReqwestTransport;
use pi_coding_agent::env::Env;
use pi_coding_agent::settings::proxy_variable;

/// A network with the proxy of the settings, which counts where the environment names none.
pub(crate) fn with_proxy(env: &Env, proxy: Option<&str>) -> ReqwestTransport {
    ReqwestTransport::new(&|name| proxy_variable(env, proxy, name))
}
