//! github.com, or the domain of an enterprise.

use url::{Host, Url};

use super::{DOMAIN_PLACEHOLDER, ENTERPRISE_URL};
use crate::auth::oauth::credentials::OAuthCredentials;
use crate::error::{Error, LoginError};

const GITHUB: &str = "github.com";

/// The domain that a login belongs to; `None` is github.com.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Domain(Option<String>);

impl Domain {
    /// Reads what a user entered: nothing, a domain, or an address at it.
    ///
    /// # Errors
    /// [`LoginError::InvalidDomain`].
    pub(super) fn from_entered(text: &str) -> Result<Self, Error> {
        match text.trim() {
            "" => Ok(Self(None)),
            text => host(text).map(Self::named).ok_or(Error::Login(LoginError::InvalidDomain)),
        }
    }

    /// The domain that a stored login names.
    pub(super) fn from_credentials(credentials: &OAuthCredentials) -> Self {
        credentials.extra_text(ENTERPRISE_URL).and_then(host).map_or(Self(None), Self::named)
    }

    fn named(host: String) -> Self {
        Self((host != GITHUB).then_some(host))
    }

    /// The domain, unless it is github.com.
    pub(super) fn enterprise(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A URL for this domain.
    pub(super) fn fill(&self, template: &str) -> String {
        template.replace(DOMAIN_PLACEHOLDER, self.enterprise().unwrap_or(GITHUB))
    }
}

fn host(text: &str) -> Option<String> {
    let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("https://{text}")) };
    match url.ok()?.host()? {
        Host::Domain(domain) if domain.split('.').all(is_label) => Some(domain.to_owned()),
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Domain(_) | Host::Ipv6(_) => None,
    }
}

fn is_label(label: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    !label.is_empty() && label.bytes().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_taken_out_of_what_users_enter() {
        for (text, domain) in [
            ("", None),
            ("  ", None),
            ("company.ghe.com", Some("company.ghe.com")),
            (" https://Company.ghe.com/login?x ", Some("company.ghe.com")),
            ("http://company.ghe.com:8443", Some("company.ghe.com")),
            ("github.com", None),
            ("10.0.0.7", Some("10.0.0.7")),
        ] {
            assert_eq!(Domain::from_entered(text).unwrap().enterprise(), domain, "{text}");
        }
        for text in ["not a domain", "https://", "a..b", "-a.com", "a_b.com", "://", "[::1]", "{domain}"] {
            let error = Domain::from_entered(text).unwrap_err().to_string();
            assert_eq!(error, "Invalid GitHub Enterprise URL/domain", "{text}");
        }
    }

    #[test]
    fn addresses_are_made_for_the_domain() {
        let fill = |text: &str| Domain::from_entered(text).unwrap().fill("https://api.{domain}/x");
        assert_eq!(fill(""), "https://api.github.com/x");
        assert_eq!(fill("company.ghe.com"), "https://api.company.ghe.com/x");
    }
}
