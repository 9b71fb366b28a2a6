//! Limits: how many turns, how much money and how much time a session may take. A limit that is reached ends the run between
//! two turns (time: at once) and no further one begins. What a program does then is its own business.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_ai::{AssistantMessage, StopReason};
use tokio::time::Instant;

use super::activity::SummaryKind;
use super::{Inner, SessionEvent, lock};
use crate::config::settings::{Limit, Limits};
use crate::events::{Error, LimitReached, LimitStatus};
use crate::host::plural::counted;

#[derive(Debug, Default)]
pub(crate) struct LimitState {
    limits: Limits,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    turns: u64,
    cost: f64,
    began: Option<Instant>,
    reached: Option<Limit>,
}

impl LimitState {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, used: Mutex::default() }
    }

    /// A prompt is about to be sent.
    ///
    /// # Errors
    /// [`Error::LimitReached`] when nothing is left for it.
    pub(super) fn begin(&self) -> Result<(), Error> {
        let mut used = lock(&self.used);
        if self.limits.per_prompt {
            *used = Used { cost: used.cost, ..Used::default() };
        }
        used.began.get_or_insert_with(Instant::now);
        used.reached = self.exceeded(&used);
        used.reached.map_or(Ok(()), |limit| Err(self.error(limit)))
    }

    /// The limit that leaves nothing for another turn.
    fn exceeded(&self, used: &Used) -> Option<Limit> {
        let time = used.began.zip(self.limits.timeout);
        if self.limits.max_turns.is_some_and(|turns| used.turns >= turns) {
            Some(Limit::MaxTurns)
        } else if self.limits.max_cost.is_some_and(|cost| used.cost >= cost) {
            Some(Limit::MaxCost)
        } else {
            time.is_some_and(|(began, limit)| began.elapsed() >= limit).then_some(Limit::Timeout)
        }
    }

    /// Whether nothing is left for another turn.
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded(&lock(&self.used)).is_some()
    }

    /// An answer is there. One that failed costs, but is no turn: it is repeated.
    pub(super) fn count(&self, answer: &AssistantMessage) {
        let mut used = lock(&self.used);
        used.turns += u64::from(answer.stop_reason != StopReason::Error);
        used.cost += answer.usage.cost.total;
    }

    /// The limit that ended the run.
    pub(super) fn reached(&self) -> Option<Limit> {
        lock(&self.used).reached
    }

    fn deadline(&self) -> Option<Instant> {
        lock(&self.used).began.zip(self.limits.timeout).map(|(began, limit)| began + limit)
    }

    fn error(&self, limit: Limit) -> Error {
        let allowed = match limit {
            Limit::MaxTurns => counted(self.limits.max_turns.unwrap_or_default(), "turn"),
            Limit::MaxCost => format!("${}", self.limits.max_cost.unwrap_or_default()),
            Limit::Timeout => counted(self.limits.timeout.unwrap_or_default().as_secs_f64(), "second"),
        };
        LimitReached { limit, allowed }.into()
    }

    fn status(&self) -> LimitStatus {
        let used = lock(&self.used);
        let Limits { max_turns, max_cost, timeout, .. } = self.limits;
        let spent = used.began.map(|began| began.elapsed()).unwrap_or_default();
        LimitStatus {
            max_turns,
            turns_left: max_turns.map(|turns| turns.saturating_sub(used.turns)),
            max_cost,
            cost_left: max_cost.map(|cost| (cost - used.cost).max(0.0)),
            timeout_ms: timeout.map(milliseconds),
            time_left_ms: timeout.map(|limit| milliseconds(limit.saturating_sub(spent))),
            reached: used.reached,
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Limits of a session: [`AgentSession::limits`](super::AgentSession::limits).
#[derive(Debug, Clone, Copy)]
pub struct LimitsHandle<'a>(pub(super) &'a Arc<Inner>);

impl LimitsHandle<'_> {
    /// The limits in force and what is left of them; `None` where nothing is limited.
    pub fn status(self) -> Option<LimitStatus> {
        (!self.0.run.limits().limits.is_none()).then(|| self.0.run.limits().status())
    }

    /// The limit that ended the last run, as an error with the way out.
    pub fn reached(self) -> Option<Error> {
        self.0.run.limits().reached().map(|limit| self.0.run.limits().error(limit))
    }
}

/// Does the work of a run, and aborts it when its time is over.
pub(super) async fn in_time(session: &Inner, work: impl Future<Output = ()>) {
    let Some(deadline) = session.run.limits().deadline() else { return work.await };
    let mut work = std::pin::pin!(work);
    tokio::select! {
        () = &mut work => return,
        () = tokio::time::sleep_until(deadline) => {}
    }
    reach(session, Limit::Timeout).await;
    session.run.request_abort();
    session.run.activity().cancel_summary(Some(SummaryKind::History));
    work.await;
}

async fn reach(session: &Inner, limit: Limit) {
    lock(&session.run.limits().used).reached = Some(limit);
    let message = session.run.limits().error(limit).to_string();
    session.listeners.emit(SessionEvent::LimitReached { limit, message }).await;
}

/// Has the agent look at the limits between two turns. Without limits nothing is asked.
pub(super) fn install(session: &Arc<Inner>) {
    if session.run.limits().limits.is_none() {
        return;
    }
    let weak = Arc::downgrade(session);
    let hooks = session.run.agent().hooks().with_should_stop_after_turn(move |turn| {
        let session = weak.upgrade();
        async move {
            let Some(session) = session else { return Ok(false) };
            let exceeded = session.run.limits().exceeded(&lock(&session.run.limits().used));
            let Some(limit) = exceeded else { return Ok(false) };
            let calls = turn.message.as_assistant().is_some_and(|answer| answer.stop_reason == StopReason::ToolUse);
            // An answer that is complete was not cut short by anything.
            if calls || session.run.agent().has_queued_messages() {
                reach(&session, limit).await;
            }
            Ok(true)
        }
    });
    session.run.agent().set_hooks(hooks);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(stop_reason: StopReason, cost: f64) -> AssistantMessage {
        let mut answer = AssistantMessage { stop_reason, ..AssistantMessage::default() };
        answer.usage.cost.total = cost;
        answer
    }

    #[test]
    fn turns_and_cost_are_counted_and_the_rest_is_told() {
        let state = LimitState::new(Limits { max_turns: Some(2), max_cost: Some(1.0), ..Limits::default() });
        state.begin().unwrap();
        state.count(&answer(StopReason::ToolUse, 0.25));
        state.count(&answer(StopReason::Error, 0.25));
        let status = state.status();
        assert_eq!((status.turns_left, status.cost_left, status.reached), (Some(1), Some(0.5), None));
        state.begin().unwrap();
        state.count(&answer(StopReason::Stop, 0.0));
        let error = state.begin().unwrap_err().to_string();
        assert!(error.contains("2 turns") && error.contains("max-turns"), "{error}");
        assert_eq!(state.reached(), Some(Limit::MaxTurns));
    }

    #[test]
    fn with_each_prompt_of_a_server_turns_begin_anew_and_cost_does_not() {
        let limits = Limits { max_turns: Some(1), max_cost: Some(1.0), per_prompt: true, ..Limits::default() };
        let state = LimitState::new(limits);
        for _ in 0..2 {
            state.begin().unwrap();
            state.count(&answer(StopReason::Stop, 0.5));
        }
        assert!(matches!(state.begin(), Err(Error::LimitReached(LimitReached { limit: Limit::MaxCost, .. }))));
    }
}
