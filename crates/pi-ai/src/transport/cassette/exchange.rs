//! One line of a cassette. The fields are documented in the module above.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the format.
pub(super) const VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Exchange {
    pub(super) cassette: u32,
    pub(super) n: u64,
    pub(super) request: RecordedRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) response: Option<RecordedResponse>,
    pub(super) end: End,
    /// Unix time of the request, in milliseconds, where the run keeps the time of the cassette.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) started: Option<i64>,
    /// The same of the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<i64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RecordedRequest {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Value,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RecordedResponse {
    pub(super) status: u16,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) at: u64,
    pub(super) body: Vec<Piece>,
}

/// Bytes that arrived together, milliseconds after the request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Piece {
    pub(super) at: u64,
    #[serde(flatten)]
    data: Data,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Data {
    Text(String),
    Base64(String),
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum End {
    Complete,
    Truncated,
    Error(String),
}

impl Piece {
    pub(super) fn new(at: u64, bytes: Vec<u8>) -> Self {
        let data = match String::from_utf8(bytes) {
            Ok(text) => Data::Text(text),
            Err(error) => Data::Base64(BASE64_STANDARD.encode(error.as_bytes())),
        };
        Self { at, data }
    }

    /// The bytes, or what is wrong with them.
    pub(super) fn bytes(&self) -> Result<Bytes, String> {
        match &self.data {
            Data::Text(text) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            Data::Base64(text) => BASE64_STANDARD.decode(text).map(Bytes::from).map_err(|error| error.to_string()),
        }
    }
}
