//! What the apis demand of a request, as their documentation and their error messages have it. Only rules without which
//! a request is refused; how a prompt is best put is not judged here.

mod bedrock;
mod chat;
mod google;
mod messages;
mod responses;

pub(super) use bedrock::bedrock;
pub(super) use chat::{bridged_chat, chat, mistral, openai_chat};
pub(super) use google::google;
pub(super) use messages::anthropic;
pub(super) use responses::responses;

use std::collections::HashSet;

use serde_json::Value;

/// Fails with a sentence unless the condition holds.
fn demand(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

/// The items of a list that must be there.
fn list<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], String> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("{what} is no list: {value}"))
}

/// The items of a list that must be there and hold something.
fn some<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], String> {
    let items = list(value, what)?;
    demand(!items.is_empty(), || format!("{what} is empty"))?;
    Ok(items)
}

/// A string that must be there.
fn string<'a>(value: &'a Value, what: &str) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("{what} is no string: {value}"))
}

/// An id of so many characters of the alphabet that apis agree on.
fn plain_id(value: &Value, max: usize) -> Result<&str, String> {
    let id = string(value, "an id")?;
    let legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    demand(!id.is_empty() && id.len() <= max && id.chars().all(legal), || format!("the id {id:?} is not legal"))?;
    Ok(id)
}

/// Calls, and which of them wait for their results.
#[derive(Default)]
struct Calls {
    open: HashSet<String>,
    all: HashSet<String>,
}

impl Calls {
    fn call(&mut self, id: &str) -> Result<(), String> {
        demand(self.all.insert(id.to_owned()), || format!("the call id {id:?} is there twice"))?;
        self.open.insert(id.to_owned());
        Ok(())
    }

    fn result(&mut self, id: &str) -> Result<(), String> {
        demand(self.open.remove(id), || format!("the result of {id:?} has no call that waits for it"))
    }

    /// Something comes that must not stand between calls and their results.
    fn settled(&self, what: &str) -> Result<(), String> {
        demand(self.open.is_empty(), || format!("{:?} are unanswered before {what}", self.open))
    }
}
