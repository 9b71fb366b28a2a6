//! When to request completions, and when to close the list.

use super::context::{Context, Reason};
use super::{Completion, CompletionItem, CompletionKind, CompletionRequest, LABELS, Open, Pending, before_cursor};
use crate::input::Input;
use crate::keymap::{Action, Keymap, action};
use crate::widgets::editor::{Editor, EditorOutcome};
use crate::widgets::select::{SelectItem, SelectList, SelectOptions};

/// Deletions trigger completion like typing, so that a list that ran empty comes back.
const DELETIONS: [Action; 4] = [
    action::EDITOR_DELETE_CHAR_BACKWARD,
    action::EDITOR_DELETE_CHAR_FORWARD,
    action::EDITOR_DELETE_WORD_BACKWARD,
    action::EDITOR_DELETE_WORD_FORWARD,
];

impl Completion {
    /// Updates list and request after the editor handled an input.
    pub(super) fn follow(&mut self, editor: &Editor, input: &Input, keys: &Keymap, outcome: &EditorOutcome) {
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

    /// Requests new items. The old ones stay visible until the answer comes, unless they complete another word.
    fn refresh(&mut self, editor: &Editor, context: Option<Context>) {
        let is_same = |open: &Open| context.as_ref().is_some_and(|context| context.is_same_place(&open.context));
        self.open = self.open.take().filter(is_same);
        self.ask(editor, context, Reason::IsOpen);
    }

    pub(super) fn context(&self, editor: &Editor, reason: Reason) -> Option<Context> {
        Context::find(editor.cursor().line, before_cursor(editor), &self.options.marks, reason)
    }

    /// Replaces the pending request; without a context, closes the list.
    pub(super) fn ask(&mut self, editor: &Editor, context: Option<Context>, reason: Reason) {
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

    pub(super) fn forget_request(&mut self) {
        self.pending = None;
        self.request = None;
    }

    pub(super) fn show(&mut self, context: Context, items: Vec<CompletionItem>) {
        let exact = items.iter().position(|item| item.value == context.prefix);
        // More items for the same word: an item that the user moved to stays selected.
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

/// A path list was opened by Tab: keep it open while the word grows, even if it does not look like a path.
pub(super) fn reason_of(context: &Context) -> Reason {
    match context.kind {
        CompletionKind::Path => Reason::Asked,
        _ => Reason::IsOpen,
    }
}

fn is_typing(input: &Input, keys: &Keymap) -> bool {
    let Input::Key(event) = input else { return false };
    event.text.is_some() || DELETIONS.iter().any(|action| keys.is(event, *action))
}
