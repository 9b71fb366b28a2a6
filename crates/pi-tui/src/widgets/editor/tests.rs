//! The editor by keys: a script, and the text with `|` where the cursor is.

use proptest::prelude::*;

use super::*;
use crate::keymap::Keymap;
use crate::widgets::Caret;
use crate::widgets::tests::{inputs, shown};

fn editor() -> Editor {
    Editor::new(EditorStyle::default())
}

fn play(editor: &mut Editor, script: &str) -> EditorOutcome {
    let keys = Keymap::default();
    inputs(script).iter().map(|input| editor.handle(input, &keys)).last().unwrap_or(EditorOutcome::Ignored)
}

/// The text with `|` at the cursor.
fn text(editor: &Editor) -> String {
    let Position { line, byte } = editor.cursor();
    let mut lines: Vec<String> = editor.text().split('\n').map(str::to_owned).collect();
    lines[line].insert(byte, '|');
    lines.join("\n")
}

fn check(rows: &[(&str, &str)]) {
    for (script, expected) in rows {
        let mut editor = editor();
        play(&mut editor, script);
        assert_eq!(text(&editor), *expected, "{script}");
    }
}

#[test]
fn typing_and_moving() {
    check(&[
        ("hello", "hello|"),
        ("ab<left>c", "ac|b"),
        ("ab<lf>cd<shift+enter>e", "ab\ncd\ne|"),
        ("ab<ctrl+j>", "ab\n|"),
        ("ab<lf>cd<home><left>", "ab|\ncd"),
        ("ab<lf>cd<up><end><right>", "ab\n|cd"),
        ("e\u{301}👍🏽x<left><left><left>", "|e\u{301}👍🏽x"),
        ("日本<left>", "日|本"),
        ("one two-three<alt+b><alt+b><alt+b>", "one |two-three"),
        ("one<lf>two<home><ctrl+left>", "one|\ntwo"),
        ("one two<home><ctrl+right><ctrl+right>", "one two|"),
        ("one<lf>two<ctrl+a><up><end><alt+f>", "one\n|two"),
        ("a<tab><escape>b", "ab|"),
    ]);
}

#[test]
fn vertical_moves_keep_their_column() {
    check(&[
        ("long line<lf>x<lf>another<up><up>", "long li|ne\nx\nanother"),
        ("long line<lf>x<lf>another<up><down>", "long line\nx\nanother|"),
        ("日本語<lf>abcde<up>", "日本|語\nabcde"),
        ("ab<lf>cd<up><up>", "|ab\ncd"),
        ("ab<lf>cd<up><home><down><down>", "ab\ncd|"),
        ("a<lf>b<lf>c<lf>d<lf>e<lf>f<lf>g<pageUp>", "a\nb|\nc\nd\ne\nf\ng"),
        ("a<lf>b<lf>c<lf>d<lf>e<lf>f<lf>g<pageUp><pageUp><pageDown>", "a\nb\nc\nd\ne\nf|\ng"),
    ]);
}

#[test]
fn deleting_and_the_kill_ring() {
    check(&[
        ("abc<backspace><left><delete>", "a|"),
        ("ab<lf>cd<home><backspace>", "ab|cd"),
        ("ab<lf>cd<up><end><delete>", "ab|cd"),
        ("e\u{301}x<left><backspace>", "|x"),
        ("one two<ctrl+w>", "one |"),
        ("one two<ctrl+w><ctrl+w><ctrl+y>", "one two|"),
        ("one two<home><alt+d><alt+d><ctrl+y>", "one two|"),
        ("one two<ctrl+w><left><right><ctrl+w><ctrl+y>", "one |"),
        ("one two<ctrl+w><left><right><ctrl+w><ctrl+y><alt+y>", "two|"),
        ("one two<ctrl+w><left><right><ctrl+w><ctrl+y><alt+y><alt+y>", "one |"),
        ("one two<ctrl+w><alt+y>", "one |"),
        ("ab<lf>cd<left><ctrl+u><ctrl+u><ctrl+y>", "ab\nc|d"),
        ("ab<lf>cd<up><home><ctrl+k><ctrl+k><ctrl+y>", "ab\n|cd"),
    ]);
}

