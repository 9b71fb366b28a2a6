//! Commands that begin with a slash: those of the interactive mode that make sense in lines.

use std::ops::ControlFlow;
use std::path::PathBuf;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::ThinkingLevel;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::session::{SessionInfo, list_sessions};

use super::{Done, Plain, user};
use crate::common::one_line::cut_line;

/// So many sessions are offered, and so many letters of what was said first.
const OFFERED: usize = 20;
const TITLE: usize = 70;

/// A choice from a list that was printed: the next line has a number.
pub(super) enum Choosing {
    Model(Vec<String>),
    Session(Vec<PathBuf>),
}

/// What a command does, and what it says.
type Run = fn(AgentSession, String) -> BoxFuture<'static, String>;

enum Kind {
    /// It works on the session, beside the loop.
    Session(Run),
    /// It needs the loop.
    Loop(fn(&mut Plain, &str)),
}

struct Command {
    name: &'static str,
    about: &'static str,
    kind: Kind,
}

const fn command(name: &'static str, about: &'static str, kind: Kind) -> Command {
    Command { name, about, kind }
}

const COMMANDS: &[Command] = &[
    command("help", "lists the commands", Kind::Session(help)),
    command("model", "lists the models to choose from; with a name, chooses one", Kind::Loop(model)),
    command("thinking", "tells the thinking level; with a level, chooses it", Kind::Session(thinking)),
    command("new", "begins a new session", Kind::Session(new)),
    command("resume", "lists the sessions of this directory to go on with", Kind::Loop(resume)),
    command("name", "names the session, or tells its name", Kind::Session(name)),
    command("session", "tells file, counts and cost of the session", Kind::Session(session)),
    command("compact", "summarises the conversation; a focus may follow", Kind::Session(compact)),
    command("export", "writes the session as a page; a file may follow", Kind::Session(export)),
    command("reload", "reads settings, keys, extensions, skills and templates again", Kind::Session(reload)),
    command("quit", "ends pi", Kind::Loop(quit)),
];

/// Runs the command that a line names; whether there is one. Templates, skills and commands of extensions are the session's.
pub(super) async fn run(plain: &mut Plain, line: &str) -> bool {
    let Some(line) = line.strip_prefix('/') else { return false };
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else { return false };
    match command.kind {
        Kind::Session(run) => {
            let (session, argument) = (plain.session.clone(), argument.trim().to_owned());
            plain.spawn(async move { Done::Said(run(session, argument).await) });
        }
        Kind::Loop(run) => run(plain, argument.trim()),
    }
    true
}

/// A line follows a list.
pub(super) async fn chosen(plain: &mut Plain, choosing: Choosing, line: &str) {
    if line.is_empty() {
        return plain.ready().await;
    }
    let count = match &choosing {
        Choosing::Model(models) => models.len(),
        Choosing::Session(files) => files.len(),
    };
    let number = match user::chosen(line, count) {
        Ok(number) => number,
        Err(problem) => return plain.choose(&problem, choosing).await,
    };
    let session = plain.session.clone();
    match choosing {
        Choosing::Model(mut models) => {
            let name = models.swap_remove(number);
            plain.spawn(async move { Done::Said(set_model(&session, name).await) });
        }
        Choosing::Session(mut files) => {
            let file = files.swap_remove(number);
            plain.spawn(async move {
                Done::Said(match session.switch().to(&file).await {
                    Ok(_) => resumed(&session),
                    Err(error) => format!("Error: {error}"),
                })
            });
        }
    }
}

fn help(session: AgentSession, _: String) -> BoxFuture<'static, String> {
    async move {
        let own = COMMANDS.iter().map(|command| format!("/{}: {}", command.name, command.about));
        let of_session = session.extensions().slash_commands();
        let others = of_session.iter().map(|command| {
            let about = command.description.as_deref().unwrap_or_default();
            format!("/{}: {about}", command.name)
        });
        let keys = [
            "!command: runs a command; its output goes with the next message. !!command: without the model seeing it",
            "While the agent works, a line is delivered before its next step. Ctrl+C stops it",
        ];
        own.chain(others).chain(keys.map(str::to_owned)).collect::<Vec<_>>().join("\n")
    }
    .boxed()
}

fn quit(plain: &mut Plain, _: &str) {
    plain.leaving = Some(0);
}

fn model(plain: &mut Plain, name: &str) {
    let (session, name) = (plain.session.clone(), name.to_owned());
    plain.spawn(async move {
        if !name.is_empty() {
            return Done::Said(set_model(&session, name).await);
        }
        let models = session.models().registry().available();
        if models.is_empty() {
            return Done::Said("No model has a key: `pi auth login` in a shell signs in or stores one.".to_owned());
        }
        let current = session.model();
        let names: Vec<String> = models.iter().map(|model| format!("{}/{}", model.provider, model.id)).collect();
        let lines = names.iter().zip(1..).zip(&models).map(|((name, number), model)| {
            let mark = if model.id == current.id && model.provider == current.provider { ", in use" } else { "" };
            format!("{number}. {name}{mark}")
        });
        Done::Choose(lines.collect::<Vec<_>>().join("\n"), Choosing::Model(names))
    });
}

