//! What keys do in the view.

use std::sync::Arc;

use pi_tui::input::{Input, KeyEvent};
use pi_tui::keymap::{Action, action};
use pi_tui::text::{Line, Row};
use pi_tui::widgets::input::{InputOutcome, TextInput};

use super::super::app::App;
use super::super::{clipboard, external_editor, keys, styles, suspend};
use super::search::{Search, find_all};
use super::{Shared, TranscriptView, window};

/// Takes an input; whether the view stays.
pub(super) fn handle(app: &mut App, shared: &Shared, input: &Input) -> bool {
    let mut view = shared.0.borrow_mut();
    view.notice = None;
    if view.field.is_some() {
        typed(app, shared, &mut view, input);
    } else if let Input::Key(event) = input {
        if app.keys.is(event, keys::TRANSCRIPT_CLOSE) || app.keys.is(event, action::SELECT_CANCEL) {
            return false;
        }
        pressed(app, &mut view, event);
    }
    true
}

/// Something is typed into the field.
fn typed(app: &mut App, shared: &Shared, view: &mut TranscriptView, input: &Input) {
    let Some(field) = &mut view.field else { return };
    if matches!(input, Input::Key(event) if app.keys.is(event, action::SELECT_CANCEL)) {
        view.field = None;
        return;
    }
    if let InputOutcome::Submit(needle) = field.handle(input, &app.keys) {
        view.field = None;
        match Search::new(needle.trim()) {
            Ok(search) => view.search = search,
            Err(problem) => return view.notice = Some(problem),
        }
        search(app, shared, view, true);
    }
}

/// Looks for the same text again, because the blocks are others: the window stays where it is.
pub(super) fn search_again(app: &mut App, shared: &Shared) {
    let view = shared.0.borrow();
    search(app, shared, &view, false);
}

/// Looks for the text in the blocks, beside the loop.
fn search(app: &mut App, shared: &Shared, view: &TranscriptView, goes_there: bool) {
    let Some(pattern) = view.search.pattern() else { return };
    let (items, needle) = (Arc::clone(&view.blocks.items), view.search.needle.clone());
    let shared = shared.clone();
    app.spawn(find_all(Arc::clone(&items), pattern), move |app, hits| {
        let mut view = shared.0.borrow_mut();
        if view.search.needle != needle {
            return;
        }
        if !Arc::ptr_eq(&items, &view.blocks.items) {
            // The hits are numbers of earlier blocks. The search that followed the new blocks leaves the window where it is.
            if goes_there {
                search(app, &shared, &view, true);
            }
            return;
        }
        let selected = view.page.selected;
        if let Some(hit) = view.search.found(hits, selected).filter(|_| goes_there) {
            view.show_hit(hit, window(app));
        }
    });
}

/// What an action does with the view.
type Act = fn(&mut App, &mut TranscriptView, usize);

const ACTS: [(Action, Act); 18] = [
    (action::SELECT_UP, |_, view, window| view.page.scroll(-1, window, &mut view.blocks)),
    (action::SELECT_DOWN, |_, view, window| view.page.scroll(1, window, &mut view.blocks)),
    (action::SELECT_PAGE_UP, |_, view, window| view.page.scroll(-page_of(window), window, &mut view.blocks)),
    (action::SELECT_PAGE_DOWN, |_, view, window| view.page.scroll(page_of(window), window, &mut view.blocks)),
    (keys::TRANSCRIPT_TOP, |_, view, window| view.page.select(0, window, &mut view.blocks)),
    (keys::TRANSCRIPT_BOTTOM, |_, view, window| view.page.go_to_end(window, &mut view.blocks)),
    (keys::TRANSCRIPT_NEXT_BLOCK, |_, view, window| {
        view.page.select(view.page.selected + 1, window, &mut view.blocks);
    }),
    (keys::TRANSCRIPT_PREVIOUS_BLOCK, |_, view, window| {
        view.page.select(view.page.selected.saturating_sub(1), window, &mut view.blocks);
    }),
    (keys::TRANSCRIPT_NEXT_PROMPT, |_, view, window| view.go_to_prompt(true, window)),
    (keys::TRANSCRIPT_PREVIOUS_PROMPT, |_, view, window| view.go_to_prompt(false, window)),
    (keys::TRANSCRIPT_TOGGLE, |_, view, window| view.change(window, |view, at| view.blocks.toggle(at))),
    (keys::TRANSCRIPT_FOLD, |_, view, window| view.change(window, |view, at| view.blocks.fold(at, true))),
    (keys::TRANSCRIPT_UNFOLD, |_, view, window| view.change(window, |view, at| view.blocks.fold(at, false))),
    (keys::TRANSCRIPT_FOLD_ALL, |_, view, window| view.change(window, |view, _| view.blocks.fold_all())),
    (keys::TRANSCRIPT_SEARCH, |app, view, _| {
        view.field = Some(TextInput::new("/", styles::input(&app.shared.look())));
    }),
    (keys::TRANSCRIPT_NEXT_HIT, |_, view, window| view.go_to_hit(true, window)),
    (keys::TRANSCRIPT_PREVIOUS_HIT, |_, view, window| view.go_to_hit(false, window)),
    (keys::TRANSCRIPT_COPY, |app, view, _| {
        if let Some(item) = view.blocks.items.get(view.page.selected) {
            clipboard::copy(app, item.source());
            view.notice = Some("The block's source was handed to the clipboard".to_owned());
        }
    }),
];

