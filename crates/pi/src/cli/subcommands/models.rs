//! `pi models`: the models that are ready to use, with price and window, and the one that a new session starts with.

use std::io;
use std::sync::Arc;

use clap::Parser;
use pi_ai::Model;
use serde_json::{Value, json};

use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::{Screen, Style, plain};
use crate::cli::console::usage::parse;
use crate::cli::grammar::args::Args;
use crate::cli::grammar::scan::CommandLine;
use crate::cli::startup::Foundation;
use crate::cli::startup::listing::NONE;
use crate::cli::startup::scope::model_of_new_session;
use pi_coding_agent::extension::Extension;
use pi_coding_agent::models::{filter_models, models_rows};

/// Lists the models that have a key, with their price in dollars per million tokens; * marks the one that a new session
/// starts with.
#[derive(Debug, Parser)]
#[command(name = "pi models", after_help = AFTER_HELP)]
pub(in crate::cli) struct ModelsArgs {
    /// Only those whose provider and id have these letters in this order
    pattern: Option<String>,
    /// Also models without a key
    #[arg(long)]
    all: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Load an extension, which may bring models (repeatable)
    #[arg(long, short = 'e', value_name = "PATH")]
    extension: Vec<String>,
    /// Do not look for extensions
    #[arg(long)]
    no_extensions: bool,
    /// Trust the project for this command
    #[arg(long, short = 'a', overrides_with = "no_approve")]
    approve: bool,
    /// Leave the project's own settings and extensions out
    #[arg(long, overrides_with = "approve")]
    no_approve: bool,
    /// Without effect: nothing is fetched
    #[arg(long, hide = true)]
    offline: bool,
}

const AFTER_HELP: &str = "\
Examples:
  pi models
  pi models sonnet
  pi models --all --json openrouter/ | jq -r 'select(.cost.input < 1) | .id'";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let args: ModelsArgs = match parse("models", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("cannot start: {error}")),
    };
    let mut foundation = match Foundation::new(args.as_line(), extensions) {
        Ok(foundation) => foundation,
        Err(message) => return fail(&message),
    };
    runtime.block_on(foundation.load_extensions());
    let code = match list(&args, &foundation) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("cannot write to standard output: {error}"))
        }
        _ => 0,
    };
    drop(foundation);
    runtime.shutdown_background();
    code
}

fn fail(message: &str) -> u8 {
    complain(&format!("Error: {message}"));
    1
}

impl ModelsArgs {
    fn as_line(&self) -> CommandLine {
        let approval = (self.approve || self.no_approve).then_some(self.approve);
        let (extension, no_extensions) = (self.extension.clone(), self.no_extensions);
        CommandLine { args: Args { extension, no_extensions, ..Args::default() }, approval, ..CommandLine::default() }
    }
}

fn list(args: &ModelsArgs, foundation: &Foundation) -> io::Result<()> {
    let models = foundation.models();
    if let Some(problem) = models.error() {
        complain(&format!("Warning: {problem}"));
    }
    let mut shown = if args.all { models.all() } else { models.available() };
    let mut screen = Screen::stdout(args.json);
    if shown.is_empty() {
        if args.json {
            complain(NONE.trim_end());
        } else {
            screen.line(NONE.trim_end())?;
        }
        return screen.finish();
    }
    if let Some(pattern) = &args.pattern {
        shown = filter_models(&shown, pattern);
        if shown.is_empty() {
            complain(&format!(
                "No models matching \"{}\"; pi models --all lists those without a key, too",
                plain(pattern)
            ));
            return Ok(());
        }
    }
    let default = model_of_new_session(foundation.settings(), models);
    let is_default = |model: &Model| {
        default.as_ref().is_some_and(|default| (&default.provider, &default.id) == (&model.provider, &model.id))
    };
    if args.json {
        for model in &shown {
            screen.json(&as_json(model, is_default(model), models.has_configured_auth(model)))?;
        }
        return screen.finish();
    }
    for (index, line) in models_rows(&shown, is_default).iter().enumerate() {
        let line = line.trim_end();
        let line = if index == 0 { screen.paint(Style::Bold, line) } else { plain(line).into_owned() };
        screen.line(&line)?;
    }
    screen.finish()
}

fn as_json(model: &Model, is_default: bool, has_key: bool) -> Value {
    json!({
        "provider": model.provider,
        "id": model.id,
        "name": model.name,
        "default": is_default,
        "hasKey": has_key,
        "contextWindow": model.context_window,
        "maxTokens": model.max_tokens,
        "reasoning": model.reasoning,
        "images": model.accepts_images(),
        "cost": model.cost,
    })
}
