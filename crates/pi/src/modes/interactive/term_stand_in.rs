//! Raw mode and writing, until the library has them.
use pi_tui::screen::Size;
use rustix::termios::{self, OptionalActions, Termios};
use std::io::Write;
use tokio::sync::mpsc;

pub(super) struct Term {
    saved: Termios,
}

pub(super) fn open() -> std::io::Result<(Term, mpsc::UnboundedReceiver<Vec<u8>>)> {
    let saved = termios::tcgetattr(std::io::stdin())?;
    let term = Term { saved };
    term.enter();
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let mut buffer = [0u8; 65536];
        loop {
            match rustix::io::read(std::io::stdin(), &mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    if sender.send(buffer[..n].to_vec()).is_err() {
                        break;
                    }
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => break,
            }
        }
    });
    Ok((term, receiver))
}

impl Term {
    pub(super) fn size(&self) -> Size {
        termios::tcgetwinsize(std::io::stdout()).map_or(Size::new(80, 24), |s| Size::new(s.ws_col, s.ws_row))
    }
    pub(super) fn write(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }
    pub(super) fn enter(&self) {
        let mut raw = self.saved.clone();
        raw.make_raw();
        let _ = termios::tcsetattr(std::io::stdin(), OptionalActions::Now, &raw);
        self.write("\x1b[?2004h");
    }
    pub(super) fn leave(&self) {
        self.write("\x1b[?2004l\x1b[?25h");
        let _ = termios::tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.saved);
    }
}
