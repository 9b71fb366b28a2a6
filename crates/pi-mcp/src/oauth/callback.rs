//! The local end of a login: a port of this machine that waits for the browser to be sent back.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::config::CallbackAddress;

/// Whoever opens a connection asks for something within this time, in so many bytes.
const HEADER_TIME: Duration = Duration::from_secs(10);
const MOST_HEADER: usize = 16 << 10;
/// So many connections are looked after at once.
const MOST_CONNECTIONS: usize = 16;
/// When the system refuses a connection, the next try waits this long.
const PAUSE: Duration = Duration::from_millis(100);

/// A port that waits.
#[derive(Debug)]
pub(super) struct Callback {
    listener: TcpListener,
    /// The same port of the other interface that a browser may mean by the name of this machine.
    other: Option<TcpListener>,
    port: u16,
    address: CallbackAddress,
}

impl Callback {
    /// Takes the port of an address; one without leaves the choice to the system.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) async fn bind(address: &CallbackAddress) -> std::io::Result<Self> {
        let (first, others) = match address.interfaces() {
            [first, others @ ..] => (*first, others),
            [] => return Err(std::io::ErrorKind::AddrNotAvailable.into()),
        };
        let listener = TcpListener::bind((first, address.port().unwrap_or(0))).await?;
        let port = listener.local_addr()?.port();
        // There are machines without the other one.
        let other = match others.first() {
            Some(other) => TcpListener::bind((*other, port)).await.ok(),
            None => None,
        };
        Ok(Self { listener, other, port, address: address.clone() })
    }

    /// Where the browser is to be sent.
    pub(super) fn redirect_uri(&self) -> String {
        self.address.uri(self.port)
    }

    /// The same port with another path.
    pub(super) fn with_path(self, path: String) -> Self {
        Self { address: self.address.with_path(path), ..self }
    }

    async fn accept(&self) -> std::io::Result<TcpStream> {
        let other = async {
            match &self.other {
                Some(other) => other.accept().await,
                None => std::future::pending().await,
            }
        };
        let (stream, _) = tokio::select! {
            accepted = self.listener.accept() => accepted?,
            accepted = other => accepted?,
        };
        Ok(stream)
    }

    /// Waits for the browser with this state; the address that it was sent to. What else arrives is answered and ignored: no
    /// page can end or hijack a login. Browsers open connections in advance, so one that says nothing holds up no other.
    pub(super) async fn redirected(&self, state: &str) -> Url {
        let mut connections = FuturesUnordered::new();
        loop {
            tokio::select! {
                accepted = self.accept(), if connections.len() < MOST_CONNECTIONS => match accepted {
                    Ok(stream) => connections.push(tokio::time::timeout(HEADER_TIME, self.serve(stream, state))),
                    Err(_) => tokio::time::sleep(PAUSE).await,
                },
                Some(served) = connections.next() => {
                    if let Ok(Some(url)) = served {
                        return url;
                    }
                }
            }
        }
    }

    async fn serve(&self, mut stream: TcpStream, state: &str) -> Option<Url> {
        let mut head = Vec::new();
        let mut buffer = [0; 2048];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let length = stream.read(&mut buffer).await.ok().filter(|length| *length > 0)?;
            head.extend_from_slice(&buffer[..length]);
            if head.len() > MOST_HEADER {
                return None;
            }
        }
        let url = self.target(&head).filter(|url| is_of(url, state));
        let (status, text) = match &url {
            None => ("404 Not Found", "This is not the login that pi waits for."),
            Some(url) if has(url, "error") => ("400 Bad Request", "The login was refused. You can close this page."),
            Some(_) => ("200 OK", "You are logged in. You can close this page and go back to pi."),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        // A browser that does not fetch its page changes nothing.
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
        url
    }

    /// The address that a request is about.
    fn target(&self, head: &[u8]) -> Option<Url> {
        let line = std::str::from_utf8(head).ok()?.lines().next()?;
        let target = line.strip_prefix("GET ")?.split(' ').next()?;
        let own = Url::parse(&self.redirect_uri()).ok()?;
        let url = own.join(target).ok()?;
        (url.path() == own.path() && target.starts_with('/')).then_some(url)
    }
}

/// Whether a redirect belongs to the login with this state.
pub(super) fn is_of(url: &Url, state: &str) -> bool {
    url.query_pairs().any(|(name, value)| name == "state" && value == state)
}

fn has(url: &Url, name: &str) -> bool {
    url.query_pairs().any(|(other, _)| other == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ask(port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        answer
    }

    #[tokio::test]
    async fn only_the_redirect_of_this_login_counts() {
        let callback = Callback::bind(&CallbackAddress::default()).await.unwrap();
        let port = callback.port;
        let waiting = tokio::spawn(async move { callback.redirected("mine").await });
        let _silent = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        for (target, status) in [
            ("GET /favicon.ico", "404"),
            ("GET /callback?code=x", "404"),
            ("GET /callback?code=x&state=other", "404"),
            ("POST /callback?code=x&state=mine", "404"),
            ("GET http://evil.example/callback?code=x&state=mine", "404"),
            ("GET /callback?code=y&state=mine", "200"),
        ] {
            let answer = ask(port, &format!("{target} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{target}: {answer}");
        }
        assert_eq!(waiting.await.unwrap().query(), Some("code=y&state=mine"));
    }

    #[tokio::test]
    async fn an_address_of_ones_own_is_waited_at_under_each_of_its_names() {
        for (text, hosts) in [
            ("http://localhost/login/done", &["127.0.0.1", "::1"][..]),
            ("http://127.0.0.1", &["127.0.0.1"]),
            ("http://[::1]/login/done", &["::1"]),
        ] {
            for host in hosts {
                let address = CallbackAddress::parse(text).unwrap();
                // There are machines without the newer protocol.
                let Ok(callback) = Callback::bind(&address).await else { continue };
                let Ok(mut stream) = TcpStream::connect((*host, callback.port)).await else { continue };
                let path = Url::parse(text).unwrap().path().to_owned();
                let request = format!("GET {path}?code=y&state=mine HTTP/1.1\r\nHost: x\r\n\r\n");
                stream.write_all(request.as_bytes()).await.unwrap();
                let url = callback.redirected("mine").await;
                assert_eq!((url.path(), url.query()), (&*path, Some("code=y&state=mine")), "{text} at {host}");
            }
        }
    }
}
