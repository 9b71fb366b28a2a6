//! Request headers under construction: later values replace earlier ones of the same name, case ignored.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::error::{Error, RequestError};

/// Headers whose value is a credential.
const SECRET: [&str; 5] = ["api-key", "authorization", "cf-aig-authorization", "x-api-key", "x-goog-api-key"];

/// Headers under construction.
#[derive(Debug, Default)]
pub(crate) struct Headers(HeaderMap);

impl Headers {
    /// Sets a header.
    ///
    /// # Errors
    /// [`RequestError::InvalidHeader`] when name or value is not legal in HTTP.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let invalid = |detail: String| Error::Request(RequestError::InvalidHeader { name: name.to_owned(), detail });
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|e| invalid(e.to_string()))?;
        let mut content = HeaderValue::from_str(value).map_err(|e| invalid(e.to_string()))?;
        content.set_sensitive(SECRET.contains(&header.as_str()));
        self.0.insert(header, content);
        Ok(())
    }

    /// Sets `Authorization: Bearer …` or a header of that form.
    ///
    /// # Errors
    /// As [`Headers::set`].
    pub(crate) fn set_bearer(&mut self, name: &str, key: &str) -> Result<(), Error> {
        self.set(name, &format!("Bearer {key}"))
    }

    /// Sets all headers of a map.
    ///
    /// # Errors
    /// As [`Headers::set`].
    pub(crate) fn set_all(&mut self, headers: Option<&BTreeMap<String, String>>) -> Result<(), Error> {
        headers.into_iter().flatten().try_for_each(|(name, value)| self.set(name, value))
    }

    /// The finished headers.
    pub(crate) fn finish(self) -> HeaderMap {
        self.0
    }
}
