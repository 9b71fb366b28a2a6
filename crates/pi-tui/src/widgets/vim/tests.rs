//! Keys of vi: a text with `|` where the cursor is, a script of keys, and what they make of it.

use proptest::prelude::*;

use super::*;
use crate::keymap::Keymap;
use crate::widgets::edit::units;
use crate::widgets::tests::inputs;

fn editor_with(text: &str) -> Editor {
    let mut editor = Editor::new(Default::default());
    editor.set_text(&text.replacen('|', "", 1));
    let before = text.split('|').next().unwrap();
    let line = before.matches('\n').count();
    layer::move_to(&mut editor, Position::new(line, before.len() - before.rfind('\n').map_or(0, |at| at + 1)));
    editor
}

/// The text with `|` at the cursor.
fn shown(editor: &Editor) -> String {
    let Position { line, byte } = editor.cursor();
    let mut lines: Vec<String> = editor.text().split('\n').map(str::to_owned).collect();
    lines[line].insert(byte, '|');
    lines.join("\n")
}

fn play(editor: &mut Editor, vim: &mut Vim, script: &str) {
    let keys = Keymap::default();
    for input in inputs(script) {
        vim.handle(editor, &input, &keys);
    }
}

fn normal() -> Vim {
    Vim { mode: VimMode::Normal, ..Vim::default() }
}

fn check(rows: &[(&str, &str, &str)]) {
    for (before, script, expected) in rows {
        let (mut editor, mut vim) = (editor_with(before), normal());
        play(&mut editor, &mut vim, script);
        assert_eq!(shown(&editor), *expected, "{before:?} {script}");
    }
}

#[test]
fn motions() {
    check(&[
        ("one| two", "h", "on|e two"),
        ("|one", "3l", "on|e"),
        ("one\nt|wo", "k", "o|ne\ntwo"),
        ("one\ntwo\nth|ree", "2k", "on|e\ntwo\nthree"),
        ("long lin|e\nx\nanother", "jj", "long line\nx\nanothe|r"),
        ("ab|c\nabcdef", "$j", "abc\nabcde|f"),
        ("  one| two", "0", "|  one two"),
        ("  one| two", "^", "  |one two"),
        ("|one two", "$", "one tw|o"),
        ("|one two.three", "w", "one |two.three"),
        ("|one two.three", "3w", "one two.|three"),
        ("|one two.three x", "2W", "one two.three |x"),
        ("on|e\n\ntwo", "w", "one\n|\ntwo"),
        ("|one two", "e", "on|e two"),
        ("|one two", "2e", "one tw|o"),
        ("|one.a two", "E", "one.|a two"),
        ("one two|", "b", "one |two"),
        ("one a.b|", "B", "one |a.b"),
        ("one tw|o", "ge", "on|e two"),
        ("a\nb\n c|", "gg", "|a\nb\n c"),
        ("|a\nb\n c", "G", "a\nb\n |c"),
        ("|a\nb\nc", "2G", "a\n|b\nc"),
        ("|one two", "ft", "one |two"),
        ("|one boo", "2fo", "one bo|o"),
        ("|one two", "to", "one t|wo"),
        ("|one too", "to;", "one t|oo"),
        ("one tw|o", "Fo", "|one two"),
        ("a.b.c.|d", "F.;", "a.b|.c.d"),
        ("|a.b.c.d", "f.;,", "a|.b.c.d"),
        ("|f(a, (b))", "%", "f(a, (b)|)"),
        ("f(a, (b|))", "%", "f(a, |(b))"),
        ("a\nb\n\nc|", "{", "a\nb\n|\nc"),
        ("|a\n\n\nb\n\nc", "}}", "a\n\n\nb\n|\nc"),
        ("|a\nb\n\nc", "}", "a\nb\n|\nc"),
        ("|abcdef", "4|", "abc|def"),
        ("日|本語", "l", "日本|語"),
        ("|e\u{301}x", "l", "e\u{301}|x"),
    ]);
}

