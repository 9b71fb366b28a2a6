//! `pi attach`: the screen of a session that another program has, and what becomes of such programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::usage::parse;
use crate::cli::process_env;
use crate::modes::{AttachError, Left, SessionDescription, attach, attachable_sessions, end_attachable};
use pi_coding_agent::paths::Paths;

/// A program that was started listens within this time.
const START: Duration = Duration::from_secs(60);

/// Shows a session that goes on without this terminal: several may show it, and leaving it does not end it.
#[derive(Debug, Parser)]
#[command(name = "pi attach", after_help = AFTER_HELP)]
pub(in crate::cli) struct AttachArgs {
    /// Which one, where there are several: process number, start of the session's id, or name
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// Say what can be attached to
    #[arg(long)]
    list: bool,
    /// The list as JSON
    #[arg(long, requires = "list")]
    json: bool,
    /// End the session instead
    #[arg(long, conflicts_with = "list")]
    end: bool,
    /// Start one first: what follows are options of pi
    #[arg(long, conflicts_with_all = ["list", "end", "session"], num_args = 0.., value_name = "OPTIONS", allow_hyphen_values = true)]
    start: Option<Vec<String>>,
}

const AFTER_HELP: &str = "\
A session is there to be attached to as long as a program with --mode rpc --listen has it. /quit leaves the screen; the
session goes on until pi attach --end.

Examples:
  pi attach --start
  pi attach --start --model anthropic/claude-sonnet-4-5 --continue
  pi attach
  pi attach --list
  pi attach --end";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>) -> u8 {
    let args: AttachArgs = match parse("attach", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    match dispatch(&args) {
        Ok(text) => print(&format!("{text}\n")),
        Err(message) => {
            complain(&format!("Error: {message}"));
            1
        }
    }
}

/// Does what was asked for; what is to be said about it.
fn dispatch(args: &AttachArgs) -> Result<String, String> {
    let paths = process_env::of_process()?.paths;
    if let Some(options) = &args.start {
        let socket = start(&paths, options)?;
        return show(&socket, &paths);
    }
    let sessions = attachable_sessions(&paths);
    if args.list {
        return list(&sessions, args.json);
    }
    let (socket, session) = choose(&sessions, args.session.as_deref(), paths.cwd())?;
    if args.end {
        end_attachable(socket).map_err(|error| format!("cannot end process {}: {error}", session.pid))?;
        return Ok(format!("Ended the session {} of process {}", session.session_id, session.pid));
    }
    show(socket, &paths)
}

