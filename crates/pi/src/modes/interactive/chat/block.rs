//! A block: something that draws itself, what of it the terminal has been given, and when it changes.

use std::fmt;
use std::rc::Rc;

use pi_tui::document::{Block, Sealing};
use pi_tui::text::Row;

use super::super::shared::Shared;
use super::custom_message::CustomMessageBlock;
use super::prose::Prose;
use super::shell::ShellBlock;
use super::tool::ToolBlock;

/// What a block shows.
pub(in crate::modes::interactive) enum Body {
    /// Text that a model writes.
    Prose(Box<Prose>),
    /// A call of a tool.
    Tool(Box<ToolBlock>),
    /// A command of the user.
    Shell(Box<ShellBlock>),
    /// A message that an extension draws.
    Custom(Box<CustomMessageBlock>),
    /// Something that does not change but with the look and the switches.
    Fixed(Box<dyn Picture>),
}

/// Rows for a width.
pub(in crate::modes::interactive) trait Picture {
    /// All rows.
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row>;
}

/// A block of the conversation.
pub(in crate::modes::interactive) struct ChatBlock {
    body: Body,
    shared: Rc<Shared>,
    changes: u64,
    /// The rows drawn last, and what of them the terminal has been given. From then on the picture stays as it was: its
    /// beginning cannot change any more.
    rows: Sealing,
}

impl ChatBlock {
    pub(in crate::modes::interactive) fn new(body: Body, shared: &Rc<Shared>) -> Self {
        Self { body, shared: Rc::clone(shared), changes: 0, rows: Sealing::default() }
    }

    /// What it shows, to be changed.
    pub(in crate::modes::interactive) fn body_mut(&mut self) -> &mut Body {
        self.changes += 1;
        &mut self.body
    }

    /// What it shows.
    pub(in crate::modes::interactive) fn body(&self) -> &Body {
        &self.body
    }

    fn is_final(&self) -> bool {
        match &self.body {
            Body::Prose(prose) => prose.is_finished(),
            Body::Tool(tool) => tool.is_finished() && tool.is_settled(),
            Body::Custom(message) => message.is_settled(),
            Body::Shell(shell) => shell.is_finished(),
            Body::Fixed(_) => true,
        }
    }
}

impl Block for ChatBlock {
    fn revision(&self) -> u64 {
        // Elapsed times move every second while a command runs.
        let ticks = match &self.body {
            Body::Tool(tool) if tool.is_ticking() => self.shared.now_ms() / 1000,
            _ => 0,
        };
        let rendered = match &self.body {
            Body::Tool(tool) => tool.rendered(),
            Body::Custom(message) => message.revision(),
            _ => 0,
        };
        self.changes + self.shared.revision() + ticks + rendered
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        let shared = &self.shared;
        let rows = match &mut self.body {
            Body::Prose(prose) => return prose.draw(shared, columns, out),
            Body::Tool(tool) => self.rows.draw(out, || tool.rows(shared, columns)),
            Body::Shell(shell) => self.rows.draw(out, || shell.rows(shared, columns)),
            Body::Custom(message) => self.rows.draw(out, || message.rows(shared, columns)),
            Body::Fixed(picture) => self.rows.draw(out, || picture.rows(shared, columns)),
        };
        if self.is_final() { rows } else { 0 }
    }

    fn is_done(&self) -> bool {
        self.is_final()
    }

    fn seal(&mut self, rows: usize) {
        match &mut self.body {
            Body::Prose(prose) => prose.seal(rows),
            _ => self.rows.seal(rows),
        }
    }
}

impl fmt::Debug for ChatBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatBlock").field("rows", &self.rows).finish_non_exhaustive()
    }
}