#[test]
fn operators() {
    check(&[
        ("|one two", "dw", "|two"),
        ("one |two", "dw", "one| "),
        ("on|e\ntwo", "dw", "o|n\ntwo"),
        ("|one two three", "d2w", "|three"),
        ("|one two three four", "2d2w", "|"),
        ("one| two", "de", "on|e"),
        ("one tw|o", "db", "one |o"),
        ("one| two", "d$", "on|e"),
        ("one| two", "D", "on|e"),
        ("one| two", "d0", "| two"),
        ("one| two", "dfw", "one|o"),
        ("one| two", "dtw", "one|wo"),
        ("one tw|o", "dFn", "o|o"),
        ("a\nb|\nc", "dd", "a\n|c"),
        ("a\nb\n|c", "dd", "a\n|b"),
        ("|a\nb\nc", "2dd", "|c"),
        ("|a\nb\nc", "dj", "|c"),
        ("a\nb\n|c", "dk", "|a"),
        ("a\n|b\nc", "dG", "|a"),
        ("a\nb|\nc", "dgg", "|c"),
        ("|f(a)b", "d%", "|b"),
        ("a|bc", "x", "a|c"),
        ("|abc", "2x", "|c"),
        ("ab|c", "X", "a|c"),
        ("|one two", "cwx<escape>", "|x two"),
        ("|one two three", "c2wx<escape>", "|x three"),
        ("one |two", "ccx<escape>", "|x"),
        ("a\nb|\nc", "Sx<escape>", "a\n|x\nc"),
        ("one| two", "Cx<escape>", "one|x"),
        ("o|ne", "sx<escape>", "o|xe"),
        ("|one two", "gUw", "|ONE two"),
        ("|ONE two", "guiw", "|one two"),
        ("|one Two", "g~~", "|ONE tWO"),
        ("|oNe", "3~", "On|E"),
        ("|one", "rx", "|xne"),
        ("|one", "2rx", "x|xe"),
        ("|one", "9rx", "|one"),
        ("|a\n  b\nc", "J", "a| b\nc"),
        ("|a\nb\nc", "3J", "a b| c"),
        ("one tw|o", "dfx", "one tw|o"),
        ("|one", "d<escape>x", "|ne"),
    ]);
}

#[test]
fn objects() {
    check(&[
        ("one t|wo three", "diw", "one | three"),
        ("one t|wo three", "daw", "one |three"),
        ("one t|wo", "daw", "on|e"),
        ("one t.w|o x", "diW", "one | x"),
        ("one | two", "daw", "on|e"),
        ("|one two three", "d2aw", "|three"),
        ("a \"b |c\" d", "di\"", "a \"|\" d"),
        ("a \"b |c\" d", "da\"", "a |d"),
        ("|a 'b' d", "ci'x<escape>", "a '|x' d"),
        ("a \"b\\\"|c\" d", "di\"", "a \"|\" d"),
        ("f(a, |b)", "di(", "f(|)"),
        ("f(a, |b)", "dab", "|f"),
        ("f(a, (|b))", "d2i(", "f(|)"),
        ("f|(a)", "di)", "f(|)"),
        ("x {\n  |a\n}", "diB", "x {|}"),
        ("a[|b]", "ci[x<escape>", "a[|x]"),
        ("|one", "di(", "|one"),
        ("a\nb|\n\nc", "dip", "|\nc"),
        ("a\nb|\n\nc", "dap", "|c"),
    ]);
}

#[test]
fn inserting_and_putting() {
    check(&[
        ("o|ne", "ix<escape>", "o|xne"),
        ("o|ne", "ax<escape>", "on|xe"),
        ("  o|ne", "Ix<escape>", "  |xone"),
        ("o|ne", "Ax<escape>", "one|x"),
        ("o|ne", "ox<escape>", "one\n|x"),
        ("o|ne", "Ox<escape>", "|x\none"),
        ("|one two", "dwp", "tone| wo"),
        ("|one two", "dwP", "one| two"),
        ("|a\nb", "ddp", "b\n|a"),
        ("a\n|b", "yyP", "a\n|b\nb"),
        ("a\n|b", "yy2p", "a\nb\n|b\nb"),
        ("|ab", "xp", "b|a"),
        ("|one two", "yiwwP", "one on|etwo"),
        ("|one two", "\"ayiww\"aP", "one on|etwo"),
        ("|one two", "\"ayiww\"Ayiw\"ap", "one tonetw|owo"),
        ("|abc", "xx\"2p", "c|a"),
        ("|one two", "yiww\"_dwP", "oneon|e "),
        // What is cut is in the kill ring, and what is killed can be put.
        ("|one two", "dwi<ctrl+y>", "one |two"),
        ("one two|", "i<end><ctrl+w><escape>p", "one tw|o"),
    ]);
}

#[test]
fn visual() {
    check(&[
        ("|one two", "vex", "| two"),
        ("|one two", "vlcX<escape>", "|Xe two"),
        ("one t|wo", "viwy0P", "tw|oone two"),
        ("|one two", "veU", "|ONE two"),
        ("|a\nb\nc", "Vjd", "|c"),
        ("a\n|b\nc", "Vyp", "a\nb\n|b\nc"),
        ("|a\nb", "vjJ", "a| b"),
        ("|one two", "verx", "|xxx two"),
        ("o|ne two", "vlohd", "| two"),
        ("|one two", "yiwwviwp", "one |one"),
        ("|one two", "ved<escape>u", "|one two"),
        ("f(a |b)", "vi(d", "f(|)"),
        ("|ab", "v$d", "|"),
        ("|a\nb", "vG<escape>x", "a\n|"),
    ]);
}

