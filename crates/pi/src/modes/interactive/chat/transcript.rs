//! Which block an event belongs to. Messages that are there already are in `messages`.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock, Message, Partial, StopReason};
use pi_tui::document::{BlockId, Document};
use pi_tui::text::{Attributes, Row, Style};
use pi_tui::widgets::image::Image;

use super::super::shared::Shared;
use super::block::{Body, ChatBlock, Picture};
use super::note::{Note, NoteKind};
use super::prose::Prose;
use super::renderers::Renderers;
use super::resumed::Resumed;
use super::tool::ToolBlock;

/// The conversation on the screen.
pub(in crate::modes::interactive) struct Transcript {
    pub(super) document: Document<ChatBlock>,
    shared: Rc<Shared>,
    /// The blocks of the answer that is coming, by their index in it.
    pub(super) open: HashMap<usize, BlockId>,
    /// Calls whose arguments are coming, with the message they are part of.
    growing: Option<(usize, Partial)>,
    /// Blocks of calls that are not finished, by the call's id.
    pub(super) calls: HashMap<String, BlockId>,
    /// A note that stands last and that the next one of its kind replaces.
    passing: Option<(NoteKind, BlockId)>,
    /// Names of the tools that there are.
    tools: Vec<String>,
    /// The call that ended last.
    last_call: Option<BlockId>,
    /// Who draws what.
    pub(super) renderers: Renderers,
    /// Calls that extensions draw, by the call's id.
    custom_calls: HashMap<String, BlockId>,
    /// New blocks stand before this one, and not at the end.
    place: Option<BlockId>,
    /// What was drawn in the middle of a run.
    pub(super) resumed: Resumed,
}

impl Transcript {
    pub(in crate::modes::interactive) fn new(shared: &Rc<Shared>) -> Self {
        Self {
            document: Document::new(left_out),
            shared: Rc::clone(shared),
            open: HashMap::new(),
            growing: None,
            calls: HashMap::new(),
            passing: None,
            tools: Vec::new(),
            last_call: None,
            renderers: Renderers::default(),
            custom_calls: HashMap::new(),
            place: None,
            resumed: Resumed::default(),
        }
    }

    pub(in crate::modes::interactive) fn document_mut(&mut self) -> &mut Document<ChatBlock> {
        &mut self.document
    }

    /// The tools whose calls are drawn without their arguments.
    pub(in crate::modes::interactive) fn set_tools(&mut self, tools: Vec<String>) {
        self.tools = tools;
    }

    /// Extensions that draw calls and messages from now on.
    pub(in crate::modes::interactive) fn set_renderers(&mut self, renderers: Renderers) {
        self.renderers = renderers;
    }

    /// Has the extension of a call draw it again, if it is still there.
    pub(in crate::modes::interactive) fn redraw_call(&mut self, id: &str) {
        let block = self.custom_calls.get(id).and_then(|block| self.document.get_mut(*block));
        if let Some(Body::Tool(tool)) = block.map(ChatBlock::body_mut) {
            tool.redraw();
        }
    }

    /// Forgets everything.
    pub(in crate::modes::interactive) fn clear(&mut self) {
        let (tools, renderers) = (std::mem::take(&mut self.tools), std::mem::take(&mut self.renderers));
        *self = Self { tools, renderers, ..Self::new(&self.shared) };
    }

    /// Adds a block at the end.
    pub(in crate::modes::interactive) fn push(&mut self, body: Body) -> BlockId {
        self.passing = None;
        let block = ChatBlock::new(body, &self.shared);
        match self.place {
            Some(before) => self.document.insert(before, block),
            None => self.document.push(block),
        }
    }

