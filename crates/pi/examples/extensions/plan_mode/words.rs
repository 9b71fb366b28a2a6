//! What the model and the user read.

use crate::state::{Phase, Plan};

pub(crate) const ON: &str = "Planning: nothing is changed until there is a plan that you like.";
pub(crate) const OFF: &str = "No planning any more: all tools are back.";
pub(crate) const DONE: &str = "The plan is carried out.";

pub(crate) const CARRY_OUT: &str = "Carry it out";
pub(crate) const CHANGE: &str = "Change it";
pub(crate) const KEEP_PLANNING: &str = "Keep planning";
pub(crate) const BEGIN: &str = "Carry out the plan now.";

pub(crate) const PLANNING: &str = "You are planning. Look at whatever you need, but change nothing: the tools that change \
    files are switched off, and in the shell only commands that look run. Ask what you have to know. When you know \
    enough, end your answer with the heading \"Plan:\" and the steps below it, one per line, numbered 1., 2., 3., each \
    something that can be done and checked by itself.";
pub(crate) const NO_CHANGES: &str = "While you plan nothing is changed. Put it into the plan.";

/// Why a command does not run.
pub(crate) fn not_a_look(command: &str) -> String {
    format!("While you plan only commands that look run, and this one may change something: {command}")
}

/// What is told in this phase.
pub(crate) fn instructions(plan: &Plan) -> Option<String> {
    match plan.phase {
        Phase::Off => None,
        Phase::Planning => Some(PLANNING.to_owned()),
        Phase::Doing => Some(doing(plan)),
    }
}

/// What is told while the plan is carried out.
pub(crate) fn doing(plan: &Plan) -> String {
    format!(
        "You are carrying out a plan that the user has agreed to:\n{plan}\nTake the open steps in their order. When you \
        have done one, say so with its number, like this: [DONE:1]"
    )
}
