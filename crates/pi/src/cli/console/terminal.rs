//! Questions to the user of a terminal: asked on standard error, answered on standard input. What is asked, and what becomes
//! of the answer, is the caller's.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::sync::{Mutex, mpsc};

use super::screen::plain;

/// The terminal of this process. All questions share one reader, so that a line that was typed for a question which nobody
/// waits for any more answers the next.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Terminal {
    lines: Arc<Mutex<mpsc::UnboundedReceiver<String>>>,
}

impl Terminal {
    /// `None` where nobody can be asked.
    ///
    /// # Errors
    /// When there are no threads to be had.
    pub(in crate::cli) fn open() -> io::Result<Option<Self>> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Ok(None);
        }
        let (sender, lines) = mpsc::unbounded_channel();
        // A thread of its own: a read that waits cannot be cancelled, and ends with the process.
        std::thread::Builder::new().name("terminal".to_owned()).spawn(move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        Ok(Some(Self { lines: Arc::new(Mutex::new(lines)) }))
    }

    /// A line on standard error; a closed one is nobody's business.
    #[expect(clippy::unused_self, reason = "only who has a terminal may talk to it")]
    pub(in crate::cli) fn print(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{}", plain(text));
    }

    /// Asks for a line. `None` at the end of the input.
    pub(in crate::cli) async fn ask(&self, question: &str) -> Option<String> {
        let _ = write!(io::stderr(), "{} ", plain(question));
        self.lines.lock().await.recv().await.map(|line| line.trim().to_owned())
    }

    /// The same without showing what is typed.
    pub(in crate::cli) async fn ask_secret(&self, question: &str) -> Option<String> {
        let hidden = Hidden::start();
        let answer = self.ask(question).await;
        drop(hidden);
        let _ = writeln!(io::stderr());
        answer
    }
}

/// Does not show what is typed while it lives.
struct Hidden(Option<Termios>);

impl Hidden {
    fn start() -> Self {
        let Ok(before) = tcgetattr(io::stdin()) else { return Self(None) };
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        // What cannot be hidden is at least asked for.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &hidden);
        Self(Some(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}
