//! What reqwest says about a failure, in Node's terms.

use std::error::Error as StdError;
use std::io::ErrorKind;

use super::FetchError;

/// Walks down to the cause: the outer errors repeat the URL, whose query may be a secret. `server` is host and port, if
/// that is what could not be reached.
pub(super) fn describe(error: reqwest::Error, when: &str, server: &str) -> FetchError {
    let is_timeout = error.is_timeout();
    let error = error.without_url();
    let mut cause: &(dyn StdError + 'static) = &error;
    let mut code = code_of(cause);
    while let Some(next) = cause.source() {
        cause = next;
        code = code_of(cause).or(code);
    }
    if code.is_none() && is_timeout {
        code = Some("ETIMEDOUT");
    }
    let message = match code {
        Some("ENOTFOUND") => {
            format!("getaddrinfo ENOTFOUND {}", server.rsplit_once(':').map_or(server, |(host, _)| host))
        }
        // These say all that there is to say.
        Some(code @ ("ECONNREFUSED" | "ECONNRESET" | "EHOSTUNREACH" | "ENETUNREACH" | "ETIMEDOUT"))
            if !server.is_empty() =>
        {
            format!("{when} {code} {server}")
        }
        Some(code) => format!("{when} {code}: {cause}"),
        None => format!("{when} failed: {cause}"),
    };
    FetchError { message, code: code.map(str::to_owned) }
}

fn code_of(error: &(dyn StdError + 'static)) -> Option<&'static str> {
    if error.to_string().starts_with("dns error") {
        return Some("ENOTFOUND");
    }
    match error.downcast_ref::<std::io::Error>()?.kind() {
        ErrorKind::ConnectionRefused => Some("ECONNREFUSED"),
        ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof => Some("ECONNRESET"),
        ErrorKind::ConnectionAborted => Some("ECONNABORTED"),
        ErrorKind::BrokenPipe => Some("EPIPE"),
        ErrorKind::TimedOut => Some("ETIMEDOUT"),
        ErrorKind::HostUnreachable => Some("EHOSTUNREACH"),
        ErrorKind::NetworkUnreachable => Some("ENETUNREACH"),
        ErrorKind::AddrNotAvailable => Some("EADDRNOTAVAIL"),
        _ => None,
    }
}
