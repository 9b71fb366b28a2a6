//! Answers about models and requests.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answer::{HandlerAnswer, quoted};
use super::codec::JsonForm;
use crate::events::HandlerError;
use crate::extension::events::{
    BeforeProviderHeadersEvent, BeforeProviderRequestEvent, HeadersOutcome, PayloadOutcome,
};

impl JsonForm for BeforeProviderHeadersEvent {
    /// Only what is changed in place counts; a header that is `null` is left out.
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<HeadersOutcome, HandlerError> {
        let Some(left) = answer.left("headers") else { return Ok(HeadersOutcome::default()) };
        let headers: Option<BTreeMap<String, Option<String>>> = serde_json::from_value(left.clone()).ok();
        let headers = headers.ok_or_else(|| {
            HandlerError::new(format!(
                "The handler of before_provider_headers left headers = {}; it must be an object of strings",
                quoted(&left)
            ))
        })?;
        let headers = headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Ok(HeadersOutcome { headers: Some(headers) })
    }
}

impl JsonForm for BeforeProviderRequestEvent {
    /// Everything but `undefined` is meant to be the body. No provider takes a body that is no object, so such an answer
    /// is a slip: the body stays as it is.
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<PayloadOutcome, HandlerError> {
        let left = answer.left("payload").filter(Value::is_object);
        let changed = left.filter(|payload| *payload != *self.payload);
        let slip = |value: &Value| {
            HandlerError::new(format!(
                "The handler of before_provider_request answered with {}; it must be the request body, an object, or nothing",
                quoted(value)
            ))
        };
        match answer.into_whole() {
            None => Ok(PayloadOutcome { payload: changed }),
            Some(payload) if payload.is_object() => Ok(PayloadOutcome { payload: Some(payload) }),
            Some(other) => Err(slip(&other)),
        }
    }
}