#[test]
fn undo_redo_and_repetition() {
    check(&[
        ("|one two", "dwu", "|one two"),
        ("|one two", "dwdwu", "|two"),
        ("|one two", "dwu<ctrl+r>", "|two"),
        ("|one two", "xxuu<ctrl+r>", "|ne two"),
        ("|one", "cwa b c<escape>u", "|one"),
        ("|one", "ohello world<escape>u", "|one"),
        ("|one", "ix y z<escape>u<ctrl+r>A!<escape>", "x y zone|!"),
        ("|one two three", "dw.", "|three"),
        ("|one two three", "dw..u", "|three"),
        ("|one two", "cwx<escape>w.", "x |x"),
        ("|abcdef", "x3.", "|ef"),
        ("|a", "ab<escape>..", "abb|b"),
        ("|a\nb\nc", "ddu.", "|b\nc"),
        ("|one", "<ctrl+r>", "|one"),
    ]);
}

#[test]
fn modes_are_told() {
    let (mut editor, mut vim) = (editor_with("|one"), Vim::default());
    assert_eq!((vim.label().as_str(), vim.takes_escape()), ("INSERT", true));
    for (script, label, takes_escape) in [
        ("<escape>", "NORMAL", false),
        ("\"a2d", "NORMAL \"a2d", true),
        ("<escape>", "NORMAL", false),
        ("v", "VISUAL", true),
        ("V", "VISUAL LINE", true),
        ("<escape>", "NORMAL", false),
        ("A", "INSERT", true),
        ("<enter>", "INSERT", true),
    ] {
        play(&mut editor, &mut vim, script);
        assert_eq!((vim.label().as_str(), vim.takes_escape()), (label, takes_escape), "{script}");
    }
    assert!(editor.is_empty(), "Enter has sent it");
}

#[test]
fn the_lines_beyond_are_earlier_texts() {
    let (mut editor, mut vim) = (editor_with("|draft"), normal());
    editor.remember("older");
    play(&mut editor, &mut vim, "k");
    assert_eq!(shown(&editor), "|older");
    play(&mut editor, &mut vim, "j");
    assert_eq!(editor.text(), "draft");
}

#[test]
fn markers_of_pastes_are_one_cell() {
    let (mut editor, mut vim) = (editor_with("a |b"), normal());
    editor.paste(&"x\n".repeat(20));
    play(&mut editor, &mut vim, "hx");
    assert_eq!(editor.text(), "a b");
    play(&mut editor, &mut vim, "u");
    assert!(editor.expanded_text().contains("x\nx\n"), "{}", editor.text());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever is typed, the cursor is at the edge of a cell, and everything can be undone.
    #[test]
    fn any_keys(
        text in r#"[ab .("\[{)}\]é日\n]{0,40}"#,
        script in r#"([1-3]|[hjklwbeWBEGgfFtTr;,%{}$^0]|[dcyxXsSDCYpPJ~uUvVoOiaIA."]|[ab ("'é]|<escape>|<escape>|<ctrl\+r>|<left>|<enter>|<lf>){0,40}"#,
    ) {
        let (mut editor, mut vim) = (editor_with(&format!("{text}|")), normal());
        let keys = Keymap::default();
        for input in inputs(&script) {
            vim.handle(&mut editor, &input, &keys);
            let Position { line, byte } = editor.cursor();
            let content = editor.line(line).to_owned();
            prop_assert!(byte <= content.len() && content.is_char_boundary(byte));
            let is_edge = byte == content.len() || units(&content, 0..content.len(), &[], usize::MAX).any(|unit| unit.from == byte);
            prop_assert!(is_edge, "{content:?} {byte}");
            let lines = editor.text().split('\n').count();
            prop_assert!(line < lines);
            editor.rows(20, 5);
        }
    }

    #[test]
    fn everything_is_undone_and_done_again(
        text in "[ab .\n]{0,30}",
        commands in proptest::collection::vec(prop_oneof![
            Just("dw"), Just("x"), Just("cwnew words<escape>"), Just("dd"), Just("p"), Just("J"), Just("~"), Just("oa b<escape>"),
            Just("ve~"), Just("yyP"), Just("."), Just("w"), Just("j"), Just("gUU"), Just("rz"),
        ], 0..12),
    ) {
        let (mut editor, mut vim) = (editor_with(&format!("{text}|")), normal());
        let before = editor.text();
        let depth = layer::text(&mut editor).undo_log().depth();
        commands.iter().for_each(|script| play(&mut editor, &mut vim, script));
        let after = editor.text();
        let count = layer::text(&mut editor).undo_log().depth() - depth;
        prop_assert!(count <= commands.len(), "each command is one step: {count}");
        (0..count).for_each(|_| play(&mut editor, &mut vim, "u"));
        prop_assert_eq!(editor.text(), before);
        (0..count).for_each(|_| play(&mut editor, &mut vim, "<ctrl+r>"));
        prop_assert_eq!(editor.text(), after);
    }
}
