//! Input that is cut anywhere.

use std::time::Duration;

use pi_tui::input::{Dialect, Input, KeyCode, KeyEvent, Modifiers, MouseButton, MouseEvent, MouseKind, Splitter};
use proptest::prelude::*;

const TYPED: Duration = Duration::from_millis(10);

/// Keys and other things as terminals send them; each is one input.
const SEQUENCES: &[&str] = &[
    "a",
    "Z",
    "7",
    "!",
    " ",
    "\r",
    "\n",
    "\t",
    "\x7f",
    "\x08",
    "\x01",
    "\x1a",
    "\x1c",
    "\x1f",
    "\x00",
    "é",
    "日",
    "👍",
    "\x1b[A",
    "\x1b[H",
    "\x1bOA",
    "\x1bOP",
    "\x1bO2P",
    "\x1bOM",
    "\x1b[11~",
    "\x1b[3~",
    "\x1b[Z",
    "\x1b[1;2A",
    "\x1b[3;5~",
    "\x1ba",
    "\x1bA",
    "\x1b.",
    "\x1b\r",
    "\x1b\x7f",
    "\x1b\x01",
    "\x1b\x1d",
    "\x1b ",
    "\x1bé",
    "\x1b日",
    "\x1b\x1b[A",
    "\x1b\x1bOA",
    "\x1b[97;5u",
    "\x1b[97;5:3u",
    "\x1b[97:65;2u",
    "\x1b[1089::99;5u",
    "\x1b[97;;97u",
    "\x1b[57417u",
    "\x1b[27;5;13~",
    "\x1b[1;1:3A",
    "\x1b[a",
    "\x1b[c",
    "\x1bOa",
    "\x1b[2^",
    "\x1b[3$",
    "\x1b[E",
    "\x1b[[A",
    "\x1b[[5~",
    "\x1b[1;5R",
    "\x1b[<35;20;5M",
    "\x1b[<0;1;1m",
    "\x1b[<64;132;41M",
    "\x1b[<0;;1M",
    "\x1b[M !!",
    "\x1b[I",
    "\x1b[O",
    "\x1b[?62;22;4c",
    "\x1b[>0;276;0c",
    "\x1b[?7u",
    "\x1b[?0u",
    "\x1b]11;rgb:1e1e/2020/ffff\x07",
    "\x1b]10;rgb:ff/ff/ff\x1b\\",
    "\x1b[6;18;9t",
    "\x1b[24;80R",
    "\x1b[?24;80R",
    "\x1bP>|XTerm(390)\x1b\\",
    "\x1b[?2026;2$y",
    "\x1b[4;2$y",
    "\x1b[?997;1n",
    "\x1b[0n",
    "\x1b_Gi=1;OK\x1b\\",
    "\x1b[200~pasted\r\n\x1b[31mé日👍\x03\x1b[201~",
    "\x1b[200~\x1b[201~",
    "\x1b[201~",
];

/// All inputs of these pieces, each of which comes without a pause before it, and what is left at the end.
fn inputs<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Input> {
    let (mut splitter, mut out) = (Splitter::default(), Vec::new());
    for piece in pieces {
        splitter.feed(piece, &mut out);
    }
    splitter.flush(&mut out);
    assert_eq!(splitter.timeout(), None);
    out
}

fn key(raw: &str, dialect: Dialect) -> Input {
    Input::Key(KeyEvent::read(raw.as_bytes(), dialect))
}

#[test]
fn every_sequence_is_one_input_wherever_it_is_cut() {
    for sequence in SEQUENCES {
        let bytes = sequence.as_bytes();
        let whole = inputs([bytes]);
        assert_eq!(whole.len(), usize::from(!sequence.is_empty()), "{sequence:?}: {whole:?}");
        if let [Input::Key(event)] = whole.as_slice() {
            assert_eq!(event.raw, bytes);
        }
        for at in 0..bytes.len() {
            assert_eq!(inputs([&bytes[..at], &bytes[at..]]), whole, "{sequence:?} cut at {at}");
        }
        assert_eq!(inputs(bytes.chunks(1)), whole, "{sequence:?} byte by byte");
    }
}

