//! What scripts let a session beside the own one do.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, Model, ThinkingLevel, UserContent};
use pi_script::{Args, Data, OpError, Permission};
use serde::Deserialize;

use super::super::actions::{Delivery, ScriptMessage};
use super::super::replace::Navigation;
use super::super::{Ops, ai, json as as_json};
use super::create::{ScriptScope, known_model};
use super::{beside, detached, done};
use crate::host::ScriptHost;
use crate::link::Link;
use crate::operations::ScriptBash;
use crate::state::Beside;
use pi_coding_agent::agent_session::{AgentSession, BashOptions, CycleDirection, PromptOptions, StreamingBehavior};
use pi_coding_agent::extension::events::InputSource;

pub(super) fn add(ops: &mut Ops<'_>) {
    add_prompts(ops);
    add_runs(ops);
    add_choices(ops);
    add_switches(ops);
    add_outside(ops);
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Prompting {
    expand_prompt_templates: Option<bool>,
    images: Vec<ContentBlock>,
    streaming_behavior: Option<StreamingBehavior>,
    source: Option<String>,
}

impl Prompting {
    fn options(self) -> PromptOptions {
        let source = match self.source.as_deref() {
            Some("rpc") => InputSource::Rpc,
            Some("extension") => InputSource::Extension,
            _ => InputSource::Interactive,
        };
        PromptOptions {
            images: self.images,
            expand: self.expand_prompt_templates.unwrap_or(true),
            streaming_behavior: self.streaming_behavior,
            source,
            on_accepted: None,
        }
    }
}

/// An operation on a session that takes its time.
fn spawned<F, T>(ops: &mut Ops<'_>, name: &str, work: impl Fn(AgentSession, T) -> F + Send + Sync + Copy + 'static)
where
    F: Future<Output = Result<Data, pi_coding_agent::agent_session::Error>> + Send + 'static,
    T: FromArgs + Send + 'static,
{
    ops.spawned(name, move |host, _, mut args| async move {
        let session = beside(&host, &mut args)?.session.clone();
        let said = T::from_args(&mut args)?;
        detached(host, work(session, said)).await
    });
}

/// What an operation is told besides the session.
trait FromArgs: Sized {
    fn from_args(args: &mut Args) -> Result<Self, OpError>;
}

impl FromArgs for () {
    fn from_args(_: &mut Args) -> Result<Self, OpError> {
        Ok(())
    }
}

/// Two arguments; what is left out has its default.
struct Said<A, B = ()>(A, B);

impl<A: serde::de::DeserializeOwned, B: serde::de::DeserializeOwned + Default> FromArgs for Said<A, B> {
    fn from_args(args: &mut Args) -> Result<Self, OpError> {
        Ok(Self(args.parse(1)?, args.parse::<Option<B>>(2)?.unwrap_or_default()))
    }
}

fn nothing((): ()) -> Data {
    Data::Undefined
}

fn add_prompts(ops: &mut Ops<'_>) {
    ops.spawned("agents.prompt", |host, _, mut args| async move {
        let beside = beside(&host, &mut args)?;
        let (text, said) = (args.text(1)?, args.parse::<Option<Prompting>>(2)?.unwrap_or_default());
        permit_model(&host, &beside).await?;
        let session = beside.session.clone();
        detached(host, async move { session.prompt(&text, said.options()).await }).await.and_then(done)
    });
    ops.spawned("agents.sendUserMessage", |host, _, mut args| async move {
        let beside = beside(&host, &mut args)?;
        let (content, said): (UserContent, _) =
            (args.parse(1)?, args.parse::<Option<Delivery>>(2)?.unwrap_or_default());
        permit_model(&host, &beside).await?;
        let session = beside.session.clone();
        let sent = async move { session.queue().send_user_message(content, said.for_prompt()).await };
        detached(host, sent).await.and_then(done)
    });
    ops.spawned("agents.sendCustomMessage", |host, _, mut args| async move {
        let beside = beside(&host, &mut args)?;
        let (message, said): (ScriptMessage, _) =
            (args.parse(1)?, args.parse::<Option<Delivery>>(2)?.unwrap_or_default());
        permit_model(&host, &beside).await?;
        let session = beside.session.clone();
        let sent = async move { session.queue().send_custom_message(message.into(), said.for_message()).await };
        detached(host, sent).await.and_then(done)
    });
    spawned(ops, "agents.steer", |session, Said(text, images): Said<String, Vec<ContentBlock>>| async move {
        session.queue().steer(&text, images).await.map(nothing)
    });
    spawned(ops, "agents.followUp", |session, Said(text, images): Said<String, Vec<ContentBlock>>| async move {
        session.queue().follow_up(&text, images).await.map(nothing)
    });
}

/// Whether the script may have the session's model called.
async fn permit_model(host: &ScriptHost, beside: &Beside) -> Result<(), OpError> {
    ai::permit_call(host, &beside.session.model(), &Default::default()).await
}

fn add_runs(ops: &mut Ops<'_>) {
    spawned(ops, "agents.abort", |session, ()| async move {
        session.abort().await;
        Ok(Data::Undefined)
    });
    spawned(ops, "agents.waitForIdle", |session, ()| async move {
        session.wait_for_idle().await;
        Ok(Data::Undefined)
    });
    spawned(ops, "agents.compact", |session, Said(instructions, ()): Said<Option<String>>| async move {
        let outcome = session.compaction().run(instructions.as_deref()).await?;
        Ok(Data::json(&outcome))
    });
    spawned(ops, "agents.navigateTree", |session, Said(target, said): Said<String, Navigation>| async move {
        Ok(Data::json(&session.tree().navigate(&target, said.into()).await?))
    });
    act(ops, "agents.requestAbort", |session, _| {
        session.request_abort();
        Ok(())
    });
    act(ops, "agents.abortCompaction", |session, _| {
        session.compaction().abort();
        Ok(())
    });
    act(ops, "agents.abortRetry", |session, _| {
        session.retry().abort();
        Ok(())
    });
    act(ops, "agents.abortBash", |session, _| {
        session.shell().abort();
        Ok(())
    });
    ops.notify("agents.clearQueue", "clear_queue", |host, mut args| {
        let session = beside(host, &mut args)?.session.clone();
        Ok(async move {
            session.queue().clear().await;
            Ok(())
        })
    });
}

/// An operation that is done at once and has nothing to say.
fn act(
    ops: &mut Ops<'_>,
    name: &str,
    work: impl Fn(&AgentSession, &mut Args) -> Result<(), OpError> + Send + Sync + 'static,
) {
    ops.sync(name, move |host, _, mut args| {
        let beside = beside(host, &mut args)?;
        let _runtime = host.enter();
        work(&beside.session, &mut args).and_then(done)
    });
}

fn add_choices(ops: &mut Ops<'_>) {
    ops.spawned("agents.setModel", |host, _, mut args| async move {
        let beside = beside(&host, &mut args)?;
        let model = known_model(beside.session.models().registry(), args.parse::<Model>(1)?);
        ai::permit_call(&host, &model, &Default::default()).await?;
        let session = beside.session.clone();
        detached(host, async move { session.models().set(model).await }).await.and_then(done)
    });
    ops.spawned("agents.cycleModel", |host, _, mut args| async move {
        let session = beside(&host, &mut args)?.session.clone();
        let direction = match args.text_or_none(1)?.as_deref() {
            Some("backward") => CycleDirection::Backward,
            _ => CycleDirection::Forward,
        };
        let cycle = detached(host, async move { Ok(session.models().cycle(direction).await) }).await?;
        let said = cycle.map(|cycle| {
            serde_json::json!({"model": &*cycle.model, "thinkingLevel": cycle.thinking_level, "isScoped": cycle.is_scoped})
        });
        Ok(said.map_or(Data::Undefined, Data::from))
    });
    ops.notify("agents.setThinkingLevel", "set_thinking_level", |host, mut args| {
        let session = beside(host, &mut args)?.session.clone();
        let level: ThinkingLevel =
            args.parse(1).map_err(|error: OpError| OpError::new(format!("No such thinking level. {error}")))?;
        Ok(async move {
            session.thinking().set(level).await;
            Ok(())
        })
    });
    ops.notify("agents.setSessionName", "set_session_name", |host, mut args| {
        let (session, name) = (beside(host, &mut args)?.session.clone(), args.text(1)?);
        Ok(async move { session.name().set(&name).await })
    });
    act(ops, "agents.setScopedModels", |session, args| {
        let scope: Vec<ScriptScope> = args.parse(1)?;
        session
            .models()
            .set_scoped(scope.into_iter().map(|scoped| scoped.known(session.models().registry())).collect());
        Ok(())
    });
    act(ops, "agents.setActiveToolsByName", |session, args| {
        session.tools().set_active(&args.parse::<Vec<String>>(1)?);
        Ok(())
    });
}

fn add_switches(ops: &mut Ops<'_>) {
    act(ops, "agents.setAutoCompactionEnabled", |session, args| {
        session.compaction().set_auto(args.parse(1)?);
        Ok(())
    });
    act(ops, "agents.setAutoRetryEnabled", |session, args| {
        session.retry().set_auto(args.parse(1)?);
        Ok(())
    });
    act(ops, "agents.setSteeringMode", |session, args| {
        session.queue().set_steering_mode(args.parse(1)?);
        Ok(())
    });
    act(ops, "agents.setFollowUpMode", |session, args| {
        session.queue().set_follow_up_mode(args.parse(1)?);
        Ok(())
    });
    // What is changed in the agent is not recorded in the session.
    act(ops, "agents.setSystemPrompt", |session, args| {
        session.agent().set_system_prompt(args.text(1)?);
        Ok(())
    });
    act(ops, "agents.setMessages", |session, args| {
        session.agent().set_messages(args.parse::<Vec<Message>>(1)?.into_iter().map(Arc::new).collect());
        Ok(())
    });
}

/// What reaches out to the machine.
fn add_outside(ops: &mut Ops<'_>) {
    ops.spawned("agents.executeBash", |host, _, mut args| async move {
        host.permit(Permission::Programs)?;
        let session = beside(&host, &mut args)?.session.clone();
        let (command, exclude_from_context) = (args.text(1)?, args.parse::<Option<bool>>(2)?.unwrap_or_default());
        let (listener, exec) = (args.callback_or_none(3)?, args.callback_or_none(4)?);
        let link = Link::to(&host);
        let operations = exec.and_then(|exec| ScriptBash::of(&link, exec));
        let on_output = listener.map(|listener| -> Arc<pi_coding_agent::agent_session::OutputListener> {
            Arc::new(move |text: &str| link.emit(listener, vec![text.into()]))
        });
        let options = BashOptions { exclude_from_context, operations, on_output, ..BashOptions::default() };
        let result = detached(host, async move { session.shell().run(&command, options).await }).await?;
        as_json(&result)
    });
    ops.spawned("agents.exportToHtml", |host, _, mut args| async move {
        host.permit(Permission::Files)?;
        let session = beside(&host, &mut args)?.session.clone();
        let output = args.text_or_none(1)?;
        Ok(detached(host, async move { session.export().html(output.as_deref()).await }).await?.into())
    });
}
