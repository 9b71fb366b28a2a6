//! What is said of a panic while the terminal is ours: across the screen nobody could read it, and with the alternate screen
//! it would be gone. So it is kept until the terminal is the shell's again.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::Mutex;

use pi_guard::Unpoisoned;
use pi_tui::term;
use pi_tui::text::Line;

/// The exit code of a program that ends by a panic.
pub(super) const EXIT_CODE: u8 = 101;

/// So many are kept, the first ones: the others mostly follow from them.
const MOST: usize = 10;

static KEPT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps from now on what is said while the terminal is ours. Most panics are of extensions, and are caught.
pub(super) fn keep() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !term::is_taken() {
            return before(info);
        }
        let mut kept = KEPT.lock().unpoisoned();
        if kept.len() < MOST {
            kept.push(report(info));
        }
    }));
}

/// Says what was kept, on standard error.
pub(super) fn tell() {
    let kept = std::mem::take(&mut *KEPT.lock().unpoisoned());
    for report in kept {
        for line in pi_ai::without_known_secrets(&report).lines() {
            // A terminal that is gone is told nothing.
            let _ = writeln!(io::stderr(), "{}", Line::from_ansi(line).text());
        }
    }
}

fn report(info: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let mut text = format!("thread '{}' {info}", thread.name().unwrap_or("<unnamed>"));
    // Only where the environment asks for one.
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("\n{backtrace}"));
    }
    text
}
