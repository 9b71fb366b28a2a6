//! What is typed: who takes it, in which order.

use pi_coding_agent::agent_session::{CycleDirection, StreamingBehavior};
use pi_tui::input::{Input, KeyEvent, KeyKind};
use pi_tui::keymap::Action;
use pi_tui::widgets::editor::EditorOutcome;

use super::app::App;
use super::panel::PanelReply;
use super::{
    commands, events, external_editor, interrupt, keys, models, pictures, selectors, submit, suspend, theming,
};

/// Takes an input.
pub(super) fn handle(app: &mut App, input: &Input) {
    match input {
        Input::Focus(_) => {}
        Input::Key(event) if event.kind == KeyKind::Release => {}
        Input::Reply(bytes) => {
            app.surface.reply(bytes);
            // The terminal may have told the size of its cells, or that it is one that shows pictures.
            pictures::settle(app);
            theming::reply(app, bytes);
        }
        Input::Key(_) | Input::Paste(_) => {
            if app.panels.is_empty() {
                for_prompt(app, input);
            } else {
                for_panel(app, input);
            }
        }
    }
}

fn for_panel(app: &mut App, input: &Input) {
    let Some(open) = app.panels.last_mut() else { return };
    match open.panel.input(input, &app.keys) {
        PanelReply::Stay => {}
        PanelReply::Ignored => {
            if let Input::Key(event) = input {
                everywhere(app, event);
            }
        }
        PanelReply::Do(act) => act(app),
        PanelReply::Close => drop(app.panels.pop()),
        PanelReply::CloseAnd(act) => {
            // What is done may open another.
            drop(app.panels.pop());
            act(app);
        }
    }
}

/// Keys that act while a panel is shown, too.
fn everywhere(app: &mut App, event: &KeyEvent) -> bool {
    if app.keys.is(event, keys::SUSPEND) {
        suspend::suspend(app);
    } else if app.keys.is(event, keys::TOOLS_EXPAND) {
        events::toggle_expanded(app);
    } else {
        return false;
    }
    true
}

fn for_prompt(app: &mut App, input: &Input) {
    if let Input::Key(event) = input {
        if app.keys.is(event, keys::INTERRUPT) && !app.prompt.is_completing() {
            return interrupt::interrupt(app);
        }
        app.pressed.escape = None;
        if app.keys.binds(event) && for_program(app, event) {
            return;
        }
    }
    if let EditorOutcome::Submit(text) = app.prompt.handle(input, &app.keys) {
        submit::submit(app, &text, StreamingBehavior::Steer);
    }
    super::completion::request(app);
}

/// Keys that are not the editor's; whether it was one.
fn for_program(app: &mut App, event: &KeyEvent) -> bool {
    if app.keys.is(event, keys::CLEAR) {
        interrupt::clear(app);
    } else if app.keys.is(event, keys::EXIT) && app.prompt.editor.is_empty() {
        app.leaving = Some(0);
    } else {
        return for_app(app, event);
    }
    true
}

/// Submits what is in the editor.
fn enter(app: &mut App, behavior: StreamingBehavior) {
    if let Some(text) = app.prompt.take() {
        submit::submit(app, &text, behavior);
    }
}

/// What an action does.
type Act = fn(&mut App);

/// Actions of the program; whether the key was one.
fn for_app(app: &mut App, event: &KeyEvent) -> bool {
    let actions: [(Action, Act); 14] = [
        (keys::MESSAGE_FOLLOW_UP, |app| enter(app, StreamingBehavior::FollowUp)),
        (keys::MESSAGE_DEQUEUE, interrupt::dequeue),
        (keys::THINKING_CYCLE, models::cycle_thinking),
        (keys::THINKING_TOGGLE, events::toggle_thinking),
        (keys::MODEL_SELECT, |app| selectors::model(app, "")),
        (keys::MODEL_CYCLE_FORWARD, |app| models::cycle(app, CycleDirection::Forward)),
        (keys::MODEL_CYCLE_BACKWARD, |app| models::cycle(app, CycleDirection::Backward)),
        (keys::EDITOR_EXTERNAL, external_editor::open),
        (keys::CLIPBOARD_PASTE_IMAGE, super::paste_image::paste),
        (keys::SESSION_NEW, |app| commands::run_named(app, "new")),
        (keys::SESSION_TREE, commands::tree),
        (keys::SESSION_FORK, commands::fork),
        (keys::SESSION_RESUME, selectors::sessions),
        (keys::SUSPEND, suspend::suspend),
    ];
    if everywhere(app, event) {
        return true;
    }
    let Some((_, act)) = actions.into_iter().find(|(action, _)| app.keys.is(event, *action)) else { return false };
    act(app);
    true
}
