//! Brings the copy of the screen that extensions read up to date, with every frame.

use pi_coding_agent::extension::{ActionKeys, FooterFacts, WindowSize};

use super::app::App;
use super::extension_slots::Slot;
use super::keys;

/// Brings the copy up to date.
pub(super) fn update(app: &App) {
    let mut copied = app.extensions.mirror.read();
    let size = app.surface.size();
    copied.window = WindowSize { columns: size.columns, rows: size.rows };
    copied.is_expanded = app.shared.is_expanded();
    let revision = Some(app.prompt.editor.revision());
    if copied.revision != revision {
        copied.revision = revision;
        copied.text = app.prompt.editor.expanded_text();
    }
    let look = app.shared.look();
    if copied.look != Some(look.version()) {
        copied.look = Some(look.version());
        copied.theme = Some(look.theme().clone());
    }
    if copied.session.is_none() {
        copied.session = Some(app.session.clone());
    }
    if update_footer(app, &mut copied.footer) {
        app.extensions.footer.slot().into_iter().for_each(Slot::mark);
    }
}

/// Whether something has changed.
fn update_footer(app: &App, copied: &mut FooterFacts) -> bool {
    let footer = &app.footer;
    let statuses = copied.statuses.iter().map(|(key, text)| (key, text));
    if copied.branch == footer.branch && copied.providers == footer.providers && statuses.eq(footer.statuses.iter()) {
        return false;
    }
    *copied = FooterFacts {
        branch: footer.branch.clone(),
        statuses: footer.statuses.iter().map(|(key, text)| (key.clone(), text.clone())).collect(),
        providers: footer.providers,
    };
    true
}

/// The keys were read.
pub(super) fn update_keys(app: &App) {
    let keys = app.keys.all().map(|(spec, bound)| ActionKeys {
        action: spec.action.0.to_owned(),
        keys: bound.iter().map(ToString::to_string).collect(),
        description: spec.description.to_owned(),
        acts_in_editor: spec.scope == keys::APP,
    });
    app.extensions.mirror.read().keys = keys.collect();
}
