//! `pi mcp`: servers of the Model Context Protocol are added, removed, and asked how they are doing. Logins are in `mcp_login`.

use clap::{Args, Parser, Subcommand, ValueEnum};
use pi_mcp::{ServerParts, ServerReport};
use serde_json::{Map, Value, json};

use super::mcp_login;
use super::mcp_serve::{self, ServeArgs};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::screen::plain;
use crate::cli::console::usage::parse;
use crate::cli::process_env;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::trust::is_project_trusted;

/// Servers of tools (Model Context Protocol): add and remove them, and see how they are doing.
#[derive(Debug, Parser)]
#[command(name = "pi mcp", after_help = AFTER_HELP)]
pub(in crate::cli) struct McpArgs {
    #[command(subcommand)]
    action: Action,
}

const AFTER_HELP: &str = "\
The servers are in mcp.json of the configuration directory, with --local in .pi/mcp.json of this project. pi docs mcp says
what else can be set there.

Examples:
  pi mcp add files npx -y @modelcontextprotocol/server-filesystem ~/notes
  pi mcp add tickets https://tickets.example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
  pi mcp list";

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a server, or put another in the place of one
    Add(AddArgs),
    /// Remove a server
    Remove(RemoveArgs),
    /// Start every server and say what it has; 1 if one does not answer
    List(ListArgs),
    /// Log in to a server that wants it, in the browser
    Login(LoginArgs),
    /// Forget the login to a server
    Logout(LogoutArgs),
    /// Be a server: offer the tools of pi, and pi itself, to the program that starts this command
    Serve(ServeArgs),
}

#[derive(Debug, Args)]
struct AddArgs {
    #[command(flatten)]
    options: AddOptions,
    /// What to call it
    name: String,
    /// An address, or a program with its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "URL|COMMAND")]
    what: Vec<String>,
}

