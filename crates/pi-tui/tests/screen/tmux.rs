//! A second judge: what happened to the emulator happens to a real tmux, with the same rows in the end.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use pi_tui::screen::{Insert, Reflow};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::exactness::{Kind, Script, script};
use crate::stage::{Event, Lines, Stage};

/// A server of our own with one window.
struct Tmux {
    socket: String,
    pane: File,
    marks: usize,
}

impl Tmux {
    /// `None` where there is no tmux.
    fn start(name: &str, columns: u16, rows: u16) -> Option<Self> {
        let socket = format!("pi-tui-{}-{name}", std::process::id());
        let (columns, rows) = (columns.to_string(), rows.to_string());
        // Output processing is off, as it is while a program of ours runs.
        let program = "stty raw -echo; printf ready; exec sleep 600";
        let options = ["set", "-g", "history-limit", "10000", ";", "set", "-g", "status", "off", ";"];
        let session = ["new-session", "-d", "-x", &columns, "-y", &rows, program];
        let arguments = ["-f", "/dev/null"].iter().chain(&options).chain(&session);
        Command::new("tmux").args(["-L", &socket]).args(arguments).status().ok().filter(ExitStatus::success)?;
        let path = run(&socket, &["display-message", "-p", "#{pane_tty}"]);
        let pane = File::options().write(true).open(path.trim()).expect("the pane has a terminal");
        let mut tmux = Self { socket, pane, marks: 0 };
        tmux.wait_for(|tmux| run(&tmux.socket, &["capture-pane", "-p"]).starts_with("ready"));
        tmux.write("\r\x1b[K");
        Some(tmux)
    }

    fn write(&mut self, text: &str) {
        self.marks += 1;
        let mark = format!("mark {}", self.marks);
        write!(self.pane, "{text}\x1b]2;{mark}\x07").expect("the pane takes text");
        self.wait_for(|tmux| run(&tmux.socket, &["display-message", "-p", "#{pane_title}"]).trim() == mark);
    }

    /// An empty window of this size, without a history.
    fn reset(&mut self, columns: u16, rows: u16) {
        self.write("\x1b[0m\x1b[H\x1b[2J");
        self.resize(columns, rows);
        run(&self.socket, &["clear-history"]);
        self.write("\x1b[0m\x1b[H\x1b[2J");
        run(&self.socket, &["clear-history"]);
    }

