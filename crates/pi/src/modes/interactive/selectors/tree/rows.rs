//! What the tree looks like.

use pi_coding_agent::theme::Token;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Style, wrap};

use super::super::super::panel::PanelRows;
use super::super::super::theme_styles::ThemeStyles;
use super::super::super::{keys, styles};
use super::list::{Aside, TreeList};
use super::nodes::{Node, NodeKind};
use super::shape::Shown;

/// The list has at least so many rows.
const FEWEST: usize = 5;
/// In windows of so many columns the preview stands beside the list.
const WIDE: u16 = 110;
/// Rows of the panel that are not the list's.
const AROUND: usize = 9;

impl TreeList {
    /// Its rows for a window of this size.
    pub(super) fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look, columns);
        out.line(&Line::styled("  Session Tree", look.accent().bold()), columns);
        for hint in self.hints(keys) {
            out.line(&Line::styled(format!("  {hint}"), look.dim()).cut(columns.into(), "…"), columns);
        }
        self.search.set_style(styles::input(look));
        out.field(self.search.rows(columns));
        out.rule(look, columns);
        self.body(&mut out, look, columns, usize::from(height));
        out.line(&Line::styled(self.counter(), look.dim()), columns);
        out.rule(look, columns);
        out
    }

    fn hints(&self, keys: &Keymap) -> [String; 2] {
        // One key each: there is one line for all of them.
        let hint = |action| keys.keys_of(action).first().map(ToString::to_string).unwrap_or_default();
        let moves = format!(
            "{}/{} move · {}/{} branch · {} label · {} label time · {} preview",
            hint(action::SELECT_UP),
            hint(action::SELECT_DOWN),
            hint(keys::TREE_FOLD_OR_UP),
            hint(keys::TREE_UNFOLD_OR_DOWN),
            hint(keys::TREE_EDIT_LABEL),
            hint(keys::TREE_TOGGLE_LABEL_TIMESTAMP),
            hint(action::INPUT_TAB),
        );
        let filters = [
            keys::TREE_FILTER_DEFAULT,
            keys::TREE_FILTER_NO_TOOLS,
            keys::TREE_FILTER_USER_ONLY,
            keys::TREE_FILTER_LABELED_ONLY,
            keys::TREE_FILTER_ALL,
        ];
        let filters = filters.map(hint).join(" ");
        let cycle = format!("{} {}", hint(keys::TREE_FILTER_CYCLE_FORWARD), hint(keys::TREE_FILTER_CYCLE_BACKWARD));
        [moves, format!("filters {filters} · cycle {cycle}")]
    }

    fn body(&mut self, out: &mut PanelRows, look: &ThemeStyles, columns: u16, height: usize) {
        let is_beside = columns >= WIDE;
        let most = (height / 2).max(FEWEST);
        let room = height.saturating_sub(AROUND).max(FEWEST);
        let below = if self.aside == Aside::None || is_beside { 0 } else { (room / 3).max(1) };
        let visible = most.min(room.saturating_sub(below)).max(1);
        self.selection.set_max_visible(visible);
        let width = if self.aside != Aside::None && is_beside { usize::from(columns) / 2 } else { columns.into() };
        let mut lines = self.list(look, width);
        match (self.aside, is_beside) {
            (Aside::None, _) => {}
            (_, true) => {
                let beside = self.aside_lines(look, usize::from(columns) - width - 3, visible);
                lines = join(lines, beside, width, look);
            }
            (_, false) => {
                for line in lines.drain(..) {
                    out.line(&line, columns);
                }
                out.rule(look, columns);
                lines = self.aside_lines(look, usize::from(columns), below);
            }
        }
        for line in lines {
            out.line(&line, columns);
        }
    }

    fn list(&self, look: &ThemeStyles, columns: usize) -> Vec<Line> {
        if self.shown.is_empty() {
            return vec![Line::styled("  No entry fits", look.dim())];
        }
        let at = self.selection.selected();
        // Where branches are deep the list is shifted, so that the selected entry can be read.
        let lead = at.and_then(|at| self.shown.get(at)).map_or(0, |row| row.lead.chars().count());
        let shift = lead.saturating_sub(columns / 3);
        let row = |index: usize| {
            let row = &self.shown[index];
            self.row(row, at == Some(index), self.nodes.active.contains(&row.place), shift, look).cut(columns, "…")
        };
        self.selection.visible().map(row).collect()
    }

    fn row(&self, row: &Shown, is_selected: bool, is_active: bool, shift: usize, look: &ThemeStyles) -> Line {
        let Some(node) = self.node(row.place) else { return Line::new() };
        let lead: String = row.lead.chars().skip(shift).collect();
        let mark = if is_active { "• " } else { "" };
        let mut line = Line::styled(if is_selected { "› " } else { "  " }, look.accent())
            .and(lead, look.dim())
            .and(mark, look.accent());
        if let Some(label) = &node.label {
            line.push(&format!("[{}] ", label.text), look.warning());
            if self.shows_times {
                line.push(&format!("{} ", time(&label.timestamp)), look.dim());
            }
        }
        line.push(&node.role, role(node, look));
        line.push(" ", Style::PLAIN);
        line.push(&node.text, look.text());
        if is_selected { line.over(look.selected()) } else { line }
    }

    fn aside_lines(&self, look: &ThemeStyles, columns: usize, rows: usize) -> Vec<Line> {
        let mut lines = match self.aside {
            Aside::None => Vec::new(),
            Aside::Preview => self.preview_lines(look, columns, rows),
            Aside::Comparison => self.comparison_lines(look, columns, rows),
        };
        if lines.len() > rows {
            lines.truncate(rows.saturating_sub(1));
            lines.push(Line::styled("…", look.dim()));
        }
        lines.resize(rows, Line::new());
        lines
    }

    fn preview_lines(&self, look: &ThemeStyles, columns: usize, rows: usize) -> Vec<Line> {
        let text = match &self.preview {
            Some((place, text)) if Some(*place) == self.selected_place() => text,
            _ => return Vec::new(),
        };
        let lines = text.lines().take(rows + 1);
        lines.flat_map(|line| wrap(&Line::styled(line, look.text()), columns.max(1))).take(rows + 1).collect()
    }

    fn comparison_lines(&self, look: &ThemeStyles, columns: usize, rows: usize) -> Vec<Line> {
        let Some((here, there)) = self.comparison() else { return Vec::new() };
        let mut lines = Vec::new();
        for (title, nodes) in [("Only there", there), ("Only where you are", here)] {
            lines.push(Line::styled(format!("{title} ({})", nodes.len()), look.muted().bold()));
            // One more than there is room for tells that there are more.
            lines.extend(nodes.iter().take(rows + 1).map(|node| {
                let line = Line::styled("  ", Style::PLAIN).and(&node.role, role(node, look));
                line.and(" ", Style::PLAIN).and(&node.text, look.text()).cut(columns, "…")
            }));
        }
        lines
    }

    /// `(4/8) [user-only] [+label time]`
    fn counter(&self) -> String {
        let at = self.selection.selected().map_or(0, |at| at + 1);
        let filter = self.filter_name().map(|name| format!(" [{name}]")).unwrap_or_default();
        let times = if self.shows_times { " [+label time]" } else { "" };
        format!("  ({at}/{}){filter}{times}", self.shown.len())
    }
}

