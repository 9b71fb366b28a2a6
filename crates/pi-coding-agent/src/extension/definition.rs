//! What an extension is.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::api::ExtensionApi;
use crate::events::HandlerError;
use crate::resources::prompt::{Scope, SourceInfo, SourceOrigin};

/// Something that plugs into sessions. One value may serve many sessions: what it keeps in its fields lives on when a
/// session is replaced, what [`activate`](Self::activate) makes belongs to one session.
pub trait Extension: Send + Sync + 'static {
    /// How it is named in reports: the path of its file, or a name such as `<inline:1>`.
    fn name(&self) -> &str;

    /// Where it came from. By default: from the program itself.
    fn source_info(&self) -> SourceInfo {
        SourceInfo {
            path: self.name().to_owned(),
            source: "inline".to_owned(),
            scope: Scope::Temporary,
            origin: SourceOrigin::TopLevel,
            base_dir: None,
        }
    }

    /// Called before every [`activate`](Self::activate), for all extensions of a session at once: what takes long and
    /// touches nothing but the extension itself, such as compiling. What was done already is not done again.
    ///
    /// # Errors
    /// The extension is then left out, and the failure is part of the [`LoadReport`](super::LoadReport).
    fn prepare(&self) -> BoxFuture<'_, Result<(), HandlerError>> {
        futures::future::ready(Ok(())).boxed()
    }

    /// Called once per session, before it starts: subscribes to events and registers what the extension brings. Acting on
    /// the session is possible only from `session_start` on.
    ///
    /// # Errors
    /// The extension is then left out, and the failure is part of the [`LoadReport`](super::LoadReport).
    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>>;
}

/// An extension made of a name and a closure.
#[doc(alias = "ExtensionFactory")]
pub fn extension_fn<F>(
    name: impl Into<String>,
    activate: impl Fn(ExtensionApi) -> F + Send + Sync + 'static,
) -> Arc<dyn Extension>
where
    F: Future<Output = Result<(), HandlerError>> + Send + 'static,
{
    Arc::new(FnExtension { name: name.into(), activate })
}

struct FnExtension<A> {
    name: String,
    activate: A,
}

impl<A, F> Extension for FnExtension<A>
where
    A: Fn(ExtensionApi) -> F + Send + Sync + 'static,
    F: Future<Output = Result<(), HandlerError>> + Send + 'static,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        (self.activate)(pi).boxed()
    }
}
