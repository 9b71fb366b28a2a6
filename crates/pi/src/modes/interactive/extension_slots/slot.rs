//! A place where a view of an extension is drawn: the rows that it gave last, and whether it has to be asked again.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::extension::{HandlerError, View, WindowSize};
use pi_guard::{Panic, caught_now};
use pi_tui::text::{Row, Style};

use super::super::panel::PanelRows;

/// A view that asks for rows again and again gets them this far apart.
const FRAME: Duration = Duration::from_millis(16);

/// A view on the screen. Clones are the same.
#[derive(Clone)]
pub(in crate::modes::interactive) struct Slot(Rc<RefCell<State>>);

struct State {
    /// The extension, as reports name it.
    owner: String,
    view: Arc<dyn View>,
    rows: Vec<Row>,
    caret: Option<(usize, u16)>,
    /// Whether it wants to be seen.
    is_shown: bool,
    /// For which width and window the rows are.
    drawn: Option<Space>,
    /// For which they were wanted in the newest frame.
    wanted: Option<Space>,
    is_marked: bool,
    is_asked: bool,
    asked_at: Option<Duration>,
}

type Space = (u16, WindowSize);

impl Slot {
    pub(in crate::modes::interactive) fn new(owner: &str, view: Arc<dyn View>) -> Self {
        Self(Rc::new(RefCell::new(State {
            owner: owner.to_owned(),
            view,
            rows: Vec::new(),
            caret: None,
            is_shown: true,
            drawn: None,
            wanted: None,
            is_marked: false,
            is_asked: false,
            asked_at: None,
        })))
    }

    /// Tells the view something.
    ///
    /// # Errors
    /// When it panics.
    pub(in crate::modes::interactive) fn tell(&self, call: impl FnOnce(&dyn View)) -> Result<(), Panic> {
        let view = Arc::clone(&self.0.borrow().view);
        caught_now(|| call(&*view))
    }

    /// The extension, as people call it.
    pub(in crate::modes::interactive) fn owner(&self) -> String {
        short_name(&self.0.borrow().owner).to_owned()
    }

    pub(in crate::modes::interactive) fn is_of(&self, view: &Arc<dyn View>) -> bool {
        same(&self.0.borrow().view, view)
    }

    pub(in crate::modes::interactive) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Its rows have to be asked for again.
    pub(in crate::modes::interactive) fn mark(&self) {
        self.0.borrow_mut().is_marked = true;
    }

    /// Whether there was an answer yet.
    pub(in crate::modes::interactive) fn has_rows(&self) -> bool {
        self.0.borrow().drawn.is_some()
    }

    /// Whether it wants to be seen.
    pub(in crate::modes::interactive) fn is_shown(&self) -> bool {
        self.0.borrow().is_shown
    }

    /// Rows for this space are asked for if those that it gave last are not right any more.
    pub(in crate::modes::interactive) fn want(&self, columns: u16, window: WindowSize) {
        self.0.borrow_mut().wanted = Some((columns, window));
    }

    /// The rows that it gave last, cut to this width; others are asked for if these are not right any more.
    pub(in crate::modes::interactive) fn rows(&self, columns: u16, window: WindowSize) -> PanelRows {
        self.want(columns, window);
        let state = self.0.borrow();
        PanelRows { rows: state.rows.clone(), caret: state.caret, ..PanelRows::default() }
    }

    /// What it was drawn for in the newest frame, if it has to be asked; the time until then.
    pub(in crate::modes::interactive) fn begin_asking(&self, now: Duration) -> Option<Duration> {
        let mut state = self.0.borrow_mut();
        if state.is_asked {
            // The question may not have been put yet: it is for what is wanted by then.
            return None;
        }
        let is_stale = state.wanted.is_some() && (state.is_marked || state.wanted != state.drawn);
        if !is_stale {
            state.wanted = None;
            return None;
        }
        state.is_asked = true;
        Some(state.asked_at.map_or(Duration::ZERO, |at| (at + FRAME).saturating_sub(now)))
    }

    /// It is asked now, for this space.
    pub(in crate::modes::interactive) fn asking(&self, now: Duration) -> (Arc<dyn View>, Space) {
        let mut state = self.0.borrow_mut();
        state.is_marked = false;
        state.asked_at = Some(now);
        let space = state.wanted.take().or(state.drawn).unwrap_or_default();
        (Arc::clone(&state.view), space)
    }

    /// Takes its answer. A failure becomes one row.
    pub(in crate::modes::interactive) fn answer(
        &self,
        space: Space,
        answer: Result<Option<Vec<String>>, HandlerError>,
        error: Style,
    ) {
        let mut state = self.0.borrow_mut();
        state.is_asked = false;
        state.drawn = Some(space);
        let columns = space.0;
        state.caret = None;
        match answer {
            Ok(rows) => {
                state.is_shown = rows.is_some();
                let rows = rows.unwrap_or_default();
                let filtered: Vec<_> = rows.iter().map(|row| Row::foreign(row, columns)).collect();
                state.caret = filtered.iter().enumerate().rev().find_map(|(at, (_, caret))| Some((at, (*caret)?)));
                state.rows = filtered.into_iter().map(|(row, _)| row).collect();
            }
            Err(problem) => {
                let text = format!("{} cannot be drawn: {problem}", short_name(&state.owner));
                state.rows = vec![Row::styled(&text.replace('\n', " "), error, columns)];
            }
        }
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Slot").field("owner", &self.0.borrow().owner).finish_non_exhaustive()
    }
}

/// Whether two handles are of one view.
fn same(one: &Arc<dyn View>, other: &Arc<dyn View>) -> bool {
    Arc::as_ptr(one).cast::<()>() == Arc::as_ptr(other).cast::<()>()
}

/// An extension as people call it: its file, and for the entry of a directory that.
pub(in crate::modes::interactive) fn short_name(owner: &str) -> &str {
    let path = std::path::Path::new(owner);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(owner);
    let dir = path.parent().and_then(std::path::Path::file_name).and_then(|dir| dir.to_str());
    match (name, dir) {
        ("index.ts" | "index.js", Some(dir)) => dir,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    struct Nothing;

    impl View for Nothing {
        fn rows(&self, _: u16, _: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>> {
            std::future::ready(Ok(None)).boxed()
        }
    }

    #[test]
    fn a_view_is_asked_for_the_width_that_is_wanted_however_many_frames_come_before() {
        let slot = Slot::new("one.ts", Arc::new(Nothing));
        let window = WindowSize { columns: 80, rows: 24 };
        for (now, columns) in [(Duration::ZERO, 80), (FRAME, 70)] {
            slot.want(columns, window);
            assert_eq!(slot.begin_asking(now), Some(Duration::ZERO));
            for _ in 0..2 {
                slot.want(columns, window);
                assert_eq!(slot.begin_asking(now), None, "it is asked already");
            }
            let (_, space) = slot.asking(now);
            assert_eq!(space, (columns, window));
            slot.answer(space, Ok(Some(vec!["row".to_owned()])), Style::PLAIN);
            slot.want(columns, window);
            assert_eq!(slot.begin_asking(now), None, "its rows are right");
        }
    }
}
