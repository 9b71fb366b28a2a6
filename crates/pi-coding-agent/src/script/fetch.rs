//! What `fetch` of scripts goes through: one pool of connections for all of them, with the proxies and certificates of
//! requests to models.

use std::sync::{Arc, OnceLock};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use pi_ai::transport::ReqwestTransport;
use pi_script::{Fetch, FetchError, FetchRequest, FetchResponse, ReqwestFetch};

/// The client that all extensions share. It is made when the first one asks for something.
pub(super) fn shared() -> Arc<dyn Fetch> {
    static SHARED: OnceLock<Arc<SharedFetch>> = OnceLock::new();
    Arc::clone(SHARED.get_or_init(Arc::default)) as Arc<dyn Fetch>
}

#[derive(Default)]
struct SharedFetch(OnceLock<Result<ReqwestFetch, FetchError>>);

impl Fetch for SharedFetch {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        let client = self.0.get_or_init(|| {
            let client = ReqwestTransport::plain_client(&|name| std::env::var(name).ok());
            client.map(ReqwestFetch::new).map_err(|error| FetchError { message: error.to_string(), code: None })
        });
        match client {
            Ok(client) => client.fetch(request),
            Err(error) => ready(Err(error.clone())).boxed(),
        }
    }
}
