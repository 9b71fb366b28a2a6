//! Values on their way between program and script.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A value that passes from one side to the other.
#[derive(Debug, Clone, Default)]
pub enum Data {
    /// `undefined`.
    #[default]
    Undefined,
    /// A text.
    Text(String),
    /// A `Uint8Array`.
    Bytes(Vec<u8>),
    /// Anything that JSON can say.
    Json(Value),
    /// The same, written already. Scripts never send it.
    RawJson(String),
    /// An `AbortSignal` that fires when the token is cancelled, as long as the call goes on that it is given to. Scripts
    /// never send it.
    Signal(CancellationToken),
    /// A function that makes a value when the script calls it. Scripts never send it.
    Later(Later),
    /// Several values, where JSON does not suffice. Scripts answer with it through `host.several`.
    List(Vec<Data>),
}

/// A value that is made when a script asks for it, on the script's thread, which waits. Lives as long as the script holds
/// on to its function.
#[derive(Clone)]
pub struct Later(Arc<dyn Fn() -> Data + Send + Sync>);

impl Later {
    /// A value that `make` makes. It must not wait for the script.
    pub fn new(make: impl Fn() -> Data + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    /// Makes the value.
    pub fn make(&self) -> Data {
        (self.0)()
    }
}

impl std::fmt::Debug for Later {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Later")
    }
}

impl Data {
    /// A value as JSON; `undefined` if it cannot be said in JSON.
    pub fn json(value: &impl Serialize) -> Self {
        serde_json::to_string(value).map_or(Self::Undefined, Self::RawJson)
    }

    /// The text, if it is one.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Json(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The value as JSON; `None` for `undefined` and for what JSON cannot say.
    pub fn into_json(self) -> Option<Value> {
        match self {
            Self::Json(value) => Some(value),
            Self::Text(text) => Some(Value::String(text)),
            Self::RawJson(text) => serde_json::from_str(&text).ok(),
            Self::List(items) => Some(items.into_iter().map(|item| item.into_json().unwrap_or_default()).collect()),
            Self::Later(later) => later.make().into_json(),
            Self::Undefined | Self::Bytes(_) | Self::Signal(_) => None,
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Value> for Data {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<bool> for Data {
    fn from(value: bool) -> Self {
        Self::Json(value.into())
    }
}

impl From<()> for Data {
    fn from((): ()) -> Self {
        Self::Undefined
    }
}
