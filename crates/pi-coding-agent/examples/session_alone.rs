//! A session file without an agent: a program writes a conversation, goes back in it, and reads the branches.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::ops::ControlFlow;
use std::sync::Arc;

use pi_ai::{Message, UserMessage, scripted};
use pi_coding_agent::env::Env;
use pi_coding_agent::session::{NewSession, SessionHost, SessionManager, list_sessions, load_session};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = tempfile::tempdir()?;
    let dir = home.path().join("sessions");
    let env = Env::fixed([("HOME", home.path().to_string_lossy().into_owned())]);
    let host = SessionHost::new(env);

    let options = NewSession { dir: Some(dir.clone()), ..NewSession::default() };
    let mut session = SessionManager::create(host.clone(), home.path(), &options)?;
    session.append().session_info("capitals")?;
    let question = session.append_message(user("The capital of France?"))?;
    session.append_message(answer("Paris."))?;
    session.append_message(user("And of Italy?"))?;
    session.append_message(answer("Rome."))?;
    print_context("to the end", &session)?;

    // Back to the first question; what came after it stays in the file, as another branch.
    session.branch(&question)?;
    session.append_message(answer("Paris, on the Seine."))?;
    print_context("on the new branch", &session)?;

    // The file is all there is: whoever reads it finds the same.
    let file = session.session_file().ok_or("it has a file")?.to_owned();
    drop(session);
    let found = load_session(&file, &*host.ids)?;
    println!("entries in the file: {}", found.entries.len());
    for info in list_sessions(&host.paths, home.path(), Some(&dir), |_, _| ControlFlow::Continue(())) {
        println!("{}: {} messages", info.name.unwrap_or_default(), info.message_count);
    }
    Ok(())
}

fn user(text: &str) -> Arc<Message> {
    Arc::new(UserMessage::text(text, 0).into())
}

fn answer(text: &str) -> Arc<Message> {
    Arc::new(scripted::message([scripted::text(text)]).into())
}

/// Prints what a model would see of the session.
fn print_context(what: &str, session: &SessionManager) -> Result<(), Box<dyn std::error::Error>> {
    let roles: Vec<String> = session.build_session_context()?.messages.iter().map(|it| it.role().to_owned()).collect();
    println!("{what}: {}", roles.join(", "));
    Ok(())
}
