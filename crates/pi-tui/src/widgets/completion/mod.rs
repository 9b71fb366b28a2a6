//! Completions below an editor: what to ask for, the list of what was found, and what choosing one writes.
//!
//! The items come from elsewhere, by message: [`Completion::take_request`] is what to look for,
//! [`Completion::answer`] what was found. An answer that comes when the text is another already is dropped. Nothing here
//! knows commands or files.

mod context;
mod edit;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::editor::{Editor, EditorOutcome, Position};
use super::select::{SelectItem, SelectList, SelectOptions, SelectOutcome, SelectStyle};
use crate::input::{Input, KeyEvent, KeyKind};
use crate::keymap::{Action, Keymap, action};
use crate::text::Row;
pub use context::CompletionKind;
use context::{Context, Reason};
use edit::Edit;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionRequest {
    /// Names the request in its answer.
    pub id: u64,
    /// What kind of thing.
    pub kind: CompletionKind,
    /// How it begins, without marks (`/`, `@`) and quotes.
    pub prefix: String,
    /// The bytes of the cursor's line that a completion replaces.
    pub range: Range<usize>,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompletionItem {
    /// What is written, without marks and quotes. A directory ends in `/`.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// What it is.
    pub description: Option<String>,
}

/// Measures of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionOptions {
    /// How many items are seen at once, 3 to 20.
    pub max_visible: usize,
    /// Characters that begin a word to be completed, beside `@`.
    pub marks: Vec<char>,
}

impl Default for CompletionOptions {
    fn default() -> Self {
        Self { max_visible: 5, marks: Vec::new() }
    }
}

/// The columns of labels.
const LABELS: Range<usize> = 12..32;

/// Completions of an editor's text.
#[derive(Debug, Clone)]
pub struct Completion {
    options: CompletionOptions,
    style: SelectStyle,
    last_id: u64,
    pending: Option<Pending>,
    /// The request that nobody took yet.
    request: Option<CompletionRequest>,
    open: Option<Open>,
}

/// A request that was not answered yet.
#[derive(Debug, Clone)]
struct Pending {
    id: u64,
    context: Context,
    reason: Reason,
    /// The editor's, to see that nothing changed.
    revision: u64,
}

/// A list that is shown.
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

/// What undoes a part of a word: completions are looked for again.
const DELETIONS: [Action; 4] = [
    action::EDITOR_DELETE_CHAR_BACKWARD,
    action::EDITOR_DELETE_CHAR_FORWARD,
    action::EDITOR_DELETE_WORD_BACKWARD,
    action::EDITOR_DELETE_WORD_FORWARD,
];

impl Completion {
    /// No list yet.
    pub fn new(options: CompletionOptions, style: SelectStyle) -> Self {
        Self { options, style, last_id: 0, pending: None, request: None, open: None }
    }

