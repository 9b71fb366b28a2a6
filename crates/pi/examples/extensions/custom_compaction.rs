//! `pi` that summarises in its own way: with a model that costs less than the one at work, or, if none is named, with an
//! outline that needs no model at all.
//!
//! `cargo run -p pi --example custom_compaction -- --mode rpc --summary-model openai/gpt-5-mini`
//!
//! Whatever goes wrong here leaves the summary to `pi`: a session that cannot be compacted could not go on.

use std::process::ExitCode;
use std::sync::Arc;

use pi::cli;
use pi_ai::{
    ApiRegistry, AssistantMessage, ContentBlock, Context, Message, Model, StopReason, StreamOptions, UserMessage,
};
use pi_coding_agent::compaction::{Preparation, serialize_conversation};
use pi_coding_agent::extension::events::{BeforeCompactOutcome, SessionBeforeCompactEvent};
use pi_coding_agent::extension::{
    Extension, ExtensionApi, ExtensionContext, Flag, FlagValue, HandlerError, NotifyKind, extension_fn,
};
use pi_coding_agent::messages::convert_to_llm;
use pi_coding_agent::session::Compaction;
use serde_json::json;

const FLAG: &str = "summary-model";
/// Longest summary, in tokens.
const MAX_TOKENS: u64 = 4_000;
/// Requests in an outline are cut to this many characters.
const LINE: usize = 200;

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![custom_compaction()]))
}

fn custom_compaction() -> Arc<dyn Extension> {
    extension_fn("custom-compaction", |pi: ExtensionApi| async move {
        pi.register_flag(
            Flag::string(FLAG).description("Model that summarises, as provider/id; without it an outline is made"),
        );
        let api = pi.clone();
        pi.on(move |event: SessionBeforeCompactEvent, ctx| summarize(api.clone(), event, ctx));
        Ok(())
    })
}

async fn summarize(
    pi: ExtensionApi,
    event: SessionBeforeCompactEvent,
    ctx: ExtensionContext,
) -> Result<BeforeCompactOutcome, HandlerError> {
    let messages = history(&event.preparation);
    let summary = match pi.flag(FLAG) {
        Some(FlagValue::String(name)) => ask_model(&name, &messages, &event, &ctx).await,
        _ => Ok(outline(&messages)),
    };
    let summary = match summary {
        Ok(summary) => summary,
        // An abort is no failure, and there is nothing left to say.
        Err(_) if event.cancel.is_cancelled() => return Ok(BeforeCompactOutcome::default()),
        Err(problem) => {
            let text = format!("The usual summary is made instead: {problem}");
            ctx.ui().notify(&text, Some(NotifyKind::Warning)).await;
            return Ok(BeforeCompactOutcome::default());
        }
    };
    Ok(BeforeCompactOutcome { compaction: Some(compaction(&event.preparation, &summary)), ..Default::default() })
}

/// What is about to be forgotten, with the beginning of a turn that is cut through.
fn history(preparation: &Preparation) -> Vec<Arc<Message>> {
    let parts = [&preparation.messages_to_summarize, &preparation.turn_prefix_messages];
    convert_to_llm(&parts.into_iter().flatten().cloned().collect::<Vec<_>>())
}

/// The summary with what came before it and the files that it is about.
fn compaction(preparation: &Preparation, summary: &str) -> Compaction {
    let files = preparation.file_ops.details();
    let list = |title: &str, files: &[String]| match files {
        [] => String::new(),
        files => format!("\n\n## {title}\n{}", files.join("\n")),
    };
    let earlier = preparation.previous_summary.as_ref().map(|before| format!("{before}\n\n---\n\n"));
    let read = list("Files that were read", &files.read_files);
    let changed = list("Files that were changed", &files.modified_files);
    Compaction {
        summary: format!("{}{summary}{read}{changed}", earlier.unwrap_or_default()),
        // What stays is the choice of pi; without it nothing would fit.
        first_kept_entry_id: preparation.first_kept_entry_id.clone().unwrap_or_default(),
        tokens_before: preparation.tokens_before,
        // Where pi looks for the files when this is compacted in turn.
        details: Some(json!(files)),
        from_hook: Some(true),
    }
}

/// What the user asked for, and the last that was said.
fn outline(messages: &[Arc<Message>]) -> String {
    let asked = messages.iter().filter_map(|message| match &**message {
        Message::User(user) => Some(user.content.to_text()),
        _ => None,
    });
    let asked: Vec<String> = asked.filter_map(|text| Some(format!("- {}", cut(text.trim().lines().next()?)))).collect();
    let said = messages.iter().rev().filter_map(|message| message.as_assistant()).map(text_of);
    let last = said.into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| "Nothing yet.".to_owned());
    format!("## What the user asked for\n{}\n\n## What was said last\n{last}", asked.join("\n"))
}

fn cut(line: &str) -> String {
    let end = line.char_indices().nth(LINE).map(|(at, _)| at);
    end.map_or_else(|| line.to_owned(), |end| format!("{}…", &line[..end]))
}

fn text_of(message: &AssistantMessage) -> String {
    let texts: Vec<&str> = message.content.iter().filter_map(ContentBlock::as_text).collect();
    texts.join("\n").trim().to_owned()
}

async fn ask_model(
    name: &str,
    messages: &[Arc<Message>],
    event: &SessionBeforeCompactEvent,
    ctx: &ExtensionContext,
) -> Result<String, String> {
    let models = ctx.models().map_err(|error| error.to_string())?;
    let model = name.split_once('/').and_then(|(provider, id)| models.find(provider, id));
    let model = model.ok_or_else(|| format!("--{FLAG} names no model: \"{name}\""))?;
    let auth = models.request_auth(&model).await.map_err(|error| error.to_string())?;
    let options = StreamOptions {
        api_key: auth.api_key,
        headers: auth.headers,
        env: auth.env,
        max_tokens: Some(MAX_TOKENS),
        cancel: event.cancel.clone(),
        ..StreamOptions::default()
    };
    let message = answer(model, request(messages, event.custom_instructions.as_deref()), options).await?;
    match (&message.stop_reason, text_of(&message)) {
        (StopReason::Error | StopReason::Aborted, _) => {
            Err(message.error_message.clone().unwrap_or_else(|| format!("{name} failed")))
        }
        (_, text) if text.is_empty() => Err(format!("{name} said nothing")),
        (_, text) => Ok(text),
    }
}

async fn answer(model: Arc<Model>, question: String, options: StreamOptions) -> Result<Arc<AssistantMessage>, String> {
    let question = UserMessage::text(question, options.clock.now_ms());
    let context = Context { messages: vec![Arc::new(question.into())], ..Context::default() };
    let stream = ApiRegistry::builtin().stream(model, context, options).map_err(|error| error.to_string())?;
    Ok(stream.result().await)
}

fn request(messages: &[Arc<Message>], custom_instructions: Option<&str>) -> String {
    let wish =
        custom_instructions.map(|wish| format!("\n\nThe user wants you to heed this: {wish}")).unwrap_or_default();
    format!(
        "Below is the older part of a conversation between a user and a coding agent, which is about to be removed. Write \
        what the agent has to know to go on without it: the goal, what was decided and why, what is done, what is open, \
        what comes next. Short paragraphs under headings; no greeting.{wish}\n\n<conversation>\n{}\n</conversation>",
        serialize_conversation(messages)
    )
}
