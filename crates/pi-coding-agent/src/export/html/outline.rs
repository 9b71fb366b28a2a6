//! One entry in a line: what kind it is, where it hangs, and a few words of it for the tree.

use super::line::{Block, Line, MessageLine, Text, blocks, read, with_line};
use super::skill::Skill;
use super::totals::{Spent, Totals};

/// Words of an entry that the tree shows, in characters.
const SNIPPET: usize = 90;

/// What an entry is to a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// A user's message.
    User,
    /// An answer with text.
    Answer,
    /// An answer of tool calls alone.
    Calls,
    /// A tool's result.
    Result,
    /// A shell command of the user.
    Shell,
    /// The summary of history or of a branch.
    Summary,
    /// A message of an extension.
    Custom,
    /// Something about the session: a model, a level, a label, a name, data of an extension.
    Note,
    /// Nothing for people.
    Hidden,
    /// Something that this version does not know.
    #[default]
    Unknown,
}

/// An entry's place and gist. A few hundred bytes, however large the entry is.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) id: Box<str>,
    pub(super) parent: Option<Box<str>>,
    pub(super) timestamp: Box<str>,
    pub(super) kind: Kind,
    pub(super) snippet: String,
    /// Ids of the tool calls in it, in order.
    pub(super) calls: Vec<Box<str>>,
    /// The call that this is the result of.
    pub(super) answers: Box<str>,
    /// What the call of the model took that this is the answer of.
    pub(super) spent: Option<Box<Spent>>,
}

/// What an entry says about another one, or about the session.
pub(super) enum Remark {
    /// The label on an entry; an empty one removes it.
    Label { target: String, label: String },
    /// The session's name.
    Name(String),
}

impl Outline {
    /// Reads an entry and counts it.
    pub(super) fn of(line: &str, totals: &mut Totals) -> (Self, Option<Remark>) {
        with_line(line, |line| {
            let mut outline = Self {
                id: (&*line.id).into(),
                parent: Some(&*line.parent_id).filter(|id| !id.is_empty()).map(Into::into),
                timestamp: (&*line.timestamp).into(),
                ..Self::default()
            };
            let remark = outline.look(line, totals);
            (outline, remark)
        })
    }

    fn look(&mut self, line: &Line<'_>, totals: &mut Totals) -> Option<Remark> {
        match &*line.kind {
            "message" => self.message(&read(line.message), totals),
            "custom_message" => {
                self.custom(&line.custom_type, line.content, line.display);
                totals.custom += 1;
            }
            "compaction" | "branch_summary" => {
                self.set(Kind::Summary, &[&line.summary]);
                totals.summary(&line.kind);
            }
            "model_change" => {
                self.set(Kind::Note, &["Model", &line.provider, &line.model_id]);
                totals.model(&line.provider, &line.model_id);
            }
            "thinking_level_change" => self.set(Kind::Note, &["Thinking", &line.thinking_level]),
            "custom" => self.set(Kind::Note, &["Data of", &line.custom_type]),
            "label" => {
                self.set(Kind::Note, &["Label", &line.label]);
                return Some(Remark::Label { target: line.target_id.to_string(), label: line.label.to_string() });
            }
            "session_info" => {
                self.set(Kind::Note, &["Name", &line.name]);
                return Some(Remark::Name(line.name.trim().to_owned()));
            }
            kind => self.set(Kind::Unknown, &["Entry of type", kind]),
        }
        None
    }

    fn message(&mut self, message: &MessageLine<'_>, totals: &mut Totals) {
        match &*message.role {
            "user" => {
                let blocks = blocks(message.content);
                match texts(&blocks).first().and_then(|text| Skill::in_front_of(text)) {
                    Some(skill) => self.set(Kind::User, &[skill.name, skill.rest]),
                    None => self.set(Kind::User, &texts(&blocks)),
                }
                totals.user += 1;
            }
            "assistant" => self.answer(message, totals),
            "toolResult" => {
                self.set(Kind::Result, &["Result of", &message.tool_name]);
                self.answers = (&*message.tool_call_id).into();
                totals.results += 1;
            }
            "bashExecution" => self.set(Kind::Shell, &["$", &message.command]),
            "branchSummary" | "compactionSummary" => self.set(Kind::Summary, &[&message.summary]),
            "custom" => {
                self.custom(&message.custom_type, message.content, message.display);
                totals.custom += 1;
            }
            role => self.set(Kind::Unknown, &["Message of role", role]),
        }
    }

    fn answer(&mut self, message: &MessageLine<'_>, totals: &mut Totals) {
        let blocks = blocks(message.content);
        let calls: Vec<_> = blocks.iter().filter(|block| &*block.kind == "toolCall").collect();
        self.spent = Some(Box::new(totals.answer(message, calls.len()))).filter(|spent| **spent != Spent::default());
        self.calls = calls.iter().map(|call| (&*call.id).into()).collect();
        let texts = texts(&blocks);
        match (texts.iter().any(|text| !text.trim().is_empty()), calls.first()) {
            (false, Some(call)) => self.set(Kind::Calls, &[&call.name, &main_argument(call)]),
            (false, None) => self.set(Kind::Answer, &[&message.error_message]),
            (true, _) => self.set(Kind::Answer, &texts),
        }
    }

    fn custom(
        &mut self,
        custom_type: &str,
        content: Option<&serde_json::value::RawValue>,
        display: Option<&serde_json::value::RawValue>,
    ) {
        let kind = if read::<bool>(display) { Kind::Custom } else { Kind::Hidden };
        let blocks = blocks(content);
        let mut words = vec![custom_type];
        words.extend(texts(&blocks));
        self.set(kind, &words);
    }

    fn set(&mut self, kind: Kind, texts: &[&str]) {
        self.kind = kind;
        self.snippet = snippet(texts.iter().copied());
    }
}

fn texts<'a>(blocks: &'a [Block<'_>]) -> Vec<&'a str> {
    blocks.iter().filter(|block| &*block.kind == "text").map(|block| &*block.text).collect()
}

/// The argument that says most about a call.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    command: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    pattern: Text<'a>,
}

fn main_argument(call: &Block<'_>) -> String {
    let arguments: Arguments<'_> = read(call.arguments);
    snippet([&*arguments.command, &*arguments.pattern, &*arguments.path])
}

/// The first words of texts on one line.
pub(super) fn snippet<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut result = String::new();
    let mut length = 0;
    for word in texts.into_iter().flat_map(str::split_whitespace) {
        if length > 0 {
            result.push(' ');
        }
        let room = SNIPPET.saturating_sub(length);
        result.extend(word.chars().take(room));
        length += word.chars().take(room + 1).count() + 1;
        if length > SNIPPET {
            result.push('…');
            break;
        }
    }
    result
}
