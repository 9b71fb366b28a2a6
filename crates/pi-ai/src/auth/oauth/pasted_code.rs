//! What users paste: a code, a code with its state, a query string, or the whole address the browser ended up at.

use url::Url;
use url::form_urlencoded;

use crate::error::{Error, LoginError};

/// What ties the redirect to this login.
#[derive(Clone, Copy)]
pub(super) enum Tie<'a> {
    /// A state that comes back.
    State(&'a str),
    /// The path of the redirect, which cannot be guessed. Whoever pastes a code vouches for it.
    Path,
}

/// What was found in a pasted text or in the query of a callback. Not `Debug`: the code is a secret.
#[derive(Default)]
pub(super) struct PastedCode {
    /// The authorization code; never empty.
    pub(super) code: Option<String>,
    /// The state, where there was one; never empty.
    pub(super) state: Option<String>,
    /// The refusal, where there was one.
    pub(super) refusal: Option<String>,
}

impl PastedCode {
    /// Reads what a user pasted.
    pub(super) fn from_pasted(text: &str) -> Self {
        let text = text.trim();
        if let Some(url) = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https")) {
            return Self::from_query(url.query().unwrap_or_default());
        }
        if let Some((code, state)) = text.split_once('#') {
            return Self { code: non_empty(code), state: non_empty(state), refusal: None };
        }
        if text.contains("code=") {
            return Self::from_query(text.trim_start_matches('?'));
        }
        Self { code: non_empty(text), ..Self::default() }
    }

    /// Reads a query string, without the question mark.
    pub(super) fn from_query(query: &str) -> Self {
        let mut answer = Self::default();
        let (mut error, mut description) = (None, None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let slot = match &*name {
                "code" => &mut answer.code,
                "state" => &mut answer.state,
                "error" => &mut error,
                "error_description" => &mut description,
                _ => continue,
            };
            // The first of several counts.
            *slot = slot.take().or_else(|| non_empty(&value));
        }
        answer.refusal = error.map(|error| match description {
            Some(description) => format!("{error}: {description}"),
            None => error,
        });
        answer
    }

    /// The code, if it belongs to this login. Whoever pastes a bare code vouches for it.
    pub(super) fn into_code(self, tie: Tie<'_>) -> Result<Option<String>, Error> {
        if matches!(tie, Tie::State(state) if self.state.is_some_and(|found| found != state)) {
            return Err(Error::Login(LoginError::StateMismatch));
        }
        match self.refusal {
            Some(detail) if self.code.is_none() => Err(Error::Login(LoginError::Refused { detail })),
            _ => Ok(self.code),
        }
    }
}

fn non_empty(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<String>, Option<String>) {
        let answer = PastedCode::from_pasted(text);
        (answer.code, answer.state)
    }

    fn found(code: &str, state: &str) -> (Option<String>, Option<String>) {
        (non_empty(code), non_empty(state))
    }

    #[test]
    fn every_form_is_understood() {
        for (text, code, state) in [
            ("abc", "abc", ""),
            ("  abc\n", "abc", ""),
            ("abc#st", "abc", "st"),
            ("abc#", "abc", ""),
            ("code=a%2Bb&state=s+t", "a+b", "s t"),
            ("?state=s&code=c", "c", "s"),
            ("http://localhost:1455/auth/callback?code=c&state=s#frag", "c", "s"),
            ("https://claude.ai/x?state=s", "", "s"),
            ("http://localhost/callback?code=", "", ""),
            ("code:with-colon", "code:with-colon", ""),
            ("", "", ""),
        ] {
            assert_eq!(read(text), found(code, state), "{text}");
        }
    }

    #[test]
    fn a_foreign_state_and_a_refusal_are_errors() {
        let code =
            |text: &str| PastedCode::from_pasted(text).into_code(Tie::State("mine")).map_err(|error| error.to_string());
        assert_eq!(code("c#mine"), Ok(Some("c".into())));
        assert_eq!(code("c"), Ok(Some("c".into())));
        assert_eq!(code(""), Ok(None));
        assert_eq!(code("c#other"), Err("OAuth state mismatch".into()));
        let refused = "http://localhost/callback?error=access_denied&error_description=not+you&state=mine";
        assert_eq!(code(refused), Err("The login was refused: access_denied: not you".into()));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in ".*") {
            let (code, state) = read(&text);
            proptest::prop_assert!(code.is_none_or(|code| !code.is_empty()));
            proptest::prop_assert!(state.is_none_or(|state| !state.is_empty()));
        }
    }
}