#[derive(Debug, Args)]
struct AddOptions {
    /// For this project only
    #[arg(short, long)]
    local: bool,
    /// A variable of the program: NAME=VALUE
    #[arg(short, long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// A header of requests to the address: "Name: value"
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// How to talk to it; an address is enough to know
    #[arg(short, long, value_enum, value_name = "KIND")]
    transport: Option<Transport>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Transport {
    Stdio,
    Http,
    Sse,
}

/// Options behind an address, where nothing else can be meant.
#[derive(Debug, Parser)]
#[command(name = "pi mcp add")]
struct BehindAddress {
    #[command(flatten)]
    options: AddOptions,
}

impl AddArgs {
    /// Takes the options behind an address for what they are. Whatever is behind a program belongs to that.
    fn with_options_behind_an_address(mut self) -> Result<Self, String> {
        if self.what.len() < 2 || !is_address(&self.what[0]) {
            return Ok(self);
        }
        let behind = self.what.split_off(1);
        if let Some(word) = behind.first().filter(|word| !word.starts_with('-')) {
            return Err(format!("An address stands alone, and \"{word}\" follows it: only options may"));
        }
        let argv = std::iter::once("pi mcp add".to_owned()).chain(behind);
        let BehindAddress { options } = BehindAddress::try_parse_from(argv)
            .map_err(|error| error.to_string().trim_start_matches("error: ").trim_end().to_owned())?;
        self.options.local |= options.local;
        self.options.env.extend(options.env);
        self.options.header.extend(options.header);
        self.options.transport = options.transport.or(self.options.transport);
        Ok(self)
    }
}

#[derive(Debug, Args)]
struct RemoveArgs {
    /// That of this project
    #[arg(short, long)]
    local: bool,
    /// Its name
    name: String,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct LoginArgs {
    /// What the login has to permit, besides what it did before
    #[arg(long, value_name = "SCOPES")]
    scope: Option<String>,
    /// Its name
    name: String,
}

#[derive(Debug, Args)]
struct LogoutArgs {
    /// Its name
    name: String,
}

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>) -> u8 {
    let args: McpArgs = match parse("mcp", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = process_env::of_process().and_then(|host| match args.action {
        Action::Add(args) => add(&host, args).map(|text| (text, 0)),
        Action::Remove(args) => remove(&host, &args).map(|text| (text, 0)),
        Action::List(args) => list(&host, args.json),
        Action::Login(args) => mcp_login::log_in(&host, args.scope.as_deref(), &args.name).map(|text| (text, 0)),
        Action::Logout(args) => mcp_login::log_out(&host, &args.name).map(|text| (text, 0)),
        // Standard output is the client's.
        Action::Serve(args) => mcp_serve::run(&host, args).map(|code| (String::new(), code)),
    });
    match done {
        Ok((text, code)) if text.is_empty() => code,
        Ok((text, code)) => print(&format!("{text}\n")).max(code),
        Err(message) => {
            complain(&format!("Error: {}", plain(&message)));
            1
        }
    }
}

fn add(host: &SessionHost, args: AddArgs) -> Result<String, String> {
    let args = args.with_options_behind_an_address()?;
    let file = pi_mcp::servers_file(&host.paths, args.options.local);
    let name = args.name.clone();
    let entry = entry(args)?;
    let is_replaced = pi_mcp::add_server(&file, &name, entry, &host.clock)?;
    let verb = if is_replaced { "Replaced" } else { "Added" };
    Ok(format!("{verb} {name} in {}. `pi mcp list` tries it.", file.display()))
}

/// The entry that the arguments describe.
fn entry(args: AddArgs) -> Result<Value, String> {
    let AddArgs { options, what, .. } = args;
    let mut what = what.into_iter();
    let first = what.next().unwrap_or_default();
    check_transport(options.transport, &first)?;
    if is_address(&first) {
        if !options.env.is_empty() {
            return Err("--env is for programs; an address takes --header".to_owned());
        }
        let headers = pairs(&options.header, ':', "--header \"Name: value\"")?;
        return Ok(with(json!({ "url": first }), "headers", headers));
    }
    if first.contains("://") {
        return Err(format!("An address begins with http:// or https://, not as {first}"));
    }
    if !options.header.is_empty() {
        return Err("--header is for addresses; a program takes --env".to_owned());
    }
    let env = pairs(&options.env, '=', "--env NAME=VALUE")?;
    let arguments: Vec<String> = what.collect();
    let mut entry = json!({ "command": first });
    if !arguments.is_empty() {
        entry["args"] = json!(arguments);
    }
    Ok(with(entry, "env", env))
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// The transport follows from what is added; one that is named must fit.
fn check_transport(transport: Option<Transport>, what: &str) -> Result<(), String> {
    match transport {
        Some(Transport::Sse) => {
            Err("pi speaks streamable HTTP, not the older SSE: most servers have it at an address that ends in /mcp"
                .to_owned())
        }
        Some(Transport::Http) if !is_address(what) => {
            Err(format!("--transport http takes an address (http:// or https://), not {what}"))
        }
        Some(Transport::Stdio) if is_address(what) => {
            Err(format!("--transport stdio takes a program, not the address {what}"))
        }
        _ => Ok(()),
    }
}

fn with(mut entry: Value, key: &str, pairs: Map<String, Value>) -> Value {
    if !pairs.is_empty() {
        entry[key] = Value::Object(pairs);
    }
    entry
}

fn pairs(texts: &[String], separator: char, usage: &str) -> Result<Map<String, Value>, String> {
    let pair = |text: &String| {
        let (name, value) = text.split_once(separator).filter(|(name, _)| !name.trim().is_empty())?;
        Some((name.trim().to_owned(), value.trim().into()))
    };
    texts.iter().map(|text| pair(text).ok_or_else(|| format!("\"{text}\" is not of the form {usage}"))).collect()
}

fn remove(host: &SessionHost, args: &RemoveArgs) -> Result<String, String> {
    let (file, name) = (pi_mcp::servers_file(&host.paths, args.local), &args.name);
    if pi_mcp::remove_server(&file, name, &host.clock)? {
        return Ok(format!("Removed {name} from {}", file.display()));
    }
    let other = pi_mcp::servers_file(&host.paths, !args.local);
    let hint = if args.local { "without --local" } else { "with --local" };
    Err(format!("There is no server \"{name}\" in {}. Is it in {}? Then: {hint}", file.display(), other.display()))
}

fn list(host: &SessionHost, as_json: bool) -> Result<(String, u8), String> {
    let (is_trusted, runtime) = (is_trusted(host)?, runtime()?);
    let (reports, problems) = runtime.block_on(pi_mcp::report(host, is_trusted));
    let has_failed = !problems.is_empty() || reports.iter().any(|report| matches!(report.state, Some(Err(_))));
    problems.iter().for_each(|problem| complain(&format!("Warning: {}", plain(problem))));
    let text = if as_json { in_json(&reports) } else { in_lines(&reports, is_trusted) };
    Ok((text, u8::from(has_failed)))
}

/// Whether servers of the project count.
pub(super) fn is_trusted(host: &SessionHost) -> Result<bool, String> {
    user_settings(host).map(|(_, is_trusted)| is_trusted)
}

/// The settings without those of the project, and whether the project is trusted.
pub(super) fn user_settings(host: &SessionHost) -> Result<(SettingsManager, bool), String> {
    let paths = &host.paths;
    let settings = SettingsManager::load(paths, paths.cwd(), false, std::sync::Arc::clone(&host.clock));
    let is_trusted = is_project_trusted(None, paths, &settings, paths.cwd()).map_err(|error| error.to_string())?;
    Ok((settings, is_trusted))
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("cannot start: {error}"))
}

fn in_lines(reports: &[ServerReport], is_trusted: bool) -> String {
    if reports.is_empty() {
        let untrusted = if is_trusted { "" } else { ", but for those of this project, which is not trusted" };
        return format!("There are no MCP servers{untrusted}. `pi mcp add --help` shows how to add one.");
    }
    let line = |report: &ServerReport| {
        let state = match &report.state {
            None => "switched off".to_owned(),
            Some(Err(problem)) => plain(problem).into_owned(),
            Some(Ok(ServerParts { tools, prompts, resources })) => {
                let resources = if *resources { ", resources" } else { "" };
                format!("{tools} tools, {prompts} prompts{resources}")
            }
        };
        format!("{}: {state} ({})", plain(&report.name), report.file.display())
    };
    reports.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn in_json(reports: &[ServerReport]) -> String {
    let one = |report: &ServerReport| {
        let mut value = json!({ "name": report.name, "file": report.file, "enabled": report.state.is_some() });
        match &report.state {
            None => {}
            Some(Err(problem)) => value["error"] = json!(problem),
            Some(Ok(parts)) => {
                value["tools"] = json!(parts.tools);
                value["prompts"] = json!(parts.prompts);
                value["resources"] = json!(parts.resources);
            }
        }
        value
    };
    Value::Array(reports.iter().map(one).collect()).to_string()
}
