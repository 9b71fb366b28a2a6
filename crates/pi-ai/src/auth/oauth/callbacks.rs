//! What a login asks of, and tells, the user. A terminal, a window or a test answers.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::error::Error;
use crate::transport::without_query;

/// The user's side of a login. A question that the user does not want to answer is answered with
/// [`LoginError::Cancelled`](crate::LoginError::Cancelled), which ends the login.
pub trait OAuthCallbacks: Send + Sync {
    /// A page to open in the browser.
    fn on_auth(&self, page: AuthPage);

    /// A code to type in at a page, on any device.
    fn on_device_code(&self, code: DeviceCode);

    /// A question with a text for an answer.
    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, Error>>;

    /// A choice; `None` cancels the login.
    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, Error>>;

    /// What the login is busy with.
    fn on_progress(&self, text: &str) {
        let _ = text;
    }

    /// A field in which the user may paste the code, or the address that the browser ended up at, while the login
    /// waits for the browser. `None` where there is no such field.
    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, Error>>> {
        None
    }
}

/// A page to open in the browser. `Debug` leaves out the query: it holds what ties the login to its answer.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthPage {
    /// Its address.
    pub url: String,
    /// What to do there.
    pub instructions: Option<String>,
}

impl fmt::Debug for AuthPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthPage").field("url", &without_query(&self.url)).finish_non_exhaustive()
    }
}

/// A code to type in at a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceCode {
    /// The code; it is for the user's eyes and useless to others once used.
    pub user_code: String,
    /// Where to type it in.
    pub verification_uri: String,
    /// How often the login asks whether that has happened.
    pub interval: Option<Duration>,
    /// How long the code is good.
    pub expires_in: Option<Duration>,
}

/// A question with a text for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPrompt {
    /// The question.
    pub message: String,
    /// An example of an answer.
    pub placeholder: Option<String>,
    /// Whether no text is an answer, too.
    pub allow_empty: bool,
}

/// A choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectPrompt {
    /// The question.
    pub message: String,
    /// The answers, the usual one first.
    pub options: Vec<SelectOption>,
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectOption {
    /// What is handed back.
    pub id: String,
    /// What is shown.
    pub label: String,
}
