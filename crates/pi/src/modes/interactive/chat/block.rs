//! A block: something that draws itself, what of it the terminal has been given, and when it changes.

use std::fmt;
use std::rc::Rc;

use pi_tui::document::{Block, Sealing};
use pi_tui::text::Row;

use super::super::shared::Shared;
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
    /// Something that an extension draws, or has a say in.
    Custom(Box<dyn Awaited>),
    /// Something that does not change but with the look and the switches.
    Fixed(Box<dyn Picture>),
}

/// Rows for a width.
pub(in crate::modes::interactive) trait Picture {
    /// All rows.
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row>;

    /// Whether it has more to show than it shows usually.
    fn folds(&self) -> bool {
        false
    }
}

/// Rows that wait for an extension.
pub(in crate::modes::interactive) trait Awaited {
    /// All rows, as far as it has answered.
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row>;

    /// Rises with its answers.
    fn revision(&self) -> u64;

    /// Whether the newest frame showed the last word.
    fn is_settled(&self) -> bool;
}

/// A prime by which the parts of a revision are kept apart.
const MIXING: u64 = 0x0100_0000_01b3;

/// A block of the conversation.
pub(in crate::modes::interactive) struct ChatBlock {
    body: Body,
    shared: Rc<Shared>,
    changes: u64,
    /// Whether all of it is shown, where the user wants it otherwise than for all blocks.
    expanded: Option<bool>,
    /// Whether the user is at it, to fold it.
    is_focused: bool,
    /// The rows drawn last, and what of them the terminal has been given. From then on the picture stays as it was: its
    /// beginning cannot change any more.
    rows: Sealing,
}

impl ChatBlock {
    pub(in crate::modes::interactive) fn new(body: Body, shared: &Rc<Shared>) -> Self {
        let shared = Rc::clone(shared);
        Self { body, shared, changes: 0, expanded: None, is_focused: false, rows: Sealing::default() }
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

    /// Whether it can show more or less than it does: the terminal has none of its rows, and there is a difference.
    pub(in crate::modes::interactive) fn can_fold(&self) -> bool {
        let folds = match &self.body {
            Body::Tool(tool) => !tool.is_custom(),
            Body::Shell(_) => true,
            Body::Fixed(picture) => picture.folds(),
            // Text has no other form, and extensions are told of the switch for all.
            Body::Prose(_) | Body::Custom(_) => false,
        };
        folds && !self.rows.is_sealed()
    }

    /// Shows more or less of it. `is_expanded` says what holds for all blocks.
    pub(in crate::modes::interactive) fn toggle(&mut self, is_expanded: bool) {
        self.expanded = Some(!self.expanded.unwrap_or(is_expanded));
        self.changes += 1;
    }

    pub(in crate::modes::interactive) fn is_focused(&self) -> bool {
        self.is_focused
    }

    pub(in crate::modes::interactive) fn set_focused(&mut self, is_focused: bool) {
        self.changes += u64::from(self.is_focused != is_focused);
        self.is_focused = is_focused;
    }

    /// What it is drawn with.
    fn drawn_with(&self) -> Rc<Shared> {
        let Some(expanded) = self.expanded else { return Rc::clone(&self.shared) };
        let copy = self.shared.copied();
        copy.set_images(self.shared.images());
        copy.set_expanded(expanded);
        copy
    }

    fn is_final(&self) -> bool {
        match &self.body {
            Body::Prose(prose) => prose.is_final(),
            Body::Tool(tool) => tool.is_finished() && tool.is_settled(),
            Body::Custom(custom) => custom.is_settled(),
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
            Body::Custom(custom) => custom.revision(),
            Body::Prose(prose) => prose.transformed(),
            _ => 0,
        };
        // A sum would stay the same where one part falls while another rises: a command that ends no longer ticks.
        let parts = [self.changes, self.shared.revision(), ticks, rendered];
        parts.into_iter().fold(0, |revision: u64, part| revision.wrapping_mul(MIXING).wrapping_add(part))
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        let (shared, first) = (&self.drawn_with(), out.len());
        let rows = match &mut self.body {
            Body::Prose(prose) => return prose.draw(shared, columns, out),
            Body::Tool(tool) => self.rows.draw(out, || tool.rows(shared, columns)),
            Body::Shell(shell) => self.rows.draw(out, || shell.rows(shared, columns)),
            Body::Custom(custom) => self.rows.draw(out, || custom.rows(shared, columns)),
            Body::Fixed(picture) => self.rows.draw(out, || picture.rows(shared, columns)),
        };
        if self.is_focused {
            // In place of the blank row above it. Nothing of it is the terminal's as long as it is marked.
            let mark = Row::styled("▶ ", shared.look().accent(), columns);
            match out.get_mut(first) {
                Some(row) if *row == Row::blank() => *row = mark,
                _ => out.insert(first, mark),
            }
            return 0;
        }
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

    fn forget(&mut self) {
        self.rows.forget();
    }
}

impl fmt::Debug for ChatBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatBlock").field("rows", &self.rows).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pi_agent_core::ToolOutput;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::theme::Theme;
    use serde_json::json;

    use super::super::super::theme_styles::ThemeStyles;
    use super::super::tool::ToolBlock;
    use super::*;

    /// Whenever it ends, and however often something else has changed before.
    #[test]
    fn a_command_that_ends_is_drawn_again() {
        let look = ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([]));
        let shared = Shared::new(look, "/".into(), None);
        for seconds in 0..20 {
            for changes in 0..20 {
                let mut tool = ToolBlock::new("bash", true, None);
                tool.begin(&json!({"command": "true"}), 0);
                let mut block = ChatBlock::new(Body::Tool(Box::new(tool)), &shared);
                shared.set_now_ms(seconds * 1000 + 500);
                let before = block.revision();
                for _ in 0..changes {
                    block.body_mut();
                }
                if let Body::Tool(tool) = block.body_mut() {
                    tool.end(Arc::new(ToolOutput::text("over")), false, shared.now_ms());
                }
                assert_ne!(block.revision(), before, "{changes} changes after {seconds} s");
            }
        }
    }
}
