//! Notes which tool calls are under way and how they ended, in a file beside the session, so that a later run knows what a
//! crash cut off.
//!
//! A note is written before the call begins, unless the tool only reads, and one before its end is announced: its result
//! goes to the session later, behind those of the calls before it. The same goes for commands of the user that end during
//! a run. Nothing is noted for sessions in memory. The file goes when the run ends. What is made of it after a crash is
//! `session/interrupted_calls.rs`.

use std::path::Path;
use std::sync::{Arc, Mutex};

use pi_agent_core::AgentEvent;
use pi_ai::Message;

use super::{Inner, lock};
use crate::session::{Durability, EffectLog, Error};

/// The calls of the current answer.
#[derive(Debug, Default)]
pub(crate) struct EffectJournal(Mutex<JournalState>);

#[derive(Debug, Default)]
struct JournalState {
    /// Id of the entry that holds the answer.
    answer: Option<String>,
    /// The file, while there is one.
    log: Option<EffectLog>,
    /// Whether messages are noted in it that the session does not have yet.
    holds_messages: bool,
    /// Whether calls are noted in it of a run that has not ended.
    notes_calls: bool,
    /// Whether the user was told in this run that it cannot be written.
    complained: bool,
}

impl EffectJournal {
    /// An answer is in the session as this entry; the calls to come are its calls.
    pub(super) fn answered(&self, entry: Option<String>) {
        lock(&self.0).answer = entry;
    }
}

/// Takes note of an event before anybody else hears of it.
pub(super) fn note(session: &Inner, event: &AgentEvent) {
    let noted = match event {
        AgentEvent::ToolExecutionStart { tool_call_id, tool_name, .. } => {
            if session.place.workspace().toolbox.only_reads(tool_name) {
                return;
            }
            write_about_call(session, |log, answer| log.started(answer, tool_call_id, tool_name))
        }
        AgentEvent::ToolExecutionEnd { tool_call_id, result, is_error, .. } => {
            write_about_call(session, |log, answer| log.ended(answer, tool_call_id, result, *is_error))
        }
        AgentEvent::AgentEnd { .. } => end_run(session),
        _ => return,
    };
    // The calls run all the same: a full disk must not keep anybody from making room.
    complain(session, noted);
}

/// Takes note of a message that goes to the session when the run is over.
pub(super) fn hold_message(session: &Inner, message: &Arc<Message>) {
    let noted = write(session, |state| {
        state.holds_messages = true;
        state.log.as_mut().map_or(Ok(()), |log| log.held(message))
    });
    complain(session, noted);
}

/// The messages that were held are in the session.
pub(super) fn stored_messages(session: &Inner) {
    let mut state = lock(&session.store.effects().0);
    state.holds_messages = false;
    // After a run that was dropped, the notes about its calls are still needed.
    if !state.notes_calls {
        let removed = state.log.take().map_or(Ok(()), EffectLog::remove);
        drop(state);
        complain(session, removed);
    }
}

fn complain(session: &Inner, noted: Result<(), Error>) {
    if let Err(error) = noted
        && !std::mem::replace(&mut lock(&session.store.effects().0).complained, true)
    {
        session.store.warn_of_error(&error);
    }
}

/// The session's file was lost and written anew as this one: the notes stay beside it.
pub(super) fn follow(session: &Inner, file: &Path) -> Result<(), Error> {
    lock(&session.store.effects().0).log.as_mut().map_or(Ok(()), |log| log.follow(file))
}

/// After a run whose prompt was dropped: its calls are like those that a crash cut off, and the agent hears of them
/// before the next run.
pub(super) fn recover(session: &Inner) -> Result<(), Error> {
    {
        let mut state = lock(&session.store.effects().0);
        if !std::mem::take(&mut state.notes_calls) || state.log.take().is_none() {
            return Ok(());
        }
    }
    let context = {
        let mut manager = session.store.manager();
        manager.was_cut_off();
        manager.build_session_context()?
    };
    session.run.agent().set_messages(context.messages);
    Ok(())
}

fn end_run(session: &Inner) -> Result<(), Error> {
    let mut state = lock(&session.store.effects().0);
    state.complained = false;
    state.notes_calls = false;
    if state.holds_messages {
        return Ok(());
    }
    state.log.take().map_or(Ok(()), EffectLog::remove)
}

fn write_about_call(
    session: &Inner,
    note: impl FnOnce(&mut EffectLog, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    write(session, |state| {
        state.notes_calls = true;
        match (&mut state.log, &state.answer) {
            (Some(log), Some(answer)) => note(log, answer),
            _ => Ok(()),
        }
    })
}

/// Opens the file if there is none, and writes to it. A session in memory has none.
fn write(session: &Inner, note: impl FnOnce(&mut JournalState) -> Result<(), Error>) -> Result<(), Error> {
    let (file, durability, all_written) = {
        let mut manager = session.store.manager();
        manager.needs_file();
        manager.materialise()?;
        let all_written = manager.storage().is_written();
        (manager.session_file().map(ToOwned::to_owned), manager.storage().durability(), all_written)
    };
    let Some(file) = file else { return Ok(()) };
    let mut state = lock(&session.store.effects().0);
    let state = &mut *state;
    let mut log = match state.log.take().filter(|log| log.is_beside(&file)) {
        Some(log) => log,
        None => EffectLog::open(&file, durability == Durability::Entry)?,
    };
    if all_written && !state.holds_messages {
        log.forget_others(state.answer.as_deref())?;
    }
    state.log = Some(log);
    note(state)
}
