//! The smallest wire format: `{"text":…}`, `{"ping":true}`, `{"error":…}`, `{"end":true}`.

use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::api::wire::{Decoder, Frame, Progress, WireFormat, WireRequest};
use crate::builder::MessageBuilder;
use crate::context::Context;
use crate::error::{AnswerError, Error};
use crate::message::StopReason;
use crate::model::Model;
use crate::options::StreamOptions;

/// A model of [`TinyFormat`] at this base URL.
pub(crate) fn tiny_model(base_url: &str) -> Arc<Model> {
    let text = str::to_owned;
    Arc::new(Model {
        id: text("tiny-1"),
        api: text("tiny"),
        provider: text("tiny-co"),
        base_url: text(base_url),
        ..Model::default()
    })
}

#[derive(Debug, Default)]
pub(crate) struct TinyFormat {
    pub(crate) needs_no_key: bool,
}

impl WireFormat for TinyFormat {
    type Frames = crate::transport::SseDecoder;
    type Decoder = TinyDecoder;

    fn requires_api_key(&self) -> bool {
        !self.needs_no_key
    }

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let mut headers = HeaderMap::new();
        let key = options.given_api_key().unwrap_or("nobody");
        headers.insert("authorization", HeaderValue::from_str(&format!("Bearer {key}")).expect("a plain key"));
        headers.insert("x-format", HeaderValue::from_static("tiny"));
        let body = json!({ "model": model.id, "messages": context.messages, "tools": context.tools });
        Ok(WireRequest { url: format!("{}/chat", model.base_url), headers, body: body.into() })
    }

    fn decoder(&self, _: &Arc<Model>, _: &Context, _: &StreamOptions) -> TinyDecoder {
        TinyDecoder::default()
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        format!("{status} {body}")
    }
}

#[derive(Debug, Default)]
pub(crate) struct TinyDecoder {
    text: Option<usize>,
    ended: bool,
}

impl Decoder for TinyDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let data: Value = serde_json::from_str(frame.data)
            .map_err(|error| Error::Answer(AnswerError::Decode { message: error.to_string() }))?;
        if let Some(error) = data["error"].as_str() {
            return Err(Error::Answer(AnswerError::Provider { message: error.to_owned() }));
        }
        if data["end"] == true {
            self.ended = true;
            return Ok(Progress::Finished);
        }
        let Some(text) = data["text"].as_str() else { return Ok(Progress::KeepAlive) };
        let index = *self.text.get_or_insert_with(|| message.start_text());
        message.text_delta(index, text);
        Ok(Progress::Meaningful)
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        if !self.ended {
            return Err(Error::Answer(AnswerError::Incomplete { message: "Stream ended before end".to_owned() }));
        }
        if let Some(index) = self.text {
            message.end_text(index);
        }
        message.edit(|message| message.stop_reason = StopReason::Stop);
        Ok(())
    }
}
