//! The whole session on the alternate screen: blocks to fold, to search, to copy. The conversation goes on beneath.
//!
//! | Module | What is in it |
//! |---|---|
//! | `items` | the conversation as blocks, with their sources |
//! | `blocks` | blocks as they are drawn |
//! | `search` | a text in the blocks |
//! | `keys` | what keys do |
//!
//! Blocks are drawn when they are looked at: what opening costs depends on the number of messages, and not on their size.

mod blocks;
mod items;
mod keys;
mod search;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pi_ai::Message;
use pi_coding_agent::messages::AppMessage;
use pi_tui::document::{Heights, Page};
use pi_tui::input::Input;
use pi_tui::text::{Line, Row};
use pi_tui::widgets::input::TextInput;

use super::app::App;
use super::branch_messages::{self, BranchPart};
use super::chat::NoteKind;
use super::full_screen::{self, FullScreen};
use super::{rendering, restored_entries};
use blocks::Blocks;
use search::Search;

/// The view.
pub(super) struct TranscriptView {
    blocks: Blocks,
    page: Page,
    search: Search,
    /// What is being searched for, while it is typed.
    field: Option<TextInput>,
    /// What was done last, or why it was not.
    notice: Option<String>,
    /// Whether there is more in the session by now.
    is_stale: bool,
    /// Whether the blocks are those of the whole branch, and not only of what the model sees.
    is_whole: bool,
    /// What of the context the blocks show: how many messages, the first and the last of them.
    known: Known,
    /// The last entry of the branch that was read, where the blocks are those of the whole branch.
    last: Option<String>,
    /// Types of entries that extensions draw.
    types: Vec<String>,
    /// Whether the branch is being read.
    is_reading: bool,
    /// Whether the end is to be shown.
    goes_to_end: bool,
    /// The look that the blocks were drawn with.
    look: u64,
}

/// What of a session's context was listed.
#[derive(Debug, Default)]
struct Known {
    count: usize,
    ends: Option<(Arc<Message>, Arc<Message>)>,
}

impl Known {
    fn of(messages: &[Arc<Message>]) -> Self {
        let ends = messages.first().cloned().zip(messages.last().cloned());
        Self { count: messages.len(), ends }
    }

    /// The messages that follow what was listed; nothing where it is another context by now.
    fn behind<'a>(&self, messages: &'a [Arc<Message>]) -> Option<&'a [Arc<Message>]> {
        let (first, last) = self.ends.as_ref()?;
        let is_at = |at: usize, message| messages.get(at).is_some_and(|found| Arc::ptr_eq(found, message));
        (is_at(0, first) && is_at(self.count.checked_sub(1)?, last)).then(|| &messages[self.count..])
    }
}

/// The view, shared with what goes on beside the loop.
#[derive(Clone)]
struct Shared(Rc<RefCell<TranscriptView>>);

impl FullScreen for Shared {
    fn draw(&mut self, app: &mut App) {
        draw(app, self);
    }

    fn input(&mut self, app: &mut App, input: &Input) -> bool {
        keys::handle(app, self, input)
    }

    fn scroll(&mut self, app: &App, rows: isize) {
        let TranscriptView { page, blocks, .. } = &mut *self.0.borrow_mut();
        page.scroll(rows, window(app), blocks);
    }

    fn grown(&mut self) {
        self.0.borrow_mut().is_stale = true;
    }
}

/// Opens it at the end of the conversation.
pub(super) fn open(app: &mut App) {
    let messages = app.session.messages();
    let types = restored_entries::drawn_types(&app.session);
    let mut items = items::items(&messages);
    if messages.is_empty() {
        let entries = restored_entries::find(&app.session, &messages, 0);
        items = items::of_parts(entries.into_iter().map(|(_, entry)| BranchPart::Entry(entry)));
    }
    if items.is_empty() {
        return app.note(NoteKind::Status, "There is nothing in this session yet");
    }
    let view = Shared(Rc::new(RefCell::new(TranscriptView {
        blocks: Blocks::new(items, &app.session, &app.shared),
        page: Page::default(),
        search: Search::default(),
        field: None,
        notice: None,
        is_stale: false,
        is_whole: false,
        known: Known::of(&messages),
        last: None,
        types,
        is_reading: false,
        goes_to_end: true,
        look: app.shared.look().version(),
    })));
    full_screen::open(app, view.clone());
    let is_summary = |message: &Arc<Message>| match &**message {
        Message::Other(other) => matches!(AppMessage::from_other(other), Some(AppMessage::CompactionSummary(_))),
        _ => false,
    };
    // Of the context it is not known where entries stand in it.
    let has_entries = !view.0.borrow().types.is_empty();
    if has_entries || messages.first().is_some_and(is_summary) {
        read_branch(app, view);
    }
}

