//! Answers about trust and about where resources are.

use super::answer::HandlerAnswer;
use super::codec::JsonForm;
use crate::events::HandlerError;
use crate::extension::events::{
    ProjectTrustEvent, ResourcesDiscoverEvent, ResourcesOutcome, TrustAnswer, TrustOutcome,
};

/// What must be said of trust.
const TRUSTED: &str = "\"yes\", \"no\" or \"undecided\"";

impl JsonForm for ProjectTrustEvent {
    /// Saying nothing is an error: who is asked must at least be undecided.
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<TrustOutcome, HandlerError> {
        let remember = answer.is_true("remember");
        let trusted = match answer.take("trusted") {
            None => return Err(answer.error(format_args!("answered without trusted; it must be {TRUSTED}"))),
            Some(value) => match value.as_str() {
                Some("yes") => TrustAnswer::Yes,
                Some("no") => TrustAnswer::No,
                Some("undecided") => TrustAnswer::Undecided,
                _ => return Err(answer.wrong("trusted", &value, TRUSTED)),
            },
        };
        Ok(TrustOutcome { trusted, remember })
    }
}

impl JsonForm for ResourcesDiscoverEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<ResourcesOutcome, HandlerError> {
        Ok(ResourcesOutcome {
            skill_paths: answer.paths("skillPaths")?,
            prompt_paths: answer.paths("promptPaths")?,
            theme_paths: answer.paths("themePaths")?,
        })
    }
}
