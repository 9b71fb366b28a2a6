//! Summaries of conversations for scripts: sizes, cuts, texts, and the summaries themselves.
//! `js/pi-coding-agent/compaction.js` is the other half.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use pi_ai::{ApiRegistry, AssistantMessage, Context, Message, Model, StreamOptions, ThinkingLevel, Usage};
use pi_script::{Args, OpError};
use serde::Deserialize;
use serde_json::json;

use super::{Ops, ai, json as as_json, sessions};
use crate::errors::failed;
use crate::host::ScriptHost;
use pi_coding_agent::compaction::{
    BranchEntry, BranchRequest, BranchSummaryError, CompactionSettings, EntryContent, FileOps, Preparation,
    SummaryOptions, SummaryRequest, compact, context_tokens, estimate_tokens, estimate_total_tokens, find_cut_point,
    prepare_branch_summary, serialize_conversation, should_compact, summarize_branch,
};
use pi_coding_agent::messages::convert_to_llm;

type Messages = Vec<Arc<Message>>;

/// The time of the session that the extension serves.
fn now_ms(host: &ScriptHost) -> i64 {
    host.session().map_or_else(|| host.clock().now_ms(), |session| session.surroundings().clock.now_ms())
}

pub(super) fn add(ops: &mut Ops<'_>) {
    add_sizes(ops);
    ops.spawned("summaries.compact", |host, op, mut args| async move {
        let (preparation, request) = (args.parse::<ScriptPreparation>(0)?.preparation(), args.parse::<Request>(1)?);
        let cancel = host.state.token(&mut args, 2)?.unwrap_or_else(|| op.cancel.clone());
        request.permit(&host).await?;
        let caller = Caller::new(&host, &request, cancel);
        let summary = SummaryRequest {
            model: &request.model,
            thinking_level: request.thinking_level.unwrap_or_default(),
            custom_instructions: request.custom_instructions.as_deref(),
            now_ms: now_ms(&host),
        };
        let made = compact(&preparation, &summary, |context, options| caller.complete(context, options)).await;
        let made = made.map_err(failed)?;
        Ok(json!({
            "summary": made.summary,
            "firstKeptEntryId": made.first_kept_entry_id,
            "tokensBefore": made.tokens_before,
            "details": made.details,
        })
        .into())
    });
    ops.spawned("summaries.branch", |host, op, mut args| async move {
        let (entries, request) = (branch(&host, &mut args)?, args.parse::<Request>(1)?);
        let cancel = host.state.token(&mut args, 2)?.unwrap_or_else(|| op.cancel.clone());
        request.permit(&host).await?;
        let caller = Caller::new(&host, &request, cancel);
        let summary = BranchRequest {
            model: &request.model,
            reserve_tokens: request.reserve_tokens.unwrap_or_else(|| CompactionSettings::default().reserve_tokens),
            custom_instructions: request.custom_instructions.as_deref(),
            replace_instructions: request.replace_instructions,
            now_ms: now_ms(&host),
        };
        let made = summarize_branch(&entries, &summary, |context, options| caller.complete(context, options)).await;
        Ok(match made {
            Ok(made) => {
                let details = made.details.unwrap_or_default();
                let (read, modified) = (&details["readFiles"], &details["modifiedFiles"]);
                json!({"summary": made.summary, "readFiles": read, "modifiedFiles": modified})
            }
            Err(BranchSummaryError::Cancelled) => json!({"aborted": true}),
            Err(error) => json!({"error": error.to_string()}),
        }
        .into())
    });
}

fn add_sizes(ops: &mut Ops<'_>) {
    ops.sync("summaries.convertToLlm", |_, _, mut args| as_json(&convert_to_llm(&args.parse::<Messages>(0)?)));
    ops.sync("summaries.serialize", |_, _, mut args| Ok(serialize_conversation(&args.parse::<Messages>(0)?).into()));
    ops.sync(
        "summaries.estimateTokens",
        |_, _, mut args| Ok(json!(estimate_tokens(&args.parse::<Message>(0)?)).into()),
    );
    ops.sync("summaries.contextTokens", |_, _, mut args| Ok(json!(context_tokens(&args.parse::<Usage>(0)?)).into()));
    ops.sync("summaries.shouldCompact", |_, _, mut args| {
        let (tokens, window) = (args.parse::<f64>(0)?, args.parse::<f64>(1)?);
        let settings = args.parse::<Option<Settings>>(2)?.unwrap_or_default().settings();
        Ok(should_compact(tokens as u64, window as u64, &settings).into())
    });
    ops.sync("summaries.cutPoint", |host, _, mut args| {
        let mut entries = branch(host, &mut args)?;
        let (start, end, keep) = (args.parse::<usize>(1)?, args.parse::<usize>(2)?, args.parse::<f64>(3)?);
        entries.truncate(end);
        let cut = find_cut_point(&entries, start.min(entries.len()), keep as u64);
        Ok(json!({
            "firstKeptEntryIndex": cut.first_kept,
            "turnStartIndex": cut.turn_start.map_or(json!(-1), |index| json!(index)),
            "isSplitTurn": cut.turn_start.is_some(),
        })
        .into())
    });
    ops.sync("summaries.prepareBranch", |host, _, mut args| {
        let entries = branch(host, &mut args)?;
        let budget = args.parse::<Option<f64>>(1)?.unwrap_or_default();
        let prepared = prepare_branch_summary(&entries, budget as u64);
        let files = &prepared.file_ops;
        Ok(json!({
            "messages": prepared.messages,
            "fileOps": {"read": files.read, "written": files.written, "edited": files.edited},
            "totalTokens": prepared.tokens,
        })
        .into())
    });
}

