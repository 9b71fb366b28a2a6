//! The alternate screen: what is shown instead of the conversation, and in full screen the conversation itself.

use pi_tui::document::{Block, Document};
use pi_tui::screen::{Frame, ScreenOptions, Size, Window};
use pi_tui::term::Modes;
use pi_tui::text::Row;

use super::super::covered::Covered;
use super::{Overlaid, Surface};

/// What is shown there.
#[derive(Debug, Default)]
pub(super) struct Alternate {
    /// The window, while it is shown.
    window: Option<Window>,
    /// Whether the conversation is shown there.
    pub(super) is_fullscreen: bool,
    /// Whether the mouse is ours then.
    has_mouse: bool,
}

impl Alternate {
    pub(super) fn set_options(&mut self, options: ScreenOptions) {
        if let Some(window) = &mut self.window {
            window.set_options(options);
        }
    }

    /// Whether the mouse is ours now.
    fn reports_mouse(&self) -> bool {
        self.window.is_some() && self.is_fullscreen && self.has_mouse
    }

    fn open(&mut self, options: ScreenOptions, modes: Modes) -> String {
        let mut out = String::new();
        self.window = Some(Window::enter(options, &mut out));
        out.push_str(&modes.enter_keyboard());
        if self.reports_mouse() {
            out.push_str(Modes::MOUSE_ON);
        }
        out
    }

    fn close(&mut self) -> String {
        let mut out = String::new();
        if self.reports_mouse() {
            out.push_str(Modes::MOUSE_OFF);
        }
        if let Some(window) = self.window.take() {
            out.push_str(Modes::LEAVE_KEYBOARD);
            window.leave(&mut out);
        }
        out
    }

    fn paint(&mut self, frame: &Frame<'_>, size: Size) -> String {
        let mut out = String::new();
        if let Some(window) = &mut self.window {
            window.paint(frame, size, &mut out);
        }
        out
    }
}

impl Surface {
    /// Whether the conversation is shown on the alternate screen.
    pub(in crate::modes::interactive) fn is_fullscreen(&self) -> bool {
        self.alternate.is_fullscreen
    }

    /// Shows the conversation on the alternate screen from now on, where the mouse may be ours; or on the main screen again.
    /// Rows that were drawn on the main screen and are not final are taken away.
    pub(in crate::modes::interactive) fn set_fullscreen<B: Block>(
        &mut self,
        is_fullscreen: bool,
        has_mouse: bool,
        document: &mut Document<B>,
    ) {
        if self.alternate.is_fullscreen != is_fullscreen {
            self.hide(document);
            (self.alternate.is_fullscreen, self.alternate.has_mouse) = (is_fullscreen, has_mouse);
            if is_fullscreen {
                self.show_window();
            }
        }
        let reported = self.alternate.reports_mouse();
        self.alternate.has_mouse = has_mouse;
        if reported != self.alternate.reports_mouse() {
            self.send(if reported { Modes::MOUSE_OFF } else { Modes::MOUSE_ON });
        }
    }

    /// Shows something else on the alternate screen; the conversation stays as it is.
    pub(in crate::modes::interactive) fn enter_window(&mut self) {
        if !self.alternate.is_fullscreen {
            self.show_window();
        }
    }

    /// Goes back to the conversation.
    pub(in crate::modes::interactive) fn leave_window(&mut self) {
        if !self.alternate.is_fullscreen {
            self.hide_window();
        }
    }

    pub(super) fn show_window(&mut self) {
        let out = self.alternate.open(self.capabilities.screen(self.insert), self.term.modes());
        self.send(&out);
    }

    pub(super) fn hide_window(&mut self) {
        let mut out = self.alternate.close();
        self.screen.uncover(&mut out);
        self.send(&out);
    }

    /// Begins a frame on the alternate screen; whether the one before is written.
    pub(in crate::modes::interactive) fn begin_window(&mut self) -> bool {
        self.size = self.term.size();
        !self.is_lent && self.term.writer().is_free()
    }

    /// Draws these rows on the alternate screen, and what lies over them.
    pub(in crate::modes::interactive) fn paint(
        &mut self,
        rows: Vec<&Row>,
        caret: Option<(usize, u16)>,
        show_cursor: bool,
        over: &[Overlaid],
    ) {
        let covered = Covered::of(&rows, over, self.size);
        let rows = covered.rows(rows);
        let frame = Frame { rows: &rows, final_rows: 0, caret: covered.caret.or(caret), show_cursor };
        let out = self.alternate.paint(&frame, self.size);
        self.send(&out);
    }
}
