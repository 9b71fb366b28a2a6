//! The options of `pi` as typed values. One declaration gives parser, help and the table that the pre-pass reads.
//!
//! What the options mean is decided elsewhere: `startup` resolves them.

use std::path::PathBuf;

use clap::Parser;
use pi_ai::ThinkingLevel;

/// A coding agent.
///
/// Messages are sent one after the other; `@path` attaches a file or an image to the first one. Without a
/// terminal, or with --print, the answer is printed and the program ends.
#[derive(Debug, Clone, Default, Parser)]
#[command(
    name = "pi",
    disable_help_flag = true,
    disable_version_flag = true,
    args_override_self = true,
    override_usage = "pi [OPTIONS] [@FILE…] [MESSAGE…]\n       pi COMMAND",
    after_help = AFTER_HELP
)]
pub struct Args {
    /// Print this help and exit
    #[arg(long, short = 'h')]
    pub help: bool,
    /// Print the version and exit; with --verbose also the level of the reference that is spoken
    #[arg(long, short = 'v')]
    pub version: bool,
    /// Output mode: text, json (one event per line), rpc (commands on standard input) or acp (as pi acp)
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// What is printed: text, json (one object at the end) or stream-json (as --mode json)
    #[arg(long, value_name = "FORMAT")]
    pub output_format: Option<String>,
    /// A JSON Schema that the final answer has to fit; it is checked, and asked for once more if it does not
    #[arg(long, value_name = "FILE")]
    pub json_schema: Option<PathBuf>,
    /// How much of a growing message the events of --mode json and rpc show: full (default) or delta, what is new
    #[arg(long, value_name = "DETAIL")]
    pub event_detail: Option<String>,
    /// With --mode rpc: take clients on a socket, too; pi attach shows the session
    #[arg(long)]
    pub listen: bool,
    /// Answer on standard output and exit
    #[arg(long, short = 'p')]
    pub print: bool,
    /// Print text as it arrives, also when standard output is not a terminal
    #[arg(long)]
    pub stream: bool,
    /// Stop after this many answers of the model (exit code 10)
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_turns: Option<String>,
    /// Stop when this many US dollars are spent (exit code 11)
    #[arg(long, value_name = "USD", help_heading = "Limits")]
    pub max_cost: Option<String>,
    /// Stop after this time: seconds, or with s, m or h behind the number (exit code 12)
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub timeout: Option<String>,
    /// Provider of the model given with --model
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub provider: Option<String>,
    /// Model id, provider/id or part of a name, optionally with :LEVEL
    #[arg(long, value_name = "PATTERN", help_heading = "Model")]
    pub model: Option<String>,
    /// Models to choose from, as patterns separated by commas; the first one is the model of a new session
    #[arg(long, value_name = "LIST", help_heading = "Model")]
    pub models: Option<String>,
    /// API key for the model's provider, for this run only
    #[arg(long, value_name = "KEY", help_heading = "Model")]
    pub api_key: Option<String>,
    /// Thinking level: off, minimal, low, medium, high, xhigh or max
    #[arg(long, value_name = "LEVEL", help_heading = "Model")]
    pub thinking: Option<String>,
    /// List the models that are ready to use, optionally only those that match the next argument
    #[arg(long, help_heading = "Model")]
    pub list_models: bool,
    /// Replace the system prompt by a text or by the content of a file
    #[arg(long, value_name = "TEXT|FILE", help_heading = "Prompt and resources")]
    pub system_prompt: Option<String>,
    /// Append a text or the content of a file to the system prompt (repeatable)
    #[arg(long, value_name = "TEXT|FILE", help_heading = "Prompt and resources")]
    pub append_system_prompt: Vec<String>,
    /// Do not read AGENTS.md and CLAUDE.md
    #[arg(long, help_heading = "Prompt and resources")]
    pub no_context_files: bool,
    /// Load a skill file or directory (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Prompt and resources")]
    pub skill: Vec<PathBuf>,
    /// Do not look for skills
    #[arg(long, help_heading = "Prompt and resources")]
    pub no_skills: bool,
    /// Load a prompt template file or directory (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Prompt and resources")]
    pub prompt_template: Vec<PathBuf>,
    /// Do not look for prompt templates
    #[arg(long, help_heading = "Prompt and resources")]
    pub no_prompt_templates: bool,
    /// Load a theme file or directory (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Prompt and resources")]
    pub theme: Vec<PathBuf>,
    /// Do not look for themes
    #[arg(long, help_heading = "Prompt and resources")]
    pub no_themes: bool,
    /// Continue the most recent session of this directory
    #[arg(long, short = 'c', help_heading = "Session")]
    pub r#continue: bool,
    /// Choose one of this directory's sessions from a list; needs a terminal
    #[arg(short = 'r', long, help_heading = "Session")]
    pub resume: bool,
    /// Open a session: a file, an id or the start of one
    #[arg(long, value_name = "FILE|ID", help_heading = "Session")]
    pub session: Option<String>,
    /// Open the session of this directory with exactly this id, or start one with it
    #[arg(long, value_name = "ID", help_heading = "Session")]
    pub session_id: Option<String>,
    /// Copy a session (a file, an id or the start of one) into this directory and go on with the copy
    #[arg(long, value_name = "FILE|ID", help_heading = "Session")]
    pub fork: Option<String>,
    /// What becomes of a session whose directory is gone: here (go on in the current directory) or fork (go on with a copy
    /// that belongs there)
    #[arg(long, value_name = "here|fork", help_heading = "Session")]
    pub missing_cwd: Option<String>,
    /// Keep session files in this directory
    #[arg(long, value_name = "DIR", help_heading = "Session")]
    pub session_dir: Option<String>,
    /// Keep the session in memory only
    #[arg(long, help_heading = "Session")]
    pub no_session: bool,
    /// Display name of the session
    #[arg(long, short = 'n', value_name = "TEXT", help_heading = "Session")]
    pub name: Option<String>,
    /// Make a page of a session file and exit; the first message says where (default pi-session-NAME.html), and a name
    /// that ends in .jsonl gets the current branch as a session file
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub export: Option<String>,
    /// Tools that the model may use, separated by commas; `*` stands for any characters. `+name` and `-name` change the
    /// default ones instead
    #[arg(long, short = 't', value_name = "LIST", help_heading = "Tools")]
    pub tools: Option<String>,
    /// Tools that the model may not use, separated by commas; `*` stands for any characters
    #[arg(long, value_name = "LIST", help_heading = "Tools")]
    pub exclude_tools: Option<String>,
    /// No tools at all, unless --tools names some
    #[arg(long, help_heading = "Tools")]
    pub no_tools: bool,
    /// No built-in tools
    #[arg(long, help_heading = "Tools")]
    pub no_builtin_tools: bool,
    /// No MCP servers
    #[arg(long, help_heading = "Tools")]
    pub no_mcp: bool,
    /// Load an extension, a file or a directory, before all others (repeatable)
    #[arg(long, short = 'e', value_name = "PATH", help_heading = "Extensions")]
    pub extension: Vec<String>,
    /// Do not look for extensions; --extension still loads
    #[arg(long, help_heading = "Extensions")]
    pub no_extensions: bool,
    /// Trust the project's own settings and resources for this run
    #[arg(long, short = 'a', help_heading = "Project")]
    pub approve: bool,
    /// Ignore the project's own settings and resources for this run
    #[arg(long, help_heading = "Project")]
    pub no_approve: bool,
    /// Write the provider traffic of this run, without secrets, to a cassette
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    pub record: Option<PathBuf>,
    /// Answer model calls from a cassette, without network and key
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    pub replay: Option<PathBuf>,
    /// For --record and --replay, which then cover tool calls, time and ids; a replay is the whole run once more and runs
    /// no tool
    #[arg(long, help_heading = "Network")]
    pub with_tools: bool,
    /// No network access besides the model's
    #[arg(long, help_heading = "Network")]
    pub offline: bool,
    /// Ask before commands, or before edits and commands: never, commands, edits
    #[arg(long, value_name = "WHAT")]
    pub ask: Option<String>,
    /// A conversation in lines, for screen readers: nothing is redrawn, choices are numbered
    #[arg(long)]
    pub plain: bool,
    /// Together with --version, name the versions that it stands for
    #[arg(long)]
    pub verbose: bool,
    /// Messages, in order
    #[arg(hide = true)]
    pub messages: Vec<String>,
}

