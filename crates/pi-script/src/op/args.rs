//! Arguments of operations, read one by one.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::callback::Callback;
use super::data::Data;
use super::error::OpError;

/// What a script gave an operation. Places count from 0; what is not there is `undefined`.
#[derive(Debug, Clone, Default)]
pub struct Args(pub Vec<Data>);

impl Args {
    /// Takes the value at `place`.
    pub fn take(&mut self, place: usize) -> Data {
        self.0.get_mut(place).map(std::mem::take).unwrap_or_default()
    }

    /// A text.
    ///
    /// # Errors
    /// A `TypeError` that names the place. The same holds for the other methods.
    pub fn text(&mut self, place: usize) -> Result<String, OpError> {
        self.take(place).into_text().ok_or_else(|| wrong(place, "a string"))
    }

    /// A text that may be absent.
    ///
    /// # Errors
    /// When something else is there.
    pub fn text_or_none(&mut self, place: usize) -> Result<Option<String>, OpError> {
        match self.take(place) {
            Data::Undefined | Data::Json(Value::Null) => Ok(None),
            other => other.into_text().map(Some).ok_or_else(|| wrong(place, "a string")),
        }
    }

    /// Bytes; a text counts as its UTF-8.
    ///
    /// # Errors
    /// When something else is there.
    pub fn bytes(&mut self, place: usize) -> Result<Vec<u8>, OpError> {
        match self.take(place) {
            Data::Bytes(bytes) => Ok(bytes),
            other => other.into_text().map(String::into_bytes).ok_or_else(|| wrong(place, "a Uint8Array or a string")),
        }
    }

    /// Whatever JSON can say, as a Rust type; `undefined` is read as `null`.
    ///
    /// # Errors
    /// When it does not fit the type.
    pub fn parse<T: DeserializeOwned>(&mut self, place: usize) -> Result<T, OpError> {
        let value = self.take(place).into_json().unwrap_or_default();
        serde_json::from_value(value).map_err(|error| wrong(place, &error.to_string()))
    }

    /// Whatever JSON can say; `None` for `undefined`.
    pub fn json(&mut self, place: usize) -> Option<Value> {
        self.take(place).into_json()
    }

    /// A function of the script, as registered with `host.callback`.
    ///
    /// # Errors
    /// When it is none.
    pub fn callback(&mut self, place: usize) -> Result<Callback, OpError> {
        self.parse(place).map(Callback).map_err(|_| wrong(place, "a function"))
    }

    /// A function of the script that may be absent.
    ///
    /// # Errors
    /// When something else is there.
    pub fn callback_or_none(&mut self, place: usize) -> Result<Option<Callback>, OpError> {
        self.parse::<Option<u32>>(place).map(|id| id.map(Callback)).map_err(|_| wrong(place, "a function"))
    }
}

fn wrong(place: usize, expected: &str) -> OpError {
    OpError::type_error(format!("Argument {}: expected {expected}", place + 1))
}
