//! Whatever happens, every row of the document is in the history or in the window, once and in order, and the caret is in
//! its cell.

use pi_tui::screen::{Insert, Reflow};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngAlgorithm;

use crate::stage::{Lines, Stage};

#[derive(Debug, Clone)]
enum Step {
    Push(Vec<String>),
    Begin(Vec<String>),
    Grow {
        which: Index,
        lines: Vec<String>,
        newly_final: usize,
        done: bool,
    },
    Remove(Index),
    Chrome {
        rows: usize,
        caret: Index,
    },
    Spin(u8),
    Draw,
    /// Another program has the terminal for a while; our live rows are taken away before, or stay.
    HandOver {
        withdraws: bool,
    },
    /// Some sizes in a row: what the terminal has, and whether we know it already. Frames are asked for between them.
    Resize(Vec<(u16, u16, bool)>),
}

/// Which scripts are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// Only characters of one column.
    is_narrow: bool,
    columns: (u16, u16),
    rows: (u16, u16),
}

impl Kind {
    /// Everything that may happen.
    pub(crate) const ANY: Self = Self { is_narrow: false, columns: (4, 50), rows: (1, 16) };
    /// What terminals agree about when they wrap anew: wide characters at the edge, and rows that do not fit, go their own ways.
    pub(crate) const AGREED: Self = Self { is_narrow: true, columns: (20, 80), rows: (14, 30) };
}

fn line(kind: Kind) -> impl Strategy<Value = String> {
    let others = u32::from(!kind.is_narrow);
    let word = prop_oneof![
        6 => "[a-z]{1,9}",
        2 => "[a-z]{20,50}",
        others => "[日本語한글]{1,8}",
        others => "(e\u{301}|ü|😀|x){1,6}",
    ];
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

fn step(kind: Kind) -> impl Strategy<Value = Step> {
    let lines = move |most| prop::collection::vec(line(kind), 1..most);
    let size = (kind.columns.0..kind.columns.1, kind.rows.0..kind.rows.1, any::<bool>());
    prop_oneof![
        4 => lines(6).prop_map(Step::Push),
        1 => lines(40).prop_map(Step::Push),
        2 => lines(4).prop_map(Step::Begin),
        4 => (any::<Index>(), lines(8), 0usize..4, prop::bool::weighted(0.3))
            .prop_map(|(which, lines, newly_final, done)| Step::Grow { which, lines, newly_final, done }),
        1 => any::<Index>().prop_map(Step::Remove),
        2 => (1usize..9, any::<Index>()).prop_map(|(rows, caret)| Step::Chrome { rows, caret }),
        3 => any::<u8>().prop_map(Step::Spin),
        8 => Just(Step::Draw),
        1 => any::<bool>().prop_map(|withdraws| Step::HandOver { withdraws }),
        2 => prop::collection::vec(size, 1..5).prop_map(Step::Resize),
    ]
}

/// A window and what is done in it.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    repaint: bool,
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    steps: Vec<Step>,
}

pub(crate) fn script(kind: Kind) -> impl Strategy<Value = Script> {
    let steps = prop::collection::vec(step(kind), 1..40);
    let sizes = (kind.columns.0..kind.columns.1, kind.rows.0..kind.rows.1);
    (prop::bool::weighted(0.2), sizes, steps).prop_map(|(repaint, (columns, rows), steps)| Script {
        repaint,
        columns,
        rows,
        steps,
    })
}

impl Script {
    /// The same in a window that keeps its size.
    pub(crate) fn without_resizes(mut self) -> Self {
        self.steps.retain(|step| !matches!(step, Step::Resize(_)));
        self
    }

    /// Does all of it, and checks what comes of it.
    pub(crate) fn play(self) -> Run {
        self.play_on(Reflow::Filled)
    }

    /// The same on a terminal that reflows in another way.
    pub(crate) fn play_on(self, reflow: Reflow) -> Run {
        let insert = if self.repaint { Insert::Repaint } else { Insert::Line };
        let mut run = Run::new(insert, self.columns, self.rows, reflow);
        for step in self.steps {
            run.take(step);
        }
        run.draw();
        run.check();
        run
    }
}

/// What is done, and what must come of it.
pub(crate) struct Run {
    pub(crate) stage: Stage,
    live: Vec<pi_tui::document::BlockId>,
    chrome: usize,
    caret: usize,
    spin: u8,
    draws: usize,
    /// Live rows did not fit into the window at a resize: the terminal has taken copies of them into its history.
    pub(crate) has_ghosts: bool,
}

impl Run {
    fn new(insert: Insert, columns: u16, rows: u16, reflow: Reflow) -> Self {
        let stage = Stage::on(columns, rows, insert, reflow);
        Self { stage, live: Vec::new(), chrome: 3, caret: 1, spin: 0, draws: 0, has_ghosts: false }
    }

