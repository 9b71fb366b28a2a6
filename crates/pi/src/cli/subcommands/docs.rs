//! `pi docs`: the pages that the program carries, for people and models without a network.

use clap::Parser;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::usage::parse;
use crate::cli::grammar::near::nearest;
use crate::cli::pages::{Page, find, pages};

/// Prints a page of the documentation, or the list of pages.
#[derive(Debug, Parser)]
#[command(name = "pi docs", after_help = AFTER_HELP)]
pub(in crate::cli) struct DocsArgs {
    /// The page, for example: cli, settings, extensions
    topic: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  pi docs
  pi docs settings | less
  pi docs extensions > extensions.md";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>) -> u8 {
    let args: DocsArgs = match parse("docs", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let pages = pages();
    let Some(topic) = args.topic else { return print(&list(&pages)) };
    match find(&pages, &topic) {
        Some(page) => print(&page.text),
        None => {
            complain(&no_page(&pages, &topic));
            2
        }
    }
}

fn list(pages: &[Page]) -> String {
    let width = pages.iter().map(|page| page.name.len()).max().unwrap_or_default();
    let lines = pages.iter().map(|page| {
        let gist: String = page.gist().chars().filter(|c| *c != '`').take(100).collect();
        format!("{:width$}  {}: {gist}\n", page.name, page.title())
    });
    match pages {
        [] => "This program was built without its documentation.\n".to_owned(),
        _ => format!("{}\nTo read one: pi docs NAME\n", lines.collect::<String>()),
    }
}

fn no_page(pages: &[Page], topic: &str) -> String {
    let meant = nearest(topic, pages.iter().map(|page| page.name.as_str()));
    let hint = meant.map_or_else(|| "pi docs lists them.".to_owned(), |name| format!("did you mean {name}?"));
    format!(
        "Error: there is no page \"{topic}\" in the documentation: {hint} To send it as a prompt: pi -p -- docs {topic}"
    )
}