/// Puts lines beside others.
fn join(left: Vec<Line>, right: Vec<Line>, width: usize, look: &ThemeStyles) -> Vec<Line> {
    let count = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let line = |_| {
        let mut line = left.next().unwrap_or_default();
        line.push(&" ".repeat(width.saturating_sub(line.width())), Style::PLAIN);
        line.push(" │ ", look.style(Token::BorderMuted));
        line.append(&right.next().unwrap_or_default());
        line
    };
    (0..count).map(line).collect()
}

fn role(node: &Node, look: &ThemeStyles) -> Style {
    match node.kind {
        NodeKind::User => look.accent(),
        NodeKind::Assistant => look.style(Token::Success),
        NodeKind::Message => look.warning(),
        NodeKind::Tool | NodeKind::Calls => look.muted(),
        NodeKind::Bookkeeping => look.dim(),
    }
}

/// Day and minute of an ISO 8601 time.
fn time(timestamp: &str) -> String {
    timestamp.get(..16).unwrap_or(timestamp).replace('T', " ")
}

#[cfg(test)]
mod tests {
    use pi_coding_agent::settings::TreeFilterMode;
    use pi_coding_agent::theme::{ColourMode, Theme};
    use pi_tui::text::Row;

    use super::super::tests::nodes;
    use super::*;

    fn screen(list: &mut TreeList, columns: u16, height: u16) -> String {
        let look = ThemeStyles::new(Theme::dark(), ColourMode::TrueColour, false);
        let keys = Keymap::new(&[action::TABLE, keys::ACTIONS]);
        let out = list.rows(&look, &keys, columns, height);
        let plain = |row: &Row| Line::from_ansi(row.text()).text().trim_end().to_owned();
        out.rows.iter().map(plain).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_list_alone_with_a_preview_and_with_a_comparison() {
        let mut list = TreeList::new(nodes(), TreeFilterMode::Default, Some(3));
        list.shows_times = true;
        let mut screens = vec![screen(&mut list, 80, 30)];
        list.aside = Aside::Preview;
        list.preview = Some((3, "first line\nsecond line".to_owned()));
        screens.push(screen(&mut list, 80, 30));
        list.aside = Aside::Comparison;
        screens.push(screen(&mut list, 120, 30));
        screens.push(screen(&mut list, 20, 6));
        insta::assert_snapshot!(screens.join("\n\n"));
    }

    #[test]
    fn deep_branches_are_shifted() {
        let mut list = TreeList::new(nodes(), TreeFilterMode::Default, None);
        let shown = screen(&mut list, 12, 30);
        assert!(shown.contains("\n›     • ass"), "{shown}");
    }
}
