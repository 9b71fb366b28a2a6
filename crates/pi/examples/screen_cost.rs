//! What the interactive mode costs, measured from outside: the program runs on a pseudo-terminal (`script` makes it), keys are
//! typed, and what comes back is counted.
//!
//! ```sh
//! cargo build --release && cargo run --release -p pi --example screen_cost -- target/release/pi
//! ```
//!
//! For sessions of several lengths: time and bytes until the model's name is on the screen, from a key to its echo, bytes and
//! processor time of a key and of a change of size, milliseconds until `/transcript` shows, memory, and how often the program wakes up while nothing happens. Start and
//! memory stand beside those of `--mode rpc` on the same session. The same in full screen, and with 30 extensions that draw. Then streamed answers: bytes written for each byte of text,
//! and what a spinner costs while nothing arrives.
//!
//! Commands after the first (`"node cli.js"`) are other programs with the same options, measured beside it, but for the longest
//! session.
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

use pi_test_kit::{Gate, Live, Provider, Reply, World, delta, end, open};
use pi_tui::testing::Terminal;

/// Keys that are typed, one after the other.
const KEYS: usize = 200;
/// A screen is still when nothing comes for this long.
const STILL: Duration = Duration::from_millis(700);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let programs: Vec<String> = std::env::args().skip(1).map(|program| absolute(&program)).collect();
    assert!(!programs.is_empty(), "the program to measure, such as target/release/pi");
    println!(
        "{:>8} {:>6} {:>9} {:>9} {:>8} {:>8} {:>6} {:>8} {:>7} {:>8} {:>8} {:>9} {:>9} {:>10}",
        "entries",
        "start",
        "above rpc",
        "start kB",
        "echo ms",
        "worst",
        "B/key",
        "ms/key",
        "RSS MB",
        "above",
        "wakes/s",
        "resize kB",
        "resize ms",
        "transcript"
    );
    for entries in [0, 400, 4_000, 100_000] {
        for (number, program) in programs.iter().enumerate() {
            if number == 0 || entries <= 4_000 {
                keys(program, entries, Setup::Usual).await;
            }
        }
    }
    for entries in [0, 4_000, 100_000] {
        println!("in full screen:");
        keys(&programs[0], entries, Setup::FullScreen).await;
    }
    for entries in [0, 4_000] {
        println!("with {DRAWING} extensions that draw:");
        keys(&programs[0], entries, Setup::Drawing).await;
    }
    for program in &programs {
        stream(program, 2_000).await;
        stream(program, 20_000).await;
        spinner(program).await;
    }
}

