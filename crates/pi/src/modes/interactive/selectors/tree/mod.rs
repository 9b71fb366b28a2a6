//! `/tree`: all branches of the session, to go to any place in it.
//!
//! `nodes` reads the entries, `shape` says which are shown and how they hang together, `list` is what is selected and folded,
//! `rows` draws it. `go` is what becomes of the choice.

mod go;
mod list;
mod nodes;
mod rows;
mod shape;

use std::cell::RefCell;
use std::rc::Rc;

use pi_coding_agent::settings::TreeFilterMode;
use pi_tui::input::Input;
use pi_tui::keymap::{Action, Keymap, action};

use self::go::{Shared, go};
use self::list::{Aside, TreeList};
use self::nodes::{Nodes, whole_text};
use super::super::app::App;
use super::super::jobs::flat;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::theme_styles::ThemeStyles;
use super::super::{dialogs, keys};
use super::filtered_list::Searched;

/// So many characters of an entry are shown beside the list.
const PREVIEWED: usize = 20_000;

/// Shows the tree.
pub(in crate::modes::interactive) fn tree(app: &mut App) {
    let filter = app.settings().interface().tree_filter_mode();
    read(app, move |app, nodes| match nodes.all.is_empty() {
        true => app.status("The session has no entries yet"),
        false => app.open(TreePanel(Rc::new(RefCell::new(TreeList::new(nodes, filter, None))))),
    });
}

/// Reads the entries beside the loop.
fn read(app: &mut App, then: impl FnOnce(&mut App, Nodes) + 'static) {
    let session = app.session.clone();
    let work = async move { session.store().read_copy(|manager| Nodes::read(manager).map_err(Into::into)).await };
    app.spawn(work, move |app, nodes| match nodes {
        Ok(nodes) => then(app, nodes),
        Err(error) => app.error(error),
    });
}

/// The list, shared with the questions that stand above it.
struct TreePanel(Shared);

impl Panel for TreePanel {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.0.borrow_mut().rows(look, keys, columns, height)
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if let Some(reply) = self.command(input, keys) {
            return reply;
        }
        let mut list = self.0.borrow_mut();
        let list = &mut *list;
        let outcome = list.selection.handle(input, keys);
        match Searched::of(outcome, &mut list.search, input, keys) {
            Searched::Chosen(at) => match list.shown.get(at).and_then(|row| list.node(row.place)) {
                Some(node) => {
                    let (list, id) = (Rc::clone(&self.0), node.id.clone());
                    PanelReply::close_and(move |app| go(app, list, id))
                }
                None => PanelReply::Stay,
            },
            Searched::Cancelled if list.search.is_empty() => PanelReply::Close,
            Searched::Cancelled => {
                list.search.clear();
                list.searched();
                self.look_up(list)
            }
            Searched::Changed => {
                list.searched();
                self.look_up(list)
            }
            Searched::Moved => self.look_up(list),
            Searched::Submitted => PanelReply::Stay,
            Searched::Ignored => PanelReply::Ignored,
        }
    }
}

impl TreePanel {
    /// What the tree's own keys do.
    fn command(&self, input: &Input, keys: &Keymap) -> Option<PanelReply> {
        let Input::Key(event) = input else { return None };
        let is = |action: Action| !event.is_release() && keys.is(event, action);
        let mut list = self.0.borrow_mut();
        let filter = FILTER_KEYS.iter().find(|(action, _)| is(*action));
        // While something is searched for, capitals belong to the search.
        let is_free = list.search.is_empty() || event.text.is_none();
        if let Some((_, filter)) = filter {
            list.toggle_filter(*filter);
        } else if is(keys::TREE_FILTER_CYCLE_FORWARD) {
            list.cycle_filter(1);
        } else if is(keys::TREE_FILTER_CYCLE_BACKWARD) {
            list.cycle_filter(-1);
        } else if is(keys::TREE_FOLD_OR_UP) {
            list.fold_or_go_up();
        } else if is(keys::TREE_UNFOLD_OR_DOWN) {
            list.unfold_or_go_down();
        } else if is(keys::TREE_TOGGLE_LABEL_TIMESTAMP) && is_free {
            list.shows_times = !list.shows_times;
        } else if is(action::INPUT_TAB) {
            list.aside = list.aside.next();
        } else if is(keys::TREE_EDIT_LABEL) && is_free {
            return Some(self.edit_label(&list));
        } else {
            return None;
        }
        Some(self.look_up(&list))
    }

