//! Going to the chosen entry: with or without a summary of what is left.

use std::cell::RefCell;
use std::rc::Rc;

use pi_coding_agent::events::{NavigateOptions, NavigateOutcome};
use pi_coding_agent::session::SessionManager;

use super::super::super::app::App;
use super::super::super::jobs::flat;
use super::super::super::status::Activity;
use super::super::super::{dialogs, restore};
use super::TreePanel;
use super::list::TreeList;

/// The tree, to be shown again when somebody changes their mind.
pub(super) type Shared = Rc<RefCell<TreeList>>;

/// The answers to the question, in their order.
const ANSWERS: [&str; 3] = ["No summary", "Summarize", "Summarize with instructions of your own"];

/// Goes to an entry, after the question about a summary unless the settings skip it.
pub(super) fn go(app: &mut App, list: Shared, id: String) {
    if app.session.store().read(|manager| is_here(manager, &id)) {
        app.status("The session is there already");
        return;
    }
    if app.settings().branch_summary().skip_prompt {
        travel(app, list, id, NavigateOptions::default());
        return;
    }
    let items = ANSWERS.map(dialogs::item).into();
    let text = "The branch that you leave stays in the session. A summary of it can go along.";
    dialogs::choose(app, "Summarize the branch?", text, items, move |app, answer| match answer {
        None => app.open(TreePanel(list)),
        Some(0) => travel(app, list, id, NavigateOptions::default()),
        Some(1) => travel(app, list, id, NavigateOptions { summarize: true, ..NavigateOptions::default() }),
        Some(_) => ask_instructions(app, list, id),
    });
}

/// Whether the session goes on from this entry: nothing stands behind it but what was set since.
fn is_here(manager: &SessionManager, id: &str) -> bool {
    let is_setting = |kind: &str| matches!(kind, "model_change" | "thinking_level_change" | "session_info" | "label");
    let mut before = manager
        .entries()
        .climb()
        .map_while(Result::ok)
        .skip_while(|entry| entry.id() != id && is_setting(entry.kind()));
    before.next().is_some_and(|entry| entry.id() == id)
}

fn ask_instructions(app: &mut App, list: Shared, id: String) {
    dialogs::text(app, "What should the summary say?", "", move |app, text| match text {
        None => go(app, list, id),
        Some(text) => {
            let custom_instructions = Some(text).filter(|text| !text.trim().is_empty());
            let options = NavigateOptions { summarize: true, custom_instructions, ..NavigateOptions::default() };
            travel(app, list, id, options);
        }
    });
}

fn travel(app: &mut App, list: Shared, id: String, options: NavigateOptions) {
    let session = app.session.clone();
    if options.summarize {
        app.activity = Activity::Compacting("Summarizing the branch".to_owned());
    }
    let work = tokio::spawn(async move { session.tree().navigate(&id, options).await });
    app.spawn(work, move |app, result| {
        app.activity = Activity::None;
        match flat(result) {
            Ok(outcome) if outcome.aborted => {
                app.status("The summary was cancelled; nothing has changed");
                app.open(TreePanel(list));
            }
            Ok(outcome) if outcome.cancelled => app.status("An extension called that off"),
            Ok(outcome) => arrived(app, outcome),
            Err(error) => app.error(error),
        }
    });
}

fn arrived(app: &mut App, outcome: NavigateOutcome) {
    restore::replay(app);
    if let Some(text) = outcome.editor_text
        && app.prompt.editor.is_empty()
    {
        app.prompt.set_text(&text);
    }
    app.status("The session goes on from here");
}
