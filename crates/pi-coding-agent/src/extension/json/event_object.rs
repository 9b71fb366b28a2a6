//! An event as a handler is told: what is said at once, and what is said when somebody asks.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::events::HandlerError;
use crate::extension::events::EventInfo;

/// An event, as a handler is told.
#[derive(Debug, Clone)]
pub struct JsonEvent {
    /// Its name.
    pub name: &'static str,
    /// The event as a JSON object, its name as `type` included, without its [late fields](EventInfo::late).
    pub brief: String,
    /// What the late fields hold, of events that have any.
    pub late: Option<Late>,
    /// What scripts know as the event's `signal`, of events that have one.
    pub cancel: Option<CancellationToken>,
}

impl JsonEvent {
    /// The whole event as a JSON object, its name as `type` included.
    ///
    /// # Errors
    /// When what is made late cannot be said in JSON.
    pub fn json(&self) -> Result<String, HandlerError> {
        let Some(late) = &self.late else { return Ok(self.brief.clone()) };
        let mut event: Value = serde_json::from_str(&self.brief)?;
        let value: Value = serde_json::from_str(&late.json()?)?;
        for field in EventInfo::of(self.name).map_or(&[][..], |event| event.late) {
            let mut place = &mut event;
            for key in field.split('.') {
                place = &mut place[key];
            }
            *place = value.clone();
        }
        Ok(event.to_string())
    }
}

type MakeJson = dyn Fn() -> Result<String, HandlerError> + Send + Sync;

/// A value that is made when somebody asks for it: as it was at the event, or later on as it has become.
#[derive(Clone)]
pub struct Late(Arc<MakeJson>);

impl Late {
    pub(super) fn new(make: impl Fn() -> Result<String, HandlerError> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    /// The value as JSON.
    ///
    /// # Errors
    /// When it cannot be said in JSON.
    pub fn json(&self) -> Result<String, HandlerError> {
        (self.0)()
    }
}

impl std::fmt::Debug for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Late")
    }
}
