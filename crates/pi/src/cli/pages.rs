//! The pages of `docs/`, which the program carries. `pi docs` shows them, the system prompt names them.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// What `build.rs` packed: for each page a line of name and length in bytes, then the page.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/docs.deflate"));

/// One page.
#[derive(Debug)]
pub(super) struct Page {
    /// Name of its file, without ending.
    pub(super) name: String,
    /// Markdown.
    pub(super) text: String,
}

impl Page {
    /// Its heading, without the mark.
    pub(super) fn title(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// The first sentence below the heading.
    pub(super) fn gist(&self) -> String {
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
pub(super) fn are_there() -> bool {
    // Nothing packed is a few bytes of nothing.
    PACKED.len() > 64
}

/// The name of the history of versions, which is packed with the pages and is none.
const CHANGELOG: &str = "CHANGELOG";

/// The name of the table of contents, which is packed with the pages and is none.
const SUMMARY: &str = "SUMMARY";

/// A part of the book.
#[derive(Debug)]
pub(super) struct Chapter {
    /// Its heading.
    pub(super) title: String,
    pub(super) pages: Vec<Page>,
}

/// What is new in each version, as Markdown.
pub(in crate::cli) fn changelog() -> Option<String> {
    packed().into_iter().find(|page| page.name == CHANGELOG).map(|page| page.text)
}

/// All pages, by name.
pub(super) fn pages() -> Vec<Page> {
    packed().into_iter().filter(|page| page.name != CHANGELOG && page.name != SUMMARY).collect()
}

/// The pages in the order of the book's table of contents. A page that it does not name is in no chapter; a test checks
/// that there is none.
pub(super) fn chapters() -> Vec<Chapter> {
    let (summary, mut pages): (Vec<Page>, Vec<Page>) = packed().into_iter().partition(|page| page.name == SUMMARY);
    let mut chapters: Vec<Chapter> = Vec::new();
    for line in summary.iter().flat_map(|summary| summary.text.lines()) {
        if let Some(title) = line.strip_prefix("# ") {
            chapters.push(Chapter { title: title.to_owned(), pages: Vec::new() });
        }
        let found = linked_page(line).and_then(|name| pages.iter().position(|page| page.name == name));
        if let (Some(found), Some(chapter)) = (found, chapters.last_mut()) {
            chapter.pages.push(pages.remove(found));
        }
    }
    // The heading of the table itself has no pages.
    chapters.retain(|chapter| !chapter.pages.is_empty());
    chapters
}

/// The page that a line of the table of contents links to: `- [Title](name.md)`.
fn linked_page(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("- [")?.split_once("](")?.1.strip_suffix(".md)")
}

/// All that is packed, in order. What cannot be unpacked is not there: it was packed by this build.
fn packed() -> Vec<Page> {
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

/// The page of this name, with or without its directory and ending.
pub(super) fn find<'a>(pages: &'a [Page], topic: &str) -> Option<&'a Page> {
    let name = topic.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    pages.iter().find(|page| page.name == name)
}

/// The page of this name, if there is one.
pub(super) fn page(topic: &str) -> Option<String> {
    find(&pages(), topic).map(|page| page.text.clone())
}

/// The names of all pages.
pub(super) fn names() -> Vec<String> {
    pages().into_iter().map(|page| page.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_are_there_and_whole() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let pages = pages();
        let files = std::fs::read_dir(&docs).unwrap().map(|entry| entry.unwrap().path());
        // The table of contents is no page.
        assert_eq!(pages.len() + 1, files.filter(|file| file.extension().is_some_and(|kind| kind == "md")).count());
        for page in &pages {
            assert_eq!(std::fs::read_to_string(docs.join(&page.name).with_extension("md")).unwrap(), page.text);
            assert!(!page.title().is_empty() && !page.gist().is_empty(), "{}", page.name);
        }
        let in_chapters: usize = chapters().iter().map(|chapter| chapter.pages.len()).sum();
        assert_eq!(in_chapters, pages.len(), "docs/SUMMARY.md does not name every page");
        assert!(are_there() && page("docs/cli.md").is_some() && page("nothing").is_none());
    }
}
