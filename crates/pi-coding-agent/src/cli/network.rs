//! `--record` and `--replay`: cassettes in the place of, or around, the network.

use std::path::Path;
use std::sync::Arc;

use pi_ai::transport::cassette::{Recorder, Replayer};
use pi_ai::transport::{HttpTransport, ReqwestTransport};

use super::args::Args;

/// The transport that was asked for; `None` for the ordinary network.
///
/// # Errors
/// A sentence that names the cassette.
pub(super) fn transport(args: &Args, cwd: &Path) -> Result<Option<Arc<dyn HttpTransport>>, String> {
    match (&args.replay, &args.record) {
        (Some(_), Some(_)) => Err("--record and --replay cannot be combined".to_owned()),
        (Some(file), None) => {
            let replayer = Replayer::open(&cwd.join(file)).map_err(|error| error.to_string())?;
            Ok(Some(Arc::new(replayer)))
        }
        (None, Some(file)) => {
            let network = ReqwestTransport::shared();
            let recorder = Recorder::open(&cwd.join(file), network).map_err(|error| error.to_string())?;
            Ok(Some(Arc::new(recorder)))
        }
        (None, None) => Ok(None),
    }
}
