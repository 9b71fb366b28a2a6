//! Measures what a key, a spinner and a streamed row cost after so many entries: time for a frame and bytes written.
//!
//! `cargo run --release -p pi-tui --example frames`

use std::time::{Duration, Instant};

use pi_tui::document::{Document, Settled};
use pi_tui::screen::{Frame, Screen, ScreenOptions, Size, Turn};
use pi_tui::text::{Line, Row, Style};

const SIZE: Size = Size { columns: 120, rows: 40 };
const FRAMES: u32 = 10_000;

type Build = Box<dyn FnMut(u16) -> Vec<Row>>;

struct Bench {
    screen: Screen,
    document: Document<Settled<Build>>,
    chrome: Vec<Row>,
    bytes: usize,
}

impl Bench {
    /// A screen after so many entries of five rows.
    fn after(entries: usize) -> Self {
        let options = ScreenOptions { synchronized: true, ..ScreenOptions::default() };
        let chrome = ["⠋ Working", "────", "> ", "────", "~/demo (main)", "↑1.2k ↓300 $0.012"].map(row).to_vec();
        let document = Document::new(|count, _| row(&format!("… {count} rows")));
        let mut bench = Self { screen: Screen::new(options), document, chrome, bytes: 0 };
        for entry in 0..entries {
            bench.push(5, entry);
            bench.draw();
        }
        bench
    }

    fn push(&mut self, rows: usize, entry: usize) {
        let build = move |_| (0..rows).map(|at| row(&format!("entry {entry}, row {at} of some text"))).collect();
        self.document.push(Settled::new(Box::new(build)));
    }

    fn draw(&mut self) {
        if let Turn::Draw { sealed } = self.screen.begin(SIZE, Duration::ZERO) {
            self.document.sealed(sealed);
        }
        let laid = self.document.rows(SIZE.columns, usize::from(SIZE.rows) - self.chrome.len());
        let caret = Some((laid.rows.len() + 2, self.chrome[2].width()));
        let rows: Vec<&Row> = laid.rows.into_iter().chain(&self.chrome).collect();
        let mut out = String::new();
        let frame = Frame { rows: &rows, final_rows: laid.final_rows, caret, show_cursor: false };
        let sealed = self.screen.frame(&frame, &mut out);
        self.document.sealed(sealed);
        self.bytes += out.len();
    }

    /// Bytes and microseconds for a frame.
    fn measure(&mut self, mut change: impl FnMut(&mut Self, u32)) -> (f64, f64) {
        let (bytes, start) = (self.bytes, Instant::now());
        for frame in 0..FRAMES {
            change(self, frame);
            self.draw();
        }
        let frames = f64::from(FRAMES);
        let written = u32::try_from(self.bytes - bytes).unwrap_or(u32::MAX);
        (f64::from(written) / frames, start.elapsed().as_secs_f64() * 1e6 / frames)
    }
}

fn row(text: &str) -> Row {
    Row::new(&Line::styled(text, Style::PLAIN), SIZE.columns)
}

#[expect(clippy::print_stdout, reason = "an example that prints what it measured")]
fn main() {
    println!("{:>9}  {:>17}  {:>17}  {:>17}", "entries", "key", "spinner", "streamed row");
    for entries in [100, 1_000, 10_000, 100_000, 1_000_000] {
        let mut bench = Bench::after(entries);
        let key = bench.measure(|bench, frame| {
            bench.chrome[2] = row(&format!("> {}", "x".repeat(frame as usize % 80)));
        });
        let spinner = bench.measure(|bench, frame| {
            bench.chrome[0] = row(if frame % 2 == 0 { "⠙ Working" } else { "⠋ Working" });
        });
        let streamed = bench.measure(|bench, frame| bench.push(1, frame as usize));
        let figures = [key, spinner, streamed].map(|(bytes, micros)| format!("{bytes:.0} B {micros:.1} µs"));
        println!("{entries:>9}  {:>17}  {:>17}  {:>17}", figures[0], figures[1], figures[2]);
    }
}
