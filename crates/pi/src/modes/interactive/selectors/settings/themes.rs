//! The theme: one that is tried while it is selected, or a pair that follows the terminal. `/theme` and the list of settings
//! open the same choice.

use std::rc::Rc;

use pi_coding_agent::theme::ThemeChoice;
use pi_tui::widgets::select::SelectItem;

use super::super::super::app::App;
use super::super::super::{dialogs, theming};
use super::super::live_preview;
use super::Shown;

/// The two of the program, for light and for dark terminals.
const AUTOMATIC: &str = "light/dark";

pub(super) fn in_force(app: &App) -> String {
    app.settings().interface().theme_setting().unwrap_or_else(|| "automatic".to_owned())
}

/// `/theme [name]`: takes the theme of that name, a pair `light/dark`, or lets one be chosen.
pub(in crate::modes::interactive) fn theme(app: &mut App, argument: &str) {
    if argument.is_empty() {
        return choose(app, None);
    }
    let setting = if argument.eq_ignore_ascii_case("automatic") { AUTOMATIC } else { argument };
    let (names, choice) = (names(app), ThemeChoice::parse(setting));
    let unknown = choice.names().into_iter().find(|name| !names.iter().any(|known| known == name));
    if let Some(unknown) = unknown {
        return app.error(format!(
            "There is no theme {unknown:?}: choose one of {}, two as light/dark, or automatic",
            names.join(", ")
        ));
    }
    if store(app, setting, None) {
        app.status(format!("Theme: {setting}"));
    }
}

/// What `/theme` takes.
pub(in crate::modes::interactive) fn theme_names(app: &App) -> Vec<String> {
    let mut names = names(app);
    names.push("automatic".to_owned());
    names
}

/// Lets a theme be chosen in the list of settings.
pub(super) fn open(app: &mut App, list: Shown) {
    choose(app, Some(list));
}

fn choose(app: &mut App, list: Option<Shown>) {
    let names = names(app);
    let mut items: Vec<SelectItem> = names.iter().map(dialogs::item).collect();
    let pair = "One theme for light and one for dark terminals";
    items.push(SelectItem { label: "Automatic".to_owned(), description: Some(pair.to_owned()) });
    let setting = app.settings().interface().theme_setting();
    let at = match setting.as_deref().map(ThemeChoice::parse) {
        Some(ThemeChoice::One(name)) => names.iter().position(|other| *other == name).unwrap_or_default(),
        _ => names.len(),
    };
    let tried = names.clone();
    let try_it = move |app: &mut App, index: usize| match tried.get(index) {
        Some(name) => theming::preview(app, name),
        None => theming::reload(app),
    };
    live_preview::choose(app, "Theme", items, at, Rc::new(try_it), move |app, choice| match choice {
        Some(index) if index == names.len() => open_pair(app, names, list),
        Some(index) => {
            store(app, names.get(index).map_or("dark", String::as_str), list.as_ref());
        }
        None => theming::reload(app),
    });
}

/// Lets two be chosen, the one for light terminals first.
fn open_pair(app: &mut App, names: Vec<String>, list: Option<Shown>) {
    let (light, dark) = match app.settings().interface().theme_setting().as_deref().map(ThemeChoice::parse) {
        Some(ThemeChoice::Pair { light, dark }) => (light, dark),
        _ => ("light".to_owned(), "dark".to_owned()),
    };
    one_of(app, "Theme for light terminals", names, &light, move |app, names, light| {
        one_of(app, "Theme for dark terminals", names, &dark, move |app, _, dark| {
            store(app, &format!("{light}/{dark}"), list.as_ref());
        });
    });
}

fn one_of(
    app: &mut App,
    title: &str,
    names: Vec<String>,
    first: &str,
    then: impl FnOnce(&mut App, Vec<String>, String) + 'static,
) {
    let items = names.iter().map(dialogs::item).collect();
    let at = names.iter().position(|name| name == first).unwrap_or_default();
    let tried = names.clone();
    let try_it = move |app: &mut App, index: usize| {
        if let Some(name) = tried.get(index) {
            theming::preview(app, name);
        }
    };
    live_preview::choose(app, title, items, at, Rc::new(try_it), move |app, choice| {
        theming::reload(app);
        if let Some(name) = choice.and_then(|index| names.get(index).cloned()) {
            then(app, names, name);
        }
    });
}

/// The dark and the light one first, then the others.
fn names(app: &App) -> Vec<String> {
    let resources = app.session.resources();
    let all = resources.themes().names();
    let own = all.iter().filter(|name| !matches!(**name, "dark" | "light"));
    ["dark", "light"].iter().chain(own).map(|name| (*name).to_owned()).collect()
}

/// Stores the setting and puts it in force; whether it could be stored.
fn store(app: &mut App, setting: &str, list: Option<&Shown>) -> bool {
    let stored = app.settings().interface().set_theme(setting);
    let is_stored = stored.is_ok();
    if let Err(error) = stored {
        app.error(error);
    }
    theming::reload(app);
    if let Some(list) = list {
        list.borrow_mut().set_value("theme", &in_force(app));
    }
    is_stored
}