/// The entries that a script gives as its first argument.
fn branch(host: &ScriptHost, args: &mut Args) -> Result<Vec<BranchEntry>, OpError> {
    let manager = sessions::of_entries(host, args, 0)?;
    let entry = |entry: Result<pi_coding_agent::session::StoredEntry, pi_coding_agent::session::Error>| {
        entry.map(|entry| BranchEntry::new(entry.id(), EntryContent::of(&entry)))
    };
    manager.entries().iter().map(entry).collect::<Result<_, _>>().map_err(failed)
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    enabled: Option<bool>,
    reserve_tokens: Option<u64>,
    keep_recent_tokens: Option<u64>,
}

impl Settings {
    fn settings(self) -> CompactionSettings {
        let usual = CompactionSettings::default();
        CompactionSettings {
            enabled: self.enabled.unwrap_or(usual.enabled),
            reserve_tokens: self.reserve_tokens.unwrap_or(usual.reserve_tokens),
            keep_recent_tokens: self.keep_recent_tokens.unwrap_or(usual.keep_recent_tokens),
        }
    }
}

/// What is to be summarised, as scripts know it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ScriptPreparation {
    first_kept_entry_id: Option<String>,
    messages_to_summarize: Messages,
    turn_prefix_messages: Messages,
    tokens_before: u64,
    previous_summary: Option<String>,
    file_ops: Files,
    settings: Settings,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Files {
    read: HashSet<String>,
    written: HashSet<String>,
    edited: HashSet<String>,
}

impl ScriptPreparation {
    fn preparation(self) -> Preparation {
        let Files { read, written, edited } = self.file_ops;
        let replaced = estimate_total_tokens(&self.messages_to_summarize)
            .saturating_add(estimate_total_tokens(&self.turn_prefix_messages));
        Preparation {
            first_kept_entry_id: self.first_kept_entry_id,
            messages_to_summarize: self.messages_to_summarize,
            turn_prefix_messages: self.turn_prefix_messages,
            cut_results: Vec::new(),
            pinned: Vec::new(),
            // A script that asks for a summary gets one, whatever it replaces.
            replaced_tokens: replaced.max(self.tokens_before).max(u64::from(u32::MAX)),
            tokens_before: self.tokens_before,
            previous_summary: self.previous_summary,
            file_ops: FileOps { read, written, edited },
            settings: self.settings.settings(),
        }
    }
}

/// How a script wants a summary.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    model: Model,
    #[serde(default)]
    api_key: Option<String>,
    #[serde(default)]
    headers: Option<BTreeMap<String, String>>,
    #[serde(default)]
    env: Option<BTreeMap<String, String>>,
    #[serde(default)]
    custom_instructions: Option<String>,
    #[serde(default)]
    replace_instructions: bool,
    #[serde(default)]
    reserve_tokens: Option<u64>,
    #[serde(default)]
    thinking_level: Option<ThinkingLevel>,
}

impl Request {
    async fn permit(&self, host: &ScriptHost) -> Result<(), OpError> {
        ai::permit_call(host, &self.model, self.env.as_ref().unwrap_or(&BTreeMap::new())).await
    }
}

/// Makes the model calls of a summary.
struct Caller {
    apis: Arc<ApiRegistry>,
    model: Arc<Model>,
    options: StreamOptions,
}

impl Caller {
    fn new(host: &Arc<ScriptHost>, request: &Request, cancel: tokio_util::sync::CancellationToken) -> Self {
        let mut options = StreamOptions {
            api_key: request.api_key.clone(),
            headers: request.headers.clone().unwrap_or_default(),
            env: request.env.clone().unwrap_or_default(),
            cancel,
            ..StreamOptions::default()
        };
        let apis = ai::apis(host, &mut options);
        Self { apis, model: Arc::new(request.model.clone()), options }
    }

    async fn complete(&self, context: Context, wanted: SummaryOptions) -> Arc<AssistantMessage> {
        let SummaryOptions { max_tokens, reasoning } = wanted;
        let options = StreamOptions { max_tokens: Some(max_tokens), reasoning, ..self.options.clone() };
        match self.apis.stream(Arc::clone(&self.model), context, options) {
            Ok(stream) => stream.result().await,
            Err(error) => Arc::new(AssistantMessage {
                stop_reason: pi_ai::StopReason::Error,
                error_message: Some(error.to_string()),
                ..AssistantMessage::default()
            }),
        }
    }
}
