//! The other way round: pi as a server, whose tools and sessions other programs use.
//!
//! | File | What is in it |
//! |---|---|
//! | `mod` | the server, from its first message to the end of what it began |
//! | `tools` | tools of pi as tools of MCP |
//! | `prompt` | the tool that has pi work on a task |
//! | `session_run` | the program that does so, and what is read of it |

mod prompt;
mod session_run;
mod tools;

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolSet};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
};
use rmcp::service::{Peer, RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::Error;
use crate::server::unreadable;
pub use session_run::SessionProgram;

/// Calls of a client that has left get so long to end by themselves.
const TIME_TO_ANSWER: Duration = Duration::from_millis(300);
/// And so long when they are told to.
const TIME_TO_END: Duration = Duration::from_millis(1500);
const INSTRUCTIONS: &str = "Tools that work on the files of one directory, and `prompt`, which has pi, a coding agent with \
                            tools of its own, do a whole task there.";

/// What a server offers.
#[derive(Debug)]
pub struct Served {
    /// Tools, in this order.
    pub tools: Vec<Arc<dyn Tool>>,
    /// How a task is done; without it there is no `prompt`.
    pub sessions: Option<SessionProgram>,
}

/// Serves one client until its input ends or `stop` fires, and ends what was begun for it.
///
/// # Errors
/// When the client does not begin as a client of MCP does.
pub fn serve(
    served: Served,
    input: Box<dyn AsyncRead + Send + Unpin>,
    output: Box<dyn AsyncWrite + Send + Unpin>,
    stop: &CancellationToken,
) -> BoxFuture<'_, Result<(), String>> {
    Box::pin(async move {
        let (ends, calls, left) = (stop.child_token(), TaskTracker::new(), CancellationToken::new());
        let server = Server {
            tools: ToolSet::new(served.tools),
            sessions: served.sessions.map(Arc::new),
            stop: ends.clone(),
            calls: calls.clone(),
        };
        let input = Watched { input, left: left.clone() };
        tokio::spawn(end_after(left, ends.clone()));
        let ended = match server.serve_with_ct((input, output), ends.clone()).await {
            Ok(running) => tokio::select! {
                ended = running.waiting() => ended.map(drop).map_err(|error| error.to_string()),
                // The input of a process cannot be left while it is read.
                () = stop.cancelled() => Ok(()),
            },
            // The client left before it began.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(Error::NoClient { detail: error.to_string() }.to_string()),
        };
        ends.cancel();
        calls.close();
        // What is left then is killed with the program.
        let _ = tokio::time::timeout(TIME_TO_END, calls.wait()).await;
        ended
    })
}

/// Ends the calls of a client that has left, if they do not end soon by themselves: a script may ask and close its output.
async fn end_after(left: CancellationToken, ends: CancellationToken) {
    let answered = async {
        left.cancelled().await;
        tokio::time::sleep(TIME_TO_ANSWER).await;
    };
    tokio::select! {
        () = answered => ends.cancel(),
        () = ends.cancelled() => {}
    }
}

/// What the client says; its end is told at once, while calls are still under way.
struct Watched<R> {
    input: R,
    left: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.input).poll_read(context, buffer);
        let is_over = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_over {
            self.left.cancel();
        }
        read
    }
}

struct Server {
    tools: ToolSet,
    sessions: Option<Arc<SessionProgram>>,
    /// The client is gone.
    stop: CancellationToken,
    /// Calls under way.
    calls: TaskTracker,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("pi", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let prompt = self.sessions.as_ref().map(|_| prompt::definition());
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(tools::declared).chain(prompt).collect()))
    }

    /// What `rmcp` cannot read as a request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable(&request.method, &["tools/call", "tools/list", "initialize"]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A call ends with the client, too, which takes nothing back when it goes.
        let call = self.stop.child_token();
        let _ends_with_this = call.clone().drop_guard();
        tokio::spawn(end_with(context.ct.clone(), call.clone()));
        let progress = Progress::of(&context);
        let arguments = request.arguments.unwrap_or_default();
        let work = match (&self.sessions, &*request.name) {
            (Some(sessions), prompt::NAME) => {
                let sessions = Arc::clone(sessions);
                self.calls.spawn(async move { prompt::call(&sessions, arguments, &progress, &call).await })
            }
            (_, name) => {
                let tool = self.tools.get(name).ok_or_else(|| {
                    ErrorData::invalid_params(format!("There is no tool \"{name}\"; tools/list has them all"), None)
                })?;
                let (tools, tool) = (self.tools.clone(), Arc::clone(tool));
                self.calls.spawn(async move { tools::call(&tools, &tool, arguments, &progress, call).await })
            }
        };
        // A tool that panicked has said so on standard error.
        work.await.map(Into::into).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

/// Ends a call when it is taken back.
async fn end_with(taken_back: CancellationToken, call: CancellationToken) {
    tokio::select! {
        () = taken_back.cancelled() => call.cancel(),
        () = call.cancelled() => {}
    }
}

/// Tells the client how far a call is, where it wants to know.
#[derive(Clone)]
pub(crate) struct Progress(Option<mpsc::UnboundedSender<String>>);

impl Progress {
    fn of(context: &RequestContext<RoleServer>) -> Self {
        let Some(token) = context.meta.get_progress_token() else { return Self(None) };
        let (sender, mut steps) = mpsc::unbounded_channel::<String>();
        let peer: Peer<RoleServer> = context.peer.clone();
        tokio::spawn(async move {
            let mut count = 0.0;
            while let Some(message) = steps.recv().await {
                count += 1.0;
                let step = ProgressNotificationParam::new(token.clone(), count).with_message(message);
                if peer.notify_progress(step).await.is_err() {
                    return;
                }
            }
        });
        Self(Some(sender))
    }

    /// The call has come so far.
    pub(crate) fn step(&self, message: String) {
        if let Some(sender) = self.0.as_ref().filter(|_| !message.is_empty()) {
            // Without a client nobody wants to know.
            let _ = sender.send(message);
        }
    }
}
