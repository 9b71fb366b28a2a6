//! Files as they are before a call changes them, read the way in which the tools of the session read.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use pi_guard::lock;

use crate::sdk::CreateAgentSessionOptions;
use crate::tools::{LocalFiles, ReadOperations};

/// Longer files, in bytes, are not shown.
const MOST_BYTES: usize = 1 << 20;

/// The files of a session.
#[derive(Default)]
pub(super) struct PresentFiles(Arc<Mutex<Option<Arc<dyn ReadOperations>>>>);

/// What there is in the place of a file.
pub(super) enum Present {
    Nothing,
    Text(String),
    /// Something that cannot be shown.
    Other,
}

impl PresentFiles {
    /// Learns how the tools of a session read. The last to change the options.
    pub(super) fn install(options: &mut CreateAgentSessionOptions) -> Self {
        let files = Self::default();
        let (earlier, operations) = (Arc::clone(&options.configure_tools), Arc::clone(&files.0));
        options.configure_tools = Arc::new(move |tools| {
            let tools = earlier(tools);
            lock(&operations).clone_from(&tools.read_operations);
            tools
        });
        files
    }

    pub(super) async fn read(&self, path: &Path) -> Present {
        let operations = lock(&self.0).clone();
        let operations = operations.unwrap_or_else(|| LocalFiles::shared());
        let mut pieces = operations.open(path);
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next().await {
            match piece {
                Ok(piece) => bytes.extend_from_slice(&piece),
                Err(error) if error.code() == Some("ENOENT") => return Present::Nothing,
                Err(_) => return Present::Other,
            }
            if bytes.len() > MOST_BYTES {
                return Present::Other;
            }
        }
        String::from_utf8(bytes).map_or(Present::Other, Present::Text)
    }
}
