//! What the next turn of a run works with: tools and instructions as extensions left them, and a smaller context when that
//! of the run is nearly full. Whether it is, and how it gets smaller, is decided in `auto_compact.rs`.

use std::sync::Arc;

use pi_agent_core::{FinishedTurn, NextTurn};

use super::{Inner, auto_compact};

/// Has the agent ask between two turns. The agent must not keep the session alive.
pub(super) fn install(session: &Arc<Inner>) {
    let weak = Arc::downgrade(session);
    let hooks = session.run.agent().hooks().with_prepare_next_turn(move |turn| {
        let session = weak.upgrade();
        async move {
            match session {
                Some(session) => Ok(next_turn(&session, &turn).await),
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
    let workspace = session.place.workspace();
    if workspace.tools.is_same(&turn.context.tools) {
        return NextTurn::unchanged();
    }
    NextTurn {
        tools: Some(workspace.tools.clone()),
        system_prompt: Some(Arc::clone(&workspace.system_prompt)),
        ..NextTurn::unchanged()
    }
}
