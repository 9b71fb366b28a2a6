//! What may be sent to other threads and shared between them.

use pi_agent_core::*;

fn send_and_sync<T: Send + Sync>() {}
fn send<T: Send>(value: T) -> T {
    value
}

#[test]
fn everything_is_send_and_sync() {
    send_and_sync::<Agent>();
    send_and_sync::<AgentContext>();
    send_and_sync::<AgentEvent>();
    send_and_sync::<AgentEventStream>();
    send_and_sync::<AgentLoopConfig>();
    send_and_sync::<AgentOptions>();
    send_and_sync::<AgentState>();
    send_and_sync::<Error>();
    send_and_sync::<FnTool>();
    send_and_sync::<Hooks>();
    send_and_sync::<Prompt>();
    send_and_sync::<RunFailure>();
    send_and_sync::<Subscription>();
    send_and_sync::<ToolInvocation>();
    send_and_sync::<ToolSet>();
    send_and_sync::<ToolUpdates>();
}

#[tokio::test]
async fn runs_can_move_between_threads() {
    let bench = crate::agent::support::Bench::new([], []);
    drop(send(bench.agent.prompt("x")));
    drop(send(bench.agent.continue_run()));
    drop(send(bench.agent.wait_for_idle()));
    let config = || AgentLoopConfig::builder().model(Default::default()).stream(bench.script.stream_fn()).build();
    drop(send(agent_loop("x", AgentContext::default(), config())));
    drop(send(run_agent_loop("x", AgentContext::default(), config(), |_| async { Ok(()) })));
}
