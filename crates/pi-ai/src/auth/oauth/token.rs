//! The answer of a token endpoint.

use super::credentials::OAuthCredentials;
use super::exchange::Reply;
use super::provider::OAuthContext;
use crate::error::{Error, LoginError};

/// How long a token lasts whose server does not say.
const DEFAULT_LIFETIME_MS: i64 = 3_600_000;

/// A successful answer.
pub(super) struct TokenReply<'a> {
    pub(super) reply: &'a Reply,
    pub(super) context: &'a OAuthContext,
    /// Tokens count as expired so much earlier, in milliseconds.
    pub(super) margin_ms: i64,
}

impl TokenReply<'_> {
    /// The login that begins with this answer, or the old one as the answer continues it. A server that sends no new
    /// refresh token lets the old one stand.
    ///
    /// # Errors
    /// [`LoginError::Request`] when a token is missing.
    pub(super) fn credentials(&self, old: Option<&OAuthCredentials>) -> Result<OAuthCredentials, Error> {
        let access = self.reply.text("access_token").ok_or_else(|| missing("access_token"))?;
        let lifetime = self.reply.seconds("expires_in").and_then(|time| i64::try_from(time.as_millis()).ok());
        let now = self.context.clock.now_ms();
        let refresh = self.reply.text("refresh_token").or(old.map(|old| &*old.refresh));
        Ok(OAuthCredentials {
            refresh: refresh.ok_or_else(|| missing("refresh_token"))?.to_owned(),
            access: access.to_owned(),
            expires: now.saturating_add(lifetime.unwrap_or(DEFAULT_LIFETIME_MS)).saturating_sub(self.margin_ms),
            extra: old.map(|old| old.extra.clone()).unwrap_or_default(),
        })
    }
}

/// The answer of a server that left something out.
pub(super) fn missing(field: &str) -> Error {
    Error::Login(LoginError::Request { message: format!("the answer has no {field}"), retryable: false })
}
