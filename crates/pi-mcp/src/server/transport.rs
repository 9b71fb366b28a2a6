//! What carries messages to a server and back. One type for every way, because `rmcp` compiles its loop
//! again for each type.

use futures::future::{FutureExt, TryFutureExt};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::auth::AuthClient;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::transport::{StreamableHttpClientTransport, Transport};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::program::WatchedOutput;

/// How a server is reached.
pub(super) enum ServerTransport {
    /// A program.
    Pipes(AsyncRwTransport<RoleClient, WatchedOutput<Receiver>, Sender>),
    /// An address.
    Http(StreamableHttpClientTransport<reqwest::Client>),
    /// An address, and the login to it.
    HttpWithLogin(StreamableHttpClientTransport<AuthClient<reqwest::Client>>),
}

/// Why a message was not carried. An error of a pipe is its `Io`.
pub(super) type TransportError = StreamableHttpError<reqwest::Error>;

impl Transport<RoleClient> for ServerTransport {
    type Error = TransportError;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), TransportError>> + Send + 'static {
        match self {
            Self::Pipes(pipes) => pipes.send(item).err_into().boxed(),
            Self::Http(http) => http.send(item).boxed(),
            Self::HttpWithLogin(http) => http.send(item).boxed(),
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        match self {
            Self::Pipes(pipes) => pipes.receive().await,
            Self::Http(http) => http.receive().await,
            Self::HttpWithLogin(http) => http.receive().await,
        }
    }

    async fn close(&mut self) -> Result<(), TransportError> {
        match self {
            Self::Pipes(pipes) => Ok(pipes.close().await?),
            Self::Http(http) => http.close().await,
            Self::HttpWithLogin(http) => http.close().await,
        }
    }
}
