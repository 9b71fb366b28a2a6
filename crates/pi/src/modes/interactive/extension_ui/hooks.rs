//! Extensions that look at everything that is typed before anybody else. Inputs keep their order: while one is looked at, the
//! next ones wait. A hook that does not answer in time is passed over, and named once.

use std::time::Duration;

use pi_tui::input::{Dialect, Input, Splitter};

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::extension_slots::{Hook, short_name};
use super::super::input;
use super::typed::{for_views, raw};

/// How long an input waits for a hook.
const PATIENCE: Duration = Duration::from_millis(50);

/// Keeps an input until the hooks have seen it; whether there are any.
pub(super) fn take(app: &mut App, input: &Input) -> bool {
    let hooks = &mut app.extensions.hooks;
    if hooks.hooks.is_empty() && !hooks.is_asking {
        return false;
    }
    hooks.waiting.push_back(input.clone());
    go_on(app);
    true
}

/// Asks about the next input, unless one is being asked about.
fn go_on(app: &mut App) {
    let hooks = &mut app.extensions.hooks;
    if hooks.is_asking {
        return;
    }
    let Some(next) = hooks.waiting.pop_front() else { return };
    hooks.is_asking = true;
    let asked = ask(hooks.hooks.clone(), raw(&next));
    app.spawn(asked, move |app, (said, slow)| {
        app.extensions.hooks.is_asking = false;
        for owner in slow {
            name_once(app, &owner);
        }
        match said {
            None => deliver(app, &next),
            Some(text) => split(&text, app.surface.is_kitty()).iter().for_each(|input| deliver(app, input)),
        }
        go_on(app);
    });
}

/// What the hooks make of a text, each of what the one before left, if anything; and those that gave no answer.
async fn ask(hooks: Vec<Hook>, raw: Option<String>) -> (Option<String>, Vec<String>) {
    let (mut said, mut slow) = (None, Vec::new());
    let Some(mut text) = raw else { return (said, slow) };
    for Hook { owner, ask, .. } in hooks {
        let shown = text.clone();
        let looked_at = tokio::spawn(async move { ask(shown).await });
        match tokio::time::timeout(PATIENCE, looked_at).await {
            Ok(Ok(Some(other))) => {
                text = other;
                said = Some(text.clone());
                if text.is_empty() {
                    break;
                }
            }
            Ok(_) => {}
            Err(_) => slow.push(owner),
        }
    }
    (said, slow)
}

fn name_once(app: &mut App, owner: &str) {
    if app.extensions.hooks.slow.insert(owner.to_owned()) {
        let name = short_name(owner);
        let text = format!("{name} is slow to look at what is typed; keys go on without it after 50 ms");
        app.note(NoteKind::Warning, text);
    }
}

fn split(text: &str, is_kitty: bool) -> Vec<Input> {
    let mut splitter = Splitter::new(Dialect { kitty: is_kitty, ..Dialect::default() });
    let mut inputs = Vec::new();
    splitter.feed(text.as_bytes(), &mut inputs);
    splitter.flush(&mut inputs);
    inputs
}

fn deliver(app: &mut App, input: &Input) {
    if !for_views(app, input) {
        input::go_on(app, input);
    }
}
