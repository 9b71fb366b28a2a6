//! What the next model call of a run works with: tools and instructions as extensions left them, and a smaller context when
//! that of the run is nearly full. Whether it is, and how it gets smaller, is decided in `auto_compact.rs`.

use std::sync::Arc;

use pi_agent_core::{FinishedTurn, NextTurn, ToolSet};

use super::{Inner, auto_compact};

/// Has the agent ask between two turns, and for tools before each model call: handlers of `context` may bring some. The agent
/// must not keep the session alive.
pub(super) fn install(session: &Arc<Inner>) {
    let [call, turn] = [(); 2].map(|()| Arc::downgrade(session));
    let hooks = session.run.agent().hooks();
    let hooks = hooks.with_update_tools(move |tools| new_tools(&*call.upgrade()?, tools));
    let hooks = hooks.with_prepare_next_turn(move |finished| {
        let session = turn.upgrade();
        async move {
            match session {
                Some(session) => Ok(next_turn(&session, &finished).await),
                None => Ok(NextTurn::unchanged()),
            }
        }
    });
    session.run.agent().set_hooks(hooks);
}

async fn next_turn(session: &Inner, turn: &FinishedTurn) -> NextTurn {
    let compacted = auto_compact::between_turns(session, turn).await;
    let messages = compacted.then(|| session.run.messages());
    NextTurn { messages, ..changed_tools(session, turn) }
}

/// Tools and instructions that an extension changed count from the next model call on.
fn changed_tools(session: &Inner, turn: &FinishedTurn) -> NextTurn {
    let Some(tools) = new_tools(session, &turn.context.tools) else { return NextTurn::unchanged() };
    let system_prompt = Some(Arc::clone(&session.place.workspace().system_prompt));
    NextTurn { tools: Some(tools), system_prompt, ..NextTurn::unchanged() }
}

/// The tools, if they are others than those of the run.
fn new_tools(session: &Inner, known: &ToolSet) -> Option<ToolSet> {
    let workspace = session.place.workspace();
    (!workspace.tools.is_same(known)).then(|| workspace.tools.clone())
}
