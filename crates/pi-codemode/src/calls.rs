//! The calls that a script makes.

use std::sync::Mutex;

use pi_agent_core::{NestedCallRecord, NestedCalls, NestedOutcome, ToolOutput, ToolUpdates};
use pi_guard::lock;
use pi_script::{OpError, OpResult};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::limits::{LONGEST_ARGUMENT, LONGEST_NOTE, MOST_AT_ONCE, MOST_CALLS};
use crate::value;

/// Names that a script is told when it calls a tool that does not exist.
const MOST_NAMES: usize = 40;

/// Makes calls, and notes them.
#[derive(Debug)]
pub(crate) struct Calls {
    calls: NestedCalls,
    /// Of the tools that can be called, in their order.
    names: Vec<String>,
    updates: ToolUpdates,
    at_once: Semaphore,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    begun: usize,
    /// Names of calls that are under way.
    running: Vec<String>,
    /// Of calls that are over, in the order of their ends.
    ended: Vec<NestedCallRecord>,
}

impl Calls {
    /// Calls of all tools but this one.
    pub(crate) fn new(calls: NestedCalls, updates: ToolUpdates, own_name: &str) -> Self {
        let definitions = calls.definitions();
        let names = definitions.iter().map(|definition| definition.name.clone()).filter(|name| name != own_name);
        let names = names.collect();
        Self { calls, names, updates, at_once: Semaphore::new(MOST_AT_ONCE), notes: Mutex::default() }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Makes a call.
    ///
    /// # Errors
    /// What a failed call says, and when a script makes too many.
    pub(crate) async fn call(&self, name: String, arguments: Value) -> OpResult {
        if !self.names.contains(&name) {
            return Err(OpError::type_error(format!("There is no tool {name}. There are: {}", self.near(&name))));
        }
        {
            let mut notes = lock(&self.notes);
            if notes.begun >= MOST_CALLS {
                return Err(OpError::new(format!("A script can make {MOST_CALLS} calls; go on in another one")));
            }
            notes.begun += 1;
        }
        let Ok(_turn) = self.at_once.acquire().await else { return Err(OpError::aborted()) };
        let running = Running::new(self, &name);
        let outcome = self.calls.call(&name, arguments.clone()).await;
        drop(running);
        lock(&self.notes).ended.push(note(&name, &arguments, &outcome));
        value::of(&outcome).await
    }

    /// Names of tools, those first that have something in common with this one.
    pub(crate) fn near(&self, name: &str) -> String {
        let words: Vec<&str> = name.split(['_', '-', '.']).filter(|word| word.len() > 2).collect();
        let (near, other): (Vec<&String>, Vec<&String>) =
            self.names.iter().partition(|known| words.iter().any(|word| known.contains(word)));
        let mut names: Vec<&str> = near.into_iter().chain(other).map(String::as_str).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &rest
    }

    /// What is noted of the calls, for programs.
    pub(crate) fn details(&self) -> Value {
        NestedCallRecord::to_details(&lock(&self.notes).ended)
    }

    /// Names of the calls that are over, for the model.
    pub(crate) fn ended(&self) -> Vec<String> {
        lock(&self.notes).ended.iter().map(|call| call.name.clone()).collect()
    }

    /// Names of the calls that are under way.
    pub(crate) fn running(&self) -> Vec<String> {
        lock(&self.notes).running.clone()
    }

    fn show(&self) {
        let text = {
            let notes = lock(&self.notes);
            let running = notes.running.join(", ");
            let are = if notes.running.is_empty() { String::new() } else { format!("; running: {running}") };
            format!("{} calls made{are}", notes.begun)
        };
        self.updates.send(ToolOutput::text(text));
    }
}

/// A call that is under way, also one that is dropped.
struct Running<'a> {
    calls: &'a Calls,
    name: String,
}

impl<'a> Running<'a> {
    fn new(calls: &'a Calls, name: &str) -> Self {
        lock(&calls.notes).running.push(name.to_owned());
        calls.show();
        Self { calls, name: name.to_owned() }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut notes = lock(&self.calls.notes);
        if let Some(place) = notes.running.iter().position(|name| *name == self.name) {
            notes.running.remove(place);
        }
    }
}

/// What is noted of a call: long texts are cut, details of the tool are whole.
fn note(name: &str, arguments: &Value, outcome: &NestedOutcome) -> NestedCallRecord {
    NestedCallRecord {
        id: outcome.tool_call_id.clone(),
        name: name.to_owned(),
        arguments: shortened(arguments),
        text: cut(&value::text(&outcome.output), LONGEST_NOTE),
        details: outcome.output.details.clone(),
        is_error: outcome.is_error,
    }
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(text, LONGEST_ARGUMENT)),
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), shortened(value))).collect())
        }
        other => other.clone(),
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
