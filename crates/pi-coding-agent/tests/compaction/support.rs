//! Branches drawn with letters, and models that answer from a function.

use std::sync::{Arc, Mutex};

use pi_ai::{
    AssistantMessage, ContentBlock, Context, Extra, Message, Model, ThinkingLevel, ToolCall, ToolResultMessage,
    UserMessage,
};
use pi_coding_agent::compaction::*;
use pi_coding_agent::messages::{BashExecutionMessage, CustomMessage};
use pi_coding_agent::session::Compaction;
use serde_json::{Value, json};

/// Text of so many tokens.
pub(crate) fn words(tokens: usize) -> String {
    "abcd".repeat(tokens)
}

pub(crate) fn user(text: impl Into<String>) -> Arc<Message> {
    Arc::new(UserMessage::text(text, 1).into())
}

pub(crate) fn assistant(content: Vec<ContentBlock>) -> Arc<Message> {
    Arc::new(AssistantMessage { content, ..AssistantMessage::default() }.into())
}

pub(crate) fn says(text: impl Into<String>) -> Arc<Message> {
    assistant(vec![ContentBlock::text(text)])
}

pub(crate) fn call(id: &str, name: &str, arguments: Value) -> ContentBlock {
    let (id, name) = (id.to_owned(), name.to_owned());
    ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() }.into()
}

pub(crate) fn result(id: &str, text: impl Into<String>) -> Arc<Message> {
    let message = ToolResultMessage {
        tool_call_id: id.to_owned(),
        tool_name: "read".to_owned(),
        content: vec![ContentBlock::text(text)],
        details: None,
        is_error: false,
        timestamp: 1,
        extra: Extra::new(),
    };
    Arc::new(message.into())
}

pub(crate) fn bash(command: &str, output: &str) -> Arc<Message> {
    let (command, output) = (command.to_owned(), output.to_owned());
    Arc::new(BashExecutionMessage { command, output, ..BashExecutionMessage::default() }.into())
}

pub(crate) fn custom(text: &str) -> Arc<Message> {
    let message = CustomMessage {
        custom_type: "note".to_owned(),
        content: pi_ai::UserContent::Text(text.to_owned()),
        display: true,
        details: None,
        timestamp: 1,
    };
    Arc::new(message.into())
}

/// Entries with ids `e0`, `e1`, …
pub(crate) fn branch(contents: Vec<EntryContent>) -> Vec<BranchEntry> {
    let entries = contents.into_iter().enumerate();
    entries.map(|(index, content)| BranchEntry::new(format!("e{index}"), content)).collect()
}

/// A branch by letters: `U` and `A` are messages of 100 tokens, `u` and `a` of one, `C` calls a tool (100), `R` is its
/// result (1000), `B` a command (100), `N` and `M` messages of an extension (1 and 100), `T` a setting, `X` an earlier
/// compaction.
pub(crate) fn drawn(picture: &str) -> Vec<BranchEntry> {
    let content = |(index, letter): (usize, char)| match letter {
        'U' => EntryContent::Message(user(words(100))),
        'u' => EntryContent::Message(user("abcd")),
        'A' => EntryContent::Message(says(words(100))),
        'a' => EntryContent::Message(says("abcd")),
        'C' => EntryContent::Message(assistant(vec![
            ContentBlock::text(words(100)),
            call(&format!("c{}", index + 1), "read", json!({})),
        ])),
        'R' => EntryContent::Message(result(&format!("c{index}"), words(1000))),
        'B' => EntryContent::Message(bash("", &words(100))),
        'N' => EntryContent::Injected(custom("abcd")),
        'M' => EntryContent::Injected(custom(&words(100))),
        'T' => EntryContent::Other,
        'X' => EntryContent::Compaction(Box::new(Compaction {
            summary: "earlier".to_owned(),
            first_kept_entry_id: "e2".to_owned(),
            ..Compaction::default()
        })),
        other => panic!("{other}"),
    };
    branch(picture.chars().enumerate().map(content).collect())
}

pub(crate) fn settings(keep_recent_tokens: u64) -> CompactionSettings {
    CompactionSettings { enabled: true, reserve_tokens: 2000, keep_recent_tokens }
}

pub(crate) fn messages_of(entries: &[BranchEntry]) -> Vec<Arc<Message>> {
    let message = |entry: &BranchEntry| match &entry.content {
        EntryContent::Message(message)
        | EntryContent::Injected(message)
        | EntryContent::BranchSummary { message, .. } => Some(Arc::clone(message)),
        _ => None,
    };
    entries.iter().filter_map(message).collect()
}

/// A model that answers from a list and remembers what it was asked.
pub(crate) struct Summariser {
    pub(crate) asked: Mutex<Vec<(Context, SummaryOptions)>>,
    pub(crate) answer: fn(&str) -> AssistantMessage,
}

impl Summariser {
    pub(crate) fn new(answer: fn(&str) -> AssistantMessage) -> Self {
        Self { asked: Mutex::default(), answer }
    }

    pub(crate) async fn run(
        &self,
        preparation: &Preparation,
        request: SummaryRequest<'_>,
    ) -> Result<Compaction, CompactionError> {
        let complete = async |context: Context, options| {
            let answer = (self.answer)(&text_of(&context));
            self.asked.lock().unwrap().push((context, options));
            Arc::new(answer)
        };
        compact(preparation, &request, complete).await
    }

    pub(crate) fn asked(&self) -> Vec<(String, SummaryOptions)> {
        self.asked.lock().unwrap().iter().map(|(context, options)| (text_of(context), *options)).collect()
    }
}

pub(crate) fn text_of(context: &Context) -> String {
    let [message] = context.messages.as_slice() else { panic!("one message expected") };
    let Message::User(user) = message.as_ref() else { panic!("a user message expected") };
    user.content.to_text()
}

pub(crate) fn text(text: &str) -> AssistantMessage {
    AssistantMessage { content: vec![ContentBlock::text(text)], ..AssistantMessage::default() }
}

pub(crate) fn request(model: &Model) -> SummaryRequest<'_> {
    SummaryRequest { model, thinking_level: ThinkingLevel::High, custom_instructions: None, now_ms: 42 }
}

pub(crate) fn thinker() -> Model {
    Model { reasoning: true, max_tokens: 32_000, ..Model::default() }
}
