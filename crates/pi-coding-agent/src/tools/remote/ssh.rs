//! Machines reached with the system's `ssh`, which knows the user's keys, agents, jump hosts and configuration.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt, ready};
use pi_guard::Unpoisoned;
use tokio::process::Command;
use typed_builder::TypedBuilder;

use super::shell::{RemoteShell, ShellCommand};
use super::ssh_error;
use super::ssh_master::Masters;
use crate::tools::operations::OperationError;

/// How to reach a machine. What is not set here comes from the user's own configuration of `ssh`.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(strip_option, into)))]
pub struct SshOptions {
    /// `host`, `user@host`, or a name of the configuration.
    #[builder(!default, setter(!strip_option))]
    pub destination: String,
    /// Port, if not that of the configuration or 22.
    pub port: Option<u16>,
    /// File of the private key.
    pub identity_file: Option<PathBuf>,
    /// Configuration file in place of the user's and the system's.
    pub config_file: Option<PathBuf>,
    /// More arguments, such as `-o` and `ProxyJump=gate`. They win over what this type sets, unless the protocol depends on
    /// it.
    #[builder(setter(!strip_option, transform = |words: impl IntoIterator<Item = impl Into<String>>| words.into_iter().map(Into::into).collect()))]
    pub extra_args: Vec<String>,
    /// The program; `ssh` on the path by default.
    #[builder(default = PathBuf::from("ssh"), setter(!strip_option))]
    pub program: PathBuf,
    /// How long connecting may take.
    #[builder(default = Duration::from_secs(15), setter(!strip_option))]
    pub connect_timeout: Duration,
    /// Whether all operations share one connection, which makes them fast.
    #[builder(default = true, setter(!strip_option))]
    pub share_connection: bool,
}

/// Starts shells on another machine through `ssh`. It never asks: what would need a password or a confirmation fails.
#[derive(Debug)]
pub struct SshShell {
    host: Arc<Host>,
    /// Without them every operation connects anew.
    masters: Option<Masters>,
    slots: Arc<Slots>,
}

impl SshShell {
    /// A machine reached with these options. Nothing is connected yet.
    ///
    /// # Errors
    /// When the destination cannot be one, or the directory for the shared connection cannot be made.
    pub fn new(options: SshOptions) -> Result<Self, OperationError> {
        let destination = &options.destination;
        if destination.is_empty() || destination.starts_with('-') || destination.contains(char::is_whitespace) {
            return Err(OperationError::new(format!("{destination:?} is no host. Give `host` or `user@host`.")));
        }
        let masters = options.share_connection.then(Masters::new).transpose()?;
        Ok(Self { host: Arc::new(Host { options }), masters, slots: Arc::default() })
    }
}

impl RemoteShell for SshShell {
    fn name(&self) -> &str {
        self.host.name()
    }

    fn command<'a>(&'a self, script: &'a str) -> BoxFuture<'a, Result<ShellCommand, OperationError>> {
        let Some(masters) = &self.masters else { return self.host.command(script) };
        async move {
            let slot = Slots::take(&self.slots);
            let socket = masters.ready(slot.number, &self.host, script).await?;
            Ok(ShellCommand::new(self.host.ssh(&socket, "no", script)).holding(slot))
        }
        .boxed()
    }

    fn explain(&self, said: &str) -> String {
        self.host.explain(said)
    }

    fn patience(&self) -> Duration {
        self.host.patience()
    }
}

/// A machine as such: each shell is a connection of its own.
#[derive(Debug)]
pub(super) struct Host {
    options: SshOptions,
}

impl Host {
    /// The call that runs `script` over there. The login shell there gets one line: whatever shell it is, it reads plain
    /// words and one text in single quotes without `'` and `\` the same way.
    pub(super) fn ssh(&self, socket: &str, is_master: &str, script: &str) -> Command {
        let options = &self.options;
        let mut command = Command::new(&options.program);
        // Of options given twice ssh takes the first: the protocol's, the caller's, then what is only good to have.
        command.args(["-T", "-x", "-oBatchMode=yes", "-oRemoteCommand=none", "-oPermitLocalCommand=no"]);
        command.args(["-oClearAllForwardings=yes", "-oControlPersist=no"]);
        command.arg(format!("-oControlPath={socket}")).arg(format!("-oControlMaster={is_master}"));
        if let Some(config) = &options.config_file {
            command.arg("-F").arg(config);
        }
        if let Some(port) = options.port {
            command.arg("-p").arg(port.to_string());
        }
        if let Some(identity) = &options.identity_file {
            command.arg("-i").arg(identity);
        }
        command.args(&options.extra_args);
        command.arg(format!("-oConnectTimeout={}", options.connect_timeout.as_secs().max(1)));
        command.args(["-oServerAliveInterval=15", "-oServerAliveCountMax=3", "-oLogLevel=ERROR"]);
        command.arg("--").arg(&options.destination).arg(format!("exec sh -c '{script}'"));
        command
    }
}

impl RemoteShell for Host {
    fn name(&self) -> &str {
        &self.options.destination
    }

    fn command<'a>(&'a self, script: &'a str) -> BoxFuture<'a, Result<ShellCommand, OperationError>> {
        ready(Ok(ShellCommand::new(self.ssh("none", "no", script)))).boxed()
    }

    fn explain(&self, said: &str) -> String {
        ssh_error::explain(&self.options.destination, said)
    }

    fn patience(&self) -> Duration {
        // A connection, and a session on it.
        self.options.connect_timeout * 2
    }
}

/// The sessions that are open.
#[derive(Debug, Default)]
struct Slots(Mutex<BTreeSet<usize>>);

/// The number of a session, given back on drop.
#[derive(Debug)]
struct Slot {
    number: usize,
    slots: Arc<Slots>,
}

impl Slots {
    /// The lowest number that is free, so that as few connections as possible are used.
    fn take(slots: &Arc<Self>) -> Slot {
        let mut taken = slots.0.lock().unpoisoned();
        let number = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
        taken.insert(number);
        Slot { number, slots: slots.clone() }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.0.lock().unpoisoned().remove(&self.number);
    }
}
