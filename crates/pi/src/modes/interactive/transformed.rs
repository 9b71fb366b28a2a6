//! Markdown that extensions transform before it is drawn.
//!
//! A frame never waits for them, as with the lines of `rendered`: a text is drawn as it was written until they have answered.
//! While a model writes they are asked about what has come so far, one question at a time and with pauses, so that they take
//! a share of the time however long the answer is.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pi_coding_agent::extension::{MarkdownKind, MarkdownTransformer, RenderOptions};

use super::shared::Shared;

/// Between two questions about a text that grows passes at least this long, and at most the longer time.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));
/// The pause is so many times as long as the last answer took.
const PAUSE_PER_ANSWER: u32 = 4;

/// The names of extensions and how they transform Markdown, in the order in which they do.
pub(super) type Transformers = Arc<Vec<(String, Arc<MarkdownTransformer>)>>;

/// A text and what they make of it. Clones are the same.
#[derive(Clone)]
pub(super) struct TransformedText(Rc<RefCell<State>>);

struct State {
    transformers: Transformers,
    kind: MarkdownKind,
    text: String,
    is_complete: bool,
    /// What the newest frame needed.
    wanted: Option<Wanted>,
    /// The last answer; no text where theirs is the one that was written.
    answer: Option<(Wanted, Option<Rc<str>>)>,
    is_asked: bool,
    /// What follows no longer waits for the answer that is awaited.
    is_let_go: bool,
    /// How often an answer came, or was no longer waited for.
    news: u64,
    /// How long the last answer took.
    took: Duration,
}

/// What a frame needs. A text only grows, so its length says which one it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    length: usize,
    width: usize,
    is_complete: bool,
}

/// A question, to be asked beside the loop.
pub(super) struct Question {
    pub(super) wanted: Wanted,
    transformers: Transformers,
    kind: MarkdownKind,
    text: String,
}

/// What became of a question.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The text, if it is another one.
    pub(super) text: Option<String>,
    /// Extensions that failed, and why: the text was passed on as they got it.
    pub(super) failed: Vec<(String, String)>,
    pub(super) took: Duration,
}

impl TransformedText {
    pub(super) fn new(transformers: Transformers, kind: MarkdownKind) -> Self {
        Self(Rc::new(RefCell::new(State {
            transformers,
            kind,
            text: String::new(),
            is_complete: false,
            wanted: None,
            answer: None,
            is_asked: false,
            is_let_go: false,
            news: 0,
            took: Duration::ZERO,
        })))
    }

    /// Adds to the end of the text.
    pub(super) fn push(&self, delta: &str) {
        self.0.borrow_mut().text.push_str(delta);
    }

    /// Nothing more comes.
    pub(super) fn finish(&self) {
        self.0.borrow_mut().is_complete = true;
    }

    /// Rises with every answer, and where there is none.
    pub(super) fn revision(&self) -> u64 {
        self.0.borrow().news
    }

    /// Whether the newest frame showed the last word, or what counts as that.
    pub(super) fn is_settled(&self) -> bool {
        let state = self.0.borrow();
        let answered = state.answer.as_ref().map(|(wanted, _)| *wanted);
        state.is_complete && (state.is_let_go || (answered.is_some() && answered == state.wanted))
    }

    /// The text that came last, if it is another one than was written. The one for this width is asked for after the frame,
    /// if that is not it.
    pub(super) fn text(&self, shared: &Shared, width: usize) -> Option<Rc<str>> {
        let mut state = self.0.borrow_mut();
        let wanted = Wanted { length: state.text.len(), width, is_complete: state.is_complete };
        state.wanted = Some(wanted);
        if !state.is_asked && state.answer.as_ref().is_none_or(|(answered, _)| *answered != wanted) {
            state.is_asked = true;
            shared.ask_for(self.clone());
        }
        state.answer.as_ref().and_then(|(_, text)| text.clone())
    }

    /// How long they are left alone before the next question.
    pub(super) fn pause(&self) -> Duration {
        let state = self.0.borrow();
        let is_first = state.answer.is_none();
        if is_first || state.is_complete {
            Duration::ZERO
        } else {
            (state.took * PAUSE_PER_ANSWER).clamp(PAUSES.0, PAUSES.1)
        }
    }

    /// What is to be asked now, if anything is.
    pub(super) fn question(&self) -> Option<Question> {
        let state = self.0.borrow();
        let width = state.wanted?.width;
        let wanted = Wanted { length: state.text.len(), width, is_complete: state.is_complete };
        Some(Question {
            wanted,
            transformers: Arc::clone(&state.transformers),
            kind: state.kind,
            text: state.text.clone(),
        })
    }

    /// The answer takes so long that the text as it is counts as the last word. It is still taken when it comes.
    pub(super) fn let_go(&self) {
        let mut state = self.0.borrow_mut();
        state.is_let_go = true;
        state.news += 1;
    }