    /// Reads the text of the selected entry if it is to be shown and is not there yet.
    fn look_up(&self, list: &TreeList) -> PanelReply {
        let Some(place) = list.selected_place().filter(|_| list.aside == Aside::Preview) else {
            return PanelReply::Stay;
        };
        if list.preview.as_ref().is_some_and(|(read, _)| *read == place) {
            return PanelReply::Stay;
        }
        let Some(id) = list.node(place).map(|node| node.id.clone()) else { return PanelReply::Stay };
        let list = Rc::clone(&self.0);
        PanelReply::act(move |app| {
            let session = app.session.clone();
            let work = tokio::task::spawn_blocking(move || {
                let entry = session.store().read(|manager| manager.entries().get(&id));
                entry.map(|entry| entry.map(|entry| whole_text(&entry).chars().take(PREVIEWED).collect::<String>()))
            });
            app.spawn(work, move |_, text| {
                let text = match flat(text) {
                    Ok(text) => text.unwrap_or_default(),
                    Err(error) => error,
                };
                list.borrow_mut().preview = Some((place, text));
            });
        })
    }

    fn edit_label(&self, list: &TreeList) -> PanelReply {
        let Some(node) = list.selected_place().and_then(|place| list.node(place)) else { return PanelReply::Stay };
        let label = node.label.as_ref().map(|label| label.text.clone()).unwrap_or_default();
        let (id, list) = (node.id.clone(), Rc::clone(&self.0));
        let text = if label.is_empty() { String::new() } else { format!("Now: {label}. An empty label removes it.") };
        PanelReply::act(move |app| {
            dialogs::line(app, "Label of the entry", text, "a few words", false, move |app, label| {
                if let Some(label) = label {
                    set_label(app, list, id, label.trim().to_owned());
                }
            });
        })
    }
}

const FILTER_KEYS: [(Action, TreeFilterMode); 5] = [
    (keys::TREE_FILTER_DEFAULT, TreeFilterMode::Default),
    (keys::TREE_FILTER_NO_TOOLS, TreeFilterMode::NoTools),
    (keys::TREE_FILTER_USER_ONLY, TreeFilterMode::UserOnly),
    (keys::TREE_FILTER_LABELED_ONLY, TreeFilterMode::LabeledOnly),
    (keys::TREE_FILTER_ALL, TreeFilterMode::All),
];

/// Writes the label, empty to remove it, and reads the entries anew.
fn set_label(app: &mut App, list: Shared, id: String, label: String) {
    let session = app.session.clone();
    let work = tokio::task::spawn_blocking(move || {
        session.tree().set_label(&id, Some(label.as_str()).filter(|label| !label.is_empty()))
    });
    app.spawn(work, move |app, result| match flat(result) {
        Ok(()) => read(app, move |_, nodes| list.borrow_mut().set_nodes(nodes)),
        Err(error) => app.error(error),
    });
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use pi_coding_agent::env::Env;
    use pi_coding_agent::ids::SequentialIds;
    use pi_coding_agent::paths::Paths;
    use pi_coding_agent::session::{SessionHost, SessionManager};

    use super::*;

    /// A question and its answer, and behind them two branches; the session is on the younger one. The end of the other one
    /// has a label.
    pub(super) fn nodes() -> Nodes {
        let message = |id: &str, parent: &str, second: u32, role: &str| {
            let content = match role {
                "user" => format!("\"{id}\""),
                _ => format!(r#"[{{"type":"text","text":"{id}"}}]"#),
            };
            format!(
                r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-01T00:00:0{second}.000Z","message":{{"role":"{role}","content":{content},"timestamp":1}}}}"#
            )
        };
        let lines = [
            message("q1", "null", 1, "user"),
            message("a1", "\"q1\"", 2, "assistant"),
            message("q2a", "\"a1\"", 3, "user"),
            message("a2a", "\"q2a\"", 4, "assistant"),
            message("q2b", "\"a1\"", 5, "user"),
            message("a2b", "\"q2b\"", 6, "assistant"),
        ];
        let dir = Path::new("/nowhere");
        let paths = Paths::new(Env::fixed([("HOME", "/nowhere")]), dir);
        let host = SessionHost { paths, clock: Arc::new(pi_ai::FixedClock(0)), ids: SequentialIds::shared() };
        let mut manager = SessionManager::in_memory_of(host, dir, lines);
        manager.append().label_change("a2a", Some("keep this")).expect("a label");
        manager.branch("a2b").expect("the younger branch");
        Nodes::read(&manager).expect("the entries")
    }
}