/// The command with the path of its program made absolute: it runs in a directory of its own.
fn absolute(command: &str) -> String {
    let (program, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let program = fs::canonicalize(program).map_or_else(|_| program.to_owned(), |path| path.display().to_string());
    format!("{program} {arguments}").trim_end().to_owned()
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

    /// Makes the window so wide, as a terminal does. Returns bytes written and processor time in milliseconds.
    async fn resize(&mut self, columns: u16) -> (usize, f64) {
        let (bytes, cpu) = (self.bytes, self.cpu_ms());
        let (columns_text, device) = (columns.to_string(), format!("/proc/{}/fd/0", self.pid));
        let stty = std::process::Command::new("stty").args(["-F", &device, "cols", &columns_text]).status();
        assert!(stty.unwrap().success(), "stty");
        self.terminal.resize(columns, 40);
        self.settle().await;
        (self.bytes - bytes, self.cpu_ms() - cpu)
    }

    /// Opens the view of the whole session, and closes it; milliseconds from Enter until it is there.
    async fn transcript(&mut self) -> f64 {
        self.live.send("\u{15}/transcript").await;
        self.settle().await;
        let began = Instant::now();
        self.live.send("\r").await;
        while !self.terminal.screen().contains("Transcript  block") {
            self.read().await;
        }
        let took = began.elapsed().as_secs_f64() * 1e3;
        self.live.send("q").await;
        self.settle().await;
        took
    }

    fn status(&self, key: &str) -> f64 {
        status(self.pid, key)
    }
}

/// A number of `/proc/PID/status`.
fn status(pid: u32, key: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// The same session in RPC mode: milliseconds until the first answer, and memory in MB.
async fn rpc(world: &World, program: &str, arguments: &str) -> (f64, f64) {
    let line = format!("exec {program} --mode rpc {arguments}");
    let began = Instant::now();
    let mut live = world.program("/bin/sh".as_ref(), &["-c", &line]).start();
    live.send("{\"type\":\"get_state\"}\n").await;
    live.event("response").await;
    let took = began.elapsed().as_secs_f64() * 1e3;
    tokio::time::sleep(STILL).await;
    let memory = status(live.id(), "VmRSS:") * 1024.0 / 1e6;
    live.close_stdin();
    live.end().await;
    (took, memory)
}

/// So many extensions draw.
const DRAWING: usize = 30;

/// What a user has set up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setup {
    Usual,
    FullScreen,
    Drawing,
}

impl Setup {
    fn prepare(self, world: &World) {
        let more = if self == Self::FullScreen { ", \"tuiMode\": \"fullscreen\"" } else { "" };
        let settings = format!("{{\"defaultProvider\": \"mock\", \"defaultModel\": \"m1\"{more}}}");
        fs::write(world.agent_dir().join("settings.json"), settings).unwrap();
        if self != Self::Drawing {
            return;
        }
        let extensions = world.agent_dir().join("extensions");
        fs::create_dir_all(&extensions).unwrap();
        for number in 0..DRAWING {
            let script = format!(
                "export default (pi) => pi.on(\"session_start\", (_, ctx) => {{
                    ctx.ui.setStatus(\"s{number}\", \"status {number}\");
                    ctx.ui.setWidget(\"w{number}\", () => ({{ render: (w) => [\"widget {number} \".repeat(3)], invalidate() {{}} }}));
                    ctx.ui.setFooter(() => ({{ render: (w) => [\"m1 footer {number}\"], invalidate() {{}} }}));
                }});"
            );
            fs::write(extensions.join(format!("draws{number}.ts")), script).unwrap();
        }
    }
}

async fn keys(program: &str, entries: usize, setup: Setup) {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    setup.prepare(&world);
    let arguments = if entries == 0 { String::new() } else { format!("--session {}", stored(&world, entries)) };
    // The first start reads the program and the session from the disk.
    rpc(&world, program, &arguments).await;
    let (rpc_ms, rpc_memory) = rpc(&world, program, &arguments).await;
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
    let memory = screen.status("VmRSS:") * 1024.0 / 1e6;
    let (resized, resize_ms) = screen.resize(100).await;
    let transcript_ms = if entries == 0 { 0.0 } else { screen.transcript().await };
    println!(
        "{entries:>8} {start_ms:>6.1} {:>9.1} {:>9.1} {echo:>8.2} {worst:>8.2} {per_key:>6.1} {cpu:>8.3} {memory:>7.1} {:>8.1} {wakes:>8.1} {:>9.1} {resize_ms:>9.1} {transcript_ms:>10.1}",
        start_ms - rpc_ms,
        start_bytes as f64 / 1e3,
        memory - rpc_memory,
        resized as f64 / 1e3,
    );
}

/// An answer of so many pieces of ten bytes.
async fn stream(program: &str, pieces: usize) {
    let words = "some words of an answer that goes on and on, ";
    let text: String = words.chars().cycle().take(pieces * 10).collect();
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
        "an answer of {} bytes in {pieces} pieces: {} bytes written ({:.2} for each of text), {:.0} ms of processor time",
        text.len(),
        screen.bytes,
        screen.bytes as f64 / text.len() as f64,
        screen.cpu_ms() - cpu
    );
}

/// A provider that answers nothing for a while: what the spinner writes, a frame of it at a time.
async fn spinner(program: &str) {
    let gate = Gate::new();
    let provider = Provider::start([Reply::stream(&open()).wait(&gate).end()]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, program, "").await;
    screen.settle().await;
    screen.live.send("go\r").await;
    provider.received(1).await;
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        let _ = tokio::time::timeout(Duration::from_millis(200), screen.read()).await;
    }
    let (cpu, mut reads, before) = (screen.cpu_ms(), 0, screen.bytes);
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        reads += usize::from(tokio::time::timeout(Duration::from_millis(200), screen.read()).await.is_ok());
    }
    println!(
        "a spinner: {:.1} frames per second of {:.0} bytes, {:.1} ms of processor time per second",
        reads as f64 / 5.0,
        (screen.bytes - before) as f64 / reads.max(1) as f64,
        (screen.cpu_ms() - cpu) / 5.0
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