    /// Takes an answer.
    pub(super) fn answer(&self, wanted: Wanted, text: Option<String>, took: Duration) {
        let mut state = self.0.borrow_mut();
        state.answer = Some((wanted, text.map(Rc::from)));
        state.took = took;
        state.is_asked = false;
        state.is_let_go = false;
        state.news += 1;
    }
}

impl Question {
    /// The extensions that are asked.
    pub(super) fn names(&self) -> Vec<String> {
        self.transformers.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Asks them, each about what the one before made of the text.
    pub(super) fn ask(self) -> Answer {
        let began = Instant::now();
        let options = RenderOptions { width: self.wanted.width, expanded: false, is_partial: !self.wanted.is_complete };
        let (mut text, mut failed) = (None, Vec::new());
        for (name, transform) in self.transformers.iter() {
            match transform(text.as_deref().unwrap_or(&self.text), self.kind, options) {
                Ok(Some(changed)) => text = Some(changed),
                Ok(None) => {}
                Err(problem) => failed.push((name.clone(), problem.to_string())),
            }
        }
        Answer { text: text.filter(|text| *text != self.text), failed, took: began.elapsed() }
    }
}

impl std::fmt::Debug for TransformedText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TransformedText").field("revision", &self.revision()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme_styles::ThemeStyles;
    use super::*;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::extension::HandlerError;
    use pi_coding_agent::theme::Theme;

    fn transformers(list: Vec<(&str, Arc<MarkdownTransformer>)>) -> Transformers {
        Arc::new(list.into_iter().map(|(name, transform)| (name.to_owned(), transform)).collect())
    }

    fn answered(text: &TransformedText) -> Answer {
        let question = text.question().unwrap();
        let (wanted, mut answer) = (question.wanted, question.ask());
        text.answer(wanted, answer.text.clone(), answer.took);
        answer.took = Duration::ZERO;
        answer
    }

    #[test]
    fn each_transforms_what_the_one_before_made_and_a_failure_changes_nothing() {
        let shared =
            Shared::new(ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([])), "/".into(), None);
        let text = TransformedText::new(
            transformers(vec![
                ("loud", Arc::new(|text: &str, _, _| Ok(Some(text.to_uppercase())))),
                ("broken", Arc::new(|_: &str, _, _| Err(HandlerError::new("boom")))),
                ("silent", Arc::new(|_: &str, _, _| Ok(None))),
                (
                    "facts",
                    Arc::new(|text: &str, kind, options: RenderOptions| {
                        Ok(Some(format!("{text} {kind:?} {} {}", options.width, options.is_partial)))
                    }),
                ),
            ]),
            MarkdownKind::Assistant,
        );
        text.push("a");
        assert_eq!((text.text(&shared, 9), text.pause()), (None, Duration::ZERO));
        assert_eq!(text.text(&shared, 9), None);
        assert_eq!(shared.take_asked_for().len(), 1);
        // What comes while nobody was asked yet is part of the question.
        text.push("b");
        let failed = vec![("broken".to_owned(), "boom".to_owned())];
        let expected = Answer { text: Some("AB Assistant 9 true".to_owned()), failed, took: Duration::ZERO };
        assert_eq!(answered(&text), expected);
        assert_eq!(text.text(&shared, 9).as_deref(), Some("AB Assistant 9 true"));
        assert!(shared.take_asked_for().is_empty() && !text.is_settled());
        assert_eq!(text.pause(), PAUSES.0);
        text.finish();
        // The text of before is shown until the last word is there.
        assert_eq!(text.text(&shared, 9).as_deref(), Some("AB Assistant 9 true"));
        assert_eq!((shared.take_asked_for().len(), text.pause()), (1, Duration::ZERO));
        answered(&text);
        assert_eq!(text.text(&shared, 9).as_deref(), Some("AB Assistant 9 false"));
        assert!(text.is_settled());
        // Another width is another question.
        text.text(&shared, 5);
        assert!(!text.is_settled());
        // Who waits too long goes on with the text as it is, and takes the answer all the same.
        let before = text.revision();
        text.let_go();
        assert!(text.is_settled() && text.revision() > before);
        answered(&text);
        assert_eq!(text.text(&shared, 5).as_deref(), Some("AB Assistant 5 false"));
        assert!(text.is_settled());
    }

    #[test]
    fn a_text_that_nobody_changes_is_no_other_text() {
        let shared =
            Shared::new(ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([])), "/".into(), None);
        let same: Arc<MarkdownTransformer> = Arc::new(|text: &str, _, _| Ok(Some(text.to_owned())));
        let text = TransformedText::new(transformers(vec![("same", same)]), MarkdownKind::User);
        text.push("as it is");
        text.finish();
        assert_eq!(text.text(&shared, 9), None);
        answered(&text);
        assert_eq!((text.text(&shared, 9), text.is_settled()), (None, true));
    }
}
