//! The conversation of a session, drawn from its messages: at the start, and when another session takes its place.

use std::ops::Range;
use std::sync::Arc;

use pi_ai::{ContentBlock, Message, UserContent};
use serde_json::Value;

use super::app::App;
use super::chat::{NoteKind, Renderers, Transcript};
use super::conversation_view::Earlier;
use super::under_way::Moment;
use super::{footer_data, header, preferences, resource_list, restored_entries, theming, warnings};

/// So many rows of history are drawn at most.
const TAIL_ROWS: usize = 1000;

/// Draws the session's messages, the last ones where there are many.
pub(super) fn messages(app: &mut App) {
    app.transcript.set_renderers(Renderers::of(&app.session));
    let (moment, messages) = Moment::take(app);
    let from = tail(&messages, app.surface.columns());
    let note = (from > 0).then(|| app.transcript.note(NoteKind::Status, left_out(&(0..from))));
    let entries = restored_entries::find(&app.session, &messages, from);
    let blocks = app.transcript.document_mut().len();
    add(&mut app.transcript, &messages, from, entries);
    seed_history(app, &messages);
    let first = app.transcript.document_mut().iter_mut().nth(blocks).map(|(id, _)| id);
    moment.go_on(app, &messages);
    let all = if app.surface.is_fullscreen() { messages } else { Vec::new() };
    app.viewport.earlier =
        note.zip(first).map(|(note, first)| Earlier { messages: all, left_out: 0..from, note, first });
}

fn left_out(messages: &Range<usize>) -> String {
    let which = if messages.start == 0 { "earlier messages" } else { "messages" };
    format!("{} {which} are not shown here", super::numbers::grouped(messages.len() as u64))
}

/// Adds messages from this one on, with the entries that stand before them.
fn add(transcript: &mut Transcript, messages: &[Arc<Message>], from: usize, entries: Vec<(usize, Arc<Value>)>) {
    let mut entries = entries.into_iter().peekable();
    for (at, message) in messages.iter().enumerate().skip(from) {
        while let Some((_, entry)) = entries.next_if(|(before, _)| *before <= at) {
            transcript.entry(&entry);
        }
        transcript.message(message);
    }
    entries.for_each(|(_, entry)| transcript.entry(&entry));
}

/// Adds so many of the messages that were left out, from the last one on, and those that belong to the first of them: in full
/// screen somebody is about to see them.
pub(super) fn earlier(app: &mut App, count: usize) {
    let Some(mut earlier) = take_earlier(app) else { return };
    let Range { start, end: to } = earlier.left_out;
    let wanted = to.saturating_sub(count).max(start);
    let is_start = |at: &usize| matches!(&*earlier.messages[*at], Message::User(_));
    let from = (start..=wanted).rev().find(is_start).unwrap_or(start);
    let mut entries = restored_entries::find(&app.session, &earlier.messages, from);
    entries.retain(|(at, _)| *at <= to);
    let at = app.transcript.document_mut().iter_mut().position(|(id, _)| id == earlier.first);
    app.transcript.document_mut().remove(earlier.note);
    earlier.left_out = start..from;
    let is_left = !earlier.left_out.is_empty();
    app.transcript.add_before(earlier.first, |transcript| {
        if is_left {
            earlier.note = transcript.note(NoteKind::Status, left_out(&earlier.left_out));
        }
        add(transcript, &earlier.messages[..to], from, entries);
    });
    // The note is gone, or another one stands there.
    let first = at.map(|at| at - usize::from(!is_left));
    let first = first.and_then(|first| app.transcript.document_mut().iter_mut().nth(first).map(|(id, _)| id));
    earlier.first = first.unwrap_or(earlier.first);
    app.viewport.earlier = is_left.then_some(earlier);
}

