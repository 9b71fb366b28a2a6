//! The completion list below an editor: a state machine without sources.
//!
//! `context` derives what to complete from the text, `requests` asks for it, `edit` applies a chosen item. The program takes
//! a request with [`Completion::take_request`], looks for items wherever it likes, and passes them to
//! [`Completion::answer`]; stale answers are dropped. No commands and no files here.

mod context;
mod edit;
mod requests;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::editor::{Editor, EditorOutcome, Position};
use super::select::{SelectList, SelectOutcome, SelectStyle};
use crate::input::{Input, KeyEvent};
use crate::keymap::{Keymap, action};
use crate::text::Row;
pub use context::CompletionKind;
use context::{Context, Reason};
use edit::Edit;
use requests::reason_of;

/// A request for completions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionRequest {
    /// To be passed to [`Completion::answer`].
    pub id: u64,
    /// What is completed.
    pub kind: CompletionKind,
    /// The typed part, without marks (`/`, `@`) and quotes.
    pub prefix: String,
    /// The byte range in the cursor's line that a completion replaces.
    pub range: Range<usize>,
}

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompletionItem {
    /// The text to insert, without marks and quotes. A directory ends with `/`.
    pub value: String,
    /// The text of the list.
    pub label: String,
    /// The second column of the list.
    pub description: Option<String>,
}

/// Settings of completions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionOptions {
    /// Maximum number of visible items, 3 to 20.
    pub max_visible: usize,
    /// Characters besides `@` that trigger completion at the start of a word.
    pub marks: Vec<char>,
    /// Commands whose argument is one item of the list: Enter completes it and submits, since nothing can follow.
    pub single_arguments: &'static [&'static str],
}

impl Default for CompletionOptions {
    fn default() -> Self {
        Self { max_visible: 5, marks: Vec::new(), single_arguments: &[] }
    }
}

/// Minimum and maximum width of the label column.
const LABELS: Range<usize> = 12..32;

/// Completions for an editor.
///
/// ```
/// use pi_tui::input::{Dialect, Input, KeyEvent};
/// use pi_tui::keymap::Keymap;
/// use pi_tui::widgets::completion::{Completion, CompletionItem};
/// use pi_tui::widgets::editor::Editor;
///
/// let keys = Keymap::default();
/// let mut editor = Editor::new(Default::default());
/// let mut completion = Completion::new(Default::default(), Default::default());
/// for byte in [b"/", b"h", b"\t"] {
///     let input = Input::Key(KeyEvent::read(byte, Dialect::default()));
///     completion.handle(&mut editor, &input, &keys);
///     // Sources may take their time: the answer names the request.
///     if let Some(request) = completion.take_request() {
///         let help = CompletionItem { value: "help".into(), label: "help".into(), description: None };
///         completion.answer(&mut editor, request.id, vec![help]);
///     }
/// }
/// assert_eq!(editor.text(), "/help ");
/// ```
#[derive(Debug, Clone)]
pub struct Completion {
    options: CompletionOptions,
    style: SelectStyle,
    last_id: u64,
    pending: Option<Pending>,
    /// The request until it is taken.
    request: Option<CompletionRequest>,
    open: Option<Open>,
}

/// A request without an answer yet.
#[derive(Debug, Clone)]
struct Pending {
    id: u64,
    context: Context,
    reason: Reason,
    /// Of the editor, to detect stale answers.
    revision: u64,
}

/// The open list.
#[derive(Debug, Clone)]
struct Open {
    values: Vec<String>,
    list: SelectList,
    context: Context,
}

impl Open {
    /// The value that is selected, unless it is the first.
    fn moved_to(&self) -> Option<&String> {
        self.list.selected().filter(|selected| *selected > 0).and_then(|selected| self.values.get(selected))
    }
}

impl Completion {
    /// Starts without a list.
    pub fn new(options: CompletionOptions, style: SelectStyle) -> Self {
        Self { options, style, last_id: 0, pending: None, request: None, open: None }
    }

    /// Changes settings, and styles for lists that open from now on.
    pub fn configure(&mut self, options: CompletionOptions, style: SelectStyle) {
        self.options = options;
        self.style = style;
    }

    /// Whether the list is open. Check it before a program binding of Escape: the list is closed first.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Closes the list and drops pending requests.
    pub fn close(&mut self) {
        self.open = None;
        self.forget_request();
    }

    /// The latest request, if it was not taken yet. It replaces all earlier ones.
    pub fn take_request(&mut self) -> Option<CompletionRequest> {
        self.request.take()
    }

    /// Handles an input, by the list or else by the editor.
    pub fn handle(&mut self, editor: &mut Editor, input: &Input, keys: &Keymap) -> EditorOutcome {
        if let Input::Key(event) = input
            && !event.is_release()
            && !editor.is_jumping()
            && let Some(outcome) = self.key(editor, event, input, keys)
        {
            return outcome;
        }
        let outcome = editor.handle(input, keys);
        self.follow(editor, input, keys, &outcome);
        outcome
    }

