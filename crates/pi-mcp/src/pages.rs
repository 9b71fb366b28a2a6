//! How pages of the web are opened: the program knows, a library does not.

use std::sync::Arc;

/// Opens a page in the user's browser; says whether there was one to open it.
#[derive(Clone)]
pub(crate) struct OpenPage(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl OpenPage {
    /// By this function.
    pub(crate) fn new(open: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
    }

    /// Opens a page, unless it is none of the web: nothing else is ever handed to the system.
    pub(crate) fn open(&self, url: &str) -> bool {
        (url.starts_with("https://") || url.starts_with("http://")) && (self.0)(url)
    }
}

impl Default for OpenPage {
    /// There is no browser.
    fn default() -> Self {
        Self::new(|_| false)
    }
}

impl std::fmt::Debug for OpenPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenPage").finish_non_exhaustive()
    }
}
