//! The rows at the bottom: where we are, what it has cost, how full the context is, which model answers.

use pi_coding_agent::agent_session::ContextUsage;
use pi_tui::text::{Line, Row, Style, width};

use super::numbers::short;
use super::theme_styles::ThemeStyles;

/// What the footer shows.
#[derive(Debug, Default, Clone)]
pub(super) struct Footer {
    /// The directory, with `~`.
    pub(super) cwd: String,
    /// The branch of Git.
    pub(super) branch: Option<String>,
    /// The session's name.
    pub(super) name: Option<String>,
    /// Tokens of the whole session file.
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_write: u64,
    /// Share of cached tokens in the newest answer, in percent.
    pub(super) cache_hits: Option<f64>,
    /// In dollars.
    pub(super) cost: f64,
    /// Whether a subscription pays.
    pub(super) is_subscription: bool,
    pub(super) context: Option<ContextUsage>,
    pub(super) auto_compaction: bool,
    /// Before what the user is asked; nothing where nothing asks.
    pub(super) asks: Option<&'static str>,
    pub(super) provider: Option<String>,
    /// How many providers have a key.
    pub(super) providers: usize,
    pub(super) model: String,
    /// The thinking level of a model that thinks.
    pub(super) thinking: Option<String>,
    /// Statuses of extensions, by key.
    pub(super) statuses: std::collections::BTreeMap<String, String>,
}

impl Footer {
    pub(super) fn rows(&self, look: &ThemeStyles, columns: u16) -> Vec<Row> {
        let mut rows =
            vec![Row::new(&self.place(look).cut(usize::from(columns), "..."), columns), self.figures(look, columns)];
        if !self.statuses.is_empty() {
            let texts: Vec<String> = self.statuses.values().map(|text| text.replace(['\n', '\r'], " ")).collect();
            rows.push(Row::foreign(&texts.join(" "), columns).0);
        }
        rows
    }

    fn place(&self, look: &ThemeStyles) -> Line {
        let mut text = self.cwd.clone();
        if let Some(branch) = &self.branch {
            text.push_str(&format!(" ({branch})"));
        }
        if let Some(name) = &self.name {
            text.push_str(&format!(" • {name}"));
        }
        Line::styled(text, look.dim())
    }

    fn figures(&self, look: &ThemeStyles, columns: u16) -> Row {
        let columns_wide = usize::from(columns);
        let left = self.usage(look);
        let room = columns_wide.saturating_sub(left.width() + 2);
        let long = self.model_text(true);
        let right = if width(&long) <= room { long } else { self.model_text(false) };
        let right = Line::styled(right, look.dim()).cut(room, "");
        if right.is_empty() {
            return Row::new(&left.cut(columns_wide, "..."), columns);
        }
        let gap = columns_wide.saturating_sub(left.width() + right.width());
        let mut line = left;
        line.push(&" ".repeat(gap), Style::PLAIN);
        line.append(&right);
        Row::new(&line, columns)
    }

    fn usage(&self, look: &ThemeStyles) -> Line {
        let mut parts = Vec::new();
        for (sign, count) in [("↑", self.input), ("↓", self.output), ("R", self.cache_read), ("W", self.cache_write)]
        {
            if count > 0 {
                parts.push(format!("{sign}{}", short(count)));
            }
        }
        if let Some(hits) = self.cache_hits.filter(|_| self.cache_read + self.cache_write > 0) {
            parts.push(format!("CH{hits:.1}%"));
        }
        match self.is_subscription {
            true => parts.push(format!("${:.3} (sub)", self.cost)),
            false if self.cost > 0.0 || self.output > 0 => parts.push(format!("${:.3}", self.cost)),
            false => {}
        }
        let mut line = Line::styled(parts.join(" "), look.dim());
        if !parts.is_empty() {
            line.push(" ", look.dim());
        }
        self.push_context(&mut line, look);
        if let Some(asks) = self.asks {
            line.push(&format!(" • asks: {asks}"), look.accent());
        }
        line
    }

    fn push_context(&self, line: &mut Line, look: &ThemeStyles) {
        let Some(context) = &self.context else { return };
        let (text, style) = match context.percent {
            None => ("?".to_owned(), look.dim()),
            Some(percent) if percent > 90.0 => (format!("{percent:.1}%"), look.error()),
            Some(percent) if percent > 70.0 => (format!("{percent:.1}%"), look.warning()),
            Some(percent) => (format!("{percent:.1}%"), look.dim()),
        };
        let auto = if self.auto_compaction { " (auto)" } else { "" };
        line.push(&format!("{text}/{}{auto}", short(context.context_window)), style);
    }

    fn model_text(&self, with_provider: bool) -> String {
        let provider = self.provider.as_deref().filter(|_| with_provider);
        let mut text = provider.map(|provider| format!("({provider}) ")).unwrap_or_default();
        text.push_str(&self.model);
        if let Some(level) = &self.thinking {
            text.push_str(&if level == "off" { " • thinking off".to_owned() } else { format!(" • {level}") });
        }
        text
    }
}
