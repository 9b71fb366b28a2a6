//! A connection between two calls: answers pings, notices when the server leaves, closes when nobody comes back.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;

use super::sessions::Connection;

/// A connection waits this long for the next call.
pub(super) const EXPIRY: Duration = Duration::from_secs(5 * 60);

/// A connection under watch. Dropping it closes the connection.
#[derive(Debug)]
pub(super) struct Idle {
    wish: oneshot::Sender<Wish>,
    task: AbortOnDropHandle<Option<Connection>>,
}

#[derive(Debug)]
enum Wish {
    Use,
    Close,
}

impl Idle {
    /// Watches over a connection; `None`, which closes it, outside of a runtime.
    pub(super) fn new(connection: Connection) -> Option<Self> {
        let (wish, wished) = oneshot::channel();
        let task = Handle::try_current().ok()?.spawn(watch(connection, wished));
        Some(Self { wish, task: AbortOnDropHandle::new(task) })
    }

    /// The connection, if it is still open.
    pub(super) async fn take(self) -> Option<Connection> {
        // When nobody listens any more, the task has ended with nothing.
        let _ = self.wish.send(Wish::Use);
        self.task.await.ok().flatten()
    }

    /// Closes the connection without waiting for it.
    pub(super) fn close(self) {
        if self.wish.send(Wish::Close).is_ok() {
            // It takes a second at most.
            drop(self.task.detach());
        }
    }
}

async fn watch(mut connection: Connection, wished: oneshot::Receiver<Wish>) -> Option<Connection> {
    let reason = tokio::select! {
        biased;
        wish = wished => match wish {
            Ok(Wish::Use) => return Some(connection),
            Ok(Wish::Close) | Err(_) => "session_closed",
        },
        // Nothing was asked, so whatever comes, the end of the connection included, makes it useless.
        _ = connection.socket.receive() => return None,
        () = tokio::time::sleep(EXPIRY) => "idle_timeout",
    };
    connection.socket.close(reason).await;
    None
}
