//! Many agents in one process, on one thread: none waits for another one to finish.

use std::sync::{Arc, Mutex};

use pi_agent_core::{Agent, AgentOptions, AgentState, api_stream_fn};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, StopReason};

/// Agents of a scripted model that gives each the same answer; every event is passed to `look` with the number of its
/// agent.
fn agents(count: usize, words: usize, look: impl Fn(usize) + Send + Sync + 'static) -> Vec<Agent> {
    let answer = scripted::message([scripted::text("word ".repeat(words))]);
    let provider = ScriptedProvider::playing((0..count).map(|_| answer.clone()));
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let (stream, look) = (api_stream_fn(Arc::new(apis)), Arc::new(look));
    let agent = |number| {
        let initial_state = AgentState { model: provider.model(), ..AgentState::default() };
        let options = AgentOptions::builder().stream(Arc::clone(&stream)).initial_state(initial_state);
        let (agent, look) = (Agent::new(options.build()), Arc::clone(&look));
        agent.on_event(move |_| look(number));
        agent
    };
    (0..count).map(agent).collect()
}

/// Runs all concurrently to their end.
async fn run(agents: &[Agent]) {
    let start = |agent: &Agent| {
        let agent = agent.clone();
        tokio::spawn(async move { agent.prompt("Go on.").await })
    };
    for run in agents.iter().map(start).collect::<Vec<_>>() {
        run.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn all_get_on_at_the_same_pace() {
    const AGENTS: usize = 100;
    let events = Arc::new(Mutex::new((vec![0u32; AGENTS], 0u32)));
    let log = Arc::clone(&events);
    let agents = agents(AGENTS, 600, move |number| {
        let (counts, widest) = &mut *log.lock().unwrap();
        counts[number] += 1;
        let least = counts.iter().min().unwrap();
        // Chunks differ in size, so the last ones end at different times: look at the way there.
        if *least < 100 {
            *widest = (*widest).max(counts[number] - least);
        }
    });
    run(&agents).await;
    let (counts, widest) = &*events.lock().unwrap();
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    assert!(*widest < 20, "one agent was {widest} events ahead of another");
}

#[tokio::test]
async fn a_thousand_agents_answer_and_one_that_stops_does_not_matter() {
    let agents = agents(1_000, 100, |_| {});
    let first = agents[0].clone();
    // A queued task of its own: it runs between the others.
    let abort = tokio::spawn(async move {
        while !first.is_running() {
            tokio::task::yield_now().await;
        }
        first.abort();
    });
    run(&agents).await;
    abort.await.unwrap();
    let reason = |agent: &Agent| {
        agent.with_state(|state| state.messages.last().unwrap().as_assistant().unwrap().stop_reason.clone())
    };
    assert_eq!(reason(&agents[0]), StopReason::Aborted);
    assert!(agents[1..].iter().all(|agent| reason(agent) == StopReason::Stop));
}
