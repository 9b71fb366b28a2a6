//! Lines that an extension draws for a block of the conversation.
//!
//! A frame never waits for them. A block shows the lines that came last and says which ones it needs; after the frame `rendering`
//! has those drawn beside the loop, and the next frame shows them. What stands in for lines that are late is up to the block; they
//! are shown whenever they come.

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

/// What there is to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nothing was drawn yet.
    Awaited,
    /// What was drawn is of something else than is to be shown now, and nobody knows when that comes: the program draws it.
    StandIn,
    /// The lines that came last.
    Lines(Parts<Line>),
}

/// How late lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Delay {
    /// They may come in the next instant.
    No,
    /// Something else is shown for them.
    StandIn,
    /// Besides, what follows no longer waits for them.
    LetGo,
}

/// The lines. Clones are the same.
#[derive(Clone)]
pub(super) struct RenderedLines(Rc<RefCell<State>>);

struct State {
    draw: Arc<Draw>,
    /// How often it was replaced, or the extension asked to be drawn again.
    changes: u64,
    /// How often it was replaced.
    pictures: u64,
    /// What the newest frame needed.
    wanted: Option<Wanted>,
    /// What was drawn last.
    drawn: Option<(Wanted, Parts<Line>)>,
    is_asked: bool,
    /// How late the answer is that is awaited.
    delay: Delay,
    /// How often an answer came, or became later.
    news: u64,
}

/// What a frame needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) options: RenderOptions,
    /// The revision of what blocks are drawn with: colours are part of the lines.
    shared: u64,
    changes: u64,
    pictures: u64,
}

impl RenderedLines {
    pub(super) fn new(draw: Arc<Draw>) -> Self {
        Self(Rc::new(RefCell::new(State {
            draw,
            changes: 0,
            pictures: 0,
            wanted: None,
            drawn: None,
            is_asked: false,
            delay: Delay::No,
            news: 0,
        })))
    }

    /// What is drawn has changed.
    pub(super) fn replace(&self, draw: Arc<Draw>) {
        let mut state = self.0.borrow_mut();
        state.draw = draw;
        state.changes += 1;
        state.pictures += 1;
    }

    /// It would be drawn otherwise now.
    pub(super) fn mark(&self) {
        self.0.borrow_mut().changes += 1;
    }

    /// Rises whenever there is something else to show or to ask for.
    pub(super) fn revision(&self) -> u64 {
        let state = self.0.borrow();
        state.news + state.changes
    }

    /// Whether the newest frame showed the last word, or what counts as that.
    pub(super) fn is_settled(&self) -> bool {
        let state = self.0.borrow();
        if state.delay == Delay::LetGo {
            return true;
        }
        let drawn = state.drawn.as_ref().map(|(drawn, _)| drawn);
        drawn.is_some_and(|drawn| drawn.changes == state.changes && state.wanted.as_ref() == Some(drawn))
    }

    /// The lines that came last, or what is shown in their place. Those for these options are asked for after the frame, if
    /// they are others.
    pub(super) fn lines(&self, shared: &Shared, options: RenderOptions) -> Shown {
        let mut state = self.0.borrow_mut();
        let wanted = Wanted { options, shared: shared.revision(), changes: state.changes, pictures: state.pictures };
        state.wanted = Some(wanted);
        if !state.is_asked && state.drawn.as_ref().is_none_or(|(drawn, _)| *drawn != wanted) {
            state.is_asked = true;
            shared.ask_for(self.clone());
        }
        match &state.drawn {
            // Lines for another width, or that the extension wants drawn again, are still about the right thing.
            Some((drawn, parts)) if state.delay == Delay::No || drawn.pictures == state.pictures => {
                Shown::Lines(parts.clone())
            }
            None if state.delay == Delay::No => Shown::Awaited,
            _ => Shown::StandIn,
        }
    }

    /// What is to be drawn now, if anything is.
    pub(super) fn begin(&self) -> Option<(Arc<Draw>, Wanted)> {
        let state = self.0.borrow();
        Some((Arc::clone(&state.draw), state.wanted?))
    }

    /// What was asked for is late.
    pub(super) fn be_late(&self, delay: Delay) {
        let mut state = self.0.borrow_mut();
        state.delay = delay;
        state.news += 1;
    }

    /// Takes what was drawn, however late it comes.
    pub(super) fn answer(&self, wanted: Wanted, parts: Parts<String>) {
        let lines = |texts: Vec<String>| texts.iter().flat_map(|text| text.split('\n')).map(Line::from_ansi).collect();
        let mut state = self.0.borrow_mut();
        state.drawn = Some((wanted, parts.into_iter().map(|texts| texts.map(lines)).collect()));
        state.is_asked = false;
        state.delay = Delay::No;
        state.news += 1;
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

    fn texts(shown: Shown) -> Vec<String> {
        let parts = match shown {
            Shown::Awaited => return vec!["awaited".to_owned()],
            Shown::StandIn => return vec!["stand-in".to_owned()],
            Shown::Lines(parts) => parts,
        };
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

    #[test]
    fn late_lines_are_stood_in_for_then_let_go_and_taken_whenever_they_come() {
        let look = ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([]));
        let shared = Shared::new(look, "/".into(), None);
        let lines = RenderedLines::new(Arc::new(|_| Vec::new()));
        let shown = |width| (texts(lines.lines(&shared, options(width))).join(" "), lines.is_settled());
        let answer = |wanted, text: &str| lines.answer(wanted, vec![Some(vec![text.to_owned()])]);
        let fits = |expected: &str, is_settled| (expected.to_owned(), is_settled);
        assert_eq!(shown(3), fits("awaited", false));
        let (_, first) = lines.begin().unwrap();
        for (delay, is_settled) in [(Delay::StandIn, false), (Delay::LetGo, true)] {
            let before = lines.revision();
            lines.be_late(delay);
            assert!(lines.revision() > before, "a frame follows");
            assert_eq!(shown(3), fits("stand-in", is_settled));
        }
        // Nobody is asked a second time before there is an answer.
        lines.replace(Arc::new(|_| Vec::new()));
        assert_eq!(shown(3), fits("stand-in", true));
        assert_eq!(shared.take_asked_for().len(), 1);
        answer(first, "first");
        assert_eq!(shown(3), fits("first", false));
        assert_eq!(shared.take_asked_for().len(), 1);
        answer(lines.begin().unwrap().1, "second");
        assert_eq!(shown(3), fits("second", true));
        // Lines of the same thing are better than a stand-in; of another they are not.
        lines.mark();
        assert_eq!(shown(5), fits("second", false));
        lines.be_late(Delay::StandIn);
        assert_eq!(shown(5), fits("second", false));
        lines.replace(Arc::new(|_| Vec::new()));
        assert_eq!(shown(5), fits("stand-in", false));
    }
}