async fn set_model(session: &AgentSession, name: String) -> String {
    match session.models().set(name.as_str()).await {
        Ok(()) => format!("Model {}/{}.", session.model().provider, session.model().id),
        Err(error) => format!("Error: {error}"),
    }
}

fn resume(plain: &mut Plain, _: &str) {
    let session = plain.session.clone();
    plain.spawn(async move {
        let current = session.session_id();
        let listed = tokio::task::spawn_blocking(move || sessions(&session)).await.unwrap_or_default();
        let mut sessions: Vec<SessionInfo> = listed.into_iter().filter(|session| session.id != current).collect();
        sessions.truncate(OFFERED);
        if sessions.is_empty() {
            return Done::Said("This directory has no other sessions.".to_owned());
        }
        let lines = sessions.iter().zip(1..).map(|(session, number)| {
            let title = session.name.as_ref().unwrap_or(&session.first_message);
            format!("{number}. {}, {} messages", cut_line(title, TITLE), session.message_count)
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        Done::Choose(text, Choosing::Session(sessions.into_iter().map(|session| session.path).collect()))
    });
}

/// The sessions of the directory, the newest first.
fn sessions(session: &AgentSession) -> Vec<SessionInfo> {
    let (paths, cwd, dir) = session.store().read(|manager| {
        let dir = (!manager.uses_default_session_dir()).then(|| manager.storage().dir().to_owned());
        (manager.paths().clone(), manager.cwd().to_owned(), dir)
    });
    list_sessions(&paths, &cwd, dir.as_deref(), |_, _| ControlFlow::Continue(()))
}

/// Where the conversation stands that is gone on with.
pub(super) fn resumed(session: &AgentSession) -> String {
    let messages = session.messages();
    let last = messages.iter().rev().find_map(|message| message.as_assistant().map(pi_ai::AssistantMessage::text));
    let last = last.filter(|text| !text.trim().is_empty());
    let told = last.map(|text| format!("\nThe last answer was:\n{text}")).unwrap_or_default();
    format!("A session of {} messages goes on.{told}", messages.len())
}

fn thinking(session: AgentSession, level: String) -> BoxFuture<'static, String> {
    async move {
        let available: Vec<&str> = session.thinking().available().into_iter().map(ThinkingLevel::as_str).collect();
        if level.is_empty() {
            return format!(
                "Thinking level {}; there are {}.",
                session.thinking().level().as_str(),
                available.join(", ")
            );
        }
        let wanted = session.thinking().available().into_iter().find(|known| known.as_str() == level);
        let Some(wanted) = wanted else {
            return format!("This model has no thinking level \"{level}\"; there are {}.", available.join(", "));
        };
        session.thinking().set(wanted).await;
        format!("Thinking level {}.", session.thinking().level().as_str())
    }
    .boxed()
}

fn new(session: AgentSession, _: String) -> BoxFuture<'static, String> {
    async move {
        match session.switch().to_new(None).await {
            Ok(_) => "A new session.".to_owned(),
            Err(error) => format!("Error: {error}"),
        }
    }
    .boxed()
}

fn name(session: AgentSession, name: String) -> BoxFuture<'static, String> {
    async move {
        if name.is_empty() {
            return session.name().get().map_or("It has no name.".to_owned(), |name| format!("Its name is {name}."));
        }
        match session.name().set(&name).await {
            Ok(()) => format!("Its name is {name} now."),
            Err(error) => format!("Error: {error}"),
        }
    }
    .boxed()
}

fn session(session: AgentSession, _: String) -> BoxFuture<'static, String> {
    async move {
        let stats = session.stats().current();
        let file = stats.session_file.clone().unwrap_or_else(|| "none, it is kept in memory".to_owned());
        let totals = &stats.totals;
        let (messages, tokens, cost) = (totals.total_messages, totals.tokens.total, totals.cost);
        format!("File: {file}\nId: {}\nMessages: {messages}\nTokens: {tokens}\nCost: ${cost:.4}", stats.session_id)
    }
    .boxed()
}

fn compact(session: AgentSession, focus: String) -> BoxFuture<'static, String> {
    async move {
        let focus = Some(focus.as_str()).filter(|focus| !focus.is_empty());
        match session.compaction().run(focus).await {
            Ok(done) => format!("{} tokens before, about {} now.", done.tokens_before, done.estimated_tokens_after),
            Err(error) => format!("Error: {error}"),
        }
    }
    .boxed()
}

fn export(session: AgentSession, file: String) -> BoxFuture<'static, String> {
    async move {
        let file = Some(file.as_str()).filter(|file| !file.is_empty());
        match session.export().html(file).await {
            Ok(path) => format!("Written into {path}."),
            Err(error) => format!("Error: {error}"),
        }
    }
    .boxed()
}

fn reload(session: AgentSession, _: String) -> BoxFuture<'static, String> {
    async move {
        match session.reload().await {
            Ok(()) => "Read again.".to_owned(),
            Err(error) => format!("Error: {error}"),
        }
    }
    .boxed()
}
