//! Keys that run something. Only a mode with a terminal listens to them.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::context::ExtensionContext;
use crate::events::HandlerError;

/// Runs when the key is pressed.
pub(crate) type ShortcutHandler =
    dyn Fn(ExtensionContext) -> BoxFuture<'static, Result<(), HandlerError>> + Send + Sync;

/// A key and what it does.
#[derive(Clone)]
pub struct Shortcut {
    /// For example `ctrl+alt+p`.
    pub key: String,
    /// For people.
    pub description: Option<String>,
    /// What it does.
    pub handler: Arc<ShortcutHandler>,
}

impl Shortcut {
    /// A key that runs a closure.
    pub fn new<F>(key: impl Into<String>, handler: impl Fn(ExtensionContext) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), HandlerError>> + Send + 'static,
    {
        Self { key: key.into(), description: None, handler: Arc::new(move |context| handler(context).boxed()) }
    }

    /// Says what it does.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }
}

impl fmt::Debug for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shortcut").field("key", &self.key).finish_non_exhaustive()
    }
}
