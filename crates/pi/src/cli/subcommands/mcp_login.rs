//! `pi mcp login` and `pi mcp logout`: the browser shows the page of the server; where there is none, its last address is
//! pasted.

use std::io::BufRead;
use std::sync::Mutex;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tokio::sync::{Mutex as AsyncMutex, mpsc};

use super::mcp::{is_trusted, runtime};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::plain;
use crate::common::browser;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind};
use pi_coding_agent::session::SessionHost;

/// Logs in; what the login has to permit is separated by blanks.
pub(super) fn log_in(host: &SessionHost, scope: Option<&str>, name: &str) -> Result<String, String> {
    let scopes: Vec<String> = scope.iter().flat_map(|scope| scope.split_whitespace().map(str::to_owned)).collect();
    let (is_trusted, runtime) = (is_trusted(host)?, runtime()?);
    let (console, env) = (Console::default(), host.paths.env().clone());
    let open = move |url: &str| browser::open(url, &env);
    runtime.block_on(pi_mcp::log_in(host, is_trusted, name, &scopes, &console, open))
}

/// Forgets a login.
pub(super) fn log_out(host: &SessionHost, name: &str) -> Result<String, String> {
    let is_trusted = is_trusted(host)?;
    runtime()?.block_on(pi_mcp::log_out(host, is_trusted, name))
}

/// The user of a command: told things on standard error, asked on standard input, be that a terminal or not.
#[derive(Default)]
struct Console {
    lines: Mutex<Option<std::sync::Arc<AsyncMutex<mpsc::UnboundedReceiver<String>>>>>,
}

impl Console {
    /// A line of standard input. At its end nobody is there, which is no answer.
    fn line(&self) -> BoxFuture<'static, Option<String>> {
        let mut lines = pi_guard::lock(&self.lines);
        let lines = std::sync::Arc::clone(lines.get_or_insert_with(|| std::sync::Arc::new(AsyncMutex::new(reader()))));
        async move {
            match lines.lock().await.recv().await {
                Some(line) => Some(line),
                None => std::future::pending().await,
            }
        }
        .boxed()
    }
}

/// A thread of its own reads: a read that waits cannot be cancelled, and ends with the process.
fn reader() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    // Without a thread nobody can paste anything; the browser can still come back.
    let _ = std::thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl ExtensionUi for Console {
    fn is_available(&self) -> bool {
        true
    }

    fn input(&self, title: &str, _: Option<&str>, _: DialogOptions) -> BoxFuture<'_, Option<String>> {
        complain(&format!("{}:", plain(title)));
        self.line()
    }

    fn notify(&self, message: &str, _: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        complain(&plain(message));
        ready(()).boxed()
    }
}
