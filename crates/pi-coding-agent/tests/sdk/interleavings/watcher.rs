//! Who hears the events of the session, keeps account of prompts and complains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::Message;
use pi_coding_agent::agent_session::{AgentSession, PromptDisposition, QueuedTexts, SessionEvent};

/// What became of a prompt when it was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Started,
    Queued,
}

impl From<PromptDisposition> for Fate {
    fn from(disposition: PromptDisposition) -> Self {
        match disposition {
            PromptDisposition::Queued => Self::Queued,
            PromptDisposition::Started | PromptDisposition::Handled => Self::Started,
        }
    }
}

pub(super) struct Watcher(Mutex<Account>);

#[derive(Default)]
struct Account {
    heard: Vec<String>,
    complaints: Vec<String>,
    /// What is open, outermost first.
    open: Vec<&'static str>,
    calls: BTreeSet<String>,
    /// Compactions whose end was not told.
    compactions: usize,
    /// The end of one may be told while the next one begins.
    parallel: bool,
    fates: BTreeMap<String, Fate>,
    droppable: BTreeSet<String>,
    /// Texts of the user in the order of their arrival in the conversation.
    delivered: Vec<String>,
    given_back: Vec<String>,
    has_left: bool,
    closes: bool,
    is_closed: bool,
}

impl Watcher {
    pub(super) fn on(session: &AgentSession, parallel: bool) -> Arc<Self> {
        let watcher = Arc::new(Self(Mutex::new(Account { parallel, ..Account::default() })));
        let (hearing, looked_at) = (Arc::clone(&watcher), session.clone());
        session.subscribe(Arc::new(move |event| {
            hearing.hear(&looked_at, &event);
            async {}.boxed()
        }));
        watcher
    }

    fn with<T>(&self, change: impl FnOnce(&mut Account) -> T) -> T {
        change(&mut self.0.lock().unwrap())
    }

    pub(super) fn complain(&self, complaint: String) {
        self.with(|account| account.complain(complaint));
    }

    pub(super) fn heard(&self) -> Vec<String> {
        self.with(|account| account.heard.clone())
    }

    pub(super) fn accept(&self, text: &str, fate: Fate) {
        self.with(|account| {
            account.heard.push(format!("({text}: {fate:?})"));
            account.fates.insert(text.to_owned(), fate);
        });
    }

    pub(super) fn fate(&self, text: &str) -> Option<Fate> {
        self.with(|account| account.fates.get(text).copied())
    }

    pub(super) fn may_be_dropped(&self, text: &str) {
        self.with(|account| account.droppable.insert(text.to_owned()));
    }

    pub(super) fn given_back(&self, texts: &QueuedTexts) {
        self.with(|account| account.given_back.extend(texts.steering.iter().chain(&texts.follow_up).cloned()));
    }

    pub(super) fn leaves(&self) {
        self.with(|account| account.has_left = true);
    }

    pub(super) async fn dispose(&self, session: &AgentSession) {
        self.with(|account| account.closes = true);
        session.dispose().await;
        self.with(|account| account.is_closed = true);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.with(|account| account.is_closed)
    }

    fn hear(&self, session: &AgentSession, event: &SessionEvent) {
        // Not under the lock: nobody else waits for a look at the session.
        let stored = match event {
            SessionEvent::Agent(AgentEvent::MessageEnd { message }) => is_stored(session, message),
            _ => true,
        };
        self.with(|account| {
            account.heard.push(name_of(event));
            if !stored {
                account.complain("a message was told before it was stored".to_owned());
            }
            // A text may be queued at the same moment.
            let is_late = account.parallel && matches!(event, SessionEvent::QueueUpdate { .. });
            if account.is_closed && !is_late {
                account.complain("an event after the end".to_owned());
            }
            account.nest(event);
        });
    }

    /// What is wrong, if anything is.
    pub(super) fn verdict(&self) -> Result<(), String> {
        self.with(|account| {
            account.count();
            match account.complaints.is_empty() {
                true => Ok(()),
                false => Err(format!("{:#?}\nheard: {:#?}", account.complaints, account.heard)),
            }
        })
    }
}

impl Account {
    fn complain(&mut self, complaint: String) {
        self.heard.push(format!("!!! {complaint}"));
        self.complaints.push(complaint);
    }

