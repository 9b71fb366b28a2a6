//! `pi acp`, through the client role of the crate `agent-client-protocol`: sessions, an answer, a tool call, a prompt that is
//! cancelled and one after it, options, an error, the list, a session that is loaded. `acp-client PROGRAM`.

use std::env;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, CloseSessionRequest, ContentBlock, DeleteSessionRequest, InitializeRequest,
    ListSessionsRequest, LoadSessionRequest, NewSessionRequest, PromptRequest, SessionConfigKind, SessionConfigOption,
    SessionConfigOptionCategory, SessionConfigSelectOptions, SessionId, SessionNotification, SessionUpdate,
    SetSessionConfigOptionRequest, StopReason, TextContent, ToolCallStatus,
};
use agent_client_protocol::{AcpAgent, AcpAgentConfig, Agent, Client, Result};
use tokio::sync::Notify;

/// What the agent has told of a prompt.
#[derive(Clone, Default)]
struct Updates {
    told: Arc<Mutex<Vec<SessionUpdate>>>,
    more: Arc<Notify>,
}

impl Updates {
    fn add(&self, update: SessionUpdate) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push(update);
        self.more.notify_one();
    }

    fn all(&self) -> Vec<SessionUpdate> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn clear(&self) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// What the model has said.
    fn answer(&self) -> String {
        let said = self.all().into_iter().filter_map(|update| match update {
            SessionUpdate::AgentMessageChunk(chunk) => Some(chunk.content),
            _ => None,
        });
        said.map(|content| if let ContentBlock::Text(text) = content { text.text } else { String::new() }).collect()
    }

    async fn wait_for_answer(&self) {
        while self.answer().is_empty() {
            self.more.notified().await;
        }
    }

    /// The states of the tool calls, in the order in which they came.
    fn states(&self) -> Vec<ToolCallStatus> {
        let states = self.all().into_iter().filter_map(|update| match update {
            SessionUpdate::ToolCallUpdate(update) => update.fields.status,
            _ => None,
        });
        states.collect()
    }
}

type Connection = ConnectionTo<Agent>;

/// Runs `work` with a program of its own.
async fn with_agent<F: Future<Output = Result<SessionId>>>(
    work: impl FnOnce(Connection, Updates) -> F,
) -> Result<SessionId> {
    let program = env::args().nth(1).expect("usage: acp-client PROGRAM");
    let agent = AcpAgent::new(AcpAgentConfig::new(program).arg("acp"));
    let updates = Updates::default();
    let heard = updates.clone();
    Client
        .v1()
        .name("check")
        .on_receive_notification(
            async move |told: SessionNotification, _| {
                heard.add(told.update);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .connect_with(agent, async |connection: Connection| {
            let said = connection.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await?;
            assert_eq!(said.protocol_version, ProtocolVersion::V1);
            assert_eq!(said.agent_info.map(|info| info.name).as_deref(), Some("pi"));
            work(connection, updates).await
        })
        .await
}

fn words(text: &str) -> Vec<ContentBlock> {
    vec![ContentBlock::Text(TextContent::new(text))]
}

async fn say(connection: &Connection, updates: &Updates, session: &SessionId, text: &str) -> Result<StopReason> {
    updates.clear();
    let answered = connection.send_request(PromptRequest::new(session.clone(), words(text))).block_task().await?;
    Ok(answered.stop_reason)
}

async fn cancel(connection: &Connection, updates: &Updates, session: &SessionId) -> Result<()> {
    updates.clear();
    let prompt = connection.send_request(PromptRequest::new(session.clone(), words("endless prompt"))).block_task();
    let stop = async {
        updates.wait_for_answer().await;
        connection.send_notification(CancelNotification::new(session.clone()))
    };
    let (answered, stopped) = tokio::join!(prompt, stop);
    stopped?;
    assert_eq!(answered?.stop_reason, StopReason::Cancelled);
    Ok(())
}

/// Sets the last level of thinking, and finds it set.
async fn set_thinking(connection: &Connection, session: &SessionId, options: Vec<SessionConfigOption>) -> Result<()> {
    let thinking =
        options.into_iter().find(|option| option.category == Some(SessionConfigOptionCategory::ThoughtLevel));
    let thinking = thinking.expect("there is an option for the level of thinking");
    let SessionConfigKind::Select(select) = thinking.kind else { panic!("the level of thinking is not a list") };
    let SessionConfigSelectOptions::Ungrouped(levels) = select.options else { panic!("the levels come in groups") };
    let value = levels.last().expect("there is a level").value.clone();
    let set = SetSessionConfigOptionRequest::new(session.clone(), thinking.id.clone(), value.clone());
    let changed = connection.send_request(set).block_task().await?;
    let now =
        changed.config_options.into_iter().find(|option| option.id == thinking.id).expect("the option is still there");
    let SessionConfigKind::Select(now) = now.kind else { panic!("the level of thinking is not a list") };
    assert_eq!(now.current_value, value);
    Ok(())
}

async fn work_in_sessions(connection: Connection, updates: Updates, cwd: PathBuf) -> Result<SessionId> {
    let begun = connection.send_request(NewSessionRequest::new(&cwd)).block_task().await?;
    let session = begun.session_id;
    assert_eq!(say(&connection, &updates, &session, "hello").await?, StopReason::EndTurn);
    assert!(updates.answer().contains("first answer"), "{:?}", updates.all());
    assert_eq!(say(&connection, &updates, &session, "use a tool").await?, StopReason::EndTurn);
    assert_eq!(updates.states(), [ToolCallStatus::InProgress, ToolCallStatus::Completed]);
    assert!(updates.answer().contains("tool done"), "{:?}", updates.all());
    cancel(&connection, &updates, &session).await?;
    assert_eq!(say(&connection, &updates, &session, "/session").await?, StopReason::EndTurn);
    set_thinking(&connection, &session, begun.config_options.expect("the session has options")).await?;
    let other = connection.send_request(NewSessionRequest::new(&cwd)).block_task().await?;
    assert_ne!(other.session_id, session);
    connection
        .send_request(NewSessionRequest::new("relative"))
        .block_task()
        .await
        .expect_err("a relative directory is refused");
    Ok(session)
}

async fn find_again(connection: Connection, updates: Updates, cwd: PathBuf, session: SessionId) -> Result<SessionId> {
    let listed = || connection.send_request(ListSessionsRequest::new().cwd(cwd.clone())).block_task();
    let is_there = |found: &[_]| {
        found.iter().any(|info: &agent_client_protocol::v1::schema::SessionInfo| info.session_id == session)
    };
    assert!(is_there(&listed().await?.sessions));
    connection.send_request(LoadSessionRequest::new(session.clone(), &cwd)).block_task().await?;
    let told = updates.answer();
    let (first, last) = (told.find("first answer"), told.find("tool done"));
    assert!(first.is_some() && first < last, "{told}");
    connection.send_request(CloseSessionRequest::new(session.clone())).block_task().await?;
    connection.send_request(DeleteSessionRequest::new(session.clone())).block_task().await?;
    assert!(!is_there(&listed().await?.sessions));
    Ok(session)
}

async fn check() -> Result<()> {
    let cwd = PathBuf::from(env::var_os("CLIENT_CWD").expect("CLIENT_CWD names the project"));
    let session = with_agent(|connection, updates| work_in_sessions(connection, updates, cwd.clone())).await?;
    with_agent(|connection, updates| find_again(connection, updates, cwd.clone(), session)).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    tokio::time::timeout(Duration::from_secs(100), check()).await.expect("the agent answers within 100 s")?;
    println!("acp-client: all passed");
    Ok(())
}
