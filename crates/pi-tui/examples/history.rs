//! Final rows go to the terminal's history, live rows stay below: numbers are counted, what is typed is echoed, `q` ends.

#![expect(clippy::disallowed_methods, reason = "a program reads its environment")]
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pi_tui::document::{Block, Document, Settled};
use pi_tui::screen::{Frame, Insert, Screen, Turn};
use pi_tui::term::{Capabilities, Chunk, Modes, Term};
use pi_tui::text::{Row, Style};

fn row(text: &str) -> Row {
    Row::styled(text, Style::PLAIN, u16::MAX)
}

fn main() -> Result<(), pi_tui::term::TermError> {
    let (keys, typed) = channel();
    let on_input = move |chunk: Chunk<'_>| {
        let text = if let Chunk::Bytes(bytes) = chunk { bytes.to_vec() } else { b"q".to_vec() };
        keys.send(text).unwrap_or_default();
    };
    let term = Term::open(Modes::default(), on_input, || {})?;
    let capabilities = Capabilities::from_env(|name| std::env::var(name).ok());
    let mut screen = Screen::new(capabilities.screen(Insert::Line));
    let mut document: Document<Box<dyn Block>> = Document::new(|count, _| row(&format!("… {count} rows")));
    let (start, mut input) = (Instant::now(), String::new());
    for number in 1.. {
        document.push(Box::new(Settled::new(move |_| vec![row(&format!("final row {number}"))])));
        if let Turn::Draw { sealed } = screen.begin(term.size(), start.elapsed()) {
            document.sealed(sealed);
            let prompt = row(&format!("> {input}"));
            let laid = document.rows(term.size().columns, 10);
            let caret = Some((laid.rows.len(), prompt.width()));
            let rows: Vec<&Row> = laid.rows.into_iter().chain([&prompt]).collect();
            let mut out = String::new();
            let sealed =
                screen.frame(&Frame { rows: &rows, final_rows: laid.final_rows, caret, show_cursor: true }, &mut out);
            document.sealed(sealed);
            term.writer().send(&out);
        }
        match typed.recv_timeout(Duration::from_millis(500)) {
            Ok(text) if text.contains(&b'q') => break,
            Ok(text) => input.push_str(&String::from_utf8_lossy(&text)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let mut out = String::new();
    screen.leave(&mut out);
    term.writer().send(&out);
    Ok(())
}