    /// Changes how many items are seen at once, from the next list on.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.options.max_visible = rows;
    }

    /// Changes how lists look, the one that is shown included.
    pub fn set_style(&mut self, style: SelectStyle) {
        self.style = style;
        if let Some(open) = &mut self.open {
            open.list.set_style(style);
        }
    }

    /// Whether a list is shown. Escape closes it, and should mean nothing else then.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Closes the list, and wants no answers any more.
    pub fn close(&mut self) {
        self.open = None;
        self.forget_request();
    }

    /// What to look for since this was asked last. Only the latest request counts.
    pub fn take_request(&mut self) -> Option<CompletionRequest> {
        self.request.take()
    }

    /// Takes an input, for the list or for the editor.
    pub fn handle(&mut self, editor: &mut Editor, input: &Input, keys: &Keymap) -> EditorOutcome {
        if let Input::Key(event) = input
            && event.kind != KeyKind::Release
            && !editor.is_jumping()
            && let Some(outcome) = self.key(editor, event, input, keys)
        {
            return outcome;
        }
        let outcome = editor.handle(input, keys);
        self.follow(editor, input, keys, &outcome);
        outcome
    }

    /// Takes what was found; whether the list or the text changed. `None` of the items is wanted when the text is another.
    pub fn answer(&mut self, editor: &mut Editor, id: u64, items: Vec<CompletionItem>) -> bool {
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else { return false };
        if pending.revision != editor.revision() {
            return false;
        }
        let was_open = self.open.is_some();
        match items.as_slice() {
            [] => {
                self.open = None;
                // An argument that its command knows nothing of may be a path.
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

    /// Draws the list, if there is one.
    pub fn rows(&mut self, columns: u16, indent: u16) -> Vec<Row> {
        let Some(open) = &mut self.open else { return Vec::new() };
        open.list.set_indent(usize::from(indent));
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
        // LF is a new line, though it may read as Enter.
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

    /// Enter also submits where there is nothing left to say: a command, or an argument that was complete already.
    fn enter(&mut self, editor: &mut Editor) -> EditorOutcome {
        let kind = self.open.as_ref().map(|open| open.context.kind.clone());
        let before = editor.text();
        let outcome = self.choose(editor);
        let submits = match kind {
            Some(CompletionKind::Slash) => outcome == EditorOutcome::Changed,
            Some(CompletionKind::Argument { .. }) => editor.text() == before,
            _ => false,
        };
        if submits && let Some(text) = editor.take() {
            self.close();
            return EditorOutcome::Submit(text);
        }
        outcome
    }

    /// Writes the selected item. When the text was changed by others in the meantime, the list only closes.
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

    // --- requests

    /// After the editor took an input.
    fn follow(&mut self, editor: &Editor, input: &Input, keys: &Keymap, outcome: &EditorOutcome) {
        match outcome {
            EditorOutcome::Ignored => {}
            EditorOutcome::Submit(_) => self.close(),
            EditorOutcome::Changed | EditorOutcome::Moved => {
                let is_typed = *outcome == EditorOutcome::Changed && is_typing(input, keys);
                match &self.open {
                    Some(open) => {
                        let reason = reason_of(&open.context);
                        let context = self
                            .context(editor, reason)
                            .filter(|now| reason != Reason::Asked || now.is_same_place(&open.context));
                        self.refresh(editor, context);
                    }
                    None if is_typed => {
                        let context = self.context(editor, Reason::Typed);
                        self.ask(editor, context, Reason::Typed);
                    }
                    None => self.forget_request(),
                }
            }
        }
    }

    /// The list stays until the answer comes, unless it is about another place.
    fn refresh(&mut self, editor: &Editor, context: Option<Context>) {
        let is_same = |open: &mut Open| context.as_ref().is_some_and(|context| context.is_same_place(&open.context));
        if self.open.as_mut().is_some_and(|open| !is_same(open)) {
            self.open = None;
        }
        self.ask(editor, context, Reason::IsOpen);
    }

    fn context(&self, editor: &Editor, reason: Reason) -> Option<Context> {
        Context::find(editor.cursor().line, before_cursor(editor), &self.options.marks, reason)
    }

    /// Replaces the request, by none where there is nothing to complete.
    fn ask(&mut self, editor: &Editor, context: Option<Context>, reason: Reason) {
        self.forget_request();
        let Some(context) = context else {
            self.open = None;
            return;
        };
        self.last_id += 1;
        let id = self.last_id;
        let range = context.from..editor.cursor().byte;
        self.request =
            Some(CompletionRequest { id, kind: context.kind.clone(), prefix: context.prefix.clone(), range });
        self.pending = Some(Pending { id, context, reason, revision: editor.revision() });
    }

    fn forget_request(&mut self) {
        self.pending = None;
        self.request = None;
    }

    fn show(&mut self, context: Context, items: Vec<CompletionItem>) {
        let exact = items.iter().position(|item| item.value == context.prefix);
        // More of the same: what the user has moved to stays selected.
        let moved_to = self.open.as_ref().filter(|open| open.context == context).and_then(Open::moved_to);
        let kept = moved_to.and_then(|value| items.iter().position(|item| item.value == *value));
        let values = items.iter().map(|item| item.value.clone()).collect();
        let items =
            items.into_iter().map(|item| SelectItem { label: item.label, description: item.description }).collect();
        let options = SelectOptions {
            max_visible: self.options.max_visible.clamp(3, 20),
            min_label: LABELS.start,
            max_label: LABELS.end,
            ..SelectOptions::default()
        };
        let mut list = SelectList::new(items, options, self.style);
        list.select(kept.or(exact).unwrap_or_default());
        self.open = Some(Open { values, list, context });
    }
}

/// A list of paths that Tab opened stays open while the word grows, though it does not look like a path.
fn reason_of(context: &Context) -> Reason {
    match context.kind {
        CompletionKind::Path => Reason::Asked,
        _ => Reason::IsOpen,
    }
}

fn is_typing(input: &Input, keys: &Keymap) -> bool {
    let Input::Key(event) = input else { return false };
    event.text.is_some() || DELETIONS.iter().any(|action| keys.is(event, *action))
}

fn before_cursor(editor: &Editor) -> &str {
    let Position { line, byte } = editor.cursor();
    &editor.line(line)[..byte]
}