#[test]
fn undo_takes_back_units() {
    check(&[
        ("hello world<ctrl+->", "hello|"),
        ("hello world<ctrl+-><ctrl+->", "|"),
        ("hello world<ctrl+-><ctrl+-><ctrl+->", "|"),
        ("one two<ctrl+w>x<ctrl+-><ctrl+->", "one two|"),
        ("ab<left>c<ctrl+->", "a|b"),
        ("ab<paste:1\n2>c<ctrl+-><ctrl+->", "ab|"),
        ("one two<ctrl+w><left><right><ctrl+w><ctrl+y><alt+y><ctrl+->", "|"),
        ("ab<lf>c<ctrl+-><ctrl+->", "ab|"),
    ]);
    let mut editor = editor();
    play(&mut editor, "draft");
    editor.set_text("one\ntwo");
    play(&mut editor, "<ctrl+->");
    assert_eq!(text(&editor), "draft|");
    editor.insert("\nmore");
    play(&mut editor, "<left><ctrl+->");
    assert_eq!(text(&editor), "draft|");
}

#[test]
fn jumping_to_a_character() {
    check(&[
        ("one two three<home><ctrl+]>t", "one |two three"),
        ("one two three<home><ctrl+]>t<ctrl+]>t", "one two |three"),
        ("one<lf>two<ctrl+alt+]>o<ctrl+alt+]>o", "|one\ntwo"),
        ("one<lf>Two<home><up><ctrl+]>t", "|one\nTwo"),
        ("one<home><ctrl+]><ctrl+]>x", "x|one"),
        ("one<home><ctrl+]><right>x", "ox|ne"),
    ]);
}

#[test]
fn enter_submits_or_begins_a_line() {
    let mut editor = editor();
    assert_eq!(play(&mut editor, "  <enter>"), EditorOutcome::Moved);
    assert_eq!(play(&mut editor, "hello<lf> <enter>"), EditorOutcome::Submit("hello".to_owned()));
    assert_eq!(text(&editor), "|");
    assert_eq!(play(&mut editor, "<ctrl+->"), EditorOutcome::Moved);
    assert_eq!(play(&mut editor, "one\\<enter>"), EditorOutcome::Changed);
    assert_eq!(text(&editor), "one\n|");
    let wanted = serde_json::json!({ "tui.input.submit": "shift+enter", "tui.input.newLine": "enter" });
    let (keys, _) = Keymap::with_overrides(&[crate::keymap::action::TABLE], wanted.as_object().unwrap());
    let outcomes: Vec<_> = inputs("two<enter>three\\<enter>").iter().map(|input| editor.handle(input, &keys)).collect();
    assert_eq!(outcomes.last(), Some(&EditorOutcome::Submit("one\ntwo\nthree".to_owned())));
}

#[test]
fn history_keeps_the_draft() {
    let mut editor = editor();
    for entry in ["first", "second\nline", "second\nline", " "] {
        editor.remember(entry);
    }
    for (script, expected) in [
        ("<up>", "|second\nline"),
        ("<up>", "|first"),
        ("<up>", "|first"),
        ("<down>", "second\nline|"),
        ("<down>", "|"),
        ("<down>", "|"),
        ("draft<up>", "|draft"),
        ("<up>", "|second\nline"),
        ("<down>", "second\n|line"),
        ("<down>", "draft|"),
        ("<home><up><up><ctrl+->", "|draft"),
        ("<up>x<up>", "|xsecond\nline"),
        ("<up>", "|second\nline"),
    ] {
        play(&mut editor, script);
        assert_eq!(text(&editor), expected, "{script}");
    }
}

