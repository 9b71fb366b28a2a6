//! The built-in tools, for scripts that wrap or replace them: `js/pi-coding-agent/tools.js`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use pi_agent_core::{NestedCalls, ToolInvocation, ToolOutput, ToolUpdates};
use pi_ai::Model;
use pi_script::{Callback, Data, OpContext, OpError, OpResult, Permission};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Ops, json as as_json};
use crate::errors::failed;
use crate::host::ScriptHost;
use crate::link::Link;
use crate::operations::{HookedBash, ScriptOperations};
use pi_coding_agent::tools::{
    BashError, BashExit, BashOperations, BashRequest, BashSpawn, BuiltinTool, LocalBash, ToolOptions, choose_shell,
    command_env, with_file_mutation_queue,
};

/// What a script chooses when it makes a tool. Functions are numbers.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ScriptToolOptions {
    auto_resize_images: Option<bool>,
    command_prefix: Option<String>,
    shell_path: Option<PathBuf>,
    operations: Option<HashMap<String, u32>>,
    spawn_hook: Option<u32>,
}

impl ScriptToolOptions {
    fn options(self, host: &Arc<ScriptHost>, tool: BuiltinTool, cwd: PathBuf) -> ToolOptions {
        let mut options = ToolOptions::builder().cwd(cwd).agent_bin_dir(host.options.agent_dir.join("bin")).build();
        options.auto_resize_images = self.auto_resize_images.unwrap_or(true);
        options.shell_command_prefix = self.command_prefix;
        options.shell_path.clone_from(&self.shell_path);
        if let Some(functions) = self.operations {
            let operations = ScriptOperations { link: Link::to(host), functions };
            operations.put(tool.name(), &host.state.outputs, &mut options);
        }
        if let Some(hook) = self.spawn_hook {
            let local = || -> Arc<dyn BashOperations> { Arc::new(LocalBash::new(self.shell_path)) };
            let inner = options.bash_operations.take().unwrap_or_else(local);
            let hooked = HookedBash { link: Link::to(host), hook: Callback(hook), inner };
            options.bash_operations = Some(Arc::new(hooked));
        }
        options
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("tools.describe", |_, _, mut args| describe(builtin(&args.text(0)?)?));
    ops.sync("tools.prepare", |_, _, mut args| {
        let tool = builtin(&args.text(0)?)?.create(&ToolOptions::builder().cwd("/").build());
        Ok(tool.prepare_arguments(args.json(1).unwrap_or_default()).map_err(failed)?.into())
    });
    // Tool, directory, options, id, arguments, signal, and whom to tell of progress.
    ops.spawned("tools.execute", |host, op, mut args| async move {
        let (tool, cwd) = (builtin(&args.text(0)?)?, directory(&host, args.text_or_none(1)?));
        let said = args.parse::<Option<ScriptToolOptions>>(2)?.unwrap_or_default();
        match tool {
            // Operations of a script say where to search; the search itself is this machine's.
            BuiltinTool::Grep => host.permit(Permission::Files)?,
            _ if said.operations.is_some() => {}
            BuiltinTool::Bash => host.permit(Permission::Programs)?,
            _ => host.permit(Permission::Files)?,
        }
        let tool = tool.create(&said.options(&host, tool, cwd));
        let cancel = host.state.token(&mut args, 5)?.unwrap_or_else(|| op.cancel.clone());
        let call = ToolInvocation {
            id: args.text(3)?,
            arguments: args.json(4).unwrap_or_default(),
            cancel,
            updates: updates(&host, args.callback_or_none(6)?),
            model: host.session().map_or_else(Model::unknown, |session| session.model()),
            calls: NestedCalls::none(),
        };
        as_json(&shown(&tool.execute(call).await.map_err(failed)?))
    });
    ops.sync("tools.output", |host, _, mut args| {
        // A command that is over prints nothing any more.
        if let Some(output) = host.state.outputs.get(args.parse(0)?) {
            let _ = output.send(args.bytes(1)?);
        }
        Ok(Data::Undefined)
    });
    ops.sync("bash.shell", |_, _, mut args| {
        let shell = choose_shell(args.text_or_none(0)?.map(PathBuf::from).as_deref()).map_err(failed)?;
        Ok(json!({"shell": shell.to_string_lossy(), "args": ["-c"]}).into())
    });
    ops.spawned("bash.exec", exec);
    // Runs a function of the script while no tool changes the file.
    ops.spawned("files.exclusive", |host, op, mut args| async move {
        let (path, callback) = (directory(&host, Some(args.text(0)?)), args.callback(1)?);
        let link = Link::to(&host);
        let work = move |_| async move { link.ask(callback, Vec::new()).await.map(drop).map_err(failed) };
        with_file_mutation_queue(&path, &op.cancel, work).await.map_err(failed)??;
        Ok(Data::Undefined)
    });
}

fn builtin(name: &str) -> Result<BuiltinTool, OpError> {
    BuiltinTool::from_name(name).map_err(failed)
}

/// A path of a script: relative ones start in the session's directory.
fn directory(host: &ScriptHost, path: Option<String>) -> PathBuf {
    path.map_or_else(|| host.options.cwd.clone(), |path| host.options.cwd.join(path))
}

fn describe(tool: BuiltinTool) -> OpResult {
    let info = tool.info();
    let made = tool.create(&ToolOptions::builder().cwd("/").build());
    let definition = made.definition();
    Ok(json!({
        "name": definition.name,
        "label": made.label(),
        "description": definition.description,
        "parameters": definition.parameters,
        "promptSnippet": info.snippet,
        "promptGuidelines": info.guidelines,
        "executionMode": made.execution_mode(),
    })
    .into())
}

fn updates(host: &Arc<ScriptHost>, callback: Option<Callback>) -> ToolUpdates {
    let Some(callback) = callback else { return ToolUpdates::ignored() };
    let link = Link::to(host);
    ToolUpdates::new(move |output| link.emit(callback, vec![Data::json(&shown(&output))]))
}

/// Scripts know `details` as always there.
fn shown(output: &ToolOutput) -> Value {
    let mut said = serde_json::to_value(output).unwrap_or_default();
    if let (Some(fields), None) = (said.as_object_mut(), &output.details) {
        fields.remove("details");
    }
    said
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ExecOptions {
    /// Seconds.
    timeout: Option<f64>,
    env: Option<HashMap<String, Option<String>>>,
    shell_path: Option<PathBuf>,
}

/// Command, directory, options, whom to give the output, signal.
async fn exec(host: Arc<ScriptHost>, op: OpContext, mut args: pi_script::Args) -> OpResult {
    host.permit(Permission::Programs)?;
    let (command, cwd) = (args.text(0)?, directory(&host, args.text_or_none(1)?));
    let ExecOptions { timeout, env, shell_path } = args.parse::<Option<ExecOptions>>(2)?.unwrap_or_default();
    let listener = args.callback(3)?;
    let cancel = host.state.token(&mut args, 4)?.unwrap_or_else(|| op.cancel.clone());
    let env: Vec<(OsString, OsString)> = match env {
        Some(env) => env.into_iter().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect(),
        None => command_env(Some(&host.options.agent_dir.join("bin"))),
    };
    let limit = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).filter(|limit| !limit.is_zero());
    let (output, mut printed) = mpsc::channel::<Bytes>(4);
    let request = BashRequest { spawn: BashSpawn { command, cwd, env }, output, cancel, timeout: limit };
    let (shell, link) = (LocalBash::new(shell_path), Link::to(&host));
    let telling = async {
        while let Some(bytes) = printed.recv().await {
            // What the listener throws is its own affair.
            let _ = link.ask(listener, vec![bytes.to_vec().into()]).await;
        }
    };
    let (exit, ()) = tokio::join!(shell.exec(request), telling);
    match exit {
        Ok(BashExit::Code(code)) => Ok(json!({"exitCode": code}).into()),
        Ok(BashExit::Signal(_) | BashExit::Unknown) => Ok(json!({"exitCode": null}).into()),
        Err(BashError::TimedOut) => Err(OpError::new(format!("timeout:{}", timeout.unwrap_or_default()))),
        Err(error) => Err(failed(error)),
    }
}
