//! The commands of the protocol: one declaration each. No behaviour lives here, only what a command is called, takes and
//! answers.
//!
//! `command_table!(consumer)` hands all rows to the macro `consumer`. The server's [`Command`](super::command::Command), the
//! methods of the [client](super::RpcClient) and the table of `docs/rpc.md` are made of them. A row reads:
//!
//! ```text
//! {
//!     /// What it does: the docs of the variant and of the client's method, and the table of `docs/rpc.md`.
//!     name Variant Pace {
//!         needs field: Type = type of the client's parameter, "what the page says about it";
//!         takes field: Type, "an optional field, here one that the client's method does not have";
//!     } -> (type of `data`) "what the page says about it", client method
//! }
//! ```
//!
//! `-> ()` is an answer without data, `-> (field: Type)` one whose data is an object with this field. Behind it stands whose
//! method sends the command: `client` ([`RpcClient`](super::RpcClient)), `history` ([`RpcHistory`](super::RpcHistory)), or
//! `custom` when it is written by hand.
//!
//! To add a command: a row here, its arm in `Service::run` (`commands.rs`), and `UPDATE_RPC_DOCS=1` for the page
//! (`docs_tests.rs`).

/// Hands the declarations of all commands to a macro.
macro_rules! command_table {
    ($consumer:ident) => {
        $consumer! {
{
    /// Sends a prompt.
    prompt Prompt Ordinary {
        needs message: String, "";
        takes images: Vec<ContentBlock>, "blocks `{\"type\": \"image\", \"data\": base64, \"mimeType\"}`";
        takes streaming_behavior: Option<StreamingBehavior>, "`\"steer\"` or `\"followUp\"`";
    } -> (disposition: Option<PromptDisposition>) "`started`, `queued` or `handled`", custom prompt
}
{
    /// Queues a message for the next turn, or for the next run when none is in progress.
    steer Steer Ordinary {
        needs message: String, "";
        takes images: Vec<ContentBlock>, "as for `prompt`";
    } -> (disposition: Option<PromptDisposition>) "`queued`", custom steer
}
{
    /// Queues a message for when the run would stop.
    follow_up FollowUp Ordinary {
        needs message: String, "";
        takes images: Vec<ContentBlock>, "as for `prompt`";
    } -> (disposition: Option<PromptDisposition>) "`queued`", custom follow_up
}
{
    /// Stops the current run.
    abort Abort Urgent {} -> () "", client abort
}
{
    /// Empties the queues.
    clear_queue ClearQueue Urgent {
    } -> (QueuedTexts) "`steering`, `followUp`: the texts that waited and will not be sent; `queue_update` comes first", client clear_queue
}
{
    /// Leaves the conversation for an empty one.
    new_session NewSession Ordinary {
        takes parent_session: Option<PathBuf> = Option<&str>, "path that the new file names as its parent";
    } -> (RpcReplaced) "`cancelled`: `true` when an [extension](#extension-ui-requests) called it off", client new_session
}
{
    /// Describes the session.
    get_state GetState Reading {
    } -> (RpcState) "`model`, `thinkingLevel`, `isStreaming`, `isCompacting`, `steeringMode`, `followUpMode`, `sessionFile?`, `sessionId`, `sessionName?`, `autoCompactionEnabled`, `messageCount`, `pendingMessageCount`", client get_state
}
{
    /// Lists the messages of the context.
    get_messages GetMessages Ordinary {} -> (messages: Vec<Message>) "the context", history messages
}
{
    /// Returns the text of the newest answer.
    get_last_assistant_text GetLastAssistantText Ordinary {
    } -> (text: Option<String>) "absent when the newest answer has none", history last_assistant_text
}
{
    /// Counts messages, tokens and cost.
    get_session_stats GetSessionStats Ordinary {
    } -> (SessionStats) "counts of messages and tool calls, `tokens`, `cost` in US dollars, `contextUsage`; with limits [`limits`](#limits)", client get_session_stats
}
{
    /// Lists the models that are ready to use.
    get_available_models GetAvailableModels Ordinary {} -> (models: Vec<Model>) "those that have a key", client get_available_models
}
{
    /// Selects a model for this session; with the setting `rememberModel` it also becomes the default in `settings.json`.
    set_model SetModel Ordinary {
        needs provider: String = &str, "";
        needs model_id: String = &str, "";
    } -> (Model) "the model", client set_model
}
{
    /// Goes on to another model of `--models`, else of the setting `enabledModels`, else of all that have a key; otherwise
    /// like `set_model`.
    cycle_model CycleModel Ordinary {
        takes direction: CycleDirection = CycleDirection, "`forward` or `backward`";
    } -> (Option<ModelCycle>) "`model`, `thinkingLevel`, `isScoped`, or `null` when there is no other", client cycle_model
}
{
    /// Selects a thinking level; one that does not exist counts as `off`, one that the model lacks as the nearest.
    set_thinking_level SetThinkingLevel Ordinary {
        takes level: Value = ThinkingLevel, "`off`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`; `off` without it";
    } -> () "", client set_thinking_level
}
{
    /// Goes on to the next thinking level.
    cycle_thinking_level CycleThinkingLevel Ordinary {
    } -> (level: Option<ThinkingLevel>) "`data` is `null` when the model cannot think", client cycle_thinking_level
}
{
    /// Lists the thinking levels that the model supports.
    get_available_thinking_levels GetAvailableThinkingLevels Ordinary {
    } -> (levels: Vec<ThinkingLevel>) "from the lowest; only `off` when the model cannot think", client get_available_thinking_levels
}
{
    /// Chooses how much of the steering queue a turn takes, from the next turn on; remembered in `settings.json`.
    set_steering_mode SetSteeringMode Ordinary {
        needs mode: QueueMode = QueueMode, "`all` or `one-at-a-time`";
    } -> () "", client set_steering_mode
}
{
    /// Chooses how much of the follow-up queue a stop takes, from the next stop on; remembered in `settings.json`.
    set_follow_up_mode SetFollowUpMode Ordinary {
        needs mode: QueueMode = QueueMode, "`all` or `one-at-a-time`";
    } -> () "", client set_follow_up_mode
}
{
    /// Summarises older history. A run in progress is stopped first; the events come before the response.
    compact Compact Ordinary {
        takes custom_instructions: Option<String> = Option<&str>, "what the summary should pay attention to";
    } -> (CompactionOutcome) "`summary`, `firstKeptEntryId`, `tokensBefore`, `estimatedTokensAfter`, `details?`", client compact
}
{
    /// Switches automatic compaction on or off; remembered in `settings.json`.
    set_auto_compaction SetAutoCompaction Ordinary {
        needs enabled: bool = bool, "";
    } -> () "", client set_auto_compaction
}
{
    /// Chooses whether calls that failed for a passing reason are repeated; remembered in `settings.json`.
    set_auto_retry SetAutoRetry Ordinary {
        needs enabled: bool = bool, "";
    } -> () "", client set_auto_retry
}
{
    /// Ends the pause before a retry, and with it the series: `auto_retry_end` follows. A summary whose call would have been
    /// repeated fails. Without a pause nothing happens.
    abort_retry AbortRetry Urgent {} -> () "", client abort_retry
}
{
    /// Lists what prompts can begin with behind a `/`.
    get_commands GetCommands Ordinary {
    } -> (commands: Vec<RpcCommandInfo>) "see [below](#slash-commands)", client get_commands
}
{
    /// Tells how the MCP servers of the session are doing. None is started for it.
    get_mcp_status GetMcpStatus Ordinary {
    } -> (Value) "`servers`, `problems`; see [below](#mcp-servers)", client get_mcp_status
}
{
    /// Writes the session as a page of HTML.
    export_html ExportHtml Ordinary {
        takes output_path: Option<String> = Option<&str>, "`pi-session-FILE.html` without it";
    } -> (path: String) "as the program sees it", client export_html
}
{
    /// Runs a shell command of the user; the model sees it and its output with the next prompt.
    bash Bash Ordinary {
        needs command: String = &str, "";
        takes exclude_from_context: bool, "`true` keeps it from the model";
    } -> (BashResult) "`output`, `exitCode?`, `cancelled`, `truncated`, `fullOutputPath?`; see [below](#shell-commands)", client bash
}
{
    /// Kills the shell command that was started last.
    abort_bash AbortBash Urgent {} -> () "", client abort_bash
}
{
    /// Names the session.
    set_session_name SetSessionName Ordinary {
        needs name: String = &str, "not blank";
    } -> () "", client set_session_name
}
{
    /// Goes to the session in a file; a file that does not exist becomes a new session.
    switch_session SwitchSession Ordinary {
        needs session_path: PathBuf = &str, "relative to the directory in which `pi` was started";
        takes missing_cwd: Option<MissingCwd>, "`here` or `fork`, for a session [whose directory is gone](sessions.md#damage)";
    } -> (RpcReplaced) "`cancelled`", client switch_session
}
{
    /// Goes to a new session that ends in front of what the user said in an entry.
    fork Fork Ordinary {
        needs entry_id: String = &str, "something that the user said";
    } -> (RpcReplaced) "`text` of it, `cancelled`", client fork
}
{
    /// Goes to a copy of the current branch.
    clone Clone Ordinary {} -> (RpcReplaced) "`cancelled`", client clone_session
}
{
    /// Lists what the user said, on all branches, to choose a place to fork from.
    get_fork_messages GetForkMessages Reading {
    } -> (messages: Vec<ForkMessage>) "`entryId` and `text` of each", history fork_messages
}
{
    /// Lists the session's entries on all branches, as they are in the file.
    get_entries GetEntries Reading {
        takes since: Option<String> = Option<&str>, "id of an entry: only those behind it";
    } -> (RpcEntries) "`entries`; `leafId`: the entry that the next one will follow, or `null`", history entries
}
{
    /// Returns the session's entries as a tree.
    get_tree GetTree Reading {
    } -> (RpcTree) "`tree`: a list of nodes `entry`, `children`, `label?`, `labelTimestamp?`; `leafId`", history tree
}
{
    /// Chooses how much of a growing message its events show.
    set_event_detail SetEventDetail Ordinary {
        needs partial: EventDetail = EventDetail, "`full` (at first, without `--event-detail`) or `delta`; see [below](#updates-without-the-message)";
    } -> () "", client set_event_detail
}
{
    /// Ends the program, after the response.
    shutdown Shutdown Urgent {
        needs mode: ShutdownMode = ShutdownMode, "`finish` or `abort`; see [above](#the-end)";
    } -> () "", client shutdown
}
{
    /// Answers a question that an extension asked.
    extension_ui_response ExtensionUiResponse Urgent {
        takes value: Value, "the choice, or the text";
        takes confirmed: Value, "`true` or `false`";
        takes cancelled: Value, "`true`: the user answers nothing";
    } -> () "no response; see [below](#extension-ui-requests)", custom extension_ui_response
}
        }
    };
}

pub(super) use command_table;

/// How a field is called in JSON: `model_id` is `modelId`.
pub(super) fn json_name(field: &str) -> String {
    let mut words = field.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}
