//! What the session says, on the screen.

use pi_agent_core::AgentEvent;
use pi_coding_agent::agent_session::{CompactionOutcome, CompactionReason, SessionEvent};
use pi_coding_agent::extension::ExtensionError;

use super::app::App;
use super::chat::NoteKind;
use super::status::Activity;
use super::{attention, footer_data, full_screen, keys, pictures, queue_view, submit};

/// Shows an event.
pub(super) fn handle(app: &mut App, event: SessionEvent) {
    match event {
        SessionEvent::Agent(event) => agent(app, &event),
        SessionEvent::AgentEnd { will_retry, .. } => {
            if !will_retry && matches!(app.activity, Activity::Working) {
                app.activity = Activity::None;
            }
        }
        SessionEvent::AgentSettled { aborted } => {
            app.activity = Activity::None;
            footer_data::run_ended(app);
            if !aborted {
                attention::run_ended(app);
            }
        }
        SessionEvent::QueueUpdate { steering, follow_up } => {
            app.pending.steering = steering;
            app.pending.follow_up = follow_up;
            queue_view::refresh(app);
        }
        SessionEvent::CompactionStart { reason } => {
            app.activity = Activity::Compacting(
                match reason {
                    CompactionReason::Manual => "Compacting",
                    CompactionReason::Threshold => "Auto-compacting",
                    CompactionReason::Overflow => "The context is too long for the model. Auto-compacting",
                }
                .to_owned(),
            );
        }
        SessionEvent::CompactionEnd { result, aborted, error_message, .. } => {
            compaction_ended(app, result, aborted, error_message);
        }
        SessionEvent::AutoRetryStart { attempt, max_attempts, delay_ms, .. }
        | SessionEvent::SummarizationRetryScheduled { attempt, max_attempts, delay_ms, .. } => {
            let at_ms = app.now_ms() + delay_ms;
            app.activity = Activity::Retrying { attempt, max_attempts, at_ms };
        }
        SessionEvent::AutoRetryEnd { success, final_error, .. } => {
            if matches!(app.activity, Activity::Retrying { .. }) {
                app.activity = if success { Activity::Working } else { Activity::None };
            }
            if let Some(error) = final_error.filter(|_| !success) {
                app.error(error);
            }
        }
        SessionEvent::SummarizationRetryAttemptStart { .. } => {
            app.activity = Activity::Compacting("Summarising".to_owned());
        }
        SessionEvent::SummarizationRetryFinished => {}
        SessionEvent::ThinkingLevelChanged { .. } => footer_data::model(app),
        SessionEvent::LimitReached { message, .. } => app.note(NoteKind::Warning, message),
        SessionEvent::ExtensionError(error) => extension_failed(app, error),
        SessionEvent::SessionInfoChanged { .. } => footer_data::name(app),
        SessionEvent::EntryAppended { entry } => {
            app.transcript.entry(&entry);
            full_screen::grown(app);
        }
    }
}

/// Says it; `/extensions` lists those that could not be loaded.
fn extension_failed(app: &mut App, error: ExtensionError) {
    if error.event == "load" {
        app.extensions.failed_loads.push((error.extension_path.clone(), error.error.clone()));
    }
    app.error(error);
}

fn compaction_ended(app: &mut App, result: Option<CompactionOutcome>, aborted: bool, error: Option<String>) {
    app.activity = Activity::None;
    app.compaction_failed = result.is_none();
    match (result, error) {
        (Some(outcome), _) => app.transcript.compacted(outcome.tokens_before, outcome.summary),
        (None, _) if aborted => app.status("Compaction cancelled"),
        (None, Some(error)) => app.error(error),
        (None, None) => {}
    }
    footer_data::context(app);
    submit::send_held(app);
}

fn agent(app: &mut App, event: &AgentEvent) {
    match event {
        AgentEvent::AgentStart => app.activity = Activity::Working,
        AgentEvent::TurnStart if !app.activity.moves() || matches!(app.activity, Activity::Retrying { .. }) => {
            app.activity = Activity::Working;
        }
        AgentEvent::MessageEnd { message } => footer_data::message(app, message),
        _ => {}
    }
    app.transcript.agent_event(event);
    if matches!(event, AgentEvent::MessageEnd { .. }) {
        full_screen::grown(app);
    }
    if let AgentEvent::ToolExecutionEnd { result, .. } = event {
        pictures::show(app, result);
    }
}

/// Shows more or less of everything.
pub(super) fn toggle_expanded(app: &mut App) {
    let expanded = !app.shared.is_expanded();
    app.shared.set_expanded(expanded);
}

/// Shows or hides what models think, now and from now on.
pub(super) fn toggle_thinking(app: &mut App) {
    let hidden = !app.shared.hides_thinking();
    app.shared.set_hides_thinking(hidden);
    if let Err(error) = app.settings().interface().set_hide_thinking_block(hidden) {
        app.error(error);
    }
    let key = app.key(keys::THINKING_TOGGLE);
    app.status(if hidden { format!("Thinking is hidden ({key} shows it)") } else { "Thinking is shown".to_owned() });
}