    /// Accepts the items for a request; returns whether list or text changed. Stale answers are dropped.
    pub fn answer(&mut self, editor: &mut Editor, id: u64, items: Vec<CompletionItem>) -> bool {
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else { return false };
        if pending.revision != editor.revision() {
            return false;
        }
        let was_open = self.open.is_some();
        match items.as_slice() {
            [] => {
                self.open = None;
                // A command without completions for its argument: complete a path.
                if pending.reason == Reason::Asked && matches!(pending.context.kind, CompletionKind::Argument { .. }) {
                    self.ask(editor, Some(Context::of_path(before_cursor(editor))), Reason::Asked);
                }
                was_open
            }
            [item] if pending.reason == Reason::Asked && !was_open => {
                self.apply(editor, &pending.context, &item.value);
                true
            }
            _ => {
                self.show(pending.context, items);
                true
            }
        }
    }

    /// Takes what was found so far; the rest comes later, by [`Completion::answer`] or by this again. Returns whether it is
    /// still wanted.
    pub fn answer_so_far(&mut self, editor: &Editor, id: u64, items: Vec<CompletionItem>) -> bool {
        let pending = self.pending.as_ref().filter(|pending| pending.id == id);
        let Some(pending) = pending.filter(|pending| pending.revision == editor.revision()) else { return false };
        // Before everything is known, a list that is there tells more than none.
        if !items.is_empty() {
            self.show(pending.context.clone(), items);
        }
        true
    }

    /// The selected item's row among those of the list.
    pub fn selected_row(&self) -> Option<usize> {
        self.open.as_ref()?.list.selected_row()
    }

    /// Draws the list; no rows if it is closed.
    pub fn rows(&mut self, columns: u16, indent: u16) -> Vec<Row> {
        let Some(open) = &mut self.open else { return Vec::new() };
        open.list.set_indent(usize::from(indent));
        open.list.set_max_visible(self.options.max_visible.clamp(3, 20));
        open.list.rows(columns)
    }

    // --- keys

    fn key(&mut self, editor: &mut Editor, event: &KeyEvent, input: &Input, keys: &Keymap) -> Option<EditorOutcome> {
        let is_tab = keys.is(event, action::INPUT_TAB);
        let Some(open) = &mut self.open else {
            return is_tab.then(|| {
                let context = self.context(editor, Reason::Asked);
                self.ask(editor, context, Reason::Asked);
                EditorOutcome::Moved
            });
        };
        if is_tab {
            return Some(self.choose(editor));
        }
        // LF inserts a newline, although it may read as Enter.
        if event.is_line_feed() {
            return None;
        }
        match open.list.handle(input, keys) {
            SelectOutcome::Ignored => None,
            SelectOutcome::Moved => Some(EditorOutcome::Moved),
            SelectOutcome::Chosen(_) => Some(self.enter(editor)),
            SelectOutcome::Cancelled => {
                self.close();
                Some(EditorOutcome::Moved)
            }
        }
    }

    /// Applies the selected item. Submits after a command, and after an argument that nothing can follow or that was already
    /// complete.
    fn enter(&mut self, editor: &mut Editor) -> EditorOutcome {
        let kind = self.open.as_ref().map(|open| open.context.kind.clone());
        let before = editor.text();
        let outcome = self.choose(editor);
        let submits = match kind {
            Some(CompletionKind::Slash) => true,
            Some(CompletionKind::Argument { command }) => {
                self.options.single_arguments.contains(&command.as_str()) || editor.text() == before
            }
            _ => false,
        };
        if submits
            && outcome == EditorOutcome::Changed
            && let Some(text) = editor.take()
        {
            self.close();
            return EditorOutcome::Submit(text);
        }
        outcome
    }

    /// Applies the selected item and closes the list. Only closes it if the program changed the text in the meantime.
    fn choose(&mut self, editor: &mut Editor) -> EditorOutcome {
        let Some(open) = self.open.take() else { return EditorOutcome::Moved };
        let value = open.list.selected().and_then(|selected| open.values.get(selected));
        let now = self.context(editor, reason_of(&open.context));
        match (value, now) {
            (Some(value), Some(now)) if now.is_same_place(&open.context) => {
                self.apply(editor, &now, value);
                EditorOutcome::Changed
            }
            _ => EditorOutcome::Moved,
        }
    }

    fn apply(&mut self, editor: &mut Editor, context: &Context, value: &str) {
        self.close();
        let Position { line, byte } = editor.cursor();
        let edit = Edit::new(context, value, &editor.line(line)[byte..]);
        let (from, to) = (Position { line, byte: context.from }, Position { line, byte: byte + edit.taken });
        editor.replace(from, to, &edit.text, edit.back);
        if edit.goes_on {
            let context = self.context(editor, Reason::IsOpen);
            self.ask(editor, context, Reason::IsOpen);
        }
    }
}

fn before_cursor(editor: &Editor) -> &str {
    let Position { line, byte } = editor.cursor();
    &editor.line(line)[..byte]
}
