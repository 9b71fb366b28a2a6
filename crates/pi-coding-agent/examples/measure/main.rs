//! Measures a `pi` program from outside: start, memory, long answers, long conversations. Model answers come from a server
//! in this process, so nothing but `pi` is measured; Linux only, because memory and time are read from `/proc`.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example measure -- target/release/pi
//! cargo run --release --example measure -- target/release/pi --deltas 50000 --turns 2000
//! ```
#![allow(clippy::print_stdout)] // what it is for

#[path = "pi.rs"]
mod pi;
#[path = "server.rs"]
mod server;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pi::{Home, Pi};
use server::Server;

/// Starts that are measured; the median is told.
const STARTS: usize = 20;
/// Characters of an answer in a long conversation.
const ANSWER: usize = 1000;

struct Options {
    program: PathBuf,
    deltas: usize,
    turns: usize,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let usage = "usage: measure PATH_OF_PI [--deltas N] [--turns N]";
        let mut options = Self { program: arguments.next().ok_or(usage)?.into(), deltas: 20_000, turns: 500 };
        while let Some(option) = arguments.next() {
            let number = arguments.next().ok_or(usage)?.parse()?;
            match option.as_str() {
                "--deltas" => options.deltas = number,
                "--turns" => options.turns = number,
                _ => return Err(usage.into()),
            }
        }
        options.program = options.program.canonicalize()?;
        Ok(options)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let server = Server::start()?;
    let home = Home::new(server.url())?;
    let new = || Pi::start(&options.program, &home);
    starts(new)?;
    for detail in ["full", "delta"] {
        deltas(new()?, &server, options.deltas, detail)?;
    }
    turns(new()?, &server, options.turns)
}

fn starts(new: impl Fn() -> std::io::Result<Pi>) -> Result<(), Box<dyn Error>> {
    let (mut times, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let begin = Instant::now();
        let mut pi = new()?;
        pi.ask(r#"{"type":"get_state"}"#)?;
        times.push(begin.elapsed());
        std::thread::sleep(Duration::from_millis(100));
        memory.push(pi.resident()?);
        pi.end()?;
    }
    times.sort();
    memory.sort_unstable();
    println!("spawn to first answer: {:.1} ms (median of {STARTS})", times[STARTS / 2].as_secs_f64() * 1e3);
    println!("memory when idle: {:.1} MB", megabytes(memory[STARTS / 2]));
    Ok(())
}

fn deltas(mut pi: Pi, server: &Server, count: usize, detail: &str) -> Result<(), Box<dyn Error>> {
    pi.ask(&format!(r#"{{"type":"set_event_detail","partial":"{detail}"}}"#))?;
    server.answer_with(count, "word ");
    let before = pi.cpu()?;
    let begin = Instant::now();
    let bytes = pi.prompt("go")?;
    println!(
        "{count} deltas, {detail}: {:.2} s CPU, {:.2} s, {:.1} MB printed, peak {:.1} MB",
        (pi.cpu()? - before).as_secs_f64(),
        begin.elapsed().as_secs_f64(),
        megabytes(bytes),
        megabytes(pi.peak()?)
    );
    pi.end()?;
    Ok(())
}

fn turns(mut pi: Pi, server: &Server, count: usize) -> Result<(), Box<dyn Error>> {
    let warm = (count / 10).max(1);
    server.answer_with(1, &"x".repeat(ANSWER));
    let mut marks = Vec::new();
    for turn in 1..=warm + count {
        let begin = Instant::now();
        pi.prompt("and on")?;
        if turn == warm || turn == warm + count {
            marks.push((pi.resident()?, begin.elapsed()));
        }
    }
    let [(before, first), (after, last)] = marks[..] else { return Err("no turns were measured".into()) };
    println!(
        "{count} turns of {ANSWER} characters: {:.0} bytes of memory per turn, first {:.1} ms, last {:.1} ms",
        after.saturating_sub(before) as f64 / count as f64,
        first.as_secs_f64() * 1e3,
        last.as_secs_f64() * 1e3
    );
    pi.end()?;
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