    fn take(&mut self, step: Step) {
        let document = &mut self.stage.document;
        let texts = |lines: &'_ [String]| lines.to_vec();
        match step {
            Step::Push(lines) => {
                document.push(Lines::settled(&texts(&lines)));
            }
            Step::Begin(lines) => self.live.push(document.push(Lines::live(&texts(&lines)))),
            Step::Grow { which, lines, newly_final, done } => {
                self.live.retain(|id| document.get(*id).is_some());
                if !self.live.is_empty() {
                    let at = which.index(self.live.len());
                    if let Some(block) = document.get_mut(self.live[at]) {
                        block.grow(&lines, newly_final, done);
                    }
                    if done {
                        self.live.remove(at);
                    }
                }
            }
            Step::Remove(which) => {
                // Only what was never final: what is final is expected to be seen.
                self.live.retain(|id| document.get(*id).is_some());
                if !self.live.is_empty() {
                    document.remove(self.live.swap_remove(which.index(self.live.len())));
                }
            }
            Step::Chrome { rows, caret } => (self.chrome, self.caret) = (rows, caret.index(rows)),
            Step::Spin(spin) => self.spin = spin,
            Step::Draw => {
                self.draw();
                self.draws += 1;
                // Reading the whole history is what takes time here.
                if self.draws.is_multiple_of(8) {
                    self.check();
                }
            }
            Step::HandOver { withdraws } => {
                self.draw();
                // Which part of a picture too high for the window stays is of no interest.
                let fits = self.stage.shown.len() <= usize::from(self.stage.size.rows);
                self.stage.hand_over(withdraws || !fits);
            }
            Step::Resize(sizes) => self.resize(&sizes),
        }
    }

    fn draw(&mut self) {
        let rows: Vec<String> = (0..self.chrome)
            .map(|row| match row {
                row if row == self.caret => "> ^".to_owned(),
                0 => format!("*{}", self.spin),
                row => format!("c{row}"),
            })
            .collect();
        self.stage.chrome(&rows);
        self.stage.caret = Some((self.caret, 2));
        check_bytes(&self.stage.draw());
        let (row, column) = self.stage.terminal.cursor();
        let under_caret = self.stage.terminal.rows()[row].chars().nth(column);
        assert_eq!(under_caret, Some('^'), "caret at {row}, {column}");
    }

    fn resize(&mut self, sizes: &[(u16, u16, bool)]) {
        self.draw();
        for (columns, rows, is_known) in sizes {
            self.stage.terminal.resize(*columns, *rows);
            self.stage.log_resize(*columns, *rows);
            self.note_ghosts();
            if *is_known {
                self.stage.resize(*columns, *rows);
            }
            if self.stage.size != pi_tui::screen::Size::new(*columns, *rows) && self.stage.is_still {
                // Nothing can be known of the first change before its signal.
                self.stage.resize(*columns, *rows);
            }
            self.stage.draw();
        }
        let (columns, rows, _) = sizes[sizes.len() - 1];
        self.stage.resize(columns, rows);
        self.stage.draw();
        self.stage.now += pi_tui::screen::STILLNESS;
        self.draw();
        self.check();
    }

    /// Where the first live row has left the window because rows became higher, nobody can take it back.
    fn note_ghosts(&mut self) {
        self.has_ghosts |= self.stage.live_height_above_caret() > self.stage.terminal.cursor().0;
    }

    fn check(&self) {
        let stage = &self.stage;
        let transcript = stage.terminal.transcript();
        let mut expected: Vec<String> =
            stage.given.iter().chain(&stage.shown).map(|row| row.trim_end().to_owned()).collect();
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        let fits = stage.shown.len() - stage.final_rows <= usize::from(stage.size.rows);
        if self.has_ghosts {
            // A copy may even end in the middle of a row, and the next row be joined with it.
            let text = transcript.concat();
            let mut rest = text.as_str();
            for row in &stage.given {
                assert!(rest.contains(row.as_str()), "{row:?} is missing");
                rest = rest.split_once(row.as_str()).map_or("", |(_, after)| after);
            }
        } else if fits {
            assert_eq!(transcript, expected);
        } else {
            assert_eq!(transcript[..stage.given.len()], expected[..stage.given.len()]);
        }
    }
}

/// Neither does anything erase the history, nor move parts of the window.
fn check_bytes(written: &str) {
    assert!(!written.contains("\x1bM"));
    for sequence in written.split("\x1b[").skip(1) {
        let end = sequence.find(|char: char| char.is_ascii_alphabetic()).unwrap_or_default();
        let (parameters, kind) = (&sequence[..end], &sequence[end..=end]);
        assert!("ABCGKJLMhlm".contains(kind), "CSI {parameters} {kind}");
        assert!(kind != "J" || parameters.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        // The other generator takes longer than all the rest, unoptimized.
        rng_algorithm: RngAlgorithm::XorShift,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_row_is_there_once(script in script(Kind::ANY)) {
        script.play();
    }
}
