//! What the user can call with a slash: what the session has, and some commands of our own.

use agent_client_protocol_schema::v1::{AvailableCommand, AvailableCommandInput, UnstructuredCommandInput};

use super::open_session::OpenSession;
use crate::agent_session::AgentSession;
use crate::export::default_html_name;
use crate::tools::PathBase;

/// Our own commands: name, description, what may follow.
const BUILTIN: [(&str, &str, Option<&str>); 4] = [
    ("compact", "Summarise the conversation so far", Some("what the summary should heed")),
    ("name", "Name the session", Some("the name; nothing clears it")),
    ("export", "Write the session as a page of HTML", Some("the file")),
    ("session", "Figures of the session", None),
];

/// The commands of a session. One of an extension takes the place of ours.
pub(super) fn available(session: &AgentSession) -> Vec<AvailableCommand> {
    let of_session = session.extensions().slash_commands();
    let is_free = |name: &str| of_session.iter().all(|command| command.name != name);
    let own = BUILTIN.iter().filter(|(name, ..)| is_free(name));
    let own: Vec<_> = own.map(|(name, about, input)| command(name, about, *input)).collect();
    let theirs = of_session
        .iter()
        .map(|found| command(&found.name, found.description.as_deref().unwrap_or_default(), Some("arguments")));
    theirs.chain(own).collect()
}

fn command(name: &str, about: &str, input: Option<&str>) -> AvailableCommand {
    let input = input.map(|hint| AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(hint)));
    AvailableCommand::new(name, about).input(input)
}

/// One of our own commands, as it was called.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Builtin {
    name: &'static str,
    argument: Option<String>,
}

impl Builtin {
    /// The command that a prompt calls.
    pub(super) fn called_in(text: &str, session: &AgentSession) -> Option<Self> {
        let called = Self::parse(text)?;
        let is_theirs = session.extensions().slash_commands().iter().any(|command| command.name == called.name);
        (!is_theirs).then_some(called)
    }

    fn parse(text: &str) -> Option<Self> {
        let line = text.trim().strip_prefix('/')?;
        let (word, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (name, ..) = BUILTIN.iter().find(|(name, ..)| *name == word)?;
        let argument = Some(argument.trim().to_owned()).filter(|argument| !argument.is_empty());
        Some(Self { name, argument })
    }

    /// Runs it, and says what came of it.
    pub(super) async fn run(self, open: &OpenSession) {
        let (session, argument) = (open.session(), self.argument.as_deref());
        let outcome = match self.name {
            "compact" => session.compaction().run(argument).await.map(|done| {
                format!("Compacted: {} tokens before, about {} now.", done.tokens_before, done.estimated_tokens_after)
            }),
            "name" => session.name().set(argument.unwrap_or_default()).await.map(|()| match argument {
                Some(name) => format!("The session is named {name}."),
                None => "The session has no name now.".to_owned(),
            }),
            "export" => return self.export(open).await,
            _ => Ok(figures(session)),
        };
        let text = outcome.unwrap_or_else(|error| error.to_string());
        open.updates().send_notice(&text).await;
    }

    /// Writes into the directory of the session: that of the process is nothing to the user of an editor.
    async fn export(&self, open: &OpenSession) {
        let session = open.session();
        let base = PathBase::new(session.store().read(|manager| manager.cwd().to_owned()));
        // What is not stored is refused, whatever the name.
        let default = || default_html_name(&session.session_file().unwrap_or_default()).to_string_lossy().into_owned();
        let target = base.resolve(&self.argument.clone().unwrap_or_else(default));
        let text = match target {
            Ok(target) => match session.export().html(Some(&target.to_string_lossy())).await {
                Ok(path) => format!("Exported to {path}"),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        };
        open.updates().send_notice(&text).await;
    }
}

fn figures(session: &AgentSession) -> String {
    let stats = session.stats().current();
    let file = stats.session_file.unwrap_or_else(|| "none".to_owned());
    let totals = stats.totals;
    let context = stats.context_usage.and_then(|usage| usage.percent);
    let context = context.map(|percent| format!("\n- Context: {percent:.0} %")).unwrap_or_default();
    format!(
        "- Session: {}\n- File: {file}\n- Messages: {}\n- Tokens: {}\n- Cost: ${:.4}{context}",
        stats.session_id, totals.total_messages, totals.tokens.total, totals.cost
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_commands_are_whole_words() {
        let called = |text: &str| Builtin::parse(text).map(|called| (called.name, called.argument));
        assert_eq!(called("/compact"), Some(("compact", None)));
        assert_eq!(called(" /name my work \n"), Some(("name", Some("my work".to_owned()))));
        assert_eq!(called("/named"), None);
        assert_eq!(called("compact"), None);
        assert_eq!(called("say /compact"), None);
    }
}
