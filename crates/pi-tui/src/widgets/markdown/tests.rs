//! What Markdown looks like, whole and while it grows; that cuts, widths and sealing change nothing about it.

use proptest::prelude::*;

use super::references::References;
use super::*;
use crate::text::{Attributes, Style};

/// The text of rows without their sequences.
fn plain(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| stripped(row.text())).collect()
}

fn stripped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("\x1b]") { "\x1b\\" } else { "m" };
        let length = rest[at + 1..].find(end).unwrap() + 1 + end.len();
        rest = &rest[at + length..];
    }
    out + rest
}

fn drawn(markdown: &mut Markdown, columns: u16) -> (Vec<String>, usize) {
    let mut rows = Vec::new();
    let last = markdown.draw(columns, &mut rows);
    (plain(&rows), last)
}

fn shown(text: &str, columns: u16) -> Vec<String> {
    drawn(&mut Markdown::whole(text, MarkdownStyle::default()), columns).0
}

#[test]
fn blocks() {
    for (text, expected) in [
        ("", &[][..]),
        ("\n \n", &[]),
        ("one\ntwo\n\nthree", &["one", "two", "", "three"]),
        ("# One\n## Two\n### Three\ntext", &["One", "", "Two", "", "### Three", "", "text"]),
        ("Title\n===\ntext", &["Title", "", "text"]),
        ("text\n- a\n- b\n\n- c\nmore", &["text", "- a", "- b", "", "- c", "  more"]),
        ("- a\n  - b\n    1. c\n\n      d", &["- a", "    - b", "        1. c", "", "      d"]),
        ("1. a\n   ```\n   b\n   ```\n   c\n\n   d", &["1. a", "   ```", "     b", "   ```", "   c", "", "   d"]),
        ("7. a\n9. b\n1) c", &["7. a", "8. b", "1. c"]),
        ("- [x] a\n- [ ] b\n  c", &["- [x] a", "- [ ] b", "      c"]),
        ("> a\n> b\nc\n> > d", &["│ a", "│ b", "│ c", "│ ", "│ │ d"]),
        ("a\n***\nb", &["a", "", "────────────────────", "", "b"]),
        ("```rust\nfn a() {}\n\n  b\n```\ntext", &["```rust", "  fn a() {}", "", "    b", "```", "", "text"]),
        ("~~~\nopen", &["```", "  open", "```"]),
        ("    code\n\n    more", &["```", "  code", "", "  more", "```"]),
        ("<div>\n*a*\n</div>\n\nb", &["<div>", "*a*", "</div>", "", "b"]),
        ("a <b>c</b> &amp; \\*d\\*", &["a <b>c</b> & *d*"]),
        ("~~a~~ ~b~ ![c](d)", &["a ~b~ c"]),
        ("[a](b) <http://c> http://d/e_f_g.", &["a (b) http://c", "http://d/e_f_g."]),
        ("[a]\n\n[a]: b\n\n[a] [c][a]", &["[a]", "", "a (b) c (b)"]),
        ("aaaa bbbb cccc dddd eeee", &["aaaa bbbb cccc dddd", "eeee"]),
        ("- aaaa bbbb cccc dddd eeee", &["- aaaa bbbb cccc", "  dddd eeee"]),
        ("```\naaaa bbbb cccc dddd eeee\n```", &["```", "  aaaa bbbb cccc", "  dddd eeee", "```"]),
        ("```\n\tcode", &["```", "     code", "```"]),
        ("a\r\nb  \nc\\\nd", &["a", "b", "c", "d"]),
        ("-\n- b", &["- ", "- b"]),
    ] {
        let columns = if text.contains("dddd") || text.contains("***") || text.contains("http://c") { 20 } else { 60 };
        assert_eq!(shown(text, columns), expected, "{text:?}");
    }
}

#[test]
fn tables() {
    let text = "| Name | Value |\n|---|:-:|\n| a | 1 |\n| b | two words |";
    insta::assert_snapshot!([60, 18, 8].map(|columns| shown(text, columns).join("\n")).join("\n\n"));
}

