//! What the interactive mode costs, measured from outside: the program runs on a pseudo-terminal (`script` makes it), keys are
//! typed, and what comes back is counted.
//!
//! ```sh
//! cargo build --release && cargo run --release -p pi --example screen_cost -- target/release/pi
//! ```
//!
//! For sessions of several lengths: time and bytes until the screen is still, from a key to its echo, bytes and processor time
//! of a key, memory, and how often the program wakes up while nothing happens. Then a streamed answer: bytes written for each
//! byte of text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures"
)]

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use pi_test_kit::{Live, Provider, Reply, World, delta, end, open};
use pi_tui::testing::Terminal;

/// Keys that are typed, one after the other.
const KEYS: usize = 200;
/// Pieces of the streamed answer.
const PIECES: usize = 2000;
/// A screen is still when nothing comes for this long.
const STILL: Duration = Duration::from_millis(700);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let program = std::env::args().nth(1).expect("the program to measure, such as target/release/pi");
    let program = fs::canonicalize(program).unwrap().display().to_string();
    println!(
        "{:>8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "entries", "start ms", "start kB", "echo ms", "worst", "B/key", "ms/key", "RSS MB", "wakes/s"
    );
    for entries in [0, 400, 4_000, 100_000] {
        keys(&program, entries).await;
    }
    stream(&program).await;
}

/// A program on a terminal.
struct Screen {
    live: Live,
    terminal: Terminal,
    pid: u32,
    bytes: usize,
}

impl Screen {
    async fn start(world: &World, program: &str, arguments: &str) -> Self {
        let pid_file = world.root().join("pid");
        let line = format!("stty cols 120 rows 40; echo $$ > {}; exec {program} {arguments}", pid_file.display());
        let script = format!("exec script -qefc '{line}' /dev/null");
        let shell = world.program("/bin/sh".as_ref(), &["-c", &script]).env("TERM", "xterm-256color");
        let mut screen = Self {
            live: shell.env("COLORTERM", "truecolor").start(),
            terminal: Terminal::new(120, 40),
            pid: 0,
            bytes: 0,
        };
        screen.read().await;
        screen.pid = fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap();
        screen
    }

    /// What comes next.
    async fn read(&mut self) {
        let bytes = self.live.some().await.expect("pi has ended");
        self.bytes += bytes.len();
        self.terminal.feed(bytes);
        let answers = self.terminal.take_answers();
        if !answers.is_empty() {
            self.live.send(&answers).await;
        }
    }

    /// Reads until nothing comes any more.
    async fn settle(&mut self) {
        while tokio::time::timeout(STILL, self.read()).await.is_ok() {}
    }

    /// Processor time of all threads so far, in milliseconds. The scheduler counts it in nanoseconds; the times in `stat` are
    /// samples, one per 10 ms, too coarse for a key.
    fn cpu_ms(&self) -> f64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).unwrap().map(Result::unwrap);
        let of_thread = |thread: fs::DirEntry| {
            // A thread may end meanwhile.
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<f64>().ok()
        };
        threads.filter_map(of_thread).sum::<f64>() / 1e6
    }

    fn status(&self, key: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }
}

async fn keys(program: &str, entries: usize) {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let arguments = if entries == 0 { String::new() } else { format!("--session {}", stored(&world, entries)) };
    let began = Instant::now();
    let mut screen = Screen::start(&world, program, &arguments).await;
    while !screen.terminal.screen().contains("m1") {
        screen.read().await;
    }
    let start_ms = began.elapsed().as_secs_f64() * 1e3;
    screen.settle().await;
    let (start_bytes, cpu) = (std::mem::take(&mut screen.bytes), screen.cpu_ms());
    let (mut echo, mut worst) = (0.0, 0.0_f64);
    for _ in 0..KEYS {
        let typed = Instant::now();
        screen.live.send("x").await;
        screen.read().await;
        let took = typed.elapsed().as_secs_f64() * 1e3;
        echo += took / KEYS as f64;
        worst = worst.max(took);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    screen.settle().await;
    let (per_key, cpu) = (screen.bytes as f64 / KEYS as f64, (screen.cpu_ms() - cpu) / KEYS as f64);
    let wakes = screen.status("voluntary_ctxt_switches:");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let wakes = (screen.status("voluntary_ctxt_switches:") - wakes) / 5.0;
    let memory = screen.status("VmRSS:") / 1024.0;
    println!(
        "{entries:>8} {start_ms:>9.1} {:>9.1} {echo:>8.2} {worst:>8.2} {per_key:>8.1} {cpu:>8.3} {memory:>8.1} {wakes:>8.1}",
        start_bytes as f64 / 1e3
    );
}

async fn stream(program: &str) {
    let words = "some words of an answer that goes on and on, ";
    let text: String = words.chars().cycle().take(PIECES * 10).collect();
    let mut reply = open();
    for piece in text.as_bytes().chunks(10) {
        reply.push_str(&delta(std::str::from_utf8(piece).unwrap()));
    }
    let provider = Provider::start([Reply::stream(&(reply + &end())).end()]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, program, "").await;
    screen.settle().await;
    let (cpu, _) = (screen.cpu_ms(), std::mem::take(&mut screen.bytes));
    screen.live.send("go\r").await;
    screen.settle().await;
    println!(
        "an answer of {} bytes in {PIECES} pieces: {} bytes written ({:.2} for each of text), {:.0} ms of processor time",
        text.len(),
        screen.bytes,
        screen.bytes as f64 / text.len() as f64,
        screen.cpu_ms() - cpu
    );
}

/// A session file with so many messages.
fn stored(world: &World, entries: usize) -> String {
    let cwd = world.cwd().display().to_string();
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"0199c8a1-0000-7000-8000-000000000001\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"{cwd}\"}}\n"
    );
    let mut parent = "null".to_owned();
    for number in 0..entries {
        let message = if number % 2 == 0 {
            format!("{{\"role\":\"user\",\"content\":\"question {number}\",\"timestamp\":1}}")
        } else {
            format!(
                "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"answer {number} with some **words** in it\"}}],\"api\":\"anthropic-messages\",\"provider\":\"mock\",\"model\":\"m1\",\"usage\":{{\"input\":10,\"output\":5,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":15,\"cost\":{{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}}},\"stopReason\":\"stop\",\"timestamp\":1}}"
            )
        };
        let _ = writeln!(
            text,
            "{{\"type\":\"message\",\"id\":\"{number:08x}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":{message}}}"
        );
        parent = format!("\"{number:08x}\"");
    }
    world.write("long.jsonl", &text).display().to_string()
}
