//! `pi docs`: the pages of `docs/`, which the program carries, for people and models without a network.

use std::io::Read;

use clap::Parser;
use flate2::read::DeflateDecoder;

use super::commands;
use super::diagnostics::complain;
use super::near::nearest;

/// What `build.rs` packed: for each page a line of name and length in bytes, then the page.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/docs.deflate"));

/// Prints a page of the documentation, or the list of pages.
#[derive(Debug, Parser)]
#[command(name = "pi docs", after_help = AFTER_HELP)]
pub(super) struct DocsArgs {
    /// The page, for example: cli, settings, extensions
    topic: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  pi docs
  pi docs settings | less
  pi docs extensions > extensions.md";

/// One page.
struct Page {
    name: String,
    text: String,
}

impl Page {
    /// Its heading, without the mark.
    fn title(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// The first sentence below the heading.
    fn gist(&self) -> String {
        // What is fenced is an example, and no sentence.
        let prose = self.text.split("```").step_by(2).collect::<String>();
        let lines = prose.lines().skip(1).map(str::trim).skip_while(|line| line.is_empty());
        let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ");
        match paragraph.find(". ") {
            Some(end) => paragraph[..end].to_owned(),
            None => paragraph.trim_end_matches(['.', ':']).to_owned(),
        }
    }
}

/// Whether there are pages: a program that was built without its repository has none.
pub(crate) fn are_there() -> bool {
    // Nothing packed is a few bytes of nothing.
    PACKED.len() > 64
}

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(super) fn run(argv: Vec<String>) -> u8 {
    let args: DocsArgs = match commands::parse("docs", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let pages = pages();
    let Some(topic) = args.topic else { return super::print(&list(&pages)) };
    match find(&pages, &topic) {
        Some(page) => super::print(&page.text),
        None => {
            complain(&no_page(&pages, &topic));
            2
        }
    }
}

/// The page of this name, for `pi man`.
pub(super) fn page(topic: &str) -> Option<String> {
    find(&pages(), topic).map(|page| page.text.clone())
}
/// The names of all pages.
pub(super) fn names() -> Vec<String> {
    pages().into_iter().map(|page| page.name).collect()
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

fn find<'a>(pages: &'a [Page], topic: &str) -> Option<&'a Page> {
    let name = topic.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    pages.iter().find(|page| page.name == name)
}

fn no_page(pages: &[Page], topic: &str) -> String {
    let meant = nearest(topic, pages.iter().map(|page| page.name.as_str()));
    let hint = meant.map_or_else(|| "pi docs lists them.".to_owned(), |name| format!("did you mean {name}?"));
    format!(
        "Error: there is no page \"{topic}\" in the documentation: {hint} To send it as a prompt: pi -p -- docs {topic}"
    )
}

/// All pages, in order. What cannot be unpacked is not there: it was packed by this build.
fn pages() -> Vec<Page> {
    let mut text = String::new();
    if DeflateDecoder::new(PACKED).read_to_string(&mut text).is_err() {
        return Vec::new();
    }
    let mut rest = text.as_str();
    let mut pages = Vec::new();
    while let Some((head, behind)) = rest.split_once('\n') {
        let Some((name, length)) = head.rsplit_once(' ') else { break };
        let Some((page, next)) = length.parse().ok().and_then(|length| behind.split_at_checked(length)) else { break };
        pages.push(Page { name: name.to_owned(), text: page.to_owned() });
        rest = next;
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_are_there_and_whole() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let pages = pages();
        assert_eq!(pages.len(), std::fs::read_dir(&docs).unwrap().count());
        for page in &pages {
            assert_eq!(std::fs::read_to_string(docs.join(&page.name).with_extension("md")).unwrap(), page.text);
            assert!(!page.title().is_empty() && !page.gist().is_empty(), "{}", page.name);
        }
        assert!(are_there() && page("docs/cli.md").is_some() && page("nothing").is_none());
    }
}