#[test]
fn styles() {
    let style = MarkdownStyle {
        base: Style::PLAIN.foreground(Color::Indexed(1)).italic(),
        heading: Style::PLAIN.foreground(Color::Indexed(2)),
        link: Style::PLAIN.foreground(Color::Indexed(3)),
        link_url: Style::PLAIN.with(Attributes::DIM),
        code: Style::PLAIN.foreground(Color::Indexed(4)),
        quote: Style::PLAIN.foreground(Color::Indexed(5)),
        bullet: Style::PLAIN.foreground(Color::Indexed(6)),
        padding: 1,
        ..MarkdownStyle::default()
    };
    let text = "# A `b`\n\nc **d *e*** ~~f~~ [g](h)\n\n> i\n\n- j";
    let rows = |style: &MarkdownStyle| {
        let mut rows = Vec::new();
        Markdown::whole(text, style.clone()).draw(40, &mut rows);
        rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>().join("\n")
    };
    let background = style.base.background(Color::Indexed(7));
    let boxed = MarkdownStyle { hyperlinks: true, base: background, ..style.clone() };
    insta::assert_snapshot!(format!("{}\n\n{}", rows(&style), rows(&boxed)));
}

#[test]
fn markers_stay_as_typed_where_asked() {
    let style = MarkdownStyle { keep_markers: true, ..MarkdownStyle::default() };
    let mut markdown = Markdown::whole("* a\n  + b\n\n7) c\n7) d", style);
    assert_eq!(drawn(&mut markdown, 40).0, ["* a", "    + b", "", "7) c", "7) d"]);
}

#[test]
fn what_grows() {
    for (text, expected, last) in [
        ("one *tw", &["one *tw"][..], 0),
        ("one\n", &["one"], 0),
        ("one\n\n", &["one"], 1),
        ("one\n-", &["one"], 0),
        ("# a\n", &["a"], 1),
        ("```c\n", &["```c", "```"], 1),
        ("```c\na\nb", &["```c", "  a", "  b", "```"], 2),
        ("```c\na\n``", &["```c", "  a", "```"], 2),
        ("```c\na\n```\n", &["```c", "  a", "```"], 3),
        ("- a\n- b\n", &["- a", "- b"], 1),
        ("1. a\n1. b\n1. c", &["1. a", "2. b", "3. c"], 1),
        ("- a\n  - b\n    c\nd\n\n", &["- a", "    - b", "      c", "      d"], 0),
        ("|a|\n|-|\n|b|\n", &["┌───┐", "│ a │", "├───┤", "│ b │", "└───┘"], 0),
    ] {
        let mut markdown = Markdown::new(MarkdownStyle::default());
        markdown.push(text);
        assert_eq!(drawn(&mut markdown, 40), (expected.iter().map(ToString::to_string).collect(), last), "{text:?}");
    }
}

#[test]
fn a_table_that_grows_shows_its_last_rows() {
    let mut markdown = Markdown::new(MarkdownStyle::default());
    markdown.push("|n|\n|-|\n");
    (0..500).for_each(|n| markdown.push(&format!("|{n}|\n")));
    let (rows, last) = drawn(&mut markdown, 40);
    assert_eq!((rows.len(), last), (43, 0));
    assert_eq!((rows[1].as_str(), rows[3].as_str(), rows[41].as_str()), ("│ n   │", "│ 480 │", "│ 499 │"));
    markdown.push("\n");
    assert_eq!(drawn(&mut markdown, 40).0.len(), 1003);
}

#[test]
fn large_blocks_become_final_by_and_by() {
    for mark in ["", "> "] {
        let lines: Vec<String> = (0..2000).map(|n| format!("{mark}line {n} of many")).collect();
        let mut markdown = Markdown::new(MarkdownStyle::default());
        markdown.push(&lines.join("\n"));
        let (rows, last) = drawn(&mut markdown, 60);
        assert_eq!(rows.iter().map(|row| row.replace('│', ">")).collect::<Vec<_>>(), lines);
        assert!(last > 1000 && markdown.splitter.open_len() < 10_000);
    }
}

#[test]
fn what_was_given_away_is_forgotten() {
    let mut markdown = Markdown::new(MarkdownStyle::default());
    for n in 0..1000 {
        markdown.push(&format!("paragraph {n}\n\n```\ncode {n}\n```\n\n- item\n"));
        let last = drawn(&mut markdown, 40).1;
        markdown.seal(last);
    }
    assert!(markdown.pieces.is_empty() && markdown.drawn.rows.is_empty());
}

