//! The terminal in the hands of a program that an extension runs: nothing is written meanwhile.

use pi_tui::document::{Block, Document};
use pi_tui::term::TermError;

use super::Surface;

/// Gives the terminal away until [`take_back`]; whether that is possible. It is not where the terminal is that of another
/// process.
pub(in crate::modes::interactive) fn lend<B: Block>(surface: &mut Surface, document: &mut Document<B>) -> bool {
    if surface.lender.is_some() || surface.is_lent {
        return false;
    }
    surface.set_progress(false);
    surface.hide(document);
    surface.term.hand_over();
    surface.is_lent = true;
    true
}

/// Takes the terminal back.
///
/// # Errors
/// When the terminal is gone.
pub(in crate::modes::interactive) fn take_back(surface: &mut Surface) -> Result<(), TermError> {
    surface.term.take_back()?;
    surface.is_lent = false;
    surface.come_back();
    Ok(())
}
