//! The terminal behind the screen of the session that an extension serves: for its children, and what it writes meanwhile.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Weak};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{ExtensionUi, NotifyKind};
use pi_script::TerminalLender;
use tokio::runtime::Handle;

use super::host::ScriptHost;

/// Lends the terminal of the screen, where there is one.
pub(super) struct ScreenTerminal(pub(super) Weak<ScriptHost>);

impl TerminalLender for ScreenTerminal {
    fn lend(&self) -> BoxFuture<'static, Option<Box<dyn Send>>> {
        let screen = self.0.upgrade().and_then(|host| ui(&host)?.screen());
        async move { screen?.lend_terminal().await }.boxed()
    }
}

/// The user of the session that came last.
fn ui(host: &ScriptHost) -> Option<Arc<dyn ExtensionUi>> {
    host.activations().pop().map(|api| api.context().ui())
}

/// What a script writes to its console goes to standard error: standard output belongs to the program. Where that is the
/// terminal of a screen, it would lie over what is drawn: it is said there instead.
pub(super) fn log(host: &ScriptHost, runtime: &Handle, line: &str) {
    let screen = io::stderr().is_terminal().then(|| ui(host).filter(|ui| ui.screen().is_some())).flatten();
    match screen {
        Some(ui) => {
            let line = line.to_owned();
            let mut told = async move { ui.notify(&line, Some(NotifyKind::Info)).await }.boxed();
            // What is taken at once stays in order.
            if (&mut told).now_or_never().is_none() {
                runtime.spawn(told);
            }
        }
        None => {
            // A closed standard error is no reason to fail.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}
