//! What `fetch` and `http` of scripts go through: one pool of connections for all of them, with the proxies and certificates
//! of requests to models.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use pi_ai::transport::ReqwestTransport;
use pi_guard::Unpoisoned;
use pi_script::{Fetch, FetchError, FetchRequest, FetchResponse, ReqwestFetch, Upgraded};

use pi_coding_agent::env::Env;
use pi_coding_agent::settings::proxy_variable;

/// The client that all extensions of the same environment share. `proxy` is that of the settings, which counts where the environment names none, as
/// for requests to models. It is made when the first one asks for something.
pub(super) fn shared(env: &Env, proxy: Option<&str>) -> Arc<dyn Fetch> {
    // Weak: a program may make sessions with ever new environments.
    static SHARED: Mutex<Vec<Weak<SharedFetch>>> = Mutex::new(Vec::new());
    let mut shared = SHARED.lock().unpoisoned();
    shared.retain(|known| known.strong_count() > 0);
    let same = |known: &Arc<SharedFetch>| known.env == *env && known.proxy.as_deref() == proxy;
    if let Some(known) = shared.iter().filter_map(Weak::upgrade).find(same) {
        return known;
    }
    let proxy = proxy.map(ToOwned::to_owned);
    let made = Arc::new(SharedFetch { env: env.clone(), proxy, client: OnceLock::new() });
    shared.push(Arc::downgrade(&made));
    made
}

struct SharedFetch {
    env: Env,
    proxy: Option<String>,
    client: OnceLock<Result<ReqwestFetch, FetchError>>,
}

impl SharedFetch {
    fn client(&self) -> Result<&ReqwestFetch, FetchError> {
        let made = self.client.get_or_init(|| {
            let env = |name: &str| proxy_variable(&self.env, self.proxy.as_deref(), name);
            let failed = |error: pi_ai::Error| FetchError { message: error.to_string(), code: None };
            let client = ReqwestTransport::plain_client(&env).map_err(failed)?;
            let upgrading = ReqwestTransport::plain_upgrading_client(&env).map_err(failed)?;
            Ok(ReqwestFetch::new(client).with_upgrades(upgrading))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

impl Fetch for SharedFetch {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        match self.client() {
            Ok(client) => client.fetch(request),
            Err(error) => ready(Err(error)).boxed(),
        }
    }

    fn upgrade(&self, request: FetchRequest) -> BoxFuture<'static, Result<Upgraded, FetchError>> {
        match self.client() {
            Ok(client) => client.upgrade(request),
            Err(error) => ready(Err(error)).boxed(),
        }
    }
}
