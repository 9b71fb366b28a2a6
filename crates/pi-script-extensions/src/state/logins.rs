//! Logins that scripts are making, and what these ask of the user.

use pi_ai::Error;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, SelectPrompt, TextPrompt};
use tokio::sync::{mpsc, oneshot};

use super::numbered::Numbered;

/// The logins that are being made, by number.
pub(crate) type Logins = Numbered<mpsc::UnboundedSender<Ask>>;

/// What a login asks of the user.
#[derive(Debug)]
pub(crate) enum Ask {
    Auth(AuthPage),
    Device(DeviceCode),
    Progress(String),
    Prompt(TextPrompt, oneshot::Sender<Result<String, Error>>),
    Select(SelectPrompt, oneshot::Sender<Result<Option<String>, Error>>),
    Code(oneshot::Sender<Result<String, Error>>),
}
