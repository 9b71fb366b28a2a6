//! What is typed: who takes it, in which order.

use pi_coding_agent::agent_session::{CycleDirection, StreamingBehavior};
use pi_coding_agent::gate::GateMode;
use pi_tui::input::{Input, KeyEvent, KeyKind};
use pi_tui::keymap::{Action, action};
use pi_tui::widgets::editor::EditorOutcome;

use super::app::{App, Pressed};
use super::panel::PanelReply;
use super::{
    block_focus, changes, commands, events, extension_ui, external_editor, footer_data, full_screen, interrupt, keys,
    models, mouse, pictures, queue_view, selectors, submit, suspend, theming, transcript_view, viewport,
};
use crate::common::freed_memory;

/// Takes an input.
pub(super) fn handle(app: &mut App, input: &Input) {
    if let Input::Mouse(event) = input
        && mouse::take(app, event)
    {
        return;
    }
    let is_typed =
        matches!(input, Input::Key(event) if event.kind != KeyKind::Release) || matches!(input, Input::Paste(_));
    if app.full_screen.is_some() && is_typed {
        app.attention.set_focus(true);
        return full_screen::input(app, input);
    }
    if !extension_ui::takes(app, input) {
        go_on(app, input);
    }
}

/// The same for what no extension takes.
pub(super) fn go_on(app: &mut App, input: &Input) {
    match input {
        Input::Focus(is_gained) => app.attention.focus_reported(*is_gained),
        Input::Key(event) if event.kind == KeyKind::Release => {}
        Input::Mouse(_) => {}
        Input::Reply(bytes) => {
            app.surface.reply(bytes);
            // The terminal may have told the size of its cells, or that it is one that shows pictures.
            pictures::settle(app);
            theming::reply(app, bytes);
        }
        Input::Key(_) | Input::Paste(_) => {
            // Whoever writes looks, whatever the terminal said before.
            app.attention.set_focus(true);
            app.viewport.selection = None;
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
        PanelReply::Close => close_panel(app),
        PanelReply::CloseAnd(act) => {
            // What is done may open another.
            close_panel(app);
            act(app);
        }
    }
}

/// A tree, or a list of sessions, may have been large.
fn close_panel(app: &mut App) {
    drop(app.panels.pop());
    freed_memory::return_soon();
}

/// Keys that act while a panel is shown, too.
fn everywhere(app: &mut App, event: &KeyEvent) -> bool {
    if app.keys.is(event, keys::SUSPEND) {
        suspend::suspend(app);
    } else if app.keys.is(event, keys::TOOLS_EXPAND) {
        events::toggle_expanded(app);
    } else {
        return viewport::press(app, event);
    }
    true
}

fn for_prompt(app: &mut App, input: &Input) {
    if let Input::Key(event) = input {
        let is_taken = app.prompt.is_completing() || app.prompt.takes_escape() || app.prompt.editor.is_jumping();
        if app.keys.is(event, keys::INTERRUPT) && !is_taken {
            return interrupt::interrupt(app);
        }
        app.pressed.escape = None;
        if !app.keys.is(event, keys::CLEAR) {
            app.pressed.clear = None;
        }
        if app.keys.binds(event) && for_program(app, event) {
            return;
        }
    }
    if matches!(input, Input::Paste(_)) {
        app.pressed = Pressed::default();
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

/// The next of the modes of asking before calls.
fn cycle_permissions(app: &mut App) {
    let at = GateMode::ALL.iter().position(|mode| *mode == app.gate.mode()).unwrap_or_default();
    let next = GateMode::ALL[(at + 1) % GateMode::ALL.len()];
    app.gate.set_mode(next);
    app.status(match next {
        GateMode::Never => "Nothing asks before it runs",
        GateMode::Commands => "Commands, and tools of servers and extensions, ask before they run",
        GateMode::Edits => "Edits and commands ask before they run",
    });
    footer_data::permissions(app);
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
    if everywhere(app, event) {
        return true;
    }
    let Some((_, act)) = ACTS.into_iter().find(|(action, _)| app.keys.is(event, *action)) else { return false };
    act(app);
    true
}

/// Does what a key of the action with this name does.
pub(super) fn act(app: &mut App, name: &str) {
    let is = |action: Action| action.0 == name;
    if is(action::INPUT_SUBMIT) {
        enter(app, StreamingBehavior::Steer);
    } else if is(keys::INTERRUPT) {
        interrupt::interrupt(app);
    } else if is(keys::CLEAR) {
        interrupt::clear(app);
    } else if is(keys::TOOLS_EXPAND) {
        events::toggle_expanded(app);
    } else if is(keys::EXIT) {
        if app.prompt.editor.is_empty() {
            app.leaving = Some(0);
        }
    } else if let Some((_, act)) = ACTS.into_iter().find(|(action, _)| is(*action)) {
        act(app);
    }
}

/// What actions of the program do.
const ACTS: [(Action, Act); 19] = [
    (keys::MESSAGE_FOLLOW_UP, |app| enter(app, StreamingBehavior::FollowUp)),
    (keys::MESSAGE_DEQUEUE, interrupt::dequeue),
    (keys::MESSAGE_QUEUE, queue_view::open),
    (keys::THINKING_CYCLE, models::cycle_thinking),
    (keys::THINKING_TOGGLE, events::toggle_thinking),
    (keys::PERMISSIONS_CYCLE, cycle_permissions),
    (keys::MODEL_SELECT, |app| selectors::model(app, "")),
    (keys::MODEL_CYCLE_FORWARD, |app| models::cycle(app, CycleDirection::Forward)),
    (keys::MODEL_CYCLE_BACKWARD, |app| models::cycle(app, CycleDirection::Backward)),
    (keys::EDITOR_EXTERNAL, external_editor::open),
    (keys::CLIPBOARD_PASTE_IMAGE, super::paste_image::paste),
    (keys::SESSION_NEW, |app| commands::run_named(app, "new")),
    (keys::SESSION_TREE, commands::tree),
    (keys::SESSION_FORK, commands::fork),
    (keys::SESSION_RESUME, selectors::sessions),
    (keys::BLOCK_FOCUS, block_focus::open),
    (keys::TRANSCRIPT_OPEN, transcript_view::open),
    (keys::CHANGES_OPEN, changes::open),
    (keys::SUSPEND, suspend::suspend),
];
