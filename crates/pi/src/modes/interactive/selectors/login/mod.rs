//! `/login` and `/logout`: signing in, storing keys, and forgetting both.
//!
//! `dialog` is a sign-in that goes on, `callbacks` the conversation behind it; `after_login` is what follows from a new key; `no_model` is
//! shown where there is no model at all, `local` looks for servers on this machine.

mod after_login;
mod callbacks;
mod dialog;
mod local;
mod no_model;

pub(in crate::modes::interactive) use self::after_login::refused;

use pi_coding_agent::models::ModelRegistry;
use pi_tui::widgets::select::SelectItem;

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::dialogs;
use super::search_list::SearchList;
use crate::common::credentials::{all_providers, checked_key, has_key, has_login, other_source, state, variable};

/// A way to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    SignIn,
    Key,
}

/// Signs in to a provider, or stores a key for it; asks for what is not said.
pub(in crate::modes::interactive) fn login(app: &mut App, provider: &str) {
    // A file that cannot be read would not be overwritten: not after the user has gone through all of it.
    app.session.models().registry().auth().providers();
    if let Some(problem) = app.session.models().registry().auth().drain_problems().into_iter().next() {
        return app.error(problem);
    }
    if provider.is_empty() {
        return ask_way(app);
    }
    let models = app.session.models().registry().clone();
    let name = provider.to_lowercase();
    let name = models.provider_named(&name).unwrap_or(name);
    match (has_login(&name, &models), has_key(&name, &models)) {
        (true, true) => ask_way_to(app, name),
        (true, false) => dialog::sign_in(app, name),
        (false, true) => ask_key(app, name),
        (false, false) if models.providers().contains(&name) => explain_ambient(app, &name),
        (false, false) => app.note(NoteKind::Warning, format!("There is no provider \"{provider}\"; /login lists all")),
    }
}

const WAYS: [&str; 2] = ["Sign in with a subscription or an account", "Store an API key"];

/// Which way, and then to whom.
fn ask_way(app: &mut App) {
    let items = WAYS.map(dialogs::item).into();
    dialogs::choose(app, "Sign in", "How do you want to reach models?", items, |app, index| match index {
        Some(0) => providers(app, Way::SignIn),
        Some(1) => providers(app, Way::Key),
        _ => {}
    });
}

fn ask_way_to(app: &mut App, provider: String) {
    let title = format!("Sign in to {}", app.session.models().registry().display_name(&provider));
    dialogs::choose(app, title, "", WAYS.map(dialogs::item).into(), move |app, index| match index {
        Some(0) => dialog::sign_in(app, provider),
        Some(1) => ask_key(app, provider),
        _ => {}
    });
}

/// The providers of a way, with what each has.
fn providers(app: &mut App, way: Way) {
    let models = app.session.models().registry().clone();
    let is_of_way = |provider: &String| match way {
        Way::SignIn => has_login(provider, &models),
        // Those that take no key are told so.
        Way::Key => has_key(provider, &models) || !has_login(provider, &models),
    };
    let names: Vec<String> = all_providers(&models).into_iter().filter(is_of_way).collect();
    let items = names.iter().map(|name| item(name, &models)).collect();
    let (title, text) = match way {
        Way::SignIn => ("Sign in", "With which account?"),
        Way::Key => ("Store an API key", "For which provider?"),
    };
    let list = SearchList::new(&app.shared.look(), title, text, items, move |app, index| {
        let Some(provider) = index.and_then(|index| names.into_iter().nth(index)) else {
            // One level up.
            return ask_way(app);
        };
        match way {
            Way::SignIn => dialog::sign_in(app, provider),
            Way::Key if has_key(&provider, app.session.models().registry()) => ask_key(app, provider),
            Way::Key => explain_ambient(app, &provider),
        }
    });
    app.open(list);
}

fn item(provider: &str, models: &ModelRegistry) -> SelectItem {
    let name = models.display_name(provider);
    let label = if name == provider { name } else { format!("{name} ({provider})") };
    let state = state(provider, models);
    let description = if state.is_empty() { "not set up".to_owned() } else { format!("✓ {state}") };
    SelectItem { label, description: Some(description) }
}

/// Providers that find the credentials of their cloud by themselves.
fn explain_ambient(app: &mut App, provider: &str) {
    app.status(format!(
        "{provider} takes its credentials from its cloud's own configuration (environment or files); nothing is stored here. See docs/models.md"
    ));
}

/// Asks for a key and stores it.
fn ask_key(app: &mut App, provider: String) {
    let title = format!("API key for {}", app.session.models().registry().display_name(&provider));
    let text = match variable(&provider) {
        Some(name) => {
            format!("It is stored in auth.json, and not shown. Instead, {name} may be set in the environment.")
        }
        None => "It is stored in auth.json, and not shown.".to_owned(),
    };
    dialogs::line(app, title, text, "", true, move |app, typed| {
        let Some(typed) = typed else { return };
        let stored = checked_key(&typed).map_err(|error| error.to_string()).and_then(|key| {
            app.session.models().registry().auth().set_api_key(&provider, &key).map_err(|error| error.to_string())
        });
        match stored {
            Ok(()) => after_login::has_key(app, &provider, "The API key is stored"),
            Err(error) => app.error(error),
        }
    });
}

/// Forgets what is stored for a provider; asks which.
pub(in crate::modes::interactive) fn logout(app: &mut App, provider: &str) {
    let models = app.session.models().registry().clone();
    let stored = models.auth().providers();
    if let Some(problem) = models.auth().drain_problems().into_iter().next() {
        return app.error(problem);
    }
    if stored.is_empty() {
        return app
            .status("There is no login and no key stored; /logout does not touch the environment or models.json");
    }
    if !provider.is_empty() {
        return match stored.into_iter().find(|name| name.eq_ignore_ascii_case(provider)) {
            Some(name) => forget(app, name),
            None => app.note(NoteKind::Warning, format!("Nothing is stored for \"{provider}\"; /logout lists what is")),
        };
    }
    let items = stored.iter().map(|name| item(name, &models)).collect();
    let text = "What is stored for the chosen one is forgotten.";
    let list = SearchList::new(&app.shared.look(), "Sign out", text, items, move |app, index| {
        if let Some(name) = index.and_then(|index| stored.into_iter().nth(index)) {
            forget(app, name);
        }
    });
    app.open(list);
}

fn forget(app: &mut App, provider: String) {
    let models = app.session.models().registry().clone();
    let auth = models.auth().clone();
    let name = provider.clone();
    app.spawn(async move { auth.forget(&name).await }, move |app, result| match result {
        Ok(()) => {
            let left = other_source(&provider, &models)
                .map_or_else(String::new, |source| format!("; it still has a key: {source}"));
            models.refresh();
            app.status(format!("Forgotten: what was stored for {}{left}", models.display_name(&provider)));
            super::super::footer_data::model(app);
        }
        Err(error) => app.error(error),
    });
}
