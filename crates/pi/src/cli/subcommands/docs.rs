//! `pi docs`: the pages that the program carries, for people and models without a network.

use clap::Parser;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::usage::parse;
use crate::cli::grammar::suggest::nearest;
use crate::cli::pages::{Chapter, Page, chapters, find, pages};

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
    let Some(topic) = args.topic else { return print(&list(&chapters())) };
    let pages = pages();
    match find(&pages, &topic) {
        Some(page) => print(&page.text),
        None => {
            complain(&no_page(&pages, &topic));
            2
        }
    }
}

/// The pages by chapter, each with its title and first sentence.
fn list(chapters: &[Chapter]) -> String {
    let pages = || chapters.iter().flat_map(|chapter| &chapter.pages);
    let width = pages().map(|page| page.name.len()).max().unwrap_or_default();
    let lines = |chapter: &Chapter| chapter.pages.iter().map(|page| line(page, width)).collect::<String>();
    match chapters {
        [] => "This program was built without its documentation.\n".to_owned(),
        _ => {
            let list = chapters.iter().map(|chapter| format!("{}\n{}\n", chapter.title, lines(chapter)));
            format!("{}To read one: pi docs NAME\n", list.collect::<String>())
        }
    }
}

fn line(page: &Page, width: usize) -> String {
    let gist: String = page.gist().chars().filter(|c| *c != '`').take(100).collect();
    format!("  {:width$}  {}: {gist}\n", page.name, page.title())
}

fn no_page(pages: &[Page], topic: &str) -> String {
    let meant = nearest(topic, pages.iter().map(|page| page.name.as_str()));
    let hint = meant.map_or_else(|| "pi docs lists them.".to_owned(), |name| format!("did you mean {name}?"));
    format!(
        "Error: there is no page \"{topic}\" in the documentation: {hint} To send it as a prompt: pi -p -- docs {topic}"
    )
}