    fn nest(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Agent(AgentEvent::AgentStart) => {
                if !self.open.is_empty() && self.droppable.is_empty() {
                    self.complain(format!("a run begins inside of {:?}", self.open));
                }
                self.open.clear();
                self.calls.clear();
                self.open.push("run");
            }
            SessionEvent::AgentEnd { .. } => self.close("run"),
            SessionEvent::Agent(AgentEvent::TurnStart) => self.begin("run", "turn"),
            SessionEvent::Agent(AgentEvent::TurnEnd { .. }) => self.close("turn"),
            SessionEvent::Agent(AgentEvent::MessageStart { .. }) => self.begin("turn", "message"),
            SessionEvent::Agent(AgentEvent::MessageUpdate { .. }) => self.inside("message"),
            SessionEvent::Agent(AgentEvent::MessageEnd { message }) => {
                self.close("message");
                if let Message::User(user) = &**message {
                    self.delivered.push(user.content.to_text());
                }
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionStart { tool_call_id, .. }) => {
                self.inside("turn");
                self.calls.insert(tool_call_id.clone());
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionUpdate { tool_call_id, .. })
                if !self.calls.contains(tool_call_id) =>
            {
                self.complain("news of a call that does not run".to_owned());
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionEnd { tool_call_id, .. })
                if !self.calls.remove(tool_call_id) =>
            {
                self.complain("the end of a call that does not run".to_owned());
            }
            SessionEvent::CompactionStart { .. } => {
                self.compactions += 1;
                // Whoever goes away in the middle of a compaction leaves it without an end.
                let (cut_off, late) = (self.droppable.len(), usize::from(self.parallel));
                if self.compactions > 1 + cut_off + late {
                    self.complain("two compactions at once".to_owned());
                }
            }
            SessionEvent::CompactionEnd { result, .. } => {
                // The recovery from an overflow fails without an attempt the second time.
                if self.compactions == 0 && result.is_some() {
                    self.complain("the end of a compaction that did not begin".to_owned());
                }
                self.compactions = self.compactions.saturating_sub(1);
            }
            // Where tasks run at the same time, the next run may begin while listeners are told of it.
            SessionEvent::AgentSettled { .. } if self.parallel => {}
            SessionEvent::AgentSettled { .. } | SessionEvent::AutoRetryStart { .. } => self.outside(event),
            _ => {}
        }
    }

    fn begin(&mut self, parent: &'static str, child: &'static str) {
        self.inside(parent);
        self.open.push(child);
    }

    fn inside(&mut self, parent: &'static str) {
        if self.open.last() != Some(&parent) {
            self.complain(format!("inside of {:?} instead of a {parent}", self.open));
        }
    }

    fn close(&mut self, child: &'static str) {
        self.inside(child);
        self.open.pop();
        if child == "turn" && !self.calls.is_empty() {
            self.complain("a turn ends before its calls".to_owned());
        }
    }

    fn outside(&mut self, event: &SessionEvent) {
        if !self.open.is_empty() && self.droppable.is_empty() {
            self.complain(format!("{} inside of a run", name_of(event)));
        }
    }

    fn count(&mut self) {
        let times = |list: &[String], text: &str| list.iter().filter(|other| *other == text).count();
        for text in self.delivered.clone() {
            if !self.fates.contains_key(&text) {
                self.complain(format!("{text} ran and was never accepted"));
            }
        }
        for (text, fate) in self.fates.clone() {
            let (ran, back) = (times(&self.delivered, &text), times(&self.given_back, &text));
            let may_be_lost = self.closes
                || self.droppable.contains(&text)
                || (fate == Fate::Queued && (self.has_left || !self.droppable.is_empty()));
            if ran + back > 1 || (ran + back == 0 && !may_be_lost) {
                self.complain(format!("{text} ({fate:?}) ran {ran} times and was given back {back} times"));
            }
        }
    }
}

fn is_stored(session: &AgentSession, message: &Arc<Message>) -> bool {
    let Message::User(user) = &**message else { return true };
    let text = serde_json::to_string(&user.content.to_text()).unwrap();
    let Some(file) = session.session_file() else { return true };
    std::fs::read_to_string(file).is_ok_and(|stored| stored.contains(&text))
}

fn name_of(event: &SessionEvent) -> String {
    let name = match event {
        SessionEvent::Agent(AgentEvent::MessageEnd { message }) => match &**message {
            Message::User(user) => format!("MessageEnd {}", user.content.to_text()),
            other => format!("MessageEnd {}", other.role()),
        },
        SessionEvent::Agent(event) => format!("{event:?}"),
        event => format!("{event:?}"),
    };
    name.chars().take(60).collect()
}