#[test]
fn pastes_hide_behind_markers() {
    let lines = "x\n".repeat(15);
    let mut editor = editor();
    play(&mut editor, &format!("a<paste:{lines}>b"));
    assert_eq!(text(&editor), "a[paste #1 +16 lines]b|");
    assert_eq!(editor.expanded_text(), format!("a{lines}b"));
    for (script, expected) in [
        ("<left><left>", "a|[paste #1 +16 lines]b"),
        ("<right>", "a[paste #1 +16 lines]|b"),
        ("<alt+b>", "a|[paste #1 +16 lines]b"),
        ("<alt+f><alt+f>", "a[paste #1 +16 lines]b|"),
        ("<home><ctrl+]>p", "|a[paste #1 +16 lines]b"),
        ("<end><left><backspace>", "a|b"),
        ("<ctrl+->", "a[paste #1 +16 lines]|b"),
        ("<ctrl+w><ctrl+y>", "a[paste #1 +16 lines]|b"),
    ] {
        play(&mut editor, script);
        assert_eq!(text(&editor), expected, "{script}");
    }
    assert_eq!(play(&mut editor, "<enter>"), EditorOutcome::Submit(format!("a{lines}b")));
    check(&[
        ("see<paste:/tmp/x>", "see /tmp/x|"),
        ("see <paste:~/x>", "see ~/x|"),
        ("<paste:a\r\n\tb\x07>", "a\n    b|"),
    ]);
}

#[test]
fn the_cursor_gets_past_a_broken_marker() {
    let mut editor = editor();
    editor.rows(9, 5);
    play(&mut editor, &format!("a<lf><paste:{}><lf>b", "x\n".repeat(15)));
    play(&mut editor, "<up>");
    assert_eq!(text(&editor), "a\n|[paste #1 +16 lines]\nb");
    play(&mut editor, "<up>");
    assert_eq!(text(&editor), "a|\n[paste #1 +16 lines]\nb");
    play(&mut editor, "<down><down>");
    assert_eq!(text(&editor), "a\n[paste #1 +16 lines]|\nb");
}

/// What is drawn after a script.
fn drawn(script: &str, columns: u16, max_rows: usize, padding: u16) -> String {
    let mut editor = editor();
    editor.set_padding(padding);
    editor.rows(columns, max_rows);
    play(&mut editor, script);
    let (rows, Caret { row, column }) = editor.rows(columns, max_rows);
    format!("{}\ncaret {row}:{column}", shown(&rows))
}

#[test]
fn the_cursor_is_seen_on_a_mark_that_stands_on_nothing() {
    for (script, expected) in [("🏽<left>", " ⟦  ⟧"), ("\u{e33}<left>", " ⟦ ⟧"), ("\u{301}<left>", " ⟦ ⟧")]
    {
        assert_eq!(drawn(script, 9, 4, 1), format!("─────────\n{expected}\n─────────\ncaret 1:1"), "{script}");
    }
}