impl Args {
    /// The thinking level that was asked for, or what is wrong with it.
    pub(crate) fn thinking_level(&self) -> Option<Result<ThinkingLevel, String>> {
        let text = self.thinking.as_deref()?;
        let valid = || ThinkingLevel::ALL.map(ThinkingLevel::as_str).join(", ");
        let invalid = || format!("Invalid thinking level \"{text}\". Valid values: {}", valid());
        Some(ThinkingLevel::parse(text).ok_or_else(invalid))
    }
}

const AFTER_HELP: &str = "\
Short forms: -xt --exclude-tools, -nt --no-tools, -nbt --no-builtin-tools, -nc --no-context-files,
             -ne --no-extensions, -ns --no-skills, -np --no-prompt-templates, -na --no-approve

Built-in tools: read, bash, edit, write; with --tools or the setting defaultTools also grep, find, ls, codemode

Environment:
  ANTHROPIC_API_KEY, OPENROUTER_API_KEY, DEEPSEEK_API_KEY, GROQ_API_KEY, XAI_API_KEY, …
                                         keys, one variable per provider (docs/models.md lists all)
  PI_CODING_AGENT_DIR                    configuration directory (default ~/.pi/agent)
  PI_CODING_AGENT_SESSION_DIR            directory of session files
  PI_COMPAT=0.79                         events, responses and remembered choices as clients of 0.79 expect them
  PI_CACHE_RETENTION=long                ask providers to cache prompts longer
  PI_TELEMETRY                           whether some routing services are told which program calls
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
                                         proxies
  SSL_CERT_FILE, SSL_CERT_DIR            certificates to trust in place of the system's

