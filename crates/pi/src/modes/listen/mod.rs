//! RPC mode with a socket: several clients of one session. Some speak RPC, some lend their terminal and get the screen of
//! the interactive mode; either may go and come back while the session goes on.
//!
//! `socket` is where they come in, `protocol` and `descriptors` how they begin, `conversation` what they share, `shared_ui`
//! how extensions ask all of them; `rpc_client` and `screen_client` serve one. `modes::attach` is the other end.

mod conversation;
mod descriptors;
mod protocol;
mod rpc_client;
mod screen_client;
mod shared_ui;
mod socket;

use std::io::{self, IsTerminal, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::agent_session::{AgentSession, ExtensionBindings};
use pi_coding_agent::extension::Mode;
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use self::conversation::Conversation;
use self::protocol::line;
use super::{Output, Signals, finish, print};

pub use self::conversation::{ListenOptions, ReplacementWatcher};
pub(crate) use self::descriptors::send as send_descriptors;
pub(crate) use self::protocol::{Description, FromClient, Hello, PROTOCOL, ToClient, line as message_line};
pub(crate) use self::socket::{directory as socket_directory, list as list_sockets};

/// Clients have so long to be told that the program ends.
const FAREWELL: Duration = Duration::from_secs(2);
/// How much of a client's first words is looked at, in bytes.
const FIRST: usize = 1 << 16;

/// Serves clients until one of them or an extension asks for the end, or a signal arrives. The end of standard input ends
/// only the client there.
///
/// # Errors
/// When the socket cannot be made, or signals or threads are not to be had.
pub async fn run_listening(session: AgentSession, options: ListenOptions) -> io::Result<u8> {
    leave_terminal();
    let mut signals = Signals::install()?;
    let socket = socket::Socket::bind(&options.paths).map_err(io::Error::other)?;
    print::complain(&format!("Listening on {}: pi attach shows the session", socket.path().display()));
    let conversation = Arc::new(Conversation::new(session.clone(), options));
    let clients = TaskTracker::new();
    let ended = conversation.ended.clone();
    let begin = begin(&conversation);
    let stdio = {
        let conversation = Arc::clone(&conversation);
        async move { rpc_client::serve_stdio(&conversation).await }
    };
    clients.spawn(stdio);
    clients.spawn(begin);
    let code = loop {
        tokio::select! {
            biased;
            code = signals.next() => break code,
            () = ended.cancelled() => break 0,
            accepted = socket.listener.accept() => match accepted {
                Ok((stream, _)) => welcome(&conversation, &clients, stream),
                // No descriptor is left, for instance: those that are here go on.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            },
        }
    };
    conversation.ended.cancel();
    drop(socket);
    let (output, _thread) = Output::start(io::sink())?;
    let end = super::End::Done(code);
    let code = finish(&session, std::future::pending::<()>(), end, &output, &mut signals).await;
    // What the clients are told of the end is said by now.
    conversation.closed.cancel();
    clients.close();
    let _ = tokio::time::timeout(FAREWELL, clients.wait()).await;
    Ok(code)
}

/// Leaves the terminal behind that started the program, unless it is used: its end is not the end of the session, and it can
/// be lent like any other. The leader of a process group (a job of a shell) cannot.
fn leave_terminal() {
    let uses_terminal = io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
    if !uses_terminal {
        let _ = rustix::process::setsid();
    }
}

/// Lets the session's extensions begin.
fn begin(conversation: &Arc<Conversation>) -> impl Future<Output = ()> + use<> {
    let conversation = Arc::clone(conversation);
    let on_shutdown = {
        let ended = conversation.ended.clone();
        Arc::new(move || ended.cancel())
    };
    let bindings = ExtensionBindings { mode: Mode::Rpc, ui: Arc::clone(&conversation.ui) as _, on_shutdown };
    async move {
        conversation.session.extensions().bind(bindings).await;
        conversation.begun.cancel();
    }
}

/// Serves a client that has come in.
fn welcome(conversation: &Arc<Conversation>, clients: &TaskTracker, stream: tokio::net::UnixStream) {
    // The directory keeps others out; root may come in, and is let in by no other door either.
    let is_own = stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw());
    let Ok(stream) = stream.into_std() else { return };
    if !is_own || stream.set_nonblocking(false).is_err() {
        return;
    }
    let (conversation, runtime, clients) = (Arc::clone(conversation), Handle::current(), clients.clone());
    let token = clients.token();
    // Where no thread is to be had the client is not served; it sees that the connection ends.
    let _ = std::thread::Builder::new().name("client".to_owned()).spawn(move || {
        // What goes wrong with a client is that client's: the stream ends, and others go on.
        let _ = receive(&conversation, &runtime, &clients, stream);
        drop(token);
    });
}

/// Finds out what the client wants, and serves it.
fn receive(
    conversation: &Arc<Conversation>,
    runtime: &Handle,
    clients: &TaskTracker,
    mut stream: UnixStream,
) -> io::Result<()> {
    let mut first = vec![0; FIRST];
    let (count, descriptors) = descriptors::receive(&stream, &mut first)?;
    first.truncate(count);
    if first.is_empty() {
        return Ok(());
    }
    match first.strip_suffix(b"\n").and_then(|line| serde_json::from_slice(line).ok()) {
        Some(Hello::Attach { protocol, name, env }) => match attachable(protocol, descriptors) {
            Ok(descriptors) => screen_client::serve_screen(conversation, runtime, &stream, descriptors, (name, env)),
            Err(message) => stream.write_all(&line(&ToClient::Refused { message })),
        },
        Some(Hello::Describe {}) => {
            let description = runtime.block_on(conversation.describe());
            stream.write_all(&line(&ToClient::Description { description }))
        }
        None => {
            let conversation = Arc::clone(conversation);
            let serve = async move { rpc_client::serve_stream(&conversation, stream, first).await };
            clients.spawn_on(serve, runtime);
            Ok(())
        }
    }
}

/// The descriptors, where everything else fits.
fn attachable(protocol: u32, descriptors: Vec<OwnedFd>) -> Result<[OwnedFd; 2], String> {
    if protocol != PROTOCOL {
        return Err(format!(
            "the session runs in another version of pi ({}): attach with that one, or end it with pi attach --end",
            env!("CARGO_PKG_VERSION")
        ));
    }
    // The system stops a program in the background that draws on the terminal which started it.
    if descriptors.iter().any(|descriptor| rustix::termios::tcgetsid(descriptor).is_ok()) {
        return Err(
            "the session was started from this terminal: attach from another one, or begin with pi attach --start"
                .to_owned(),
        );
    }
    descriptors.try_into().map_err(|_| "the terminal did not come along".to_owned())
}
