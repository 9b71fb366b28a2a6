//! The table of events: what each is called and answered with, and all that is to be known of it by its name. Everything else
//! that goes through all events is made from it: the names, [`Event`](super::Event), subscribing by name, the table of
//! `docs/extensions.md`.

/// What is to be known of an event by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventInfo {
    /// Its name.
    pub name: &'static str,
    /// When it comes, as the documentation says it. Empty where the name says it.
    pub when: &'static str,
    /// What handlers may answer. Empty where what they return means nothing.
    pub answer: &'static str,
    /// What becomes of the answers of several handlers.
    pub several: &'static str,
    /// The fields whose changes in place count. A returned field goes before a changed one.
    pub mutable: &'static [&'static str],
    /// Whether also another value counts that is put into such a field, where the handler returns something.
    pub is_assignable: bool,
    /// Where fields are that are made when somebody looks at them: names from the outside inwards, with dots between. All of
    /// an event show one value; each is the last of its object.
    pub late: &'static [&'static str],
    /// Whether a handler that fails ends what the event asks about, instead of being reported.
    pub fails_closed: bool,
}

impl EventInfo {
    /// An event whose handlers are called and whose answers mean nothing.
    pub(super) const PLAIN: Self = Self {
        name: "",
        when: "",
        answer: "",
        several: "",
        mutable: &[],
        is_assignable: false,
        late: &[],
        fails_closed: false,
    };

    /// What is known of the event of this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        super::EVENTS.iter().find(|event| event.name == name)
    }

    /// Whether it matters what handlers return.
    pub fn is_asked(&self) -> bool {
        !self.answer.is_empty()
    }
}

/// Hands the table to another macro: the event that comes before there is a session, and those that the handlers of a
/// session hear of. A new event is a row here and its type in a file beside this one; `JsonForm` in `json/` is
/// written by hand only for an event that is answered or has late fields.
macro_rules! event_table {
    ($then:ident) => {
        $then! {
            before_session {
                ProjectTrustEvent = "project_trust" => TrustOutcome {
                    when: "before a session on the command line, where nothing was said for this run and the project has something that needs [trust](cli.md#trust); in a program of your own when that calls `ask_trust`",
                    answer: "whether the project is trusted, and whether that is stored; comes before what was stored",
                    several: "the first yes or no counts",
                }
            }
            session {
                SessionStartEvent = "session_start" => () {
                    when: "a session begins: `startup`, `new`, `resume`, `fork`, `reload`",
                }
                ResourcesDiscoverEvent = "resources_discover" => ResourcesOutcome {
                    when: "right after that",
                    answer: "paths of skills, templates, themes",
                    several: "all are taken, the user's own win",
                }
                SessionBeforeSwitchEvent = "session_before_switch" => CancelOutcome {
                    when: "the session is to be left for another one",
                    answer: "cancel",
                    several: "the first that cancels ends it",
                }
                SessionBeforeForkEvent = "session_before_fork" => ForkOutcome {
                    when: "the session is to be left for a copy of one of its branches",
                    answer: "cancel, or copy all of the branch",
                    several: "the first that cancels ends it, else the last counts",
                }
                SessionShutdownEvent = "session_shutdown" => () {
                    when: "the extension's time is over",
                }
                SessionBeforeCompactEvent = "session_before_compact" => BeforeCompactOutcome {
                    when: "history is to be summarised",
                    answer: "cancel, or the summary",
                    several: "the first that cancels ends it, else the last counts",
                }
                SessionCompactEvent = "session_compact" => () {
                    when: "it was",
                }
                SessionCompactFailedEvent = "session_compact_failed" => () {
                    when: "it was not: `reason`, `errorMessage` or `aborted`, `willRetry`, `fromExtension`",
                }
                SessionBeforeTreeEvent = "session_before_tree" => BeforeTreeOutcome {
                    when: "the conversation is to go on elsewhere in its tree",
                    answer: "cancel, a summary, other instructions, a label",
                    several: "the first that cancels ends it, else the last counts",
                }
                SessionTreeEvent = "session_tree" => () {
                    when: "it does",
                }
                InputEvent = "input" => InputOutcome {
                    when: "the user said something",
                    answer: "other text and images, or that it is dealt with",
                    several: "each sees what the one before made; `Handled` ends it",
                }
                BeforeAgentStartEvent = "before_agent_start" => BeforeAgentStartOutcome {
                    when: "a prompt begins a run",
                    answer: "a message behind the prompt, another system prompt",
                    several: "all messages; each sees the prompt of the one before",
                }
                AgentSettledEvent = "agent_settled" => () {
                    when: "a prompt is done, with all the runs that followed from it; `aborted` says whether the last answer was",
                }
                AgentStartEvent = "agent_start" => () {
                    when: "as in [agent-loop.md](agent-loop.md)",
                }
                AgentEndEvent = "agent_end" => () {
                    when: "as in [agent-loop.md](agent-loop.md)",
                }
                TurnStartEvent = "turn_start" => () {
                    when: "as in [agent-loop.md](agent-loop.md)",
                }
                TurnEndEvent = "turn_end" => () {
                    when: "as in [agent-loop.md](agent-loop.md)",
                }
                ContextEvent = "context" => ContextOutcome {
                    when: "before a model call",
                    answer: "other messages for this call",
                    several: "each sees what the one before made",
                    mutable: &["messages"],
                }
                BeforeProviderHeadersEvent = "before_provider_headers" => HeadersOutcome {
                    when: "a request is to be made",
                    answer: "other headers than those that the configuration adds; in TypeScript by changing `event.headers`, `null` leaves one out",
                    several: "each sees what the one before made",
                    mutable: &["headers"],
                }
                BeforeProviderRequestEvent = "before_provider_request" => PayloadOutcome {
                    when: "a request is to be sent",
                    answer: "another body",
                    several: "each sees what the one before made",
                    mutable: &["payload"],
                }
                AfterProviderResponseEvent = "after_provider_response" => () {
                    when: "the headers of the answer are there",
                }
                MessageStartEvent = "message_start" => () {}
                MessageUpdateEvent = "message_update" => () {
                    late: &["assistantMessageEvent.partial", "message"],
                }
                MessageEndEvent = "message_end" => MessageEndOutcome {
                    when: "a message is complete",
                    answer: "another one of the same role",
                    several: "each sees what the one before made",
                    mutable: &["message"],
                }
                ToolExecutionStartEvent = "tool_execution_start" => () {}
                ToolExecutionUpdateEvent = "tool_execution_update" => () {
                    late: &["partialResult"],
                }
                ToolExecutionEndEvent = "tool_execution_end" => () {}
                ToolCallEvent = "tool_call" => ToolCallOutcome {
                    when: "a call with valid arguments is to run",
                    answer: "block it with a reason, or other arguments",
                    several: "the first that blocks ends it; each sees the arguments of the one before",
                    mutable: &["input"],
                    fails_closed: true,
                }
                ToolResultEvent = "tool_result" => ToolResultOutcome {
                    when: "a tool has run",
                    answer: "other content, details, failure",
                    several: "each sees what the one before made",
                    mutable: &["content", "details", "isError"],
                    is_assignable: true,
                }
                ModelSelectEvent = "model_select" => () {
                    when: "another one is in force",
                }
                ThinkingLevelSelectEvent = "thinking_level_select" => () {
                    when: "another one is in force",
                }
                UserBashEvent = "user_bash" => UserBashOutcome {
                    when: "a command of the user (`!`) on a terminal",
                    answer: "who runs it, or the result",
                    several: "the first counts",
                }
            }
        }
    };
}
pub(in crate::extension) use event_table;
