//! What `fetch` and `http` of scripts go through: one pool of connections for all of them, with the proxies and certificates
//! of requests to models.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use pi_ai::transport::ReqwestTransport;
use pi_script::{Fetch, FetchError, FetchRequest, FetchResponse, ReqwestFetch};

use crate::env::Env;
use crate::settings::proxy_variable;

/// The client that all extensions share. `proxy` is that of the settings, which counts where the environment names none, as
/// for requests to models. It is made when the first one asks for something.
pub(super) fn shared(proxy: Option<&str>) -> Arc<dyn Fetch> {
    static SHARED: OnceLock<Mutex<HashMap<Option<String>, Arc<SharedFetch>>>> = OnceLock::new();
    let mut shared = SHARED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let proxy = proxy.map(ToOwned::to_owned);
    let made = || Arc::new(SharedFetch { proxy: proxy.clone(), client: OnceLock::new() });
    Arc::clone(shared.entry(proxy.clone()).or_insert_with(made)) as Arc<dyn Fetch>
}

struct SharedFetch {
    proxy: Option<String>,
    client: OnceLock<Result<ReqwestFetch, FetchError>>,
}

impl Fetch for SharedFetch {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        let client = self.client.get_or_init(|| {
            let env = Env::process();
            let client = ReqwestTransport::plain_client(&|name| proxy_variable(&env, self.proxy.as_deref(), name));
            client.map(ReqwestFetch::new).map_err(|error| FetchError { message: error.to_string(), code: None })
        });
        match client {
            Ok(client) => client.fetch(request),
            Err(error) => ready(Err(error.clone())).boxed(),
        }
    }
}
