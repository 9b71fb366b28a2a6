//! A tool of a server as a tool of the agent.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolAnnotations, ToolError, ToolExposure, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use rmcp::model::{CallToolRequest, CallToolRequestParams, CallToolResult, ProgressNotificationParam, ServerResult};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::metadata::ToolInfo;
use crate::results;
use crate::schema::{sanitized, size};
use crate::server::Server;

/// Characters of a description that go to the model.
const LONGEST_DESCRIPTION: usize = 4096;

/// A tool.
#[derive(Debug)]
pub(crate) struct McpTool {
    server: Arc<Server>,
    /// As the server calls it.
    remote_name: String,
    label: String,
    definition: Arc<ToolDefinition>,
    annotations: ToolAnnotations,
    exposure: ToolExposure,
}

impl McpTool {
    /// The tool, under this name.
    pub(crate) fn new(server: &Arc<Server>, info: &ToolInfo, name: &str) -> Self {
        let definition = ToolDefinition {
            name: name.to_owned(),
            description: info.description.chars().take(LONGEST_DESCRIPTION).collect(),
            parameters: sanitized(&info.input_schema),
        };
        let title = info.title.as_deref().unwrap_or(&info.name);
        Self {
            server: Arc::clone(server),
            remote_name: info.name.clone(),
            label: format!("{}: {title}", server.name()),
            definition: Arc::new(definition),
            annotations: info.annotations,
            exposure: ToolExposure::Direct,
        }
    }

    /// Bytes of its definition.
    pub(crate) fn size(&self) -> u64 {
        let ToolDefinition { name, description, parameters } = &*self.definition;
        (name.len() + description.len() + size(parameters)) as u64
    }

    /// The same, for scripts alone.
    pub(crate) fn for_scripts(self) -> Self {
        Self { exposure: ToolExposure::Nested, ..self }
    }

    async fn call(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let arguments = match call.arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        let params = CallToolRequestParams::new(self.remote_name.clone()).with_arguments(arguments);
        let updates = call.updates;
        let show = |sign: ProgressNotificationParam| updates.send(ToolOutput::text(progress_text(&sign)));
        let answer = self.server.request(&self.remote_name, CallToolRequest::new(params), &call.cancel, show).await;
        let result = self.unless_vanished(answer.and_then(|answer| self.result(answer)), &call.cancel).await;
        let result = result.map_err(|error| ToolError::new(error.to_string()))?;
        let details = json!({"server": self.server.name(), "tool": self.remote_name});
        results::output(result, details.as_object().cloned().unwrap_or_default())
    }

    /// A tool stays declared when its server drops it, so that the beginning of requests stays the same. A call that fails
    /// for that reason says so.
    async fn unless_vanished(
        &self,
        result: Result<CallToolResult, Error>,
        cancel: &CancellationToken,
    ) -> Result<CallToolResult, Error> {
        let message = match &result {
            Err(Error::Refused { message, .. }) => message.clone(),
            Ok(failed) if failed.is_error == Some(true) => failed
                .content
                .iter()
                .find_map(|block| block.as_text())
                .map(|text| text.text.clone())
                .unwrap_or_default(),
            _ => return result,
        };
        let is_there = tokio::select! {
            biased;
            () = cancel.cancelled() => true,
            is_there = self.server.has_tool(&self.remote_name) => is_there,
        };
        if is_there {
            return result;
        }
        Err(Error::Vanished { server: self.server.name().to_owned(), tool: self.remote_name.clone(), message })
    }

    fn result(&self, answer: ServerResult) -> Result<CallToolResult, Error> {
        let what = match answer {
            ServerResult::CallToolResult(result) => return Ok(result),
            // An answer without any content, which old servers give.
            ServerResult::EmptyResult(_) => return Ok(CallToolResult::success(Vec::new())),
            ServerResult::CreateTaskResult(_) => "a task to wait for",
            _ => "another message",
        };
        Err(Error::Unsupported {
            server: self.server.name().to_owned(),
            tool: self.remote_name.clone(),
            what: what.to_owned(),
        })
    }
}

impl Tool for McpTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn exposure(&self) -> ToolExposure {
        self.exposure
    }

    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.call(call).boxed()
    }
}

fn progress_text(sign: &ProgressNotificationParam) -> String {
    let share = match sign.total {
        Some(total) => format!("{} of {total}", sign.progress),
        None => sign.progress.to_string(),
    };
    match &sign.message {
        Some(message) => format!("{message} ({share})"),
        None => format!("Progress: {share}"),
    }
}