#[test]
fn rows() {
    let paste = "x\n".repeat(15);
    let screens = [
        ("empty", drawn("", 12, 5, 0)),
        ("the cursor on a character", drawn("hello<left>", 12, 5, 0)),
        ("padding, the cursor behind a blank", drawn("hello wide world ", 12, 5, 2)),
        ("a blank in the spare cell", drawn("hello world<left><left><left><left><left><left>", 6, 5, 0)),
        ("wide characters", drawn("hello wide world<lf>日本語日本語<up><home>", 12, 5, 0)),
        ("rows hidden on both sides", drawn("1<lf>2<lf>3<lf>4<lf>5<lf>6<lf>7<up><up><up>", 24, 3, 0)),
        ("rows hidden below", drawn("1<lf>2<lf>3<lf>4<lf>5<lf>6<up><up><up><up><up>", 24, 3, 0)),
        ("one column", drawn("ab", 1, 5, 0)),
        ("a marker", drawn(&format!("see <paste:{paste}> and<left><left><left><left><left>"), 24, 5, 0)),
    ];
    let all: Vec<String> = screens.iter().map(|(name, screen)| format!("# {name}\n{screen}\n")).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn heights() {
    for (window, rows) in [(8, 5), (24, 7), (40, 12)] {
        assert_eq!(Editor::rows_for(window), rows);
    }
}

/// Keys and texts that an editor may get in any order.
fn any_script() -> impl Strategy<Value = Vec<String>> {
    let keys = [
        "up",
        "down",
        "left",
        "right",
        "ctrl+left",
        "ctrl+right",
        "home",
        "end",
        "pageUp",
        "pageDown",
        "delete",
        "backspace",
        "shift+enter",
        "ctrl+w",
        "alt+d",
        "ctrl+u",
        "ctrl+k",
        "ctrl+y",
        "alt+y",
        "ctrl+]",
        "ctrl+-",
    ];
    let key = prop::sample::select(keys.to_vec()).prop_map(|name| format!("<{name}>"));
    let pieces = [
        "a",
        "word ",
        "  ",
        "é",
        "e\u{301}",
        "\u{301}",
        "\u{200d}",
        "👍🏽",
        "👩",
        "🇩",
        "🇪",
        "日本",
        "\u{200b}",
        "-_.",
        "ก\u{e33}",
    ];
    let piece = prop::sample::select(pieces.to_vec()).prop_map(str::to_owned);
    let pastes = ["one\ntwo", "/path", "\u{301}x", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"];
    let paste = prop::sample::select(pastes.to_vec()).prop_map(|text| format!("<paste:{text}>"));
    prop::collection::vec(prop_oneof![4 => key, 4 => piece, 1 => paste], 0..40)
}

proptest! {
    #[test]
    fn any_keys_keep_the_cursor_between_characters(script in any_script(), columns in 1..20u16, padding in 0..4u16) {
        let mut editor = editor();
        editor.set_padding(padding);
        for step in &script {
            play(&mut editor, step);
            let (rows, caret) = editor.rows(columns, 4);
            let line = editor.line(editor.cursor().line);
            let at = editor.cursor().byte;
            let mut cursor = unicode_segmentation::GraphemeCursor::new(at, line.len(), true);
            prop_assert!(cursor.is_boundary(line, 0).unwrap(), "{at} in {line:?}");
            prop_assert!(rows.iter().all(|row| row.width() <= columns));
            prop_assert!(rows.len() <= 6 && (1..rows.len() - 1).contains(&caret.row) && caret.column < columns.max(1));
            let inverse = rows.iter().filter(|row| row.text().contains("\x1b[7m")).count();
            prop_assert!(inverse == 1 || columns < 9, "{rows:?}");
        }
    }

    #[test]
    fn undo_restores_every_text(script in any_script()) {
        let mut editor = editor();
        let mut texts = vec![String::new()];
        let keys = Keymap::default();
        // Taking back on the way would leave the list of texts.
        for input in script.iter().filter(|step| *step != "<ctrl+->").flat_map(|step| inputs(step)) {
            editor.handle(&input, &keys);
            texts.push(editor.text());
        }
        while play(&mut editor, "<ctrl+->") == EditorOutcome::Changed {
            prop_assert!(texts.contains(&editor.text()));
        }
        prop_assert_eq!(text(&editor), "|");
    }

    #[test]
    fn rows_are_the_text(text in "[a-z 日é👍]{0,60}", columns in 3..15u16) {
        let mut editor = editor();
        editor.set_text(&text);
        let (rows, _) = editor.rows(columns, 100);
        let plain: String = rows[1..rows.len() - 1].iter().map(|row| row.text().replace("\x1b[7m \x1b[0m", "")).collect();
        prop_assert_eq!(plain, text);
    }
}

#[test]
fn a_click_goes_where_it_is() {
    for (script, columns, padding, rows, column, expected) in [
        ("one two", 20, 0, 0, 4, "one |two"),
        ("one two", 20, 0, 0, 19, "one two|"),
        ("one<lf>two<lf>three", 20, 1, -1, 2, "one\nt|wo\nthree"),
        ("one<lf>two<lf>three", 20, 1, -2, 0, "|one\ntwo\nthree"),
        ("one two three", 8, 0, -1, 2, "on|e two three"),
        ("日本語", 20, 0, 0, 3, "日|本語"),
        // Beside the text, and on rows that are not shown.
        ("one", 20, 0, 1, 0, "one|"),
        ("one", 20, 0, -1, 0, "one|"),
        ("a<lf>b<lf>c<lf>d", 20, 0, -3, 0, "a\nb\nc\nd|"),
    ] {
        let mut editor = editor();
        editor.set_padding(padding);
        play(&mut editor, script);
        editor.rows(columns, 3);
        editor.click(rows, column);
        assert_eq!(text(&editor), expected, "{script} at {rows}, {column}");
    }
}
