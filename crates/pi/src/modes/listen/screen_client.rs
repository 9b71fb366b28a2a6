//! A client that lends its terminal: the screen runs here, on a thread of its own, so that a terminal that takes nothing
//! keeps nobody else waiting.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, mpsc};

use pi_guard::Unpoisoned;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::conversation::Conversation;
use super::protocol::{FromClient, ToClient, line};
use crate::modes::interactive::{Attachment, ClientSide, Ended, Lender, LentTerminal, run_attached};

/// Serves the client until it detaches or is gone. Not for a thread of the runtime.
///
/// # Errors
/// When the terminal is none, or threads are not to be had.
pub(super) fn serve_screen(
    conversation: &Arc<Conversation>,
    runtime: &Handle,
    mut stream: &UnixStream,
    descriptors: [OwnedFd; 2],
    (name, env): (String, BTreeMap<String, String>),
) -> io::Result<()> {
    let _hang_up = HangUp(stream);
    let (resized, gone) = (Arc::new(Notify::new()), CancellationToken::new());
    let (answered, answers) = mpsc::channel();
    let client = RemoteClient { stream: stream.try_clone()?, answers: answers.into() };
    listen(stream.try_clone()?, Arc::clone(&resized), gone.clone(), answered)?;
    let attachment = Attachment {
        terminal: LentTerminal { descriptors, lender: Box::new(client) },
        outside: ClientSide {
            resized,
            gone,
            ended: conversation.ended.clone(),
            replaced: conversation.options.watcher.subscribe(),
        },
        begun: conversation.begun.clone(),
        senders: conversation.senders.clone(),
        name,
    };
    let options = (conversation.options.make_screen)(env);
    let shown = run_attached(conversation.session.clone(), options, attachment, |ui| conversation.ui.join(ui));
    let message = match runtime.block_on(shown) {
        Ok(()) => ToClient::Detached { has_ended: conversation.ended.is_cancelled() },
        Err(error) => ToClient::Refused { message: error.to_string() },
    };
    stream.write_all(&line(&message))
}

/// Ends the connection, however its screen ends: the thread that reads from it would keep the client waiting.
struct HangUp<'a>(&'a UnixStream);

impl Drop for HangUp<'_> {
    fn drop(&mut self) {
        // Whoever is gone needs no end.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Reads what the client says, on a thread of its own.
fn listen(
    stream: UnixStream,
    resized: Arc<Notify>,
    gone: CancellationToken,
    answered: mpsc::Sender<FromClient>,
) -> io::Result<()> {
    let read = move || {
        for line in BufReader::new(stream).split(b'\n') {
            let Ok(message) = line.and_then(|line| Ok(serde_json::from_slice(&line)?)) else { break };
            match message {
                FromClient::Resized {} => resized.notify_one(),
                // Who does not wait for it needs none.
                answer => drop(answered.send(answer)),
            }
        }
        gone.cancel();
    };
    std::thread::Builder::new().name("client".to_owned()).spawn(read)?;
    Ok(())
}

/// The process of the terminal.
struct RemoteClient {
    stream: UnixStream,
    answers: std::sync::Mutex<mpsc::Receiver<FromClient>>,
}

impl RemoteClient {
    /// Asks for something and waits until it is done.
    fn ask(&self, message: &ToClient) -> io::Result<FromClient> {
        (&self.stream).write_all(&line(message))?;
        // Nothing is sent any more when the client is gone.
        self.answers.lock().unpoisoned().recv().map_err(|_| io::ErrorKind::ConnectionReset.into())
    }
}

impl Lender for RemoteClient {
    fn suspend(&self) -> io::Result<()> {
        self.ask(&ToClient::Suspend {}).map(drop)
    }

    fn run(&self, command: &[String]) -> io::Result<Ended> {
        match self.ask(&ToClient::Run { command: command.to_vec() })? {
            FromClient::Ran { ended } => ended.map_err(io::Error::other),
            FromClient::Resumed {} | FromClient::Resized {} => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}
