//! API name → implementation. Built-in wire formats and those of third parties are registered alike.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use pi_guard::Unpoisoned;

use crate::context::Context;
use crate::error::{Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::stream::AssistantMessageStream;

/// A wire format, or anything else that answers like one.
pub trait Api: std::fmt::Debug + Send + Sync {
    /// The name that models carry in `api`.
    fn name(&self) -> &str;

    /// Starts a call. Failures of any kind end the stream; this never fails by itself.
    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream;

    /// Lets go of what is kept between the calls of a session, such as open connections; `None` means all sessions.
    /// Calls that are running go on.
    fn cleanup_session_resources(&self, _session_id: Option<&str>) {}
}

/// The implementations that a program knows.
#[derive(Debug, Default)]
pub struct ApiRegistry {
    apis: RwLock<HashMap<String, Arc<dyn Api>>>,
}

impl ApiRegistry {
    /// A registry without any implementation.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A registry with the implementations of both; where both have one of a name, it is this one's.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let all = |of: &Self| of.apis.read().unpoisoned().clone();
        let mut apis = all(other);
        apis.extend(all(self));
        Self { apis: RwLock::new(apis) }
    }

    /// Adds an implementation, replacing one of the same name.
    pub fn register(&self, api: Arc<dyn Api>) {
        self.apis.write().unpoisoned().insert(api.name().to_owned(), api);
    }

    /// Removes an implementation.
    pub fn unregister(&self, name: &str) -> Option<Arc<dyn Api>> {
        self.apis.write().unpoisoned().remove(name)
    }

    /// Looks an implementation up.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Api>> {
        self.apis.read().unpoisoned().get(name).cloned()
    }

    /// Lets all implementations go of what they keep between the calls of a session ([`StreamOptions::session_id`]), such
    /// as open connections; `None` means all sessions. To be called when a session ends.
    pub fn cleanup_session_resources(&self, session_id: Option<&str>) {
        let apis: Vec<_> = self.apis.read().unpoisoned().values().cloned().collect();
        apis.iter().for_each(|api| api.cleanup_session_resources(session_id));
    }

    /// Starts a call with the implementation of the model's wire format. A key that the options lack is taken
    /// from the environment (see [`crate::auth::env`]).
    ///
    /// # Errors
    /// [`RequestError::UnknownApi`] when nothing is registered under the model's `api`.
    #[doc(alias = "streamSimple")]
    pub fn stream(
        &self,
        model: Arc<Model>,
        context: Context,
        options: StreamOptions,
    ) -> Result<AssistantMessageStream, Error> {
        let api =
            self.get(&model.api).ok_or_else(|| Error::Request(RequestError::UnknownApi { api: model.api.clone() }))?;
        let options = crate::auth::env::with_env_key(&model, options);
        Ok(api.stream(model, context, options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Named(&'static str);

    impl Api for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn stream(&self, _: Arc<Model>, _: Context, _: StreamOptions) -> AssistantMessageStream {
            unreachable!("nobody calls it")
        }
    }

    #[test]
    fn of_two_registries_the_first_counts() {
        let (one, other) = (ApiRegistry::empty(), ApiRegistry::empty());
        let shared: Arc<dyn Api> = Arc::new(Named("shared"));
        one.register(Arc::clone(&shared));
        other.register(Arc::new(Named("shared")));
        other.register(Arc::new(Named("other")));
        let merged = one.merged(&other);
        assert!(merged.get("shared").is_some_and(|api| Arc::ptr_eq(&api, &shared)));
        assert!(merged.get("other").is_some() && one.get("other").is_none());
    }

    #[test]
    fn an_unknown_format_is_named_and_so_is_the_feature_that_would_bring_it() {
        let error = |api: &str| Error::Request(RequestError::UnknownApi { api: api.to_owned() }).to_string();
        assert_eq!(error("mine"), "No API provider registered for api: mine");
        let (api, is_built) = ("bedrock-converse-stream", cfg!(feature = "bedrock"));
        assert_eq!(ApiRegistry::builtin().get(api).is_some(), is_built);
        let hint = " (this build leaves out the feature \"bedrock\")";
        assert_eq!(
            error(api),
            format!("No API provider registered for api: {api}{}", if is_built { "" } else { hint })
        );
    }
}
