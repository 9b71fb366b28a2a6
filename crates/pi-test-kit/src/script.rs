//! Answers of a model in the two wire formats, whole and in parts.

use serde_json::{Value, json};

use crate::Reply;

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

/// The beginning of an Anthropic answer, with an open text block.
pub fn open() -> String {
    head() + &event(&json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}))
}

fn head() -> String {
    message_start(7)
}

fn message_start(input_tokens: u64) -> String {
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m1", "content": [],
        "stop_reason": null, "usage": {"input_tokens": input_tokens, "output_tokens": 1}});
    event(&json!({"type": "message_start", "message": message}))
}

/// More text for the open block.
pub fn delta(text: &str) -> String {
    let delta = json!({"type": "text_delta", "text": text});
    event(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
}

/// The end of the block and of the answer.
pub fn end() -> String {
    close("end_turn")
}

fn close(stop_reason: &str) -> String {
    event(&json!({"type": "content_block_stop", "index": 0})) + &stop(stop_reason)
}

fn stop(stop_reason: &str) -> String {
    stop_after(stop_reason, 5)
}

fn stop_after(stop_reason: &str, output_tokens: u64) -> String {
    let usage = json!({"output_tokens": output_tokens});
    event(&json!({"type": "message_delta", "delta": {"stop_reason": stop_reason}, "usage": usage}))
        + &event(&json!({"type": "message_stop"}))
}

/// A whole Anthropic answer.
pub fn answer(text: &str) -> Reply {
    Reply::stream(&(open() + &delta(text) + &end())).end()
}

/// A whole Anthropic answer that calls a tool.
pub fn tool_call(id: &str, name: &str, arguments: &Value) -> Reply {
    let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    let delta = json!({"type": "input_json_delta", "partial_json": arguments.to_string()});
    let body = head()
        + &event(&json!({"type": "content_block_start", "index": 0, "content_block": block}))
        + &event(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
        + &close("tool_use");
    Reply::stream(&body).end()
}

/// A whole Anthropic answer that calls several tools: id, name and arguments of each.
pub fn tool_calls(calls: &[(&str, &str, Value)]) -> Reply {
    let blocks = calls.iter().enumerate().map(|(index, (id, name, arguments))| {
        let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        let delta = json!({"type": "input_json_delta", "partial_json": arguments.to_string()});
        event(&json!({"type": "content_block_start", "index": index, "content_block": block}))
            + &event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
            + &event(&json!({"type": "content_block_stop", "index": index}))
    });
    let body = head() + &blocks.collect::<String>() + &stop("tool_use");
    Reply::stream(&body).end()
}

/// A whole OpenAI answer.
pub fn chat_answer(text: &str) -> Reply {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        format!(
            "data: {}\n\n",
            json!({"id": "c1", "object": "chat.completion.chunk", "model": "c1", "choices": [choice]})
        )
    };
    let body = chunk(json!({"role": "assistant", "content": text}), Value::Null)
        + &chunk(json!({}), json!("stop"))
        + "data: [DONE]\n\n";
    Reply::stream(&body).end()
}

/// A refusal in Anthropic's words.
pub fn fail(status: u16, kind: &str, message: &str) -> Reply {
    Reply::plain(status, &json!({"type": "error", "error": {"type": kind, "message": message}}).to_string())
}

/// An Anthropic answer of several blocks, with its usage.
#[derive(Default)]
pub struct Answer {
    blocks: Vec<Block>,
    usage: (u64, u64),
}

/// A content block as it begins, and the delta that fills it.
struct Block {
    start: Value,
    delta: Value,
}

impl Answer {
    /// One that has read and written so many tokens.
    pub fn of_tokens(read: u64, written: u64) -> Self {
        Self { blocks: Vec::new(), usage: (read, written) }
    }

    /// With a block of thinking.
    pub fn thinking(self, text: &str) -> Self {
        let start = json!({"type": "thinking", "thinking": "", "signature": ""});
        self.block(start, json!({"type": "thinking_delta", "thinking": text}))
    }

    /// With a block of text.
    pub fn text(self, text: &str) -> Self {
        self.block(json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
    }

    /// With the call of a tool.
    pub fn call(self, id: &str, name: &str, arguments: &Value) -> Self {
        let start = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        self.block(start, json!({"type": "input_json_delta", "partial_json": arguments.to_string()}))
    }

    fn block(mut self, start: Value, delta: Value) -> Self {
        self.blocks.push(Block { start, delta });
        self
    }

    /// The whole answer.
    pub fn reply(&self) -> Reply {
        let is_call = |block: &Block| block.start["type"] == "tool_use";
        let reason = if self.blocks.iter().any(is_call) { "tool_use" } else { "end_turn" };
        self.begun().then(&stop_after(reason, self.usage.1)).end()
    }

    /// Its blocks, as a stream that goes on.
    pub fn begun(&self) -> Reply {
        let blocks = self.blocks.iter().enumerate().map(|(index, block)| {
            event(&json!({"type": "content_block_start", "index": index, "content_block": block.start}))
                + &event(&json!({"type": "content_block_delta", "index": index, "delta": block.delta}))
                + &event(&json!({"type": "content_block_stop", "index": index}))
        });
        Reply::stream(&(message_start(self.usage.0) + &blocks.collect::<String>()))
    }
}
