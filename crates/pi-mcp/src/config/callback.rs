//! Where the browser is sent back to after a login: an address of this machine, over HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

const SCHEME: &str = "http://";
const IPV4: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const IPV6: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);

/// An address of this machine. Servers compare it letter by letter, so its text is kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallbackAddress {
    host: String,
    /// Absent: whichever is free.
    port: Option<u16>,
    /// All behind host and port.
    path: String,
}

impl Default for CallbackAddress {
    fn default() -> Self {
        Self { host: IPV4.to_string(), port: None, path: "/callback".to_owned() }
    }
}

impl CallbackAddress {
    /// `None` for what is no HTTP address of this machine, and for one with a query or fragment.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let rest = text.strip_prefix(SCHEME)?;
        if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
            Some((host, port)) => (host, Some(port.parse().ok().filter(|port| *port > 0)?)),
            None => (authority, None),
        };
        ["localhost", "127.0.0.1", "[::1]"].contains(&host).then(|| Self {
            host: host.to_owned(),
            port,
            path: path.to_owned(),
        })
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }

    /// The same with this port, if it has none.
    pub(crate) fn with_port(self, port: Option<u16>) -> Self {
        Self { port: self.port.or(port), ..self }
    }

    /// The same with another path.
    pub(crate) fn with_path(self, path: String) -> Self {
        Self { path, ..self }
    }

    /// Its text with this port.
    pub(crate) fn uri(&self, port: u16) -> String {
        format!("{SCHEME}{}:{port}{}", self.host, self.path)
    }

    /// What a browser may call by its host: the first has to be listened to, the others if they are to be had.
    pub(crate) fn interfaces(&self) -> &'static [IpAddr] {
        match self.host.as_str() {
            "localhost" => &[IPV4, IPV6],
            "[::1]" => &[IPV6],
            _ => &[IPV4],
        }
    }

    /// Whether documents about pi name it.
    pub(crate) fn is_documented(&self) -> bool {
        self.host != "[::1]" && self.path == "/callback"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_keep_their_text() {
        for (text, port, uri) in [
            ("http://localhost:80/cb", Some(80), "http://localhost:80/cb"),
            ("http://127.0.0.1", None, "http://127.0.0.1:7"),
            ("http://[::1]:9000/", Some(9000), "http://[::1]:9000/"),
            ("http://[::1]/a/b", None, "http://[::1]:7/a/b"),
        ] {
            let address = CallbackAddress::parse(text).unwrap();
            assert_eq!(address.port(), port);
            assert_eq!(address.uri(port.unwrap_or(7)), uri);
        }
        assert_eq!(CallbackAddress::default().with_port(Some(7)).uri(7), "http://127.0.0.1:7/callback");
    }

    #[test]
    fn others_are_none() {
        for text in [
            "https://localhost/cb",
            "http://example.com/cb",
            "http://localhost.example.com/cb",
            "http://me@localhost/cb",
            "http://localhost/cb?a=b",
            "http://localhost/cb#a",
            "http://localhost:0/cb",
            "http://localhost:x/cb",
            "http://localhost:70000/cb",
            "localhost:80",
            "",
        ] {
            assert_eq!(CallbackAddress::parse(text), None, "{text}");
        }
    }
}
