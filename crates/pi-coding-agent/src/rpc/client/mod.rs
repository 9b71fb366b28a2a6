//! Drives another `pi` over RPC: starts the program, sends commands, finds their responses, hands out events.
//!
//! The commands themselves are in `commands.rs` and `history.rs`, made by `methods.rs` of their declarations; their types are
//! in `data.rs`. Nothing else here knows what they mean: `connection.rs` sends commands and finds responses, `process.rs` attends to the program.

mod commands;
mod connection;
mod data;
mod error;
mod events;
mod history;
mod methods;
mod process;
mod shared;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use typed_builder::TypedBuilder;

use connection::Connection;
pub use data::{RpcCommandInfo, RpcEntries, RpcMessage, RpcReplaced, RpcTree};
pub use error::{RpcClientError, RpcExit};
pub use events::{RpcEvent, RpcEvents, UiRequest};
pub use history::RpcHistory;

/// How to start the program.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct RpcClientOptions {
    /// The program: a path, or a name to be found in `PATH`.
    #[builder(default = PathBuf::from("pi"))]
    pub program: PathBuf,
    /// Arguments besides `--mode rpc`, which comes first.
    #[builder(default)]
    pub args: Vec<String>,
    /// Variables that it gets in addition to those of this process.
    #[builder(default)]
    pub env: Vec<(String, String)>,
    /// Whether it gets none of this process's variables.
    #[builder(default)]
    pub clear_env: bool,
    /// Its working directory; that of this process by default.
    #[builder(default, setter(strip_option))]
    pub cwd: Option<PathBuf>,
}

/// A `pi` that runs in RPC mode and ends with this value: at once when it is dropped, in order with [`stop`](Self::stop).
///
/// A program that is killed cannot end what its tools have running, so prefer `stop`.
///
/// Methods take `&self`, and commands may be in progress at the same time. A command that is given up, by dropping its
/// future, is not taken back.
///
/// ```no_run
/// # async fn run() -> Result<(), pi_coding_agent::Error> {
/// use pi_coding_agent::rpc::{RpcClient, RpcClientOptions};
///
/// let args = ["--no-session".to_owned()];
/// let pi = RpcClient::start(RpcClientOptions::builder().args(args).build())?;
/// let mut events = pi.subscribe();
/// pi.prompt("What is in this directory?").await?;
/// while let Some(event) = events.next().await {
///     if let Some(text) = event.text_delta() {
///         eprint!("{text}");
///     }
///     if event.is_settled() {
///         break;
///     }
/// }
/// pi.stop(std::time::Duration::from_secs(5)).await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RpcClient {
    connection: Connection,
    kill: CancellationToken,
    /// What reads and writes. Dropping it kills the program.
    _tasks: JoinSet<()>,
}

impl RpcClient {
    /// Starts the program. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`RpcClientError::Start`].
    pub fn start(options: RpcClientOptions) -> Result<Self, RpcClientError> {
        process::start(options)
    }

    /// The events from now on. A subscription that is not read holds the program up, responses included, once 16 MiB
    /// wait: read it while you wait for anything else, or drop it.
    pub fn subscribe(&self) -> RpcEvents {
        self.connection.shared().subscribe()
    }

    /// What the program wrote to standard error: the last 64 KiB.
    pub fn stderr(&self) -> String {
        self.connection.shared().stderr()
    }

    /// Sends any command, the fields of which are given, and returns its `data`, `null` where there is none. The `id` is
    /// chosen here.
    ///
    /// # Errors
    /// [`RpcClientError::Refused`], and [`RpcClientError::Ended`] when the program ended before it answered.
    pub async fn call(&self, command: &str, fields: Map<String, Value>) -> Result<Value, RpcClientError> {
        self.connection.call(command, fields).await
    }

    /// Ends the program: its input is closed, which aborts what is going on; if it has not ended after `grace`, it is
    /// killed. Returns how it ended.
    pub async fn stop(&self, grace: Duration) -> RpcExit {
        self.connection.close();
        if tokio::time::timeout(grace, self.connection.shared().end()).await.is_err() {
            self.kill.cancel();
        }
        self.connection.shared().end().await
    }

    /// Waits until the program has ended by itself.
    pub async fn wait(&self) -> RpcExit {
        self.connection.shared().end().await
    }
}
