//! Lines that an extension draws for a block of the conversation.
//!
//! A frame never waits for them. A block shows the lines that came last and says which ones it needs; after the frame `rendering`
//! has those drawn beside the loop, and the next frame shows them. What stands in for lines that do not come is up to the block.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pi_coding_agent::extension::RenderOptions;
use pi_tui::text::Line;

use super::shared::Shared;

/// Draws the parts of a block in their order; a part that is `None` is left to the program.
pub(super) type Draw = dyn Fn(RenderOptions) -> Parts<String> + Send + Sync;

/// Lines of the parts of a block.
pub(super) type Parts<T> = Vec<Option<Vec<T>>>;

/// The lines. Clones are the same.
#[derive(Clone)]
pub(super) struct RenderedLines(Rc<RefCell<State>>);

struct State {
    draw: Arc<Draw>,
    /// How often it was replaced, or the extension asked to be drawn again.
    changes: u64,
    /// What the newest frame needed.
    wanted: Option<Wanted>,
    /// What was drawn last.
    drawn: Option<(Wanted, Parts<Line>)>,
    is_asked: bool,
    answers: u64,
}

/// What a frame needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) options: RenderOptions,
    /// The revision of what blocks are drawn with: colours are part of the lines.
    shared: u64,
    changes: u64,
}

impl RenderedLines {
    pub(super) fn new(draw: Arc<Draw>) -> Self {
        let state = State { draw, changes: 0, wanted: None, drawn: None, is_asked: false, answers: 0 };
        Self(Rc::new(RefCell::new(state)))
    }

    /// What is drawn has changed.
    pub(super) fn replace(&self, draw: Arc<Draw>) {
        self.0.borrow_mut().draw = draw;
        self.mark();
    }

    /// It would be drawn otherwise now.
    pub(super) fn mark(&self) {
        self.0.borrow_mut().changes += 1;
    }

    /// Rises whenever there is something else to show or to ask for.
    pub(super) fn revision(&self) -> u64 {
        let state = self.0.borrow();
        state.answers + state.changes
    }

    /// Whether the newest frame showed the last word.
    pub(super) fn is_settled(&self) -> bool {
        let state = self.0.borrow();
        let drawn = state.drawn.as_ref().map(|(drawn, _)| drawn);
        drawn.is_some_and(|drawn| drawn.changes == state.changes && state.wanted.as_ref() == Some(drawn))
    }

    /// The lines that came last. Those for these options are asked for after the frame, if they are others.
    /// Nothing as long as nothing was drawn.
    pub(super) fn lines(&self, shared: &Shared, options: RenderOptions) -> Option<Parts<Line>> {
        let mut state = self.0.borrow_mut();
        let wanted = Wanted { options, shared: shared.revision(), changes: state.changes };
        state.wanted = Some(wanted);
        if !state.is_asked && state.drawn.as_ref().is_none_or(|(drawn, _)| *drawn != wanted) {
            state.is_asked = true;
            shared.ask_for(self.clone());
        }
        state.drawn.as_ref().map(|(_, parts)| parts.clone())
    }

    /// What is to be drawn now, if anything is.
    pub(super) fn begin(&self) -> Option<(Arc<Draw>, Wanted)> {
        let state = self.0.borrow();
        Some((Arc::clone(&state.draw), state.wanted?))
    }

    /// Takes what was drawn.
    pub(super) fn answer(&self, wanted: Wanted, parts: Parts<String>) {
        let lines = |texts: Vec<String>| texts.iter().flat_map(|text| text.split('\n')).map(Line::from_ansi).collect();
        let mut state = self.0.borrow_mut();
        state.drawn = Some((wanted, parts.into_iter().map(|texts| texts.map(lines)).collect()));
        state.is_asked = false;
        state.answers += 1;
    }
}

impl std::fmt::Debug for RenderedLines {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RenderedLines").field("revision", &self.revision()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme_styles::ThemeStyles;
    use super::*;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::theme::Theme;

    fn options(width: usize) -> RenderOptions {
        RenderOptions { width, expanded: false, is_partial: false }
    }

    fn texts(parts: Option<Parts<Line>>) -> Vec<String> {
        let Some(parts) = parts else { return vec!["awaited".to_owned()] };
        let text = |lines: &Vec<Line>| lines.iter().map(Line::text).collect::<Vec<_>>().join("|");
        parts.iter().map(|part| part.as_ref().map_or("declined".to_owned(), text)).collect()
    }

    #[test]
    fn lines_are_asked_for_once_and_old_ones_stay_until_new_ones_come() {
        let look = ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([]));
        let shared = Shared::new(look, "/".into(), None);
        let lines =
            RenderedLines::new(Arc::new(|options| vec![Some(vec![format!("{}\nsecond", options.width)]), None]));
        let draw = |lines: &RenderedLines| {
            let (draw, wanted) = lines.begin().unwrap();
            lines.answer(wanted, draw(wanted.options));
        };
        assert_eq!(texts(lines.lines(&shared, options(3))), ["awaited"]);
        assert_eq!(texts(lines.lines(&shared, options(3))), ["awaited"]);
        assert_eq!((shared.take_asked_for().len(), lines.is_settled()), (1, false));
        draw(&lines);
        assert_eq!(texts(lines.lines(&shared, options(3))), ["3|second", "declined"]);
        assert_eq!((shared.take_asked_for().len(), lines.is_settled()), (0, true));
        // Another width: the old lines are shown until the new ones are there.
        assert_eq!(texts(lines.lines(&shared, options(5))), ["3|second", "declined"]);
        assert!(!lines.is_settled());
        draw(&lines);
        assert_eq!(texts(lines.lines(&shared, options(5))), ["5|second", "declined"]);
        lines.replace(Arc::new(|_| vec![None]));
        assert!(!lines.is_settled());
        assert_eq!(texts(lines.lines(&shared, options(5))), ["5|second", "declined"]);
        draw(&lines);
        assert_eq!(texts(lines.lines(&shared, options(5))), ["declined"]);
        assert!(lines.is_settled());
    }
}
