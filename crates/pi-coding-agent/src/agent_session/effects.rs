//! Notes which tool calls are under way, in a file beside the session, so that a later run knows what a crash cut off.
//!
//! One small write before a call that may change something; nothing for the built-in tools that only read, and nothing
//! for sessions in memory. The file goes when the run ends. What is made of it after a crash is `session/unanswered.rs`.

use std::path::Path;
use std::sync::Mutex;

use pi_agent_core::AgentEvent;

use super::{Inner, lock};
use crate::error::Error;
use crate::session::{Durability, EffectLog};

/// The calls of the current answer.
#[derive(Debug, Default)]
pub(crate) struct EffectJournal(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Id of the entry that holds the answer.
    answer: Option<String>,
    /// Calls of it that have not ended.
    left: usize,
    /// The file, while there is one.
    log: Option<EffectLog>,
    /// Whether the user was told in this run that it cannot be written.
    complained: bool,
}

impl EffectJournal {
    /// An answer with so many calls is in the session as this entry; the calls to come are its calls.
    pub(super) fn answered(&self, entry: Option<String>, calls: usize) {
        let mut state = lock(&self.0);
        state.answer = entry;
        state.left = calls;
    }
}

/// Takes note of an event before anybody else hears of it.
pub(super) fn note(session: &Inner, event: &AgentEvent) {
    let noted = match event {
        AgentEvent::ToolExecutionStart { tool_call_id, tool_name, .. } => started(session, tool_call_id, tool_name),
        AgentEvent::ToolExecutionEnd { tool_call_id, result, is_error, .. } => {
            let mut state = lock(&session.effects.0);
            let state = &mut *state;
            state.left = state.left.saturating_sub(1);
            match (&state.answer, &mut state.log) {
                // The results of an answer go to the session together, after its last call.
                (Some(answer), Some(log)) if state.left > 0 => log.ended(answer, tool_call_id, result, *is_error),
                _ => Ok(()),
            }
        }
        AgentEvent::AgentEnd { .. } => end(session),
        _ => Ok(()),
    };
    // The calls run all the same: a full disk must not keep anybody from making room.
    if let Err(error) = noted
        && !std::mem::replace(&mut lock(&session.effects.0).complained, true)
    {
        session.recorder.warn(&error);
    }
}

/// The session's file was lost and written anew as this one: the notes stay beside it.
pub(super) fn follow(session: &Inner, file: &Path) -> Result<(), Error> {
    lock(&session.effects.0).log.as_mut().map_or(Ok(()), |log| log.follow(file))
}

/// After a run whose prompt was dropped: its calls are like those that a crash cut off, and the agent hears of them
/// before the next run.
pub(super) fn recover(session: &Inner) -> Result<(), Error> {
    if lock(&session.effects.0).log.take().is_none() {
        return Ok(());
    }
    let context = {
        let mut manager = lock(&session.manager);
        manager.was_cut_off();
        manager.build_session_context()?
    };
    session.agent.set_messages(context.messages);
    Ok(())
}

fn end(session: &Inner) -> Result<(), Error> {
    let mut state = lock(&session.effects.0);
    state.complained = false;
    state.log.take().map_or(Ok(()), EffectLog::remove)
}

fn started(session: &Inner, call: &str, tool: &str) -> Result<(), Error> {
    if lock(&session.workspace).toolbox.only_reads(tool) {
        return Ok(());
    }
    let (file, durability) = {
        let manager = lock(&session.manager);
        (manager.session_file().map(ToOwned::to_owned), manager.durability())
    };
    let mut state = lock(&session.effects.0);
    let state = &mut *state;
    let (Some(file), Some(answer)) = (file, &state.answer) else { return Ok(()) };
    let log = match state.log.take().filter(|log| log.is_beside(&file)) {
        Some(log) => log,
        None => EffectLog::open(&file, durability == Durability::Entry)?,
    };
    state.log.insert(log).started(answer, call, tool)
}