    /// Adds what was there earlier before a block that is there, whatever is going on at the end.
    pub(in crate::modes::interactive) fn add_before(&mut self, block: BlockId, add: impl FnOnce(&mut Self)) {
        let (open, calls) = (std::mem::take(&mut self.open), std::mem::take(&mut self.calls));
        let (growing, passing, last_call) = (self.growing.take(), self.passing.take(), self.last_call.take());
        self.place = Some(block);
        add(self);
        self.place = None;
        (self.open, self.calls) = (open, calls);
        (self.growing, self.passing, self.last_call) = (growing, passing, last_call);
    }

    /// Adds a picture at the end.
    pub(in crate::modes::interactive) fn push_picture(&mut self, picture: impl Picture + 'static) -> BlockId {
        self.push(Body::Fixed(Box::new(picture)))
    }

    /// Adds a note. A status takes the place of one that stands last, and so does a notice.
    pub(in crate::modes::interactive) fn note(&mut self, kind: NoteKind, text: impl Into<String>) -> BlockId {
        let is_passing = matches!(kind, NoteKind::Status | NoteKind::Notice);
        if let Some((_, last)) = self.passing.take_if(|(last, _)| *last == kind) {
            self.document.remove(last);
        }
        let id = self.push_picture(Note::new(kind, text));
        self.passing = is_passing.then_some((kind, id));
        id
    }

    /// Adds a text as an answer would show it.
    pub(in crate::modes::interactive) fn push_markdown(&mut self, text: &str) {
        let prose = Prose::whole(text, false, &self.shared.look(), None);
        self.push(Body::Prose(Box::new(prose)));
    }

    /// Whether the time of something moves.
    pub(in crate::modes::interactive) fn is_ticking(&self) -> bool {
        let is_ticking = |id: &BlockId| matches!(self.document.get(*id).map(ChatBlock::body), Some(Body::Tool(tool)) if tool.is_ticking());
        self.calls.values().any(is_ticking)
    }

