//! What the list of sessions looks like.

use std::path::Path;

use pi_coding_agent::session::SessionInfo;
use pi_coding_agent::theme::Token;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Row, Style, clusters, width};
use pi_tui::widgets::select::Selection;

use super::super::super::panel::PanelRows;
use super::super::super::theme_styles::ThemeStyles;
use super::super::super::{keys, numbers, styles};
use super::order::ListedSession;
use super::picker::{Doing, Picker, PickerNotice, VISIBLE};
use super::query::title;
use super::work::{Listing, Scope};

/// In lower windows empty rows are left out.
const ROOMY: u16 = 22;

impl Picker {
    /// Its rows for a window of this size.
    pub(super) fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.refresh();
        let is_roomy = height >= ROOMY;
        let mut out = PanelRows::default();
        out.rule(look, columns);
        if is_roomy {
            out.blank();
        }
        self.head(&mut out, look, columns);
        self.hints(&mut out, look, keys, columns);
        if is_roomy {
            out.blank();
        }
        self.field(&mut out, look, columns);
        if is_roomy {
            out.blank();
        }
        self.list(&mut out, look, columns, height);
        self.foot(&mut out, look, keys, columns);
        out.rule(look, columns);
        out
    }

    fn head(&self, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let (here, all, place) = match self.scope {
            Scope::Folder => ("◉", "○", "Current Folder"),
            Scope::All => ("○", "◉", "All"),
        };
        let names = if self.named_only { "Named" } else { "All" };
        let state = format!("{here} Current Folder | {all} All  Name: {names}  Sort: {}", self.sort.label());
        let left = Line::styled(format!("Resume Session ({place})"), look.accent().bold());
        out.line(&spread(left, &Line::styled(state, look.muted()), columns), columns);
    }

    fn hints(&self, out: &mut PanelRows, look: &ThemeStyles, keys: &Keymap, columns: u16) {
        let hint = |action| keys.hint(action);
        let tab = hint(action::INPUT_TAB);
        let search = format!("{tab} scope · re:<pattern> regex · \"phrase\" exact · -word without");
        let path = if self.shows_paths { "on" } else { "off" };
        let mut acts = format!(
            "{} sort · {} named · {} delete · {} path ({path})",
            hint(keys::SESSION_TOGGLE_SORT),
            hint(keys::SESSION_TOGGLE_NAMED),
            hint(keys::SESSION_DELETE),
            hint(keys::SESSION_TOGGLE_PATH)
        );
        if self.may_rename {
            acts.push_str(&format!(" · {} rename", hint(keys::SESSION_RENAME)));
        }
        for text in [search, acts] {
            out.line(&Line::styled(text, look.dim()).cut(usize::from(columns), "…"), columns);
        }
    }

    /// What is typed: a search, or the new name of a session.
    fn field(&mut self, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let field = match &mut self.doing {
            Doing::Rename(_, field) => field.as_mut(),
            _ => &mut self.input,
        };
        field.set_style(styles::input(look));
        out.field(field.rows(columns));
    }

    fn list(&mut self, out: &mut PanelRows, look: &ThemeStyles, columns: u16, height: u16) {
        let around = if height >= ROOMY { 14 } else { 10 };
        self.selection.set_max_visible(usize::from(height).saturating_sub(around).clamp(3, VISIBLE));
        if self.places.is_empty() {
            let text = match (&self.listing, self.is_searching()) {
                (Some(_), _) => return,
                (None, true) => "Searching…",
                (None, false) if self.sessions().is_empty() && self.scope == Scope::Folder => {
                    "No sessions of this folder yet"
                }
                (None, false) if self.sessions().is_empty() => "No sessions yet",
                (None, false) => "No matches",
            };
            out.line(&Line::styled(format!("  {text}"), look.dim()), columns);
            return;
        }
        let now = self.source.host.clock.now_ms();
        for at in self.selection.visible() {
            if let Some(place) = self.places.get(at) {
                let is_selected = self.selection.selected() == Some(at);
                out.rows.extend(self.row(place, is_selected, now, look, columns));
            }
        }
        out.rows.extend(counter(&self.selection, look, columns));
    }

    fn row(&self, place: &ListedSession, is_selected: bool, now: i64, look: &ThemeStyles, columns: u16) -> Option<Row> {
        let session = self.sessions().get(place.index)?;
        let on = |style: Style| if is_selected { style.patch(look.selected()) } else { style };
        let is_current = self.current.as_deref() == Some(&session.path);
        let style = match (is_current, &session.name) {
            (true, _) => look.accent(),
            (false, Some(_)) => look.warning(),
            (false, None) => look.text(),
        };
        let age = numbers::age(now - session.modified);
        let about = format!("{} {age}", session.message_count);
        let about = match self.place_of(session) {
            Some(place) => format!("{}  {about}", end_of(&place, usize::from(columns) / 2)),
            None => about,
        };
        let about = Line::styled(about, on(look.dim()));
        let mark = if is_selected { "› " } else { "  " };
        let left =
            Line::styled(mark, on(look.accent())).and(&place.branches, on(look.dim())).and(title(session), on(style));
        let gap = on(Style::PLAIN);
        let row = Row::new(&spread_over(&left, &about, gap, columns), columns);
        Some(if is_selected { row.filled(look.color(Token::SelectedBg)) } else { row })
    }

    /// Where a session belongs, or its file.
    fn place_of(&self, session: &SessionInfo) -> Option<String> {
        let home = self.source.host.paths.env().home();
        let short = |path: &Path| match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        };
        if self.shows_paths {
            return Some(short(&session.path));
        }
        (self.scope == Scope::All && !session.cwd.is_empty()).then(|| short(Path::new(&session.cwd)))
    }

    /// What is asked or told, what was found, how far reading is.
    fn foot(&self, out: &mut PanelRows, look: &ThemeStyles, keys: &Keymap, columns: u16) {
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        let line = match (&self.doing, &self.told, &self.listing) {
            (Doing::Remove(file), ..) => {
                let question = format!("Delete \"{}\"? ", short_title(&self.title_of(file)));
                Line::styled(question, look.warning()).and(format!("{confirm} delete · {cancel} keep"), look.dim())
            }
            (Doing::Rename(file, _), ..) => {
                let text = format!("New name of \"{}\" · ", short_title(&self.title_of(file)));
                Line::styled(text, look.text()).and(format!("{confirm} rename · {cancel} cancel"), look.dim())
            }
            (Doing::List, Some(PickerNotice::Failed(text)), _) => Line::styled(text, look.error()),
            (Doing::List, Some(PickerNotice::Fine(text)), _) => Line::styled(text, look.muted()),
            (Doing::List, None, Some(listing)) => Line::styled(reading(listing), look.muted()),
            (Doing::List, None, None) => match self.selected().and_then(|session| self.hit(session)) {
                Some(hit) => Line::styled(format!("  {}", hit.excerpt), look.muted()),
                None => Line::new(),
            },
        };
        out.line(&line.cut(usize::from(columns), "…"), columns);
    }
}

