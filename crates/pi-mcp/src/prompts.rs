//! Prompts of servers as commands: `/mcp:server:prompt words` asks the server for the prompt and sends it as the user's message.

use std::sync::{Arc, Weak};

use pi_ai::UserContent;
use pi_coding_agent::extension::{Command, CommandContext, HandlerError};
use rmcp::model::{ContentBlock, GetPromptRequest, GetPromptRequestParams, GetPromptResult, ServerResult};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::metadata::PromptInfo;
use crate::search::first_line;
use crate::server::Server;

/// The command of a prompt.
pub(crate) fn command(server: &Arc<Server>, prompt: &PromptInfo) -> Command {
    let name = format!("mcp:{}:{}", in_words(server.name()), in_words(&prompt.name));
    let arguments = prompt.arguments.iter().map(|argument| format!(" <{argument}>")).collect::<String>();
    let description = format!("{}{arguments}", first_line(&prompt.description));
    let (server, prompt) = (Arc::downgrade(server), prompt.clone());
    Command::new(name, move |words: String, context: CommandContext| {
        run(server.clone(), prompt.clone(), words, context)
    })
    .description(description)
}

/// A name without blanks: a command ends at the first one.
fn in_words(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

async fn run(
    server: Weak<Server>,
    prompt: PromptInfo,
    words: String,
    context: CommandContext,
) -> Result<(), HandlerError> {
    let server = server.upgrade().ok_or("The servers of this session have ended")?;
    let mut params = GetPromptRequestParams::new(prompt.name.clone());
    params.arguments = Some(arguments(&prompt.arguments, &words));
    let request = GetPromptRequest::new(params);
    let answer = server.request(&prompt.name, request, &CancellationToken::new(), |_| {}).await;
    let answer = answer.map_err(|error| error.to_string())?;
    let ServerResult::GetPromptResult(result) = answer else {
        return Err(format!("{} answered with something else than a prompt", server.name()).into());
    };
    let text = text_of(&result);
    if text.trim().is_empty() {
        return Err(format!("The prompt {} of {} has no text", prompt.name, server.name()).into());
    }
    context.send_user_message(UserContent::Text(text), None).await?;
    Ok(())
}

/// The words, one for each argument in order; the last argument gets the rest.
fn arguments(names: &[String], words: &str) -> Map<String, Value> {
    let mut rest = words.trim();
    let mut arguments = Map::new();
    for (at, name) in names.iter().enumerate() {
        if rest.is_empty() {
            break;
        }
        let (word, behind) = match rest.split_once(char::is_whitespace) {
            Some((word, behind)) if at + 1 < names.len() => (word, behind.trim_start()),
            _ => (rest, ""),
        };
        arguments.insert(name.clone(), word.into());
        rest = behind;
    }
    arguments
}

fn text_of(result: &GetPromptResult) -> String {
    let texts = result.messages.iter().filter_map(|message| match &message.content {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_arguments_and_the_last_gets_the_rest() {
        let names = ["file", "focus"].map(str::to_owned);
        for (words, expected) in [
            ("", vec![]),
            (" a.rs ", vec![("file", "a.rs")]),
            ("a.rs  the whole rest", vec![("file", "a.rs"), ("focus", "the whole rest")]),
        ] {
            let found = arguments(&names, words);
            let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
            assert_eq!(found, expected, "{words:?}");
        }
        assert_eq!(arguments(&[], "words"), Map::new());
    }
}