#[test]
fn a_part_that_was_given_away_does_not_come_again_at_another_width() {
    let text = "aa bb cc dd ee ff gg hh";
    for (first, second, expected) in [(8, 5, "dd ee ff gg hh"), (8, 30, "dd ee ff gg hh"), (5, 8, "cc dd ee ff gg hh")]
    {
        let mut markdown = Markdown::whole(text, MarkdownStyle::default());
        drawn(&mut markdown, first);
        markdown.seal(1);
        assert_eq!(drawn(&mut markdown, second).0.join(" "), expected, "{first} {second}");
    }
}

#[test]
fn nothing_ends_the_program() {
    for text in [">".repeat(20_000), "- ".repeat(20_000), "*a ".repeat(20_000), "[".repeat(20_000), "1. ".repeat(5_000)]
    {
        for columns in [1, 2, 30] {
            let mut markdown = Markdown::whole(&text, MarkdownStyle { padding: 1, ..MarkdownStyle::default() });
            let mut rows = Vec::new();
            markdown.draw(columns, &mut rows);
            assert!(rows.iter().all(|row| row.width() <= columns));
        }
    }
}

/// Lines of which texts are made: what a model writes, and what it does not.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-d ]{0,12}",
        2 => Just(String::new()),
        6 => prop::sample::select(vec![
            "- a", "- b c", "  - d", "  e", "* f", "1. g", "2. h", "   i", "3) j", "```", "```rust", "~~~", "  ```", "> k",
            "> - l", ">", "# m", "### n", "***", "---", "===", "| a | b |", "|---|---|", "| c | d | e |", "<div>", "</div>",
            "<!-- o", "p -->", "    q", "**r", "s**", "`t", "u` ~~v~~ ~w~", "[x](y)", "[z]: http://a", "[z]", "日本語 é",
            "\tfn f() { /* 1", "*/ \"x\" }", "- [ ] task", "a | b", "-", "1.", "http://a.b/c_d.", "\\", "&amp;", "<b>",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.join("\n"))
}

fn cuts(text: &str, places: &[usize]) -> Vec<String> {
    let mut places: Vec<usize> = places.iter().map(|place| place % (text.len() + 1)).collect();
    places.retain(|place| text.is_char_boundary(*place));
    places.extend([0, text.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| text[pair[0]..pair[1]].to_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Also while it grows: what is shown depends on the text alone, and final rows stay.
    #[test]
    fn cuts_change_nothing(text in text(), places in prop::collection::vec(any::<usize>(), 0..20), columns in 4u16..40) {
        let mut grown = Markdown::new(MarkdownStyle::default());
        let (mut so_far, mut given) = (String::new(), Vec::new());
        for part in cuts(&text, &places) {
            grown.push(&part);
            so_far.push_str(&part);
            let (rows, last) = drawn(&mut grown, columns);
            let mut whole = Markdown::new(MarkdownStyle::default());
            whole.push(&so_far);
            let (expected, _) = drawn(&mut whole, columns);
            let mut shown = given.clone();
            shown.extend(rows.iter().cloned());
            prop_assert_eq!(shown, expected);
            let sealed = last.saturating_sub(places.len() % 5);
            given.extend(rows.into_iter().take(sealed));
            grown.seal(sealed);
        }
        grown.finish();
        given.extend(drawn(&mut grown, columns).0);
        prop_assert_eq!(given, shown(&text, columns));
    }

    /// The parts are what the parser finds in the whole; but for references, empty quotes, and blank lines behind an item
    /// that belong to a fence in it which nothing ends.
    #[test]
    fn parts_are_the_whole(text in text(), columns in 4u16..40) {
        let lines = text.trim_end().lines().filter(|line| !matches!(*line, ">" | "[z]: http://a" | "  ```"));
        let text = lines.collect::<Vec<_>>().join("\n").trim_end().to_owned();
        let style = MarkdownStyle::default();
        let source = text.replace('\t', "   ");
        let blocks = tree::parse(&source, &style, &References::default(), 0);
        let lines = Layout { style: &style }.blocks(&blocks, None, usize::from(columns));
        let lines = lines.iter().flat_map(|line| wrap(line, usize::from(columns)));
        let expected: Vec<String> = lines.map(|line| stripped(Row::new(&line, columns).text())).collect();
        prop_assert_eq!(shown(&text, columns), expected);
    }

    #[test]
    fn rows_fit(text in ".{0,80}", columns in 1u16..20, padding in 0u16..3) {
        let mut rows = Vec::new();
        Markdown::whole(&text, MarkdownStyle { padding, ..MarkdownStyle::default() }).draw(columns, &mut rows);
        prop_assert!(rows.iter().all(|row| row.width() <= columns));
    }
}
