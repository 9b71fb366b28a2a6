//! Where the planning stands: in memory, in the session, on the screen, and in the choice of tools.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use pi_coding_agent::extension::{ExtensionApi, ExtensionContext, HandlerError};
use pi_coding_agent::session::{SessionEntry, SessionManager, StoredEntry};
use serde::{Deserialize, Serialize};

use crate::CHANGES;

/// Type of our entries and messages.
pub(crate) const TYPE: &str = "plan-mode";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    #[default]
    Off,
    Planning,
    /// The plan is carried out.
    Doing,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Step {
    text: String,
    done: bool,
}

/// What is stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) phase: Phase,
    pub(crate) steps: Vec<Step>,
    /// Tools that planning has switched off.
    hidden: Vec<String>,
}

impl Plan {
    pub(crate) fn set_steps(&mut self, texts: Vec<String>) {
        self.steps = texts.into_iter().map(|text| Step { text, done: false }).collect();
    }

    /// Marks steps as done, counted from 1. Returns whether anything changed.
    pub(crate) fn tick_off(&mut self, numbers: &[usize]) -> bool {
        let before = self.done();
        for number in numbers {
            if let Some(step) = number.checked_sub(1).and_then(|index| self.steps.get_mut(index)) {
                step.done = true;
            }
        }
        self.done() > before
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done() == self.steps.len()
    }

    fn done(&self) -> usize {
        self.steps.iter().filter(|step| step.done).count()
    }

    fn status(&self) -> Option<String> {
        match self.phase {
            Phase::Off => None,
            Phase::Planning => Some("planning".to_owned()),
            Phase::Doing => Some(format!("plan {}/{}", self.done(), self.steps.len())),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return write!(f, "There is no plan.");
        }
        for (index, Step { text, done }) in self.steps.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}[{}] {}. {text}", if *done { 'x' } else { ' ' }, index + 1)?;
        }
        Ok(())
    }
}

/// The plan of a session, for all handlers.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) pi: ExtensionApi,
    plan: Arc<Mutex<Plan>>,
}

impl Shared {
    pub(crate) fn new(pi: ExtensionApi) -> Self {
        Self { pi, plan: Arc::default() }
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Plan) -> R) -> R {
        work(&mut self.plan.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the newest plan of the branch. Returns whether there is one.
    pub(crate) async fn read(&self, ctx: &ExtensionContext) -> Result<bool, HandlerError> {
        let newest = |entry: &StoredEntry| {
            let SessionEntry::Custom(custom) = entry.parse() else { return None };
            Plan::deserialize(custom.data.filter(|_| custom.custom_type == TYPE)?).ok()
        };
        let find = |manager: &SessionManager| {
            manager.entries().climb().filter_map(Result::ok).find_map(|entry| newest(&entry))
        };
        let found = ctx.with_manager(find)?;
        let known = found.is_some();
        self.with(|plan| {
            // What was switched off on another branch is still off.
            let hidden = std::mem::take(&mut plan.hidden);
            *plan = found.unwrap_or_default();
            plan.hidden.extend(hidden);
        });
        self.choose_tools()?;
        self.show(ctx).await;
        Ok(known)
    }

    /// Enters another phase and announces it.
    pub(crate) async fn enter(&self, phase: Phase, ctx: &ExtensionContext) -> Result<(), HandlerError> {
        self.with(|plan| plan.phase = phase);
        self.choose_tools()?;
        self.write(ctx).await
    }

    /// Stores the plan and shows it.
    pub(crate) async fn write(&self, ctx: &ExtensionContext) -> Result<(), HandlerError> {
        let data = self.with(|plan| serde_json::to_value(&*plan))?;
        self.pi.append_entry(TYPE, Some(data))?;
        self.show(ctx).await;
        Ok(())
    }

    /// Switches off what planning does not need, and on again what it has switched off.
    fn choose_tools(&self) -> Result<(), HandlerError> {
        let active = self.pi.active_tools()?;
        let (changing, looking): (Vec<_>, Vec<_>) =
            active.into_iter().partition(|name| CHANGES.contains(&name.as_str()));
        let chosen = self.with(|plan| {
            let mut hidden: BTreeSet<String> = plan.hidden.drain(..).chain(changing).collect();
            if plan.phase == Phase::Planning {
                plan.hidden.extend(std::mem::take(&mut hidden));
            }
            looking.into_iter().chain(hidden).collect::<Vec<_>>()
        });
        Ok(self.pi.set_active_tools(&chosen)?)
    }

    async fn show(&self, ctx: &ExtensionContext) {
        let (status, lines) = self.with(|plan| {
            let lines = plan.phase == Phase::Doing;
            (plan.status(), lines.then(|| plan.to_string().lines().map(str::to_owned).collect::<Vec<_>>()))
        });
        ctx.ui().set_status(TYPE, status.as_deref()).await;
        ctx.ui().set_widget(TYPE, lines.as_deref(), None).await;
    }
}