    /// Shows what an agent does.
    pub(in crate::modes::interactive) fn agent_event(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::MessageStart { message } | AgentEvent::MessageEnd { message }
                if self.resumed.knows(message) => {}
            AgentEvent::MessageStart { message } => match &**message {
                Message::Assistant(_) => {
                    self.resumed.end();
                    self.open.clear();
                }
                Message::ToolResult(_) => {}
                message => self.message(message),
            },
            AgentEvent::MessageUpdate { event } => self.update(event),
            AgentEvent::MessageEnd { message } => {
                if let Message::Assistant(message) = &**message {
                    self.end_answer(message, false);
                    self.resumed.end();
                }
            }
            // The block of the call that made them names them.
            AgentEvent::ToolExecutionStart { parent_tool_call_id: Some(_), .. }
            | AgentEvent::ToolExecutionUpdate { parent_tool_call_id: Some(_), .. }
            | AgentEvent::ToolExecutionEnd { parent_tool_call_id: Some(_), .. } => {}
            AgentEvent::ToolExecutionStart { tool_call_id, tool_name, args, .. } => {
                let now = self.shared.now_ms();
                self.with_call(tool_call_id, tool_name, |tool| tool.begin(args, now));
            }
            AgentEvent::ToolExecutionUpdate { tool_call_id, tool_name, partial_result, .. } => {
                self.with_call(tool_call_id, tool_name, |tool| tool.update(Arc::clone(partial_result)));
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, tool_name, result, is_error, .. } => {
                let now = self.shared.now_ms();
                self.with_call(tool_call_id, tool_name, |tool| tool.end(Arc::clone(result), *is_error, now));
                self.last_call = self.calls.remove(tool_call_id);
            }
            AgentEvent::AgentStart
            | AgentEvent::AgentEnd { .. }
            | AgentEvent::TurnStart
            | AgentEvent::TurnEnd { .. } => {}
        }
    }

    /// The block of the call that ended last.
    pub(in crate::modes::interactive) fn take_last_call(&mut self) -> Option<BlockId> {
        self.last_call.take()
    }

    /// Shows pictures below a call.
    pub(in crate::modes::interactive) fn show_images(&mut self, call: BlockId, images: Vec<Image>) {
        if let Some(Body::Tool(tool)) = self.document.get_mut(call).map(ChatBlock::body_mut) {
            tool.set_images(images);
        }
    }

    /// Shows what has arrived of arguments since the last frame.
    pub(in crate::modes::interactive) fn refresh(&mut self) {
        let Some((index, partial)) = self.growing.take() else { return };
        let message = partial.snapshot();
        if let Some(ContentBlock::ToolCall(call)) = message.content.get(index) {
            let arguments = call.arguments.clone();
            self.with_open_call(index, |tool| tool.set_arguments(arguments, false));
        }
    }

    fn update(&mut self, event: &AssistantMessageEvent) {
        if self.resumed_update(event) {
            return;
        }
        match event {
            AssistantMessageEvent::TextStart { content_index, .. } => self.open_prose(*content_index, false),
            AssistantMessageEvent::ThinkingStart { content_index, .. } => self.open_prose(*content_index, true),
            AssistantMessageEvent::TextDelta { content_index, delta, .. }
            | AssistantMessageEvent::ThinkingDelta { content_index, delta, .. } => {
                self.with_prose(*content_index, |prose| prose.push(delta));
            }
            AssistantMessageEvent::TextEnd { content_index, .. }
            | AssistantMessageEvent::ThinkingEnd { content_index, .. } => {
                self.with_prose(*content_index, Prose::finish);
            }
            AssistantMessageEvent::ToolCallStart { content_index, partial } => {
                let (id, name) = partial.with(|message| match message.content.get(*content_index) {
                    Some(ContentBlock::ToolCall(call)) => (call.id.clone(), call.name.clone()),
                    _ => Default::default(),
                });
                self.open_call(*content_index, &id, &name);
            }
            AssistantMessageEvent::ToolCallDelta { content_index, partial, .. } => {
                self.growing = Some((*content_index, partial.clone()));
            }
            AssistantMessageEvent::ToolCallEnd { content_index, tool_call, .. } => {
                self.growing = None;
                let arguments = tool_call.arguments.clone();
                self.with_open_call(*content_index, |tool| tool.set_arguments(arguments, true));
                self.name_call(*content_index, &tool_call.id);
            }
            AssistantMessageEvent::Start { .. }
            | AssistantMessageEvent::Done { .. }
            | AssistantMessageEvent::Error { .. } => {}
        }
    }

    /// An answer is complete: what was not shown of it is, and why it failed.
    pub(super) fn end_answer(&mut self, message: &AssistantMessage, is_stored: bool) {
        self.growing = None;
        for (index, block) in message.content.iter().enumerate() {
            match block {
                ContentBlock::Text(text) => self.end_prose(index, &text.text, false),
                ContentBlock::Thinking(thinking) => self.end_prose(index, &thinking.thinking, true),
                ContentBlock::ToolCall(call) => {
                    if !self.open.contains_key(&index) {
                        self.open_call(index, &call.id, &call.name);
                    }
                    let arguments = call.arguments.clone();
                    self.with_open_call(index, |tool| tool.set_arguments(arguments, true));
                    self.name_call(index, &call.id);
                }
                _ => {}
            }
        }
        if message.stop_reason.is_failure() {
            self.failed(message, is_stored);
        }
        self.open.clear();
    }

    /// Why an answer failed: in its calls, which never run, and below it where it has none.
    fn failed(&mut self, message: &AssistantMessage, is_stored: bool) {
        let is_aborted = message.stop_reason == StopReason::Aborted;
        let reason = match &message.error_message {
            Some(reason) if !is_aborted => reason.clone(),
            Some(reason) if reason.contains("retr") => reason.clone(),
            _ if is_aborted => "Operation aborted".to_owned(),
            _ => "The request failed".to_owned(),
        };
        let now = self.shared.now_ms();
        let mut has_calls = false;
        for call in message.tool_calls() {
            has_calls = true;
            // A stored one may have its result behind it.
            if !is_stored {
                self.with_call(&call.id, &call.name, |tool| tool.fail(&reason, now));
                self.calls.remove(&call.id);
            }
        }
        if !has_calls || is_stored {
            let kind = if is_aborted { NoteKind::Aborted } else { NoteKind::Error };
            self.push_picture(Note::new(kind, reason));
        }
    }

    pub(super) fn open_prose(&mut self, index: usize, is_thinking: bool) {
        let prose = Prose::new(is_thinking, &self.shared.look(), self.renderers.transformers());
        let id = self.push(Body::Prose(Box::new(prose)));
        self.open.insert(index, id);
    }

    fn end_prose(&mut self, index: usize, text: &str, is_thinking: bool) {
        if self.open.contains_key(&index) {
            self.with_prose(index, Prose::finish);
        } else if !text.trim().is_empty() {
            let prose = Prose::whole(text, is_thinking, &self.shared.look(), self.renderers.transformers());
            self.push(Body::Prose(Box::new(prose)));
        }
    }

    pub(super) fn with_prose(&mut self, index: usize, act: impl FnOnce(&mut Prose)) {
        let block = self.open.get(&index).and_then(|id| self.document.get_mut(*id));
        if let Some(Body::Prose(prose)) = block.map(ChatBlock::body_mut) {
            act(prose);
        }
    }

    pub(super) fn open_call(&mut self, index: usize, id: &str, name: &str) {
        let block = self.push_call(id, name);
        self.open.insert(index, block);
    }

    fn push_call(&mut self, id: &str, name: &str) -> BlockId {
        let is_known = self.tools.iter().any(|tool| tool == name);
        let renderer = self.renderers.of_tool(name);
        let is_custom = renderer.is_some();
        let mut tool = ToolBlock::new(name, is_known, renderer);
        tool.set_id(id);
        let block = self.push(Body::Tool(Box::new(tool)));
        if is_custom {
            self.custom_calls.insert(id.to_owned(), block);
        }
        block
    }

    /// The call at this place of the answer has this id.
    fn name_call(&mut self, index: usize, id: &str) {
        let Some(block) = self.open.get(&index).copied() else { return };
        self.with_open_call(index, |tool| tool.set_id(id));
        self.calls.insert(id.to_owned(), block);
        if self.renderers_draw(block) {
            self.custom_calls.insert(id.to_owned(), block);
        }
    }

    fn renderers_draw(&self, block: BlockId) -> bool {
        matches!(self.document.get(block).map(ChatBlock::body), Some(Body::Tool(tool)) if tool.is_custom())
    }

    pub(super) fn with_open_call(&mut self, index: usize, act: impl FnOnce(&mut ToolBlock)) {
        let block = self.open.get(&index).and_then(|id| self.document.get_mut(*id));
        if let Some(Body::Tool(tool)) = block.map(ChatBlock::body_mut) {
            act(tool);
        }
    }

    fn with_call(&mut self, id: &str, name: &str, act: impl FnOnce(&mut ToolBlock)) {
        let block = match self.calls.get(id) {
            Some(block) => *block,
            None => {
                let block = self.push_call(id, name);
                self.calls.insert(id.to_owned(), block);
                block
            }
        };
        if let Some(Body::Tool(tool)) = self.document.get_mut(block).map(ChatBlock::body_mut) {
            act(tool);
        }
    }

    /// Whether a call is shown that has no result yet.
    pub(in crate::modes::interactive) fn has_open_call(&self, id: &str) -> bool {
        self.calls.contains_key(id)
    }

    /// Calls that have no result and will get none: of a session that was left in the middle of them.
    pub(in crate::modes::interactive) fn leave_calls_open(&mut self) {
        self.calls.clear();
    }
}

/// The row in place of those of a growing block for which there is no room.
fn left_out(count: usize, columns: u16) -> Row {
    Row::styled(&format!(" ... {count} more rows ..."), Style::PLAIN.with(Attributes::DIM), columns)
}
