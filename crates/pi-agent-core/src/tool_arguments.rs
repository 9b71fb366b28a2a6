//! The arguments of a call as its events carry them: shared with the message, however large they are.

use std::fmt::{self, Debug, Display, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use pi_ai::{Extra, ToolCall};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Arguments of a tool call. Cloning is cheap; they serialize and are read as the JSON value that they are.
#[derive(Clone, PartialEq)]
pub struct ToolArguments(Arc<ToolCall>);

impl ToolArguments {
    /// The arguments of this call.
    pub fn of(call: &Arc<ToolCall>) -> Self {
        Self(Arc::clone(call))
    }

    /// The arguments that the tool is given for this call: mostly those of the model, and then shared with it.
    pub(crate) fn given(call: &Arc<ToolCall>, arguments: &Value) -> Self {
        if call.arguments == *arguments { Self::of(call) } else { arguments.clone().into() }
    }
}

/// Arguments of a call that is in no message.
impl From<Value> for ToolArguments {
    fn from(arguments: Value) -> Self {
        let (id, name) = (String::new(), String::new());
        Self(Arc::new(ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() }))
    }
}

impl Deref for ToolArguments {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0.arguments
    }
}

impl Debug for ToolArguments {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&**self, f)
    }
}

/// As JSON text.
impl Display for ToolArguments {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&**self, f)
    }
}

impl Serialize for ToolArguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