/// Adds so many of the messages that were left out, from the first one on, and those that belong to the last of them.
pub(super) fn earliest(app: &mut App, count: usize) {
    let Some(mut earlier) = take_earlier(app) else { return };
    let Range { start: from, end } = earlier.left_out;
    let is_start = |at: &usize| matches!(&*earlier.messages[*at], Message::User(_));
    let Some(to) = (from.saturating_add(count)..end).find(is_start) else {
        app.viewport.earlier = Some(earlier);
        return self::earlier(app, usize::MAX);
    };
    let mut entries = restored_entries::find(&app.session, &earlier.messages, from);
    entries.retain(|(at, _)| *at <= to);
    app.transcript.document_mut().remove(earlier.note);
    earlier.left_out = to..end;
    app.transcript.add_before(earlier.first, |transcript| {
        add(transcript, &earlier.messages[..to], from, entries);
        earlier.note = transcript.note(NoteKind::Status, left_out(&earlier.left_out));
    });
    app.viewport.earlier = Some(earlier);
}

/// What was left out, if it can be added.
fn take_earlier(app: &mut App) -> Option<Earlier> {
    let earlier = app.viewport.earlier.take()?;
    let can_be_added = !earlier.messages.is_empty() && app.transcript.document_mut().get(earlier.first).is_some();
    can_be_added.then_some(earlier)
}

/// The first message of those that fill the rows, with what belongs together.
fn tail(messages: &[Arc<Message>], columns: u16) -> usize {
    let mut rows = 0;
    for (index, message) in messages.iter().enumerate().rev() {
        rows += estimate(message, usize::from(columns.max(1)));
        if rows > TAIL_ROWS {
            // Results without their calls would be lost: a tail begins with what the user said, where there is such.
            let is_start = |message: &Arc<Message>| matches!(&**message, Message::User(_));
            let later = messages[index + 1..].iter().position(is_start).map(|at| index + 1 + at);
            return later.unwrap_or(index);
        }
    }
    0
}

fn estimate(message: &Message, columns: usize) -> usize {
    let of_text = |text: &str| text.len() / columns + text.matches('\n').count() + 2;
    let of_blocks =
        |blocks: &[ContentBlock]| -> usize { blocks.iter().map(|block| block.as_text().map_or(3, of_text)).sum() };
    match message {
        Message::User(message) => match &message.content {
            UserContent::Text(text) => of_text(text) + 2,
            UserContent::Blocks(blocks) => of_blocks(blocks) + 2,
        },
        Message::Assistant(message) => of_blocks(&message.content),
        Message::ToolResult(_) => 3,
        Message::Other(_) => 4,
    }
}

/// Former messages of the user come again with the arrow keys.
fn seed_history(app: &mut App, messages: &[Arc<Message>]) {
    const REMEMBERED: usize = 100;
    let said = messages.iter().rev().filter_map(|message| match &**message {
        Message::User(message) => Some(message.content.to_text()),
        _ => None,
    });
    let mut said: Vec<String> = said.filter(|text| !text.trim().is_empty()).take(REMEMBERED).collect();
    said.reverse();
    app.prompt.remember_all(&said);
}

/// Draws everything again, from the top of the window, for the session as it is now.
pub(super) fn replay(app: &mut App) {
    app.seat.replayed_ms = Some(app.now_ms());
    super::full_screen::close(app);
    app.surface.replay();
    redraw(app);
}

/// Draws everything again, where the window is.
pub(super) fn redraw(app: &mut App) {
    app.transcript.clear();
    header::cleared(app);
    super::viewport::follow(app);
    app.shared.set_cwd(app.session.store().read(|manager| manager.cwd().to_owned()));
    footer_data::session_changed(app);
    messages(app);
    // What was said of extensions that could not be loaded for it is gone with the picture before.
    for (path, problem) in app.extensions.failed_loads.clone() {
        app.error(format!("Extension {path} cannot be loaded: {problem}"));
    }
    warnings::of_subscription(app);
}

/// The same after files were read again: keys and colours may be others. What is wrong with the files is said below the
/// conversation.
pub(super) fn reload(app: &mut App) {
    preferences::apply(app);
    let key_problems = resource_list::keys(app);
    replay(app);
    theming::reload(app);
    super::shortcuts::find(app);
    resource_list::resources(app);
    for problem in key_problems {
        app.note(NoteKind::Warning, problem);
    }
    resource_list::config_problems(app);
    resource_list::problems(app);
}
