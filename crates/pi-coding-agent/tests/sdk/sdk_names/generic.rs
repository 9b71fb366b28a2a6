//! Paths of `docs/sdk-names.md` that take closures or conversions: they cannot be named without being called. Nothing of this
//! runs; it is there to be compiled.

use std::ops::ControlFlow::Continue;
use std::path::Path;

use futures::FutureExt;
use pi_coding_agent::agent::{Agent, FnTool};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::events::SessionStartEvent;
use pi_coding_agent::extension::{
    Command, EventBus, ExtensionApi, ExtensionContext, Flag, ProviderRegistration, SendUserMessageOptions, Shortcut,
};
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::sdk::ToolSelection;
use pi_coding_agent::session::{list_all_sessions, list_sessions};

macro_rules! calls {
    ($($path:literal => |$receiver:ident: $type:ty| $call:expr,)*) => {
        /// The paths, and the calls that prove them.
        pub(crate) const GENERIC: &[(&str, &str)] = &[$(($path, stringify!($call))),*];

        #[allow(dead_code, clippy::let_underscore_future, clippy::let_unit_value)]
        fn compiles() {
            $(let _ = |$receiver: $type| { let _ = $call; };)*
        }
    };
}

calls! {
    "agent::Agent::edit_stream_options" => |agent: &Agent| agent.edit_stream_options(|_| {}),
    "agent::Agent::follow_up" => |agent: &Agent| agent.follow_up(pi_ai::UserMessage::text("Hi", 0)),
    "agent::Agent::on_event" => |agent: &Agent| agent.on_event(|_| {}),
    "agent::Agent::on_event_async" => |agent: &Agent| agent.on_event_async(|_, _| async { Ok(()) }),
    "agent::Agent::prompt" => |agent: &Agent| agent.prompt("Hi").boxed(),
    "agent::Agent::set_system_prompt" => |agent: &Agent| agent.set_system_prompt("Be kind."),
    "agent::Agent::steer" => |agent: &Agent| agent.steer(pi_ai::UserMessage::text("Hi", 0)),
    "agent::Agent::with_state" => |agent: &Agent| agent.with_state(|_| {}),
    "agent::FnTool::with_label" => |tool: FnTool| tool.with_label("A tool"),
    "agent_session::AgentSession::on_event" => |session: &AgentSession| session.on_event(|_| {}),
    "agent_session::AgentSession::on_text" => |session: &AgentSession| session.on_text(|_| {}),
    "agent_session::ModelsHandle::set" => |session: &AgentSession| session.models().set("openai/gpt-5").boxed(),
    "agent_session::StoreHandle::read" => |session: &AgentSession| session.store().read(|_| {}),
    "extension::Command::completions" => |command: Command| command.completions(|_| async { None }),
    "extension::Command::description" => |command: Command| command.description("Tells the time."),
    "extension::Command::new" => |name: &str| Command::new(name, |_, _| async { Ok(()) }),
    "extension::EventBus::on" => |bus: &EventBus| bus.on("channel", |_| {}),
    "extension::ExtensionApi::on" => |pi: &ExtensionApi| pi.on(|_: SessionStartEvent, _| async { Ok(()) }),
    "extension::ExtensionApi::register_message_renderer" => |pi: &ExtensionApi| {
        pi.register_message_renderer("mine", |_, _| None);
    },
    "extension::ExtensionApi::register_provider" => |pi: (&ExtensionApi, ProviderRegistration)| {
        pi.0.register_provider("mine", pi.1)
    },
    "extension::ExtensionApi::send_user_message" => |pi: (&ExtensionApi, SendUserMessageOptions)| {
        pi.0.send_user_message("Hi", pi.1).map(drop)
    },
    "extension::ExtensionApi::set_model" => |pi: &ExtensionApi| pi.set_model("openai/gpt-5").boxed(),
    "extension::ExtensionContext::with_manager" => |context: &ExtensionContext| context.with_manager(|_| {}),
    "extension::Flag::boolean" => |name: &str| Flag::boolean(name),
    "extension::Flag::default" => |flag: Flag| flag.default(true),
    "extension::Flag::description" => |flag: Flag| flag.description("Works slowly."),
    "extension::Flag::string" => |name: &str| Flag::string(name),
    "extension::Shortcut::description" => |shortcut: Shortcut| shortcut.description("Works slowly."),
    "extension::Shortcut::new" => |key: &str| Shortcut::new(key, |_| async { Ok(()) }),
    "sdk::ToolSelection::only" => |names: [&str; 1]| ToolSelection::only(names),
    "session::list_sessions" => |at: (&Paths, &Path)| list_sessions(at.0, at.1, None, |_, _| Continue(())),
    "session::list_all_sessions" => |paths: &Paths| list_all_sessions(paths, None, |_, _| Continue(())),
    "models::ModelRegistry::choose" => |models: &ModelRegistry| models.choose("openai/gpt-5"),
}
