//! The JSON form of session events, one line each, as JSON mode and RPC mode print them.
//!
//! Every `message_update` carries the message so far, twice. Serialising it anew per delta is what makes other
//! implementations quadratic in work *and* memory; here the growing message is kept in serialised form
//! ([`MessageJson`]) and each line costs a copy of it. A client that puts deltas together itself can ask for lines
//! without the message ([`EventDetail::Delta`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock};
use serde::{Deserialize, Serialize};

use super::agent_form::AgentForm;
use super::level::ProtocolLevel;
use super::message_json::MessageJson;
use super::put::put;
use crate::config::settings::Limit;
use crate::events::{CompactionOutcome, CompactionReason, ExtensionError, SessionEvent, SummarySource};

/// Turns events into lines. One writer per session: it follows the message that is being streamed.
#[derive(Debug, Default)]
pub struct EventJson {
    streaming: MessageJson,
    detail: EventDetailSwitch,
    level: ProtocolLevel,
}

/// How much of a growing message its events show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventDetail {
    /// All of it so far, twice, in every line.
    #[default]
    Full,
    /// What is new.
    Delta,
}

/// Where a writer looks how much it is to show. Clones are the same switch.
#[derive(Debug, Clone, Default)]
pub struct EventDetailSwitch(Arc<AtomicBool>);

impl EventDetailSwitch {
    /// Changes what lines are written like from now on.
    pub fn set(&self, detail: EventDetail) {
        self.0.store(detail == EventDetail::Delta, Ordering::Relaxed);
    }

    /// A switch that stands there at first.
    pub fn at(detail: EventDetail) -> Self {
        let switch = Self::default();
        switch.set(detail);
        switch
    }

    /// What lines are written like.
    pub fn get(&self) -> EventDetail {
        if self.0.load(Ordering::Relaxed) { EventDetail::Delta } else { EventDetail::Full }
    }
}

/// An event.
#[derive(Serialize)]
#[serde(untagged)]
enum Form<'a> {
    Agent(AgentForm<'a>),
    Session(SessionForm<'a>),
}

/// What a session tells besides what its agent does.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum SessionForm<'a> {
    QueueUpdate {
        steering: &'a [String],
        follow_up: &'a [String],
    },
    CompactionStart {
        reason: CompactionReason,
    },
    CompactionEnd {
        reason: CompactionReason,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a CompactionOutcome>,
        aborted: bool,
        will_retry: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        error_message: Option<&'a str>,
    },
    AutoRetryStart {
        attempt: u32,
        max_attempts: u32,
        delay_ms: u64,
        error_message: &'a str,
    },
    AutoRetryEnd {
        success: bool,
        attempt: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        final_error: Option<&'a str>,
    },
    SummarizationRetryScheduled {
        attempt: u32,
        max_attempts: u32,
        delay_ms: u64,
        error_message: &'a str,
    },
    SummarizationRetryAttemptStart {
        source: SummarySource,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<CompactionReason>,
    },
    SummarizationRetryFinished,
    ThinkingLevelChanged {
        level: pi_ai::ThinkingLevel,
    },
    SessionInfoChanged {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
    },
    LimitReached {
        limit: Limit,
        message: &'a str,
    },
    ExtensionError {
        extension_path: &'a str,
        event: &'a str,
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        stack: Option<&'a str>,
    },
}

impl EventJson {
    /// A writer that shows as much as the switch says.
    pub fn with_detail(detail: EventDetailSwitch) -> Self {
        Self { streaming: MessageJson::default(), detail, level: ProtocolLevel::default() }
    }

    /// Writes what this level of the protocol knows.
    #[must_use]
    pub fn with_level(self, level: ProtocolLevel) -> Self {
        Self { level, ..self }
    }

    /// Whether the level of the protocol knows of this event.
    pub fn knows(&self, event: &SessionEvent) -> bool {
        !is_internal(event) && (self.level.is_current() || !is_newer(event))
    }

    /// Appends the line of an event, LF included. One that the level of the protocol does not [know](Self::knows) has none.
    pub fn write(&mut self, event: &SessionEvent, out: &mut Vec<u8>) {
        if !self.knows(event) {
            return;
        }
        match event {
            SessionEvent::Agent(AgentEvent::MessageUpdate { event }) => self.update(event, out),
            SessionEvent::Agent(event) => {
                if matches!(event, AgentEvent::MessageStart { .. }) {
                    self.streaming = MessageJson::default();
                }
                put(out, &AgentForm::of_line(event));
            }
            other => put(out, &session(other)),
        }
        out.push(b'\n');
    }