/// Reads the whole branch, beside the loop: also what the model does not see any more, and entries that extensions draw.
fn read_branch(app: &mut App, view: Shared) {
    let (session, types) = (app.session.clone(), view.0.borrow().types.clone());
    view.0.borrow_mut().is_reading = true;
    let read = async move { branch_messages::read_with_entries(&session, types).await };
    app.spawn(read, move |app, branch| {
        let mut shown = view.0.borrow_mut();
        shown.is_reading = false;
        match branch {
            Ok(branch) => {
                shown.replace(items::of_parts(branch.parts), true);
                shown.last = branch.last;
                drop(shown);
                keys::search_again(app, &view);
            }
            Err(error) => shown.notice = Some(format!("Earlier messages cannot be read: {error}")),
        }
    });
}

impl TranscriptView {
    fn replace(&mut self, items: Vec<items::Item>, is_whole: bool) {
        let before = self.blocks.count();
        let behind = before - self.page.selected.min(before);
        self.blocks.replace(items);
        if is_whole && !self.is_whole {
            // What was read is in front of what was there: the same blocks stay in the window.
            let selected = self.blocks.count().saturating_sub(behind);
            self.page = Page { top: (selected, 0), selected };
        }
        self.is_whole = is_whole;
    }

    fn append(&mut self, parts: impl IntoIterator<Item = BranchPart>) {
        let changed = self.blocks.append(parts);
        self.search.look_at(&changed, &self.blocks.items);
    }

    fn title(&self, app: &App, columns: u16) -> Row {
        let look = app.shared.look();
        let (at, count) = (self.page.selected + 1, self.blocks.count());
        let mut line = Line::styled("Transcript", look.accent().bold());
        line.push(&format!("  block {at} of {count}"), look.muted());
        if !self.search.needle.is_empty() {
            line.push(&format!("  {}", self.search.count()), look.text());
        }
        if !app.panels.is_empty() {
            line.push("  A question waits", look.warning());
        }
        Row::new(&line, columns)
    }

    /// The blocks that are in a window of so many rows.
    fn body(&mut self, window: usize) -> Vec<Row> {
        if std::mem::take(&mut self.goes_to_end) {
            self.page.go_to_end(window, &mut self.blocks);
        }
        self.page.settle(window, &mut self.blocks);
        let (mut at, mut hidden) = self.page.top;
        let mut rows = Vec::new();
        while rows.len() < window && at < self.blocks.count() {
            rows.extend(self.blocks.rows(at, at == self.page.selected).into_iter().skip(hidden));
            (at, hidden) = (at + 1, 0);
        }
        rows.truncate(window);
        let columns = self.blocks.columns;
        if !self.search.needle.is_empty() {
            rows = rows.into_iter().map(|row| self.search.mark(&row, columns).unwrap_or(row)).collect();
        }
        rows
    }
}

/// So many rows of the window are the blocks'.
fn window(app: &App) -> usize {
    usize::from(app.surface.size().rows).saturating_sub(2).max(1)
}

/// Draws it.
fn draw(app: &mut App, shared: &Shared) {
    refresh(app, shared);
    let mut view = shared.0.borrow_mut();
    let (columns, rows) = (app.surface.size().columns, app.surface.size().rows);
    view.blocks.columns = columns;
    let body = view.body(window(app));
    let (last, caret) = view.last_row(app, columns);
    let mut all = Vec::new();
    if rows > 2 {
        all.push(view.title(app, columns));
    }
    let blank = usize::from(rows.saturating_sub(1)).saturating_sub(all.len() + body.len());
    all.extend(body);
    all.extend(std::iter::repeat_n(Row::blank(), blank));
    if rows > 1 {
        all.push(last);
    }
    let caret = caret.map(|column| (all.len() - 1, column));
    app.surface.paint(all.iter().collect(), caret, true, &[]);
    let asked: Vec<_> = view.blocks.shared().iter().flat_map(|shared| shared.take_asked_for()).collect();
    rendering::begin(app, asked);
}

/// Takes what has changed since the last frame.
fn refresh(app: &mut App, shared: &Shared) {
    let mut view = shared.0.borrow_mut();
    let look = app.shared.look();
    if std::mem::replace(&mut view.look, look.version()) != look.version() {
        for shared in view.blocks.shared() {
            shared.set_look((*look).clone());
        }
    }
    // What comes while the branch is read is looked for behind what was read.
    if view.is_reading || !std::mem::take(&mut view.is_stale) {
        return;
    }
    let window = window(app);
    let TranscriptView { page, blocks, .. } = &mut *view;
    let is_at_end = page.is_at_end(window, blocks) && page.selected + 1 == blocks.count();
    view.goes_to_end |= is_at_end;
    if view.is_whole {
        let new = view.last.as_deref().and_then(|last| branch_messages::since(&app.session, &view.types, last));
        let Some(new) = new else {
            drop(view);
            return read_branch(app, shared.clone());
        };
        view.last = new.last;
        return view.append(new.parts);
    }
    let messages = app.session.messages();
    if let Some(new) = view.known.behind(&messages) {
        view.append(new.iter().cloned().map(BranchPart::Message));
        view.known = Known::of(&messages);
        return;
    }
    view.replace(items::items(&messages), false);
    view.known = Known::of(&messages);
    drop(view);
    keys::search_again(app, shared);
}
