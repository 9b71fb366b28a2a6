//! `pi` that makes a plan before it does anything: while it plans it can look at everything and change nothing; then the
//! user decides what becomes of the plan; then its steps are ticked off one after the other.
//!
//! `cargo run -p pi --example plan_mode -- --mode rpc --plan`
//!
//! `/plan` begins and ends planning, `/todos` shows the steps. Which tools only look is a list of names, and so it is for
//! commands of the shell: this keeps a model that means well from beginning too early, and is no sandbox.

mod shell;
mod state;
mod steps;
mod words;

use std::process::ExitCode;
use std::sync::Arc;

use pi::cli;
use pi_ai::Message;
use pi_coding_agent::agent_session::StreamingBehavior;
use pi_coding_agent::extension::events::{
    AgentEndEvent, BeforeAgentStartEvent, BeforeAgentStartOutcome, ContextEvent, ContextOutcome, SessionStartEvent,
    SessionTreeEvent, ToolCallEvent, ToolCallOutcome, TurnEndEvent,
};
use pi_coding_agent::extension::{
    Command, DialogOptions, Extension, ExtensionApi, ExtensionContext, Flag, FlagValue, HandlerError, NotifyKind,
    SendUserMessageOptions, extension_fn,
};
use pi_coding_agent::session::CustomMessageContent;
use serde_json::{Value, json};

use crate::state::{Phase, Shared};
use crate::steps::{done_in, steps_in};
use crate::words::{CARRY_OUT, CHANGE, KEEP_PLANNING};

/// Tools that change something.
const CHANGES: [&str; 2] = ["edit", "write"];

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![plan_mode()]))
}

fn plan_mode() -> Arc<dyn Extension> {
    extension_fn("plan-mode", |pi: ExtensionApi| async move {
        pi.register_flag(Flag::boolean("plan").description("Make a plan before anything is changed"));
        // This runs once per session, so every session has a plan of its own.
        let state = Shared::new(pi.clone());
        handlers(&pi, &state);
        let plan = state.clone();
        pi.register_command(
            Command::new("plan", move |_arguments, ctx| toggle(plan.clone(), (*ctx).clone()))
                .description("Begin or end planning"),
        );
        pi.register_command(
            Command::new("todos", move |_arguments, ctx| {
                let text = state.with(|state| state.to_string());
                async move {
                    ctx.ui().notify(&text, Some(NotifyKind::Info)).await;
                    Ok(())
                }
            })
            .description("Show the steps of the plan"),
        );
        Ok(())
    })
}

fn handlers(pi: &ExtensionApi, state: &Shared) {
    let plan = state.clone();
    pi.on(move |_: SessionStartEvent, ctx| begin(plan.clone(), ctx));
    let plan = state.clone();
    pi.on(move |_: SessionTreeEvent, ctx| {
        let plan = plan.clone();
        async move { plan.read(&ctx).await.map(drop) }
    });
    let plan = state.clone();
    pi.on(move |start: BeforeAgentStartEvent, _ctx| std::future::ready(Ok(instructions(&plan, &start.prompt))));
    let plan = state.clone();
    pi.on(move |event: ContextEvent, _ctx| std::future::ready(Ok(without_old_words(&plan, &event))));
    let plan = state.clone();
    pi.on(move |call: ToolCallEvent, _ctx| std::future::ready(Ok(decide(&plan, &call))));
    let plan = state.clone();
    pi.on(move |turn: TurnEndEvent, ctx| tick_off(plan.clone(), turn, ctx));
    let plan = state.clone();
    pi.on(move |run: AgentEndEvent, ctx| run_is_over(plan.clone(), run, ctx));
}

/// The state is the one of the branch; for a conversation without one the command line decides.
async fn begin(plan: Shared, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let found = plan.read(&ctx).await?;
    if !found && plan.pi.flag("plan") == Some(FlagValue::Boolean(true)) {
        plan.enter(Phase::Planning, &ctx).await?;
    }
    Ok(())
}

async fn toggle(plan: Shared, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let (next, text) = match plan.with(|state| state.phase) {
        Phase::Planning => (Phase::Off, words::OFF),
        Phase::Off | Phase::Doing => (Phase::Planning, words::ON),
    };
    plan.with(|state| state.steps.clear());
    plan.enter(next, &ctx).await?;
    ctx.ui().notify(text, Some(NotifyKind::Info)).await;
    Ok(())
}

