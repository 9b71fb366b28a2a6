//! Proxies from the environment: which variables count, and which hosts are never proxied.
//!
//! Loopback hosts are always reached directly: a model server on this machine must not vanish behind a company's
//! proxy. The operating system's own settings apply where no variable is set; that is reqwest's business.

use reqwest::{NoProxy, Proxy};

use crate::error::{Error, NetworkError};

const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";
/// Under this name the environment that a program hands in may tell of a proxy in the program's own settings. It counts
/// where no variable names one.
pub const PROXY_OF_SETTINGS: &str = "httpProxy";

/// Proxies as the environment names them.
#[derive(Default)]
pub(crate) struct ProxySettings {
    http: Option<Setting>,
    https: Option<Setting>,
    exempt: String,
}

struct Setting {
    variable: &'static str,
    url: String,
}

impl ProxySettings {
    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, lower case before upper case.
    pub(crate) fn from_env(env: &dyn Fn(&str) -> Option<String>) -> Self {
        let read = |names: &[&'static str]| {
            let find = |name: &&'static str| {
                env(name).filter(|url| !url.is_empty()).map(|url| Setting { variable: name, url })
            };
            names.iter().find_map(find)
        };
        // In a CGI program `HTTP_PROXY` is the request header `Proxy`, which anybody can send.
        let is_cgi = env("REQUEST_METHOD").is_some();
        let http = if is_cgi { &["http_proxy"][..] } else { &["http_proxy", "HTTP_PROXY"] };
        let all = || read(&["all_proxy", "ALL_PROXY", PROXY_OF_SETTINGS]);
        Self {
            http: read(http).or_else(all),
            https: read(&["https_proxy", "HTTPS_PROXY"]).or_else(all),
            exempt: exempt_hosts(&read(&["no_proxy", "NO_PROXY"]).map(|setting| setting.url).unwrap_or_default()),
        }
    }

    /// The proxies for reqwest.
    ///
    /// # Errors
    /// [`NetworkError::Connection`] naming the variable whose value is not the URL of an HTTP or HTTPS proxy.
    pub(crate) fn build(&self) -> Result<Vec<Proxy>, Error> {
        let no_proxy = NoProxy::from_string(&self.exempt);
        let http = self.http.iter().map(|setting| (setting, Proxy::http(&setting.url)));
        let https = self.https.iter().map(|setting| (setting, Proxy::https(&setting.url)));
        let checked = http.chain(https).map(|(setting, proxy)| {
            let proxy = setting.check_scheme().and_then(|()| proxy.map_err(|_| setting.error("is not a URL")))?;
            Ok(proxy.no_proxy(no_proxy.clone()))
        });
        checked.collect()
    }

    /// The variable that decides about URLs of this scheme.
    pub(crate) fn variable(&self, scheme: &str) -> Option<&'static str> {
        let setting = if scheme == "https" { &self.https } else { &self.http };
        setting.as_ref().map(|setting| setting.variable)
    }
}

impl Setting {
    fn check_scheme(&self) -> Result<(), Error> {
        match self.url.split_once("://") {
            Some((scheme, _)) if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => {
                Err(self.error(&format!("names an unsupported proxy protocol, {scheme}; use an HTTP or HTTPS proxy")))
            }
            _ => Ok(()),
        }
    }

    /// Leaves out the value: it may hold a password.
    fn error(&self, detail: &str) -> Error {
        let kind = if self.variable == PROXY_OF_SETTINGS { "setting" } else { "variable" };
        Error::Network(NetworkError::Setup { detail: format!("The {kind} {} {detail}.", self.variable) })
    }
}

/// Entries separated by commas or white space, `*.host` meaning `.host`, plus loopback.
fn exempt_hosts(no_proxy: &str) -> String {
    let entries = no_proxy.split([',', ' ', '\t', '\n']).filter(|entry| !entry.is_empty());
    let entries = entries.map(|entry| if entry == "*" { entry } else { entry.trim_start_matches('*') });
    entries.chain([LOOPBACK]).collect::<Vec<_>>().join(",")
}

impl std::fmt::Debug for ProxySettings {
    /// Leaves out the URLs: they may hold passwords.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProxySettings")
            .field("http", &self.variable("http"))
            .field("https", &self.variable("https"))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> ProxySettings {
        let lookup = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        ProxySettings::from_env(&lookup)
    }

    #[test]
    fn the_variables_and_their_order() {
        let lower_first = settings(&[("HTTPS_PROXY", "http://b"), ("https_proxy", "http://a")]);
        assert_eq!(lower_first.variable("https"), Some("https_proxy"));
        assert_eq!(lower_first.variable("http"), None);
        let all = settings(&[("ALL_PROXY", "http://b"), ("http_proxy", "")]);
        assert_eq!((all.variable("http"), all.variable("https")), (Some("ALL_PROXY"), Some("ALL_PROXY")));
        let cgi = settings(&[("HTTP_PROXY", "http://b"), ("REQUEST_METHOD", "POST")]);
        assert_eq!(cgi.variable("http"), None);
    }

    #[test]
    fn a_setting_counts_last_and_is_named_as_such() {
        let both = settings(&[("httpProxy", "http://a"), ("HTTP_PROXY", "http://b")]);
        assert_eq!((both.variable("http"), both.variable("https")), (Some("HTTP_PROXY"), Some("httpProxy")));
        let all = settings(&[("httpProxy", "http://a"), ("ALL_PROXY", "http://b")]);
        assert_eq!(all.variable("http"), Some("ALL_PROXY"));
        let error = settings(&[("httpProxy", "socks5://a")]).build().map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("The setting httpProxy names an unsupported proxy protocol"), "{error}");
    }

    #[test]
    fn exempt_hosts_always_hold_loopback() {
        assert_eq!(settings(&[]).exempt, LOOPBACK);
        let some = settings(&[("NO_PROXY", "a.com, *.b.com\t.c.com,,*")]);
        assert_eq!(some.exempt, format!("a.com,.b.com,.c.com,*,{LOOPBACK}"));
    }

    #[test]
    fn a_bad_value_is_reported_without_its_secrets() {
        for (value, expected) in [
            ("socks5://me:pa55word@host", "HTTPS_PROXY names an unsupported proxy protocol, socks5"),
            ("http://me:pa55word@", "HTTPS_PROXY is not a URL"),
        ] {
            let bad = settings(&[("HTTPS_PROXY", value)]);
            let error = bad.build().map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains("pa55word"), "{error}");
            assert!(!format!("{bad:?}").contains("pa55word"));
        }
        assert_eq!(settings(&[("ALL_PROXY", "proxy.local:3128")]).build().unwrap().len(), 2);
    }
}