#[test]
fn answers_pastes_and_focus_are_no_keys() {
    for sequence in SEQUENCES {
        let found = match inputs([sequence.as_bytes()]).remove(0) {
            Input::Key(_) => "key",
            Input::Paste(_) => "paste",
            Input::Focus(_) => "focus",
            Input::Mouse(event) => {
                assert_eq!(event.raw, sequence.as_bytes());
                "mouse"
            }
            Input::Reply(raw) => {
                assert_eq!(raw, sequence.as_bytes());
                "reply"
            }
        };
        let expected = match sequence {
            _ if sequence.starts_with("\x1b[200~") => "paste",
            &"\x1b[I" | &"\x1b[O" => "focus",
            _ if sequence.starts_with("\x1b[<") => {
                if sequence.contains(";;") {
                    "reply"
                } else {
                    "mouse"
                }
            }
            _ if sequence.starts_with("\x1b[?") || sequence.starts_with("\x1b[>") => "reply",
            _ if sequence.starts_with("\x1b]") || sequence.starts_with("\x1bP") || sequence.starts_with("\x1b_") => {
                "reply"
            }
            &"\x1b[6;18;9t" | &"\x1b[24;80R" | &"\x1b[4;2$y" | &"\x1b[0n" => "reply",
            _ => "key",
        };
        assert_eq!(found, expected, "{sequence:?}");
    }
    assert_eq!(
        inputs([SEQUENCES[SEQUENCES.len() - 3].as_bytes()]),
        [Input::Paste("pasted\r\n\x1b[31mé日👍\x03".into())]
    );
}

#[test]
fn escape_waits_for_what_may_follow() {
    let (mut splitter, mut out) = (Splitter::default(), Vec::new());
    for (held, wait) in [
        ("\x1b", TYPED),
        ("\x1b[", TYPED),
        ("\x1b]", TYPED),
        ("\x1bO", TYPED),
        ("\x1b\x1b", TYPED),
        // Nobody types this: the rest is on its way.
        ("\x1b[1;", 10 * TYPED),
        ("\x1b]11;rgb:", 10 * TYPED),
        ("\x1b[<35;1", 100 * TYPED),
        ("\x1b[M ", 100 * TYPED),
        ("\u{e9}", TYPED),
    ] {
        let bytes = if held == "\u{e9}" { &held.as_bytes()[..1] } else { held.as_bytes() };
        splitter.feed(bytes, &mut out);
        assert_eq!(out, [], "{held:?}");
        assert!(splitter.timeout().is_some_and(|time| time == wait || held == "\u{e9}"), "{held:?}");
        splitter.flush(&mut out);
        assert_eq!(splitter.timeout(), None);
        match out.remove(0) {
            Input::Key(event) => assert_eq!(event.raw, bytes),
            Input::Reply(raw) => assert_eq!(raw, b"\x1b]11;rgb:"),
            other => panic!("{other:?}"),
        }
    }
    splitter.feed(b"\x1b[200~never ended", &mut out);
    assert_eq!(splitter.timeout(), None);
    splitter.flush(&mut out);
    splitter.feed(b" until now\x1b[201~", &mut out);
    assert_eq!(out, [Input::Paste("never ended until now".into())]);
}

