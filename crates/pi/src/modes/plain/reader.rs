//! Lines that are typed. The terminal edits them: that is what screen readers know best.

use std::io::{self, BufRead};

use tokio::sync::mpsc;

/// Reads lines from now on, until the end of the input.
///
/// # Errors
/// When there are no threads to be had.
pub(super) fn start() -> io::Result<mpsc::UnboundedReceiver<String>> {
    let (sender, lines) = mpsc::unbounded_channel();
    // A thread of its own: a read that waits cannot be cancelled, and ends with the process.
    std::thread::Builder::new().name("lines".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => return,
                // A signal that came in between is not the end.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
                Ok(_) => {
                    if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                        return;
                    }
                }
            }
        }
    })?;
    Ok(lines)
}
