//! A connection between two calls: answers pings, notices when the server leaves, closes when nobody comes back.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;

use super::connection::Connection;

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

#[cfg(test)]
mod tests {
    use futures::{SinkExt, StreamExt};
    use tokio::io::DuplexStream;
    use tokio::time::Instant;
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;
    use crate::api::openai_codex_responses::websocket::connection::Destination;
    use crate::api::openai_codex_responses::websocket::socket::Socket;

    /// A connection without a network, and the server's end of it.
    async fn connected() -> (Connection, WebSocketStream<DuplexStream>) {
        let (ours, theirs) = tokio::io::duplex(1000);
        let destination = Destination { url: String::new(), authorization: None };
        let connection = Connection { socket: Socket::over(Box::new(ours)).await, destination, continuation: None };
        (connection, WebSocketStream::from_raw_socket(theirs, Role::Server, None).await)
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_comes_back() {
        let (connection, mut server) = connected().await;
        let start = Instant::now();
        let idle = Idle::new(connection).unwrap();
        let Some(Ok(Message::Close(Some(frame)))) = server.next().await else { panic!("no goodbye") };
        assert_eq!((u16::from(frame.code), frame.reason.as_str()), (1000, "idle_timeout"));
        assert_eq!(start.elapsed(), EXPIRY);
        assert!(idle.take().await.is_none());
    }

    #[tokio::test]
    async fn pings_are_answered_meanwhile() {
        let (connection, mut server) = connected().await;
        let idle = Idle::new(connection).unwrap();
        server.send(Message::Ping("1".into())).await.unwrap();
        assert_eq!(server.next().await.unwrap().unwrap(), Message::Pong("1".into()));
        let mut connection = idle.take().await.unwrap();
        server.send(Message::text("hello")).await.unwrap();
        assert_eq!(connection.socket.receive().await.unwrap(), "hello");
    }

    #[tokio::test]
    async fn what_nobody_asked_for_ends_it() {
        let (connection, mut server) = connected().await;
        let idle = Idle::new(connection).unwrap();
        server.send(Message::text("late")).await.unwrap();
        assert!(server.next().await.is_none_or(|end| end.is_err()));
        assert!(idle.take().await.is_none());
    }

    #[test]
    fn a_connection_does_not_outlive_its_runtime() {
        let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
        let first = runtime();
        let (connection, _server) = first.block_on(connected());
        assert!(Idle::new(connection).is_none(), "outside of a runtime");
        let idle = first.block_on(async { Idle::new(connected().await.0).unwrap() });
        drop(first);
        assert!(runtime().block_on(idle.take()).is_none());
    }
}
