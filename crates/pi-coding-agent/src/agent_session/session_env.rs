//! What commands of the model are told of the session: the tools are made before it and know it by this.

use std::ffi::OsString;
use std::sync::{Arc, OnceLock, Weak};

use super::Inner;
use crate::tools::SessionEnv;

/// The session, once there is one. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct SessionFacts(Arc<OnceLock<Weak<Inner>>>);

impl SessionFacts {
    /// From now on this session is described.
    pub(super) fn bind(&self, session: &Arc<Inner>) {
        // A second session has tools of its own.
        let _ = self.0.set(Arc::downgrade(session));
    }

    /// The session as variables, as it is when a command starts.
    pub(super) fn env(&self) -> SessionEnv {
        let session = self.clone();
        SessionEnv::new(move || {
            session.0.get().and_then(Weak::upgrade).map(|session| describe(&session)).unwrap_or_default()
        })
    }
}

fn describe(session: &Inner) -> Vec<(OsString, OsString)> {
    let (id, file) = {
        let manager = session.store.manager();
        (manager.session_id().to_owned(), manager.session_file().map(ToOwned::to_owned))
    };
    let (model, level) = session.run.agent().with_state(|state| (Arc::clone(&state.model), state.thinking_level));
    let mut variables: Vec<(OsString, OsString)> = vec![
        ("PI_SESSION_ID".into(), id.into()),
        ("PI_PROVIDER".into(), model.provider.to_string().into()),
        ("PI_MODEL".into(), model.id.to_string().into()),
        ("PI_REASONING_LEVEL".into(), level.as_str().into()),
    ];
    variables.extend(file.map(|file| ("PI_SESSION_FILE".into(), file.into())));
    variables
}
