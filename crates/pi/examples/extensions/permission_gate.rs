//! `pi` with a gate: before the shell does something dangerous the user is asked, and without a user it is not done.
//!
//! `cargo run -p pi --example permission_gate -- --mode rpc`
//!
//! The gate is no sandbox: it recognises a few commands by how they are written, and a model that wants to get around it
//! can. It is here to show handlers that decide, questions to the user, and options of the command line.

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use pi::cli;
use pi_coding_agent::extension::events::{SessionStartEvent, ToolCallEvent, ToolCallOutcome};
use pi_coding_agent::extension::{
    DialogOptions, Extension, ExtensionApi, ExtensionContext, Flag, FlagValue, HandlerError, extension_fn,
};
use regex::RegexSet;

const YES: &str = "Run it";
const NO: &str = "Block it";

/// What is asked about.
static DANGEROUS: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    RegexSet::new([
        r"\brm\s+(-\w*[rf]|--recursive|--force)",
        r"\bsudo\b",
        r"\b(chmod|chown)\b.*\b777\b",
        r"\bgit\s+(push\s+.*--force|reset\s+--hard|clean\s+-\w*f)",
        r"\b(mkfs|dd)\b",
    ])
    .ok()
});

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![permission_gate()]))
}

fn permission_gate() -> Arc<dyn Extension> {
    extension_fn("permission-gate", |pi| async move {
        pi.register_flag(Flag::boolean("gate-block").description("Block dangerous commands without asking"));
        pi.register_flag(
            Flag::string("gate-timeout").description("Seconds after which a question counts as a no").default("60"),
        );
        let api = pi.clone();
        pi.on(move |_: SessionStartEvent, _ctx| {
            // What the command line says is known from here on; a mistake in it is better told now than at the first question.
            let checked = timeout(&api).map(drop);
            async { checked }
        });
        let api = pi.clone();
        pi.on(move |call: ToolCallEvent, ctx| decide(api.clone(), call, ctx));
        Ok(())
    })
}

/// Handlers of `tool_call` fail closed: whatever goes wrong in here blocks the call, too.
async fn decide(pi: ExtensionApi, call: ToolCallEvent, ctx: ExtensionContext) -> Result<ToolCallOutcome, HandlerError> {
    let dangerous = DANGEROUS.as_ref().ok_or("the list of dangerous commands is broken")?;
    let command = call.input["command"].as_str().unwrap_or_default();
    if call.tool_name != "bash" || !dangerous.is_match(command) {
        return Ok(ToolCallOutcome::allow());
    }
    if pi.flag("gate-block") == Some(FlagValue::Boolean(true)) {
        return Ok(ToolCallOutcome::block("Dangerous commands are blocked in this run."));
    }
    if !ctx.has_ui() {
        return Ok(ToolCallOutcome::block("This command is dangerous, and there is nobody to ask. Find another way."));
    }
    // When the run is aborted there is nothing left to decide: the question closes with it.
    let dialog = DialogOptions { timeout: Some(timeout(&pi)?), cancel: ctx.signal()? };
    let title = format!("The model wants to run a dangerous command:\n\n  {command}");
    let answer = ctx.ui().select(&title, &[YES.to_owned(), NO.to_owned()], dialog).await;
    Ok(match answer.as_deref() {
        Some(YES) => ToolCallOutcome::allow(),
        Some(_) => ToolCallOutcome::block("The user does not allow this command."),
        None => ToolCallOutcome::block("The user did not answer, so this command was not run."),
    })
}

fn timeout(pi: &ExtensionApi) -> Result<Duration, HandlerError> {
    let Some(FlagValue::String(text)) = pi.flag("gate-timeout") else { return Ok(Duration::from_secs(60)) };
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("--gate-timeout takes a number of seconds, not \"{text}\"").into())
}