fn reading(listing: &Listing) -> String {
    match listing.done() {
        (_, 0) => "Reading sessions…".to_owned(),
        (done, all) => format!("Reading sessions… {done}/{all}"),
    }
}

/// The end of a path, which says more than its beginning.
fn end_of(path: &str, columns: usize) -> String {
    let mut left = columns.saturating_sub(1);
    if width(path) <= columns {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = clusters(path)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .map_while(|(cluster, width)| {
            left = left.checked_sub(width)?;
            Some(cluster)
        })
        .collect();
    kept.push("…");
    kept.reverse();
    kept.concat()
}

fn short_title(title: &str) -> String {
    const LONGEST: usize = 40;
    Line::from(title).cut(LONGEST, "…").text()
}

fn counter(selection: &Selection, look: &ThemeStyles, columns: u16) -> Option<Row> {
    selection.counter().map(|text| Row::styled(&format!("  {text}"), look.dim(), columns))
}

/// One at the left edge and one at the right, which is left out where both do not fit.
fn spread(left: Line, right: &Line, columns: u16) -> Line {
    let columns = usize::from(columns);
    if left.width() + 2 + right.width() > columns {
        return left;
    }
    let gap = columns - left.width() - right.width();
    let mut line = left;
    line.push(&" ".repeat(gap), Style::PLAIN);
    line.append(right);
    line
}

/// The same, but what is at the left is cut, as long as enough of it is left.
fn spread_over(left: &Line, right: &Line, gap: Style, columns: u16) -> Line {
    const ENOUGH: usize = 12;
    let columns = usize::from(columns);
    let room = columns.saturating_sub(right.width() + 2);
    if room < ENOUGH {
        return left.cut(columns, "…");
    }
    let mut line = left.cut(room, "…");
    line.push(&" ".repeat(columns - right.width() - line.width()), gap);
    line.append(right);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_keep_their_end() {
        for (path, columns, expected) in
            [("/a/b", 4, "/a/b"), ("/a/bc", 4, "…/bc"), ("/a/界", 4, "…/界"), ("/a", 0, "…")]
        {
            assert_eq!(end_of(path, columns), expected);
        }
    }

    #[test]
    fn what_is_at_the_right_goes_before_the_title_does() {
        let row =
            |title: &str, columns| spread_over(&Line::from(title), &Line::from("12 3d"), Style::PLAIN, columns).text();
        assert_eq!(row("A long title of a session", 24), "A long title of …  12 3d");
        assert_eq!(row("Short", 24), "Short              12 3d");
        assert_eq!(row("A long title", 12), "A long title");
    }
}
