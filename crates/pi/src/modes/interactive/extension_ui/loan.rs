//! The terminal in the hands of a program that an extension runs. The session goes on meanwhile; what it says is drawn when
//! the terminal is back.

use tokio::sync::{mpsc, oneshot};

use super::super::app::App;
use super::super::surface::loan;
use super::super::ui::{Request, TerminalUi};

/// The terminal, lent until this is dropped.
struct TerminalLoan(mpsc::UnboundedSender<Request>);

impl Drop for TerminalLoan {
    fn drop(&mut self) {
        // Without a loop nobody needs it any more.
        let _ = self.0.send(Request::Act(Box::new(take_back)));
    }
}

/// Asks the loop for the terminal. Nothing where it cannot be given.
pub(super) fn ask(ui: &TerminalUi) -> impl Future<Output = Option<Box<dyn Send>>> + use<> {
    let (reply, lent) = oneshot::channel();
    let requests = ui.requests.clone();
    ui.act_on(move |app| {
        if lend(app) {
            // Where nobody waits any more, it comes back at once.
            let _ = reply.send(TerminalLoan(requests));
        }
    });
    async move { lent.await.ok().map(|loan| Box::new(loan) as Box<dyn Send>) }
}

fn lend(app: &mut App) -> bool {
    if app.surface.is_lent {
        return false;
    }
    if app.full_screen.is_some() {
        app.surface.leave_window();
    }
    let is_lent = loan::lend(&mut app.surface, app.transcript.document_mut());
    if !is_lent && app.full_screen.is_some() {
        app.surface.enter_window();
    }
    is_lent
}

fn take_back(app: &mut App) {
    if loan::take_back(&mut app.surface).is_err() {
        app.leaving = Some(129);
    } else if app.full_screen.is_some() {
        app.surface.enter_window();
    }
}
