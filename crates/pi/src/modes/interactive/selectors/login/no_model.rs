//! Where there is no model at all: the ways to one.

use super::super::super::app::App;
use super::super::super::dialogs;
use super::{Way, local, providers};

/// Offers the ways; whoever cancels writes on.
pub(super) fn open(app: &mut App) {
    let ways = [
        "Sign in with a subscription or an account",
        "Paste an API key",
        "Look for a model server on this machine (Ollama, llama.cpp, LM Studio)",
    ];
    let text = "pi needs a model to talk to. What you wrote stays, and is sent as soon as there is one.";
    dialogs::choose(app, "No model yet", text, ways.map(dialogs::item).into(), |app, index| match index {
        Some(0) => providers(app, Way::SignIn),
        Some(1) => providers(app, Way::Key),
        Some(2) => local::look(app),
        _ => {}
    });
}