    fn update(&mut self, event: &AssistantMessageEvent, out: &mut Vec<u8>) {
        let Some(partial) = event.partial() else { return };
        self.streaming.follow(event);
        out.extend_from_slice(br#"{"type":"message_update""#);
        if self.level.is_current() {
            out.extend_from_slice(br#","usage":"#);
            partial.with(|message| put(out, &message.usage));
        }
        open_event(event, out);
        if self.level.is_current() && matches!(event, AssistantMessageEvent::ToolCallStart { .. }) {
            partial.with(|message| call_name(event, message, out));
        }
        if self.detail.get() == EventDetail::Delta {
            // The message was followed all the same: full detail may be asked for in the middle of it.
            if event.kind().ends_with("_start")
                && let Some(index) = event.content_index()
            {
                // Whoever follows the deltas must know what they go into.
                out.extend_from_slice(br#","block":"#);
                partial.with(|message| self.streaming.write_opened(index, message, out));
            }
            return out.extend_from_slice(b"}}");
        }
        out.extend_from_slice(br#","partial":"#);
        let start = out.len();
        partial.with(|message| self.streaming.write_to(message, out));
        let end = out.len();
        out.extend_from_slice(br#"},"message":"#);
        out.extend_from_within(start..end);
        out.push(b'}');
    }
}

/// Appends the beginning of a `message_update`: all but the message and what closes its two objects.
pub(crate) fn open_update(event: &AssistantMessageEvent, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"type":"message_update""#);
    open_event(event, out);
}

/// Says which call begins: clients that follow the deltas know the name of the tool before its arguments are complete.
fn call_name(event: &AssistantMessageEvent, message: &AssistantMessage, out: &mut Vec<u8>) {
    let block = event.content_index().and_then(|index| message.content.get(index));
    if let Some(ContentBlock::ToolCall(call)) = block {
        out.extend_from_slice(br#","id":"#);
        put(out, &call.id);
        out.extend_from_slice(br#","toolName":"#);
        put(out, &call.name);
    }
}

/// Appends the nested event, but for what closes it.
fn open_event(event: &AssistantMessageEvent, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","assistantMessageEvent":{"type":""#);
    out.extend_from_slice(event.kind().as_bytes());
    out.extend_from_slice(br#"","contentIndex":"#);
    put(out, &event.content_index());
    payload(event, out);
}

/// What distinguishes one kind of update from another.
fn payload(event: &AssistantMessageEvent, out: &mut Vec<u8>) {
    use AssistantMessageEvent as Event;
    match event {
        Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } | Event::ToolCallDelta { delta, .. } => {
            out.extend_from_slice(br#","delta":"#);
            put(out, delta);
        }
        Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => {
            out.extend_from_slice(br#","content":"#);
            put(out, content);
        }
        Event::ToolCallEnd { tool_call, .. } => {
            out.extend_from_slice(br#","toolCall":"#);
            // Only the message's blocks carry the `type`; here it belongs to the value.
            put(out, &ContentBlock::ToolCall(tool_call.clone()));
        }
        _ => {}
    }
}

/// Whether no level of the protocol has such an event.
fn is_internal(event: &SessionEvent) -> bool {
    matches!(event, SessionEvent::EntryAppended { .. })
}

/// Whether 0.79.10 had no such event.
fn is_newer(event: &SessionEvent) -> bool {
    matches!(
        event,
        SessionEvent::AgentSettled { .. }
            | SessionEvent::SummarizationRetryScheduled { .. }
            | SessionEvent::SummarizationRetryAttemptStart { .. }
            | SessionEvent::SummarizationRetryFinished
    )
}

fn session(event: &SessionEvent) -> Option<Form<'_>> {
    Some(Form::Session(match event {
        SessionEvent::Agent(event) => return AgentForm::of_line(event).map(Form::Agent),
        SessionEvent::AgentEnd { messages, will_retry } => {
            return Some(Form::Agent(AgentForm::AgentEnd { messages, will_retry: Some(*will_retry) }));
        }
        SessionEvent::AgentSettled { aborted } => {
            return Some(Form::Agent(AgentForm::AgentSettled { aborted: *aborted }));
        }
        SessionEvent::QueueUpdate { steering, follow_up } => SessionForm::QueueUpdate { steering, follow_up },
        SessionEvent::CompactionStart { reason } => SessionForm::CompactionStart { reason: *reason },
        SessionEvent::CompactionEnd { reason, result, aborted, will_retry, error_message } => {
            SessionForm::CompactionEnd {
                reason: *reason,
                result: result.as_ref(),
                aborted: *aborted,
                will_retry: *will_retry,
                error_message: error_message.as_deref(),
            }
        }
        SessionEvent::AutoRetryStart { attempt, max_attempts, delay_ms, error_message } => {
            SessionForm::AutoRetryStart {
                attempt: *attempt,
                max_attempts: *max_attempts,
                delay_ms: *delay_ms,
                error_message,
            }
        }
        SessionEvent::AutoRetryEnd { success, attempt, final_error } => {
            SessionForm::AutoRetryEnd { success: *success, attempt: *attempt, final_error: final_error.as_deref() }
        }
        SessionEvent::SummarizationRetryScheduled { attempt, max_attempts, delay_ms, error_message } => {
            let (attempt, max_attempts, delay_ms) = (*attempt, *max_attempts, *delay_ms);
            SessionForm::SummarizationRetryScheduled { attempt, max_attempts, delay_ms, error_message }
        }
        SessionEvent::SummarizationRetryAttemptStart { source, reason } => {
            SessionForm::SummarizationRetryAttemptStart { source: *source, reason: *reason }
        }
        SessionEvent::SummarizationRetryFinished => SessionForm::SummarizationRetryFinished,
        SessionEvent::ThinkingLevelChanged { level } => SessionForm::ThinkingLevelChanged { level: *level },
        SessionEvent::ExtensionError(ExtensionError { extension_path, event, error, stack }) => {
            SessionForm::ExtensionError { extension_path, event, error, stack: stack.as_deref() }
        }
        SessionEvent::LimitReached { limit, message } => SessionForm::LimitReached { limit: *limit, message },
        SessionEvent::SessionInfoChanged { name } => SessionForm::SessionInfoChanged { name: name.as_deref() },
        SessionEvent::EntryAppended { .. } => return None,
    }))
}