/// Shows it, and says what became of it.
fn show(socket: &Path, paths: &Paths) -> Result<String, String> {
    let name = rustix::termios::ttyname(rustix::stdio::stdin(), Vec::new()).ok();
    let name = name.map(|name| name.to_string_lossy().trim_start_matches("/dev/").to_owned());
    match attach(socket, name.unwrap_or_else(|| format!("process {}", std::process::id())), terminal(paths)) {
        Ok(Left::Detached) => Ok("The session goes on. pi attach shows it again, pi attach --end ends it.".to_owned()),
        Ok(Left::Ended) => Ok("The session has ended.".to_owned()),
        Err(AttachError::Gone(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err("the program that has the session has ended without a word; pi -c goes on with what it stored"
                .to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// What the environment says of the terminal.
fn terminal(paths: &Paths) -> BTreeMap<String, String> {
    let names = process_env::TERMINAL_VARIABLES.iter();
    names.filter_map(|name| Some(((*name).to_owned(), paths.env().var(name)?))).collect()
}

type Found = (PathBuf, SessionDescription);

/// The one that is meant: by what was said, else the one of this directory, else the only one.
fn choose<'a>(sessions: &'a [Found], said: Option<&str>, cwd: &Path) -> Result<&'a Found, String> {
    let Some(said) = said else {
        let here: Vec<&Found> = sessions.iter().filter(|(_, session)| Path::new(&session.cwd) == cwd).collect();
        return match (here.as_slice(), sessions) {
            ([one], _) => Ok(one),
            ([], [one]) => Ok(one),
            ([], []) => Err("there is nothing to attach to; pi attach --start begins a session that stays".to_owned()),
            ([], _) => Err(format!("which one? None is of this directory:\n{}", table(sessions))),
            (_, _) => Err(format!("which one? Several are of this directory:\n{}", table(sessions))),
        };
    };
    let fits = |(_, session): &&Found| {
        session.pid.to_string() == said
            || session.session_id.starts_with(said)
            || session.name.as_deref().is_some_and(|name| name == said)
    };
    match sessions.iter().filter(fits).collect::<Vec<_>>().as_slice() {
        [one] => Ok(one),
        [] if sessions.is_empty() => {
            Err(format!("there is no session \"{said}\" to attach to, nor any other; pi attach --start begins one"))
        }
        [] => Err(format!("there is no session \"{said}\" to attach to. There are:\n{}", table(sessions))),
        _ => Err(format!("\"{said}\" fits several:\n{}", table(sessions))),
    }
}

fn list(sessions: &[Found], as_json: bool) -> Result<String, String> {
    if as_json {
        let sessions: Vec<&SessionDescription> = sessions.iter().map(|(_, session)| session).collect();
        return serde_json::to_string(&sessions).map_err(|error| error.to_string());
    }
    if sessions.is_empty() {
        return Ok("There is nothing to attach to. pi attach --start begins a session that stays.".to_owned());
    }
    Ok(table(sessions))
}

fn table(sessions: &[Found]) -> String {
    let line = |(_, session): &Found| {
        let id: String = session.session_id.chars().take(8).collect();
        let state = if session.is_working { "working" } else { "waiting" };
        let clients = match session.clients {
            0 => "nobody attached".to_owned(),
            1 => "1 client".to_owned(),
            count => format!("{count} clients"),
        };
        let name = session.name.as_ref().map(|name| format!("  \"{name}\"")).unwrap_or_default();
        format!("{:>8}  {id}  {state}  {clients}  {}  {}{name}", session.pid, session.model, session.cwd)
    };
    sessions.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Starts a program that listens, and waits until it does; its socket.
fn start(paths: &Paths, options: &[String]) -> Result<PathBuf, String> {
    let failed = |error: io::Error| format!("cannot start the session: {error}");
    let program = std::env::current_exe().map_err(failed)?;
    let mut log = tempfile::tempfile().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(["--mode", "rpc", "--listen"]).args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.try_clone().map_err(failed)?);
    // It leaves this terminal by itself, since a terminal is none of its descriptors.
    let mut child = command.spawn().map_err(failed)?;
    let end = Instant::now() + START;
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Err(format!("the session has not begun ({status}):\n{}", said(&mut log).trim_end()));
        }
        let pid = child.id();
        if let Some((socket, _)) = attachable_sessions(paths).into_iter().find(|(_, session)| session.pid == pid) {
            return Ok(socket);
        }
        if Instant::now() > end {
            let _ = child.kill();
            return Err(format!("the session has not begun in {} s:\n{}", START.as_secs(), said(&mut log).trim_end()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What the program has said so far.
fn said(log: &mut File) -> String {
    let mut text = String::new();
    // What cannot be read is not told.
    let _ = log.rewind().and_then(|()| log.read_to_string(&mut text));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(pid: u32, id: &str, name: Option<&str>, cwd: &str) -> Found {
        let description = SessionDescription {
            pid,
            session_id: id.to_owned(),
            name: name.map(str::to_owned),
            cwd: cwd.to_owned(),
            model: "anthropic/claude".to_owned(),
            is_working: pid == 1,
            clients: pid as usize,
        };
        (PathBuf::from(format!("/run/{pid}.sock")), description)
    }

    #[test]
    fn a_session_is_chosen_by_what_was_said_or_by_its_directory() {
        let all = [
            session(1, "aaaa", Some("fix"), "/one"),
            session(2, "aabb", None, "/two"),
            session(3, "cccc", None, "/two"),
        ];
        for (sessions, said, cwd, expected) in [
            (&all[..], None, "/one", Ok(1)),
            (&all[..], None, "/two", Err("which one? Several are of this directory:")),
            (&all[..], None, "/three", Err("which one? None is of this directory:")),
            (&all[..1], None, "/three", Ok(1)),
            (&[], None, "/one", Err("there is nothing to attach to; pi attach --start")),
            (&all[..], Some("3"), "/one", Ok(3)),
            (&all[..], Some("fix"), "/two", Ok(1)),
            (&all[..], Some("aab"), "/one", Ok(2)),
            (&all[..], Some("aa"), "/one", Err("\"aa\" fits several:")),
            (&all[..], Some("zz"), "/one", Err("there is no session \"zz\" to attach to. There are:")),
            (&[], Some("zz"), "/one", Err("there is no session \"zz\" to attach to, nor any other")),
        ] {
            let found = choose(sessions, said, Path::new(cwd)).map(|(_, session)| session.pid);
            match (found, expected) {
                (Ok(pid), Ok(expected)) => assert_eq!(pid, expected, "{said:?} in {cwd}"),
                (Err(error), Err(expected)) => assert!(error.starts_with(expected), "{error}"),
                (found, expected) => panic!("{said:?} in {cwd}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn the_list_tells_what_each_does() {
        insta::assert_snapshot!(table(&[session(1, "0123456789", Some("fix"), "/one"), session(2, "b", None, "/two")]), @r#"
               1  01234567  working  1 client  anthropic/claude  /one  "fix"
               2  b  waiting  2 clients  anthropic/claude  /two
        "#);
    }
}