fn page_of(window: usize) -> isize {
    isize::try_from(window.saturating_sub(1).max(1)).unwrap_or(1)
}

fn pressed(app: &mut App, view: &mut TranscriptView, event: &KeyEvent) {
    let window = window(app);
    if app.keys.is(event, keys::TRANSCRIPT_EDIT) {
        if let Some(source) = view.blocks.items.get(view.page.selected).map(super::items::Item::source) {
            app.surface.leave_window();
            view.notice = external_editor::look_at(app, &source).err();
            app.surface.enter_window();
        }
    } else if app.keys.is(event, keys::SUSPEND) {
        app.surface.leave_window();
        suspend::suspend(app);
        app.surface.enter_window();
    } else if let Some((_, act)) = ACTS.into_iter().find(|(action, _)| app.keys.is(event, *action)) {
        act(app, view, window);
    }
}

impl TranscriptView {
    /// Goes to the next message of the user, or the one before.
    fn go_to_prompt(&mut self, forward: bool, window: usize) {
        let (items, at) = (&self.blocks.items, self.page.selected);
        let found = if forward {
            (at + 1..items.len()).find(|at| items[*at].is_prompt())
        } else {
            (0..at.min(items.len())).rev().find(|at| items[*at].is_prompt())
        };
        match found {
            Some(at) => {
                self.page.selected = at;
                self.page.top = (at, 0);
                self.page.settle(window, &mut self.blocks);
            }
            None => self.notice = Some(format!("There is no {} prompt", if forward { "later" } else { "earlier" })),
        }
    }

    fn go_to_hit(&mut self, forward: bool, window: usize) {
        match self.search.step(forward) {
            Some(hit) => self.show_hit(hit, window),
            None => self.notice = Some("Nothing was found; / searches".to_owned()),
        }
    }

    /// Shows the row of a block in which the text occurs.
    fn show_hit(&mut self, hit: usize, window: usize) {
        self.blocks.unfold(hit);
        let (search, columns) = (&self.search, self.blocks.columns);
        let row = self.blocks.row_with(hit, |row| search.mark(row, columns).is_some());
        self.page.show(hit, row, window, &mut self.blocks);
    }

    /// Changes how the block that is selected is shown, which stays in the window.
    fn change(&mut self, window: usize, change: impl FnOnce(&mut Self, usize)) {
        change(self, self.page.selected);
        self.page.settle(window, &mut self.blocks);
        self.page.select(self.page.selected, window, &mut self.blocks);
    }

    /// The field, what was done last, or what keys there are; and where the caret stands in it.
    pub(super) fn last_row(&mut self, app: &App, columns: u16) -> (Row, Option<u16>) {
        let look = app.shared.look();
        if let Some(field) = &mut self.field {
            let (rows, caret) = field.rows(columns);
            return (rows.into_iter().next().unwrap_or_default(), Some(caret.column));
        }
        if let Some(notice) = &self.notice {
            return (Row::styled(notice, look.text(), columns), None);
        }
        let hints = [
            (keys::TRANSCRIPT_CLOSE, "back"),
            (keys::TRANSCRIPT_SEARCH, "search"),
            (keys::TRANSCRIPT_TOGGLE, "more"),
            (keys::TRANSCRIPT_FOLD, "fold"),
            (keys::TRANSCRIPT_NEXT_PROMPT, "next prompt"),
            (keys::TRANSCRIPT_NEXT_BLOCK, "next block"),
            (keys::TRANSCRIPT_COPY, "copy"),
            (keys::TRANSCRIPT_EDIT, "editor"),
        ];
        let hint = hints.map(|(action, what)| format!("{} {what}", app.key(action))).join(" · ");
        (Row::new(&Line::styled(hint, look.dim()), columns), None)
    }
}