/// What the model is told with a prompt. It is not shown: the user knows.
fn instructions(plan: &Shared, prompt: &str) -> BeforeAgentStartOutcome {
    let (phase, text) = plan.with(|state| (state.phase, words::instructions(state)));
    // That one says it itself: whether it waits for its turn or begins a run, it has to be complete.
    let text = text.filter(|_| !prompt.starts_with(words::BEGIN));
    let message = text.map(|text| CustomMessageContent {
        display: false,
        details: Some(json!({ "phase": phase })),
        ..CustomMessageContent::text(state::TYPE, text)
    });
    BeforeAgentStartOutcome { message, ..Default::default() }
}

/// Only the newest instructions count, and only in their phase: a model that reads that it must not change anything would
/// not.
fn without_old_words(plan: &Shared, event: &ContextEvent) -> ContextOutcome {
    let phase = json!(plan.with(|state| state.phase));
    let newest = event.messages.iter().rposition(|message| phase_of(message).is_some());
    let keep = newest.filter(|index| phase_of(&event.messages[*index]) == Some(&phase));
    let messages = event.messages.iter().enumerate();
    let messages = messages.filter(|(index, message)| Some(*index) == keep || phase_of(message).is_none());
    ContextOutcome { messages: Some(messages.map(|(_, message)| Arc::clone(message)).collect()) }
}

/// The phase that instructions of ours are for.
fn phase_of(message: &Message) -> Option<&Value> {
    let Message::Other(other) = message else { return None };
    other.0.get("customType").filter(|kind| *kind == state::TYPE)?;
    other.0.get("details")?.get("phase")
}

/// The tools are switched off already; this is for what another extension switches on, and for the shell.
fn decide(plan: &Shared, call: &ToolCallEvent) -> ToolCallOutcome {
    if plan.with(|state| state.phase != Phase::Planning) {
        return ToolCallOutcome::allow();
    }
    let command = call.input["command"].as_str().unwrap_or_default();
    match call.tool_name.as_str() {
        name if CHANGES.contains(&name) => ToolCallOutcome::block(words::NO_CHANGES),
        "bash" if !shell::only_looks(command) => ToolCallOutcome::block(words::not_a_look(command)),
        _ => ToolCallOutcome::allow(),
    }
}

/// The model says which steps it has done.
async fn tick_off(plan: Shared, turn: TurnEndEvent, ctx: ExtensionContext) -> Result<(), HandlerError> {
    if plan.with(|state| state.phase != Phase::Doing) {
        return Ok(());
    }
    let done = done_in(&text_of(&turn.message));
    let changed = plan.with(|state| state.tick_off(&done));
    if changed { plan.write(&ctx).await } else { Ok(()) }
}

async fn run_is_over(plan: Shared, run: AgentEndEvent, ctx: ExtensionContext) -> Result<(), HandlerError> {
    match plan.with(|state| (state.phase, state.is_done())) {
        (Phase::Planning, _) => {
            let answer = run.messages.iter().rev().find(|message| message.as_assistant().is_some());
            let steps = answer.map(|answer| steps_in(&text_of(answer))).unwrap_or_default();
            if steps.is_empty() || !ctx.has_ui() {
                return Ok(());
            }
            plan.with(|state| state.set_steps(steps));
            plan.write(&ctx).await?;
            what_next(plan, ctx).await
        }
        (Phase::Doing, true) => {
            plan.enter(Phase::Off, &ctx).await?;
            ctx.ui().notify(words::DONE, Some(NotifyKind::Info)).await;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Asks what becomes of the plan. Whoever dismisses the question goes on planning.
async fn what_next(plan: Shared, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let options = [CARRY_OUT, CHANGE, KEEP_PLANNING].map(str::to_owned);
    let answer = ctx.ui().select("What shall become of the plan?", &options, DialogOptions::default()).await;
    let prompt = match answer.as_deref() {
        Some(CARRY_OUT) => {
            plan.enter(Phase::Doing, &ctx).await?;
            plan.with(|state| format!("{}\n\n{}", words::BEGIN, words::doing(state)))
        }
        Some(CHANGE) => ctx.ui().editor("What shall be different?", None).await.unwrap_or_default().trim().to_owned(),
        _ => String::new(),
    };
    if !prompt.is_empty() {
        // The run that asked is not quite over.
        let options = SendUserMessageOptions { deliver_as: Some(StreamingBehavior::FollowUp) };
        plan.pi.send_user_message(prompt, options)?;
    }
    Ok(())
}

fn text_of(message: &Message) -> String {
    let blocks = message.as_assistant().map(|message| message.content.as_slice()).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(pi_ai::ContentBlock::as_text).collect();
    texts.join("\n")
}
