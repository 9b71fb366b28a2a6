//! Compacts the sessions with a given summariser and says what became of the facts.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use pi_ai::{AssistantMessage, ContentBlock, Context, Message, Model, ThinkingLevel};
use pi_coding_agent::compaction::{
    CompactionError, CompactionSettings, SummaryOptions, SummaryRequest, branch_entries, compact, prepare,
    store_compaction,
};
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::messages::convert_to_llm;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{SessionHost, SessionManager};

use super::facts::{Fact, Fixture, Place};

/// A copy of a session, opened. The directory has to live as long.
pub(crate) fn open(fixture: &Fixture, dir: &Path) -> SessionManager {
    let file = dir.join("session.jsonl");
    fs::copy(&fixture.session, &file).expect("a copy");
    let host = SessionHost {
        paths: Paths::new(Env::fixed([("HOME", "/home/user")]), "/home/user"),
        clock: pi_ai::system_clock(),
        ids: SequentialIds::shared(),
    };
    SessionManager::open(host, &file, None).expect("a session")
}

/// What one compaction did.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What the summarising model was asked, as text, in no particular order.
    pub(crate) requests: Vec<String>,
    /// What it answered.
    pub(crate) answers: Vec<String>,
    /// The whole summary.
    pub(crate) summary: String,
    /// The rest of the context, as text.
    pub(crate) kept: String,
}

/// Compacts a session. `summarise` is given the name of the session, what is asked, and how.
pub(crate) async fn compacted<F, C>(fixture: &Fixture, summarise: F) -> Result<Outcome, CompactionError>
where
    F: Fn(Context, SummaryOptions) -> C,
    C: Future<Output = Arc<AssistantMessage>>,
{
    let dir = tempfile::tempdir().expect("a directory");
    let mut session = open(fixture, dir.path());
    let settings = CompactionSettings {
        enabled: true,
        reserve_tokens: fixture.planted.reserve_tokens,
        keep_recent_tokens: fixture.planted.keep_recent_tokens,
    };
    let context = session.build_session_context().expect("a session in memory").messages;
    let preparation = prepare(&branch_entries(&session).expect("a session in memory"), &context, &settings)
        .expect("something to summarise");
    let seen = Mutex::new((Vec::new(), Vec::new()));
    let model = Model { max_tokens: 32_000, ..Model::default() };
    let request =
        SummaryRequest { model: &model, thinking_level: ThinkingLevel::Off, custom_instructions: None, now_ms: 0 };
    let complete = async |context: Context, options| {
        let asked = text_of(&context.messages);
        let answer = summarise(context, options).await;
        let mut seen = seen.lock().expect("no panic");
        seen.0.push(asked);
        seen.1.push(answer.text());
        drop(seen);
        answer
    };
    let mut compaction = compact(&preparation, &request, complete).await?;
    store_compaction(&mut session, &mut compaction).expect("a stored compaction");
    let (requests, answers) = seen.into_inner().expect("no panic");
    let kept = text_of(&convert_to_llm(&session.build_session_context().expect("a session in memory").messages[1..]));
    Ok(Outcome { requests, answers, summary: compaction.summary, kept })
}

/// All text of messages, tool arguments included.
pub(crate) fn text_of(messages: &[Arc<Message>]) -> String {
    let blocks = |blocks: &[ContentBlock]| {
        let texts = blocks.iter().map(|block| match block {
            ContentBlock::Text(text) => text.text.clone(),
            ContentBlock::Thinking(thinking) => thinking.thinking.clone(),
            ContentBlock::ToolCall(call) => call.arguments.to_string(),
            _ => String::new(),
        });
        texts.collect::<Vec<_>>().join("\n")
    };
    let text = |message: &Arc<Message>| match &**message {
        Message::User(user) => user.content.to_text(),
        Message::Assistant(answer) => blocks(&answer.content),
        Message::ToolResult(result) => blocks(&result.content),
        Message::Other(_) => String::new(),
    };
    messages.iter().map(text).collect::<Vec<_>>().join("\n")
}

impl Outcome {
    /// Where a fact is. What the model was asked counts only as far as it does not stand in what we add ourselves.
    pub(crate) fn place(&self, fact: &Fact) -> Place {
        let holds = |text: &String| text.contains(&fact.text);
        let added = self.answers.iter().fold(self.summary.clone(), |summary, answer| summary.replace(answer, ""));
        if holds(&self.kept) {
            Place::Kept
        } else if holds(&added) {
            Place::Added
        } else if self.requests.iter().any(holds) {
            Place::Request
        } else {
            Place::Lost
        }
    }

    /// Whether the next model will see a fact.
    pub(crate) fn retained(&self, fact: &Fact) -> bool {
        self.summary.contains(&fact.text) || self.kept.contains(&fact.text)
    }
}

/// A table of what was retained, and the facts that were not.
pub(crate) fn report(outcomes: &[(Fixture, Outcome)]) -> String {
    let mut table = String::from("| Session | Facts | Asked | Retained | Cannot be |\n|---|---|---|---|---|\n");
    let mut lost = String::new();
    let (mut kinds, mut all) = (BTreeMap::new(), [0; 4]);
    for (fixture, outcome) in outcomes {
        let mut row = [0; 4];
        for fact in &fixture.planted.facts {
            let (retained, possible) = (outcome.retained(fact), fact.place != Place::Lost);
            let asked = outcome.requests.iter().any(|request| request.contains(&fact.text));
            let counts = [true, asked, retained, !possible];
            row.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += usize::from(counts));
            let kind: &mut (usize, usize) = kinds.entry(fact.kind).or_default();
            kind.0 += usize::from(possible);
            kind.1 += usize::from(retained);
            if possible && !retained {
                lost.push_str(&format!("- {}: {:?} \"{}\"\n", fixture.name, fact.kind, fact.text.trim_end()));
            }
        }
        let [facts, asked, retained, cannot] = row;
        table.push_str(&format!("| {} | {facts} | {asked} | {retained} | {cannot} |\n", fixture.name));
        all.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    let [facts, asked, retained, cannot] = all;
    table.push_str(&format!("| all | {facts} | {asked} | {retained} | {cannot} |\n"));
    let kinds: Vec<String> =
        kinds.iter().map(|(kind, (possible, retained))| format!("{kind:?} {retained}/{possible}")).collect();
    format!("{table}\nBy kind: {}\n\nLost although the model was told:\n{lost}", kinds.join(", "))
}
