//! `pi config`: the resources that there are, to be switched off and on.

use std::sync::Arc;

use pi_coding_agent::packages::{ResourceSwitch, set_resource, shown};
use pi_coding_agent::settings::{SettingsManager, SettingsScope};
use pi_tui::fuzzy;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Row};
use pi_tui::widgets::input::TextInput;
use pi_tui::widgets::select::Selection;

use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;
use super::super::theme_styles::ThemeStyles;
use super::filtered_list::Searched;

/// Rows of the panel beside the list.
const ROWS_AROUND: usize = 10;

/// Finds the resources as the settings have them now.
pub(in crate::modes::interactive) type FindSwitches = Box<dyn Fn() -> Vec<ResourceSwitch>>;

/// The list.
pub(in crate::modes::interactive) struct Resources {
    settings: Arc<SettingsManager>,
    find: FindSwitches,
    switches: Vec<ResourceSwitch>,
    /// Those that fit what is searched for, in their order.
    fitting: Vec<usize>,
    selection: Selection,
    search: TextInput,
    /// Why the last one could not be switched.
    problem: Option<String>,
}

impl Resources {
    pub(in crate::modes::interactive) fn new(
        look: &ThemeStyles,
        settings: Arc<SettingsManager>,
        find: FindSwitches,
    ) -> Self {
        let switches = find();
        let fitting: Vec<usize> = (0..switches.len()).collect();
        let selection = Selection::new(fitting.len(), 1);
        let search = TextInput::new("> ", styles::input(look));
        Self { settings, find, switches, fitting, selection, search, problem: None }
    }

    fn filter(&mut self) {
        let words = |switch: &ResourceSwitch| format!("{} {}", switch.name, resource_title(switch));
        self.fitting = match self.search.text().trim() {
            "" => (0..self.switches.len()).collect(),
            text => {
                // What belongs together stays together, so that each group has one title.
                let mut fitting = fuzzy::rank(text, &self.switches, words);
                fitting.sort_unstable();
                fitting
            }
        };
        self.selection.set_count(self.fitting.len());
    }

    /// Switches the one that is chosen, and reads again what follows from it.
    fn toggle(&mut self, at: usize) {
        let Some(switch) = self.fitting.get(at).and_then(|index| self.switches.get(*index)) else { return };
        let done = set_resource(&self.settings, switch, !switch.enabled);
        self.problem = done.err().map(|error| error.to_string());
        self.switches = (self.find)();
        self.filter();
    }

    fn row(&self, at: usize, look: &ThemeStyles) -> Option<Line> {
        let switch = self.switches.get(*self.fitting.get(at)?)?;
        let is_selected = self.selection.selected() == Some(at);
        let (mark, style) = match (is_selected, switch.enabled) {
            (true, _) => ("→ ", look.accent()),
            (false, true) => ("  ", look.text()),
            (false, false) => ("  ", look.muted()),
        };
        let state = if switch.enabled { "[x] " } else { "[ ] " };
        Some(Line::styled(mark, style).and(state, style).and(&switch.name, style))
    }

    /// The rows of the list that are in view, with a title over each group.
    fn list(&self, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let mut last = String::new();
        for at in self.selection.visible() {
            let switch = self.fitting.get(at).and_then(|index| self.switches.get(*index));
            let title = switch.map(resource_title).unwrap_or_default();
            if title != last {
                out.line(&Line::styled(format!("  {title}"), look.dim()), columns);
                last = title;
            }
            out.rows.extend(self.row(at, look).map(|line| Row::new(&line, columns)));
        }
        if self.fitting.is_empty() {
            let text = if self.switches.is_empty() { "  There are no resources" } else { "  Nothing fits" };
            out.line(&Line::styled(text, look.muted()), columns);
        }
    }
}

impl<H> Panel<H> for Resources {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        // Each row in view may have a title of its own.
        let room = usize::from(height).saturating_sub(ROWS_AROUND);
        self.selection.set_max_visible((room * 2 / 3).clamp(1, 20));
        let used = self.switches.iter().filter(|switch| switch.enabled).count();
        let title = format!("Resources: {used} of {} are used", self.switches.len());
        let mut out = PanelRows::titled(&title, look, columns);
        out.field(self.search.rows(columns));
        out.blank();
        self.list(&mut out, look, columns);
        out.rows.extend(self.selection.counter().map(|text| Row::styled(&format!("  {text}"), look.dim(), columns)));
        if let Some(problem) = &self.problem {
            out.paragraph(problem, look.error(), columns);
        }
        out.blank();
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        out.end(format!("{confirm} switch off or on · {cancel} end · type to search"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H> {
        let outcome = self.selection.handle(input, keys);
        match Searched::of(outcome, &mut self.search, input, keys) {
            Searched::Chosen(at) => self.toggle(at),
            Searched::Cancelled => return PanelReply::Close,
            Searched::Changed => self.filter(),
            Searched::Moved | Searched::Submitted => {}
            Searched::Ignored => return PanelReply::Ignored,
        }
        PanelReply::Stay
    }
}

/// The group of a resource: whose it is, where it comes from, what it is.
pub fn resource_title(switch: &ResourceSwitch) -> String {
    let whose = match switch.scope {
        SettingsScope::Global => "User",
        SettingsScope::Project => "Project",
    };
    let dir = switch.outer.as_ref().map(|dir| format!("in {}", dir.display()));
    let package = switch.package.as_deref().map(shown);
    let parts = [Some(whose.to_owned()), dir, package, Some(switch.kind.key().to_owned())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