#[test]
fn two_escapes_at_once_are_one_unknown_key() {
    let found = inputs([b"\x1b\x1b".as_slice()]);
    let [Input::Key(event)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(event.keys.iter().map(ToString::to_string).collect::<Vec<_>>(), ["ctrl+alt+["]);
    assert_eq!(inputs([b"\x1b\x1bx".as_slice()]).len(), 2);
}

#[test]
fn a_key_that_comes_twice_is_there_once() {
    for (bytes, expected) in [
        ("\x1b[97ua", &["\x1b[97u"][..]),
        ("\x1b[97:65;2uAA", &["\x1b[97:65;2u", "A"]),
        ("\x1b[97ub", &["\x1b[97u", "b"]),
        ("\x1b[97u\x1b[97u", &["\x1b[97u", "\x1b[97u"]),
        ("\x1b[233ué\x1b[97;1:3ua", &["\x1b[233u", "\x1b[97;1:3u", "a"]),
        ("\x1b[97;5ua", &["\x1b[97;5u", "a"]),
        ("aa", &["a", "a"]),
    ] {
        let expected: Vec<Input> = expected.iter().map(|raw| key(raw, Dialect::default())).collect();
        assert_eq!(inputs([bytes.as_bytes()]), expected, "{bytes:?}");
        assert_eq!(inputs(bytes.as_bytes().chunks(1)), expected, "{bytes:?} byte by byte");
    }
    // After a pause it is another key.
    let (mut splitter, mut out) = (Splitter::default(), Vec::new());
    splitter.feed(b"\x1b[97u", &mut out);
    assert_eq!(splitter.timeout(), Some(TYPED));
    splitter.flush(&mut out);
    splitter.feed(b"a", &mut out);
    assert_eq!(out.len(), 2);
}

#[test]
fn keys_follow_the_protocol_that_the_terminal_names() {
    let found = inputs([b"\n\x1b[?7u\n\x1b[?0u\n".as_slice()]);
    let kitty = Dialect { kitty: true, ..Dialect::default() };
    let line_feed = |dialect| key("\n", dialect);
    assert_eq!(found[0], line_feed(Dialect::default()));
    assert_eq!(found[2], line_feed(kitty));
    assert_eq!(found[4], line_feed(Dialect::default()));
    let Input::Key(event) = line_feed(kitty) else { unreachable!() };
    assert_eq!(event.keys[0].to_string(), "shift+enter");
    assert!(event.is_line_feed());
    let windows = Dialect { ctrl_backspace: true, ..Dialect::default() };
    assert_eq!(KeyEvent::read(b"\x08", windows).keys[0].to_string(), "ctrl+backspace");
    assert_eq!(KeyEvent::read(b"\x7f", windows).keys[0].code, KeyCode::Backspace);
}

#[test]
fn what_is_no_sequence_costs_nothing_beside_it() {
    for (bytes, expected) in [
        (&b"\xffa"[..], &[&b"\xff"[..], b"a"][..]),
        (b"\xc3a", &[b"\xc3", b"a"]),
        (b"\xf0\x9fa", &[b"\xf0", b"\x9f", b"a"]),
        (b"\x1b[1\r", &[b"\x1b[1", b"\r"]),
        (b"\x1b[\x1b[A", &[b"\x1b[", b"\x1b[A"]),
        (b"\x1b]\x1b[A", &[b"\x1b]", b"\x1b[A"]),
        (b"\x1bO\x1b[A", &[b"\x1bO", b"\x1b[A"]),
        (b"\x1bO\r", &[b"\x1bO", b"\r"]),
        (b"\x1b\xff", &[b"\x1b\xff"]),
        (b"\x1b[\xc3\xa9", &[b"\x1b[", "é".as_bytes()]),
    ] {
        let raws: Vec<Vec<u8>> = inputs([bytes]).into_iter().map(raw).collect();
        assert_eq!(raws, expected, "{bytes:?}");
    }
}

#[test]
fn the_mouse_says_what_it_does_and_where() {
    use MouseButton::{Left, Middle, Right};
    use MouseKind::{Drag, Other, Press, Release, WheelDown, WheelUp};
    for (report, expected) in [
        ("0;1;1M", Some((Press(Left), 0, 0, Modifiers::NONE))),
        ("1;20;5M", Some((Press(Middle), 4, 19, Modifiers::NONE))),
        ("2;300;70m", Some((Release(Right), 69, 299, Modifiers::NONE))),
        ("32;3;2M", Some((Drag(Left), 1, 2, Modifiers::NONE))),
        ("35;3;2M", Some((Other, 1, 2, Modifiers::NONE))),
        ("64;3;2M", Some((WheelUp, 1, 2, Modifiers::NONE))),
        ("69;3;2M", Some((WheelDown, 1, 2, Modifiers::SHIFT))),
        ("66;3;2M", Some((Other, 1, 2, Modifiers::NONE))),
        ("128;3;2M", Some((Other, 1, 2, Modifiers::NONE))),
        ("24;3;2M", Some((Press(Left), 1, 2, Modifiers::ALT.with(Modifiers::CTRL)))),
        ("0;0;1M", None),
        ("0;1M", None),
        ("0;1;1;1M", None),
        ("0;99999;1M", None),
        (";1;1M", None),
        ("M", None),
    ] {
        let raw = format!("\x1b[<{report}");
        let expected = match expected {
            Some((kind, row, column, modifiers)) => {
                Input::Mouse(MouseEvent { raw: raw.clone().into_bytes(), kind, row, column, modifiers })
            }
            None => Input::Reply(raw.clone().into_bytes()),
        };
        assert_eq!(inputs([raw.as_bytes()]), [expected], "{report}");
    }
    // Those of the old form are known by their length, and type nothing.
    let old = inputs([b"\x1b[M a!\x1b[M\x23\xf0\xf1x".as_slice()]);
    assert_eq!(old.len(), 3);
    assert!(matches!(&old[1], Input::Key(event) if event.keys.is_empty() && event.text.is_none()));
}

/// If anything looked at all of it for every byte, this would not end.
#[test]
fn large_input_is_linear() {
    let text = "0123456789abcde\n".repeat(1 << 16);
    let paste = format!("\x1b[200~{text}\x1b[201~");
    let answer = format!("\x1b]52;c;{text}\x07");
    for size in [1, 7, 4096, usize::MAX] {
        assert_eq!(inputs(paste.as_bytes().chunks(size)), [Input::Paste(text.clone())]);
        assert_eq!(inputs(answer.as_bytes().chunks(size)), [Input::Reply(answer.clone().into_bytes())]);
    }
    let endless = "\x1b]".to_owned() + &"x".repeat(20 << 20);
    let found = inputs([endless.as_bytes(), b"y", b"\x07z"]);
    assert_eq!(found, [key("z", Dialect::default())]);
    assert_eq!(inputs(format!("\x1b[{}", "1".repeat(5000)).as_bytes().chunks(1)).len(), 1 + 5000 - 1024);
}

/// The bytes that an input was made of, as far as it has them.
fn raw(input: Input) -> Vec<u8> {
    match input {
        Input::Key(event) => event.raw,
        Input::Mouse(event) => event.raw,
        Input::Reply(raw) => raw,
        Input::Paste(text) => [b"\x1b[200~", text.as_bytes(), b"\x1b[201~"].concat(),
        Input::Focus(is_gained) => {
            if is_gained {
                b"\x1b[I".to_vec()
            } else {
                b"\x1b[O".to_vec()
            }
        }
    }
}

/// Cuts bytes at these places, each a share of the rest.
fn cut<'a>(mut bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for size in cuts {
        let (piece, rest) = bytes.split_at((*size).min(bytes.len()));
        pieces.push(piece);
        bytes = rest;
    }
    pieces.push(bytes);
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// No input is lost and none changes its place, whatever chunks it came in.
    #[test]
    fn sequences_come_out_as_they_went_in(
        picked in prop::collection::vec(0..SEQUENCES.len(), 0..30),
        cuts in prop::collection::vec(0_usize..12, 0..40),
    ) {
        let bytes = picked.iter().map(|at| SEQUENCES[*at]).collect::<String>().into_bytes();
        let whole = inputs([bytes.as_slice()]);
        prop_assert_eq!(&inputs(cut(&bytes, &cuts)), &whole);
        let twins = |at: &usize| matches!(SEQUENCES[*at], "\x1b[97;;97u" | "\x1b[97:65;2u" | "\x1b[201~");
        if !picked.iter().any(twins) {
            let raws: Vec<Vec<u8>> = whole.into_iter().map(raw).collect();
            let sent: Vec<&[u8]> = picked.iter().map(|at| SEQUENCES[*at].as_bytes()).collect();
            prop_assert_eq!(raws, sent);
        }
    }

    /// Any bytes give the same inputs however they are cut, and outside of pastes and doubles none of them is lost.
    #[test]
    fn any_bytes_in_any_pieces(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\x1b[]O;:19~u?$<mMP_\\\x07".to_vec())], 0..120),
        cuts in prop::collection::vec(0_usize..9, 0..60),
    ) {
        let whole = inputs([bytes.as_slice()]);
        prop_assert_eq!(&inputs(cut(&bytes, &cuts)), &whole);
        let has_twin = whole.iter().any(|input| matches!(input, Input::Key(event) if event.raw.len() > 3 && event.text.is_some()));
        if !has_twin && !bytes.windows(6).any(|window| window == b"\x1b[200~") {
            prop_assert_eq!(whole.into_iter().flat_map(raw).collect::<Vec<u8>>(), bytes);
        }
    }
}