    /// Does what happened to another terminal. Returns whether live rows always had room above the caret: tmux pushes rows out
    /// of a window that becomes narrower even if rows below the caret are free.
    fn play(&mut self, log: &[Event]) -> bool {
        let mut has_room = true;
        let mut text = String::new();
        for event in log {
            match event {
                Event::Written(more) => text.push_str(more),
                Event::Resized(columns, rows, live) => {
                    self.write(&std::mem::take(&mut text));
                    self.resize(*columns, *rows);
                    has_room &= *live <= self.cursor_cell().map_or(0, |(row, _)| row);
                }
            }
        }
        self.write(&text);
        has_room
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        run(&self.socket, &["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    fn transcript(&self) -> Vec<String> {
        let text = run(&self.socket, &["capture-pane", "-p", "-J", "-S", "-", "-E", "-"]);
        text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect()
    }

    fn cursor(&self) -> String {
        run(&self.socket, &["display-message", "-p", "#{cursor_y},#{cursor_x}"]).trim().to_owned()
    }

    fn cursor_cell(&self) -> Option<(usize, usize)> {
        let cursor = self.cursor();
        let (row, column) = cursor.split_once(',')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    }

    /// The character at the caret. Its row may differ where terminals keep more or less of a wrapped row.
    fn under_cursor(&self) -> Option<char> {
        let (row, column) = self.cursor_cell()?;
        run(&self.socket, &["capture-pane", "-p"]).lines().nth(row)?.chars().nth(column)
    }

    fn wait_for(&mut self, is_there: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_there(self) {
            assert!(start.elapsed() < Duration::from_secs(20), "tmux does not answer");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        run(&self.socket, &["kill-server"]);
    }
}

fn run(socket: &str, arguments: &[&str]) -> String {
    let output = Command::new("tmux").args(["-L", socket]).args(arguments).output().expect("tmux runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// How many random scripts: each waits for tmux some times. They are the same in every run; `TMUX_CASES` and `TMUX_SEED`
/// ask for more and for others.
const CASES: u32 = 100;

#[expect(clippy::disallowed_methods, reason = "a test is asked by its environment")]
fn number_from_env(name: &str) -> Option<u32> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn rng(seed: u32) -> TestRng {
    let mut bytes = [1; 16];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::XorShift, &bytes)
}

/// A session: answers that stream and end, menus, a spinner.
fn act(stage: &mut Stage, round: usize) {
    stage.chrome(&["*", "-----", "> ^", "~/demo"]);
    stage.caret = Some((2, 2));
    stage.draw();
    let id = stage.document.push(Lines::live(&["…"]));
    let lines: Vec<String> = (0..7)
        .map(|line| {
            format!("{round}.{line} the quick 日本語 brown fox e\u{301} jumps over {}", "lazy ".repeat(line % 4))
        })
        .collect();
    for count in 1..=lines.len() {
        if let Some(block) = stage.document.get_mut(id) {
            block.grow(&lines[count.saturating_sub(1)..count], 1, count == lines.len());
        }
        stage.draw();
    }
    stage.chrome(&["*", "-----", "> ^", "a", "b", "c", "~/demo"]);
    stage.draw();
    stage.document.push(Lines::settled(&["while", "the menu", "was open", ""]));
    stage.draw();
    stage.chrome(&["*", "-----", "> ^", "~/demo"]);
    stage.draw();
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn check(name: &str, insert: Insert, sizes: &[(u16, u16)]) {
    let (mut columns, mut rows) = (60, 16);
    let mut stage = Stage::on(columns, rows, insert, Reflow::Erased);
    for (round, size) in sizes.iter().enumerate() {
        act(&mut stage, round);
        (columns, rows) = *size;
        stage.resize(columns, rows);
        stage.chrome(&["*", "-----", "> ^", "~/demo"]);
        stage.rest();
        act(&mut stage, round + 100);
    }
    let Some(mut tmux) = Tmux::start(name, 60, 16) else {
        return eprintln!("skipped: there is no tmux");
    };
    assert!(tmux.play(&stage.log));
    let expected: Vec<&str> = stage.given.iter().chain(&stage.shown).map(String::as_str).collect();
    assert_eq!(tmux.transcript(), expected);
    assert_eq!(stage.terminal.transcript(), expected);
    let (row, column) = stage.terminal.cursor();
    assert_eq!(tmux.cursor(), format!("{row},{column}"));
}

#[test]
fn a_session_without_resizes() {
    check("still", Insert::Line, &[(60, 16); 3]);
    check("repaint", Insert::Repaint, &[(60, 16); 2]);
}

#[test]
fn widths_and_heights_change() {
    check("width", Insert::Line, &[(40, 16), (80, 16), (33, 16)]);
    check("height", Insert::Line, &[(60, 10), (60, 30), (60, 12)]);
    check("both", Insert::Line, &[(45, 12), (70, 20), (38, 14)]);
}

/// Random scripts, those of `exactness`, one after the other in one window. Their resizes are left out: the two terminals wrap
/// wide characters anew in different ways, which is not the screen's doing.
#[test]
fn random_sessions() {
    check_scripts("random", Kind::ANY, Script::without_resizes);
}

/// The same with resizes, where terminals agree about what a resize does.
#[test]
fn random_sessions_in_windows_that_change() {
    check_scripts("resized", Kind::AGREED, |script| script);
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn check_scripts(name: &str, kind: Kind, prepare: fn(Script) -> Script) {
    let Some(tmux) = Tmux::start(name, 40, 12) else {
        return eprintln!("skipped: there is no tmux");
    };
    let tmux = RefCell::new(tmux);
    let config = ProptestConfig {
        cases: number_from_env("TMUX_CASES").unwrap_or(CASES),
        // Each attempt waits for tmux.
        max_shrink_iters: 60,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::XorShift,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, rng(number_from_env("TMUX_SEED").unwrap_or(1)));
    let result = runner.run(&script(kind), |script| {
        let (columns, rows) = (script.columns, script.rows);
        let run = prepare(script).play_on(Reflow::Erased);
        if run.has_ghosts {
            // What did not fit is in the history as it stood then, and terminals differ in how they join its rows.
            return Ok(());
        }
        let mut tmux = tmux.borrow_mut();
        tmux.reset(columns, rows);
        if !tmux.play(&run.stage.log) {
            // The same, found only now.
            return Ok(());
        }
        prop_assert_eq!(tmux.transcript(), run.stage.terminal.transcript());
        prop_assert_eq!(tmux.under_cursor(), Some('^'));
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.err().map_or_else(String::new, |error| error.to_string()));
}
