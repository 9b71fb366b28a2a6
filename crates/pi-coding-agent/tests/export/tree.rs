//! Which entries a page shows together, in which order, and what is current.

use pi_coding_agent::export::{HtmlOptions, SessionSnapshot, SessionSource};
use pi_coding_agent::session::SessionHeader;
use serde_json::{Value, json};

use crate::dom::{Element, check};
use crate::support::{page, session};

/// `[id-parent …]` as entries with texts equal to their ids; `-` is no parent.
fn tree(links: &str) -> Vec<Value> {
    let entry = |link: &str| {
        let (id, parent) = link.split_once('<').unwrap();
        let parent = (parent != "-").then_some(parent);
        json!({"type": "message", "id": id, "parentId": parent, "message": {"role": "user", "content": id}})
    };
    links.split_whitespace().map(entry).collect()
}

/// One line per segment: number, `*` when current, entries, `^` parent, `>` where it goes on.
fn segments(html: &str) -> String {
    let elements = check(html);
    let mut lines: Vec<String> = Vec::new();
    for element in &elements {
        if element.name == "details" && element.get("class").is_some_and(|class| class.starts_with("segment")) {
            lines.push(describe(element));
        }
        if let (Some(number), Some(line), "article") = (element.get("id"), lines.last_mut(), element.name.as_str()) {
            line.push_str(&format!(" {}", &number[1..]));
        }
    }
    lines.join("\n")
}

fn describe(segment: &Element) -> String {
    let current = segment.get("class") == Some("segment on");
    assert_eq!(current, segment.get("open").is_some());
    let link = |sign: &str, name: &str| segment.get(name).map_or(String::new(), |other| format!(" {sign}{other}"));
    let star = if current { "*" } else { "" };
    format!("{}{star}{}{}:", segment.get("id").unwrap(), link("^", "data-up"), link(">", "data-down"))
}

#[test]
fn branches_are_cut_at_forks() {
    for (name, links, expected) in [
        ("a line", "a<- b<a c<b", "s0*: 0 1 2"),
        ("a fork: what was left comes first", "a<- b<a c<b d<a e<d", "s0* >s2: 0\ns1 ^s0: 1 2\ns2* ^s0: 3 4"),
        (
            "the newest entry need not be on the newest child",
            "a<- b<a c<a d<b e<c f<b",
            "s0* >s2: 0\ns1 ^s0: 2 4\ns2* ^s0 >s4: 1\ns3 ^s2: 3\ns4* ^s2: 5",
        ),
        ("two roots", "a<- b<a c<- d<c", "s0: 0 1\ns1*: 2 3"),
        ("an unknown parent", "a<x b<a", "s0*: 0 1"),
        ("its own parent", "a<a b<a", "s0*: 0 1"),
        ("a circle", "a<c b<a c<b", "s0*: 0 1 2"),
        ("a circle beside a root", "r<- a<b b<a", "s0: 0\ns1*: 1 2"),
        ("an id that is used twice", "a<- b<a b<a c<b", "s0* >s2: 0\ns1 ^s0: 1\ns2* ^s0: 2 3"),
        ("a parent that comes later", "b<a a<-", "s0* >s1: 1\ns1 ^s0: 0"),
    ] {
        assert_eq!(segments(&page(&tree(links))), expected, "{name}");
    }
}

#[test]
fn an_empty_session_is_a_page() {
    assert_eq!(segments(&page(&[])), "");
}

/// A session whose leaf was moved.
struct Moved(SessionSnapshot, Option<&'static str>);

impl SessionSource for Moved {
    fn header(&self) -> &SessionHeader {
        self.0.header()
    }

    fn leaf_id(&self) -> Option<&str> {
        self.1
    }

    fn entry_count(&self) -> usize {
        self.0.entry_count()
    }

    fn line(&self, index: usize) -> Result<std::borrow::Cow<'_, str>, pi_coding_agent::export::Error> {
        self.0.line(index)
    }
}

#[test]
fn the_current_branch_ends_at_the_leaf() {
    for (leaf, expected) in
        [(Some("b"), "s0* >s1: 0 1\ns1 ^s0: 2"), (None, "s0: 0 1 2"), (Some("unheard-of"), "s0: 0 1 2")]
    {
        let moved = Moved(session(&tree("a<- b<a c<b")), leaf);
        let mut html = Vec::new();
        pi_coding_agent::export::write_html(&moved, &HtmlOptions::default(), &mut html).unwrap();
        assert_eq!(segments(&String::from_utf8(html).unwrap()), expected, "{leaf:?}");
    }
}

#[test]
fn a_long_and_a_wide_session_are_pages() {
    let long: Vec<String> = (1..5000).map(|n| format!("{n}<{}", n - 1)).collect();
    assert!(segments(&page(&tree(&format!("0<- {}", long.join(" "))))).starts_with("s0*: 0 1 2"));
    // Every entry but the first begins a branch below the one before the last.
    let forks: Vec<String> = (1..2000).map(|n: usize| format!("{n}<{}", n.saturating_sub(2))).collect();
    let page = page(&tree(&format!("0<- {}", forks.join(" "))));
    assert_eq!(page.matches("class=\"entry user\"").count(), 2000);
}