Files, in the configuration directory:
  settings.json, models.json, auth.json  settings, providers and models of your own, keys
  trust.json                             which projects are trusted
  AGENTS.md, SYSTEM.md, APPEND_SYSTEM.md instructions, the system prompt, what is added to it
  skills/, prompts/, themes/, extensions/
                                         resources
  sessions/                              session files, by project
Files of a project, where it is trusted: .pi/, also at the root of its repository, with settings.json, SYSTEM.md,
APPEND_SYSTEM.md, skills/, prompts/, themes/, extensions/; .agents/skills/. Always: AGENTS.md or CLAUDE.md, also of the directories above.

Examples:
  pi -p \"what does this repository do?\"
  pi -p @src/main.rs \"explain this file\"
  git diff | pi -p \"review this change\"
  pi --continue -p \"and now the tests\"
  pi --tools read,grep,find,ls -p \"where are errors handled?\"
  pi --tools +grep,-write -p \"who calls this function?\"
  pi --mode json \"list the open TODOs\"
  pi doctor";

/// Short forms of several letters, which clap cannot express.
pub(crate) const LONG_SHORT_FORMS: &[(&str, &str)] = &[
    ("-xt", "exclude-tools"),
    ("-nt", "no-tools"),
    ("-nbt", "no-builtin-tools"),
    ("-nc", "no-context-files"),
    ("-ne", "no-extensions"),
    ("-ns", "no-skills"),
    ("-np", "no-prompt-templates"),
    ("-na", "no-approve"),
];
