//! The bytes of every kind of frame.

use std::fmt::Write;

use pi_tui::screen::{Frame, Insert, Reflow, Screen, ScreenOptions, Window};
use pi_tui::text::{Color, Line, Mark, Row, Style};

use crate::stage::{Lines, Stage};

fn stage() -> Stage {
    let mut stage = Stage::new(40, 8, Insert::Line);
    stage.chrome(&["-----", "> hel", "~/demo"]);
    stage.caret = Some((1, 5));
    stage
}

/// A stage whose window is full.
fn full() -> Stage {
    let mut stage = stage();
    stage.document.push(Lines::settled(&["one", "two", "three", "four", "five"]));
    stage.draw();
    stage
}

/// What a change writes, as text.
fn bytes(name: &str, mut stage: Stage, change: impl FnOnce(&mut Stage)) -> String {
    change(&mut stage);
    let out = stage.draw();
    format!("{name} ({} bytes)\n    {}\n", out.len(), out.escape_debug())
}

#[test]
fn frames() {
    let cyan = Style::PLAIN.foreground(Color::Rgb(138, 190, 183));
    let spinner = |glyph: &str| Row::new(&Line::styled(glyph, cyan).and(" Working (3s)", Style::PLAIN), 40);
    let spinning = || {
        let mut stage = full();
        stage.chrome.insert(0, spinner("⠋"));
        stage.caret = Some((2, 5));
        stage.draw();
        stage
    };
    let with_menu = || {
        let mut stage = full();
        stage.chrome(&["-----", "> /", "/a", "/b", "/c", "~/demo"]);
        stage.draw();
        stage
    };
    let growing = || {
        let mut stage = stage();
        let id = stage.document.push(Lines::live(&["The answer"]));
        stage.draw();
        (stage, id)
    };
    let mut out = String::new();
    for text in [
        bytes("first frame", stage(), |_| {}),
        bytes("nothing changes", full(), |_| {}),
        bytes("a key", full(), |stage| {
            stage.chrome[1] = Row::styled("> hell", Style::PLAIN, 40);
            stage.caret = Some((1, 6));
        }),
        bytes("a key, the caret painted", full(), |stage| {
            let caret = |text: &str| {
                let inverse = Style::PLAIN.with(pi_tui::text::Attributes::INVERSE);
                Row::new(&Line::from(text).and(" ", inverse), 40)
            };
            stage.chrome[1] = caret("> hel");
            stage.draw();
            stage.chrome[1] = caret("> hell");
            stage.caret = Some((1, 6));
        }),
        bytes("backspace", full(), |stage| {
            stage.chrome[1] = Row::styled("> he", Style::PLAIN, 40);
            stage.caret = Some((1, 4));
        }),
        bytes("the caret moves", full(), |stage| stage.caret = Some((1, 4))),
        bytes("a spinner turns", spinning(), |stage| stage.chrome[0] = spinner("⠙")),
        bytes("text streams", growing().0, |stage| {
            let id = stage.document.iter_mut().map(|(id, _)| id).next();
            if let Some(block) = id.and_then(|id| stage.document.get_mut(id)) {
                block.grow(&["The answer is"], 0, false);
            }
        }),
        bytes("a row more, with room", stage(), |stage| {
            stage.draw();
            stage.document.push(Lines::settled(&["one"]));
        }),
        bytes("a row more, into the history", full(), |stage| {
            stage.document.push(Lines::settled(&["six"]));
        }),
        bytes("more rows than the window has", full(), |stage| {
            stage.document.push(Lines::settled(&["1", "2", "3", "4", "5", "6", "7", "8", "9"]));
        }),
        bytes("a menu opens", full(), |stage| stage.chrome(&["-----", "> /", "/a", "/b", "/c", "~/demo"])),
        bytes("a menu closes", with_menu(), |stage| stage.chrome(&["-----", "> /", "~/demo"])),
        bytes("a menu closes over a blank row", with_menu(), |stage| {
            stage.chrome(&["-----", "> /", "/a", "", "~/demo"]);
            stage.draw();
            stage.chrome(&["-----", "> /", "", "~/demo"]);
        }),
        bytes("a block goes", growing().0, |stage| {
            let id = stage.document.iter_mut().map(|(id, _)| id).next();
            id.and_then(|id| stage.document.remove(id));
        }),
        bytes("two rows change", full(), |stage| {
            stage.chrome[0] = Row::styled("=====", Style::PLAIN, 40);
            stage.chrome[2] = Row::styled("~/demo (main)", Style::PLAIN, 40);
        }),
        bytes("a filled row", full(), |stage| {
            stage.chrome[0] =
                Row::styled(" read", Style::PLAIN.background(Color::Indexed(4)), 40).filled(Color::Indexed(4));
        }),
        bytes("a prompt is marked", full(), |stage| stage.chrome[0] = stage.chrome[0].clone().marked(Mark::Whole)),
        bytes("a row as wide as the window", full(), |stage| {
            stage.chrome[0] = Row::styled(&"-".repeat(40), Style::PLAIN, 40);
        }),
        bytes("a row wider than the window", full(), |stage| {
            stage.chrome[0] = Row::styled(&"-".repeat(50), Style::PLAIN, 50);
        }),
        bytes("after a resize", full(), |stage| {
            stage.resize(30, 6);
            stage.draw();
            stage.now += pi_tui::screen::STILLNESS;
        }),
        bytes("a replay", full(), |stage| stage.screen.replay(false)),
        bytes("a replay that clears the history", full(), |stage| stage.screen.replay(true)),
        bytes("a row more, repainting", Stage { screen: repainting(), ..stage() }, |stage| {
            stage.document.push(Lines::settled(&["one", "two", "three", "four", "five"]));
            stage.draw();
            stage.document.push(Lines::settled(&["six"]));
        }),
        left("suspended", |stage, out| stage.screen.leave(out)),
        left("handed over", |stage, out| stage.screen.withdraw(out)),
        alternate(),
    ] {
        let _ = write!(out, "{text}");
    }
    insta::assert_snapshot!(out);
}

fn repainting() -> Screen {
    Screen::new(ScreenOptions { insert: Insert::Repaint, reflow: Reflow::Filled, synchronized: true })
}

fn left(name: &str, leave: impl FnOnce(&mut Stage, &mut String) -> usize) -> String {
    let (mut stage, mut out) = (full(), String::new());
    let sealed = leave(&mut stage, &mut out);
    format!("{name} ({sealed} rows sealed)\n    {}\n", out.escape_debug())
}

fn alternate() -> String {
    let mut out = String::new();
    let mut window = Window::enter(ScreenOptions::default(), &mut out);
    let size = pi_tui::screen::Size::new(20, 3);
    let [one, two] = ["one", "two"].map(|text| Row::styled(text, Style::PLAIN, 20));
    let rows = [[&one, &one], [&one, &two]];
    for (rows, caret) in [(&rows[0], None), (&rows[1], Some((1, 2))), (&rows[1], Some((1, 2)))] {
        window.paint(&Frame { rows, final_rows: 0, caret, show_cursor: true }, size, &mut out);
        out.push('|');
    }
    window.leave(&mut out);
    format!("alternate screen\n    {}\n", out.escape_debug())
}

/// A stage with a picture of two rows in the window, which is not final.
fn with_picture() -> Stage {
    use pi_tui::widgets::image::{Image, ImageOptions, ImageProtocol};
    let options = ImageOptions { protocol: ImageProtocol::Kitty, max_rows: Some(2), ..ImageOptions::default() };
    let mut stage = stage();
    let rows = Image::new("AAAA".into(), "image/png", 7, options).rows(40);
    stage.chrome.splice(0..0, rows);
    stage.caret = Some((3, 5));
    stage
}

#[test]
fn pictures() {
    let drawn = || {
        let mut stage = with_picture();
        stage.document.push(Lines::settled(&["above"]));
        stage.draw();
        stage
    };
    let mut out = String::new();
    for text in [
        bytes("a picture appears", with_picture(), |_| {}),
        bytes("a key below", drawn(), |stage| stage.chrome[3] = Row::styled("> hell", Style::PLAIN, 40)),
        bytes("a row below goes", drawn(), |stage| drop(stage.chrome.pop())),
        bytes("a row above comes", drawn(), |stage| {
            stage.document.push(Lines::settled(&["more"]));
        }),
        bytes("the picture goes", drawn(), |stage| {
            stage.chrome.drain(0..2);
            stage.caret = Some((1, 5));
        }),
        bytes("after a resize", drawn(), |stage| {
            stage.resize(39, 8);
            stage.draw();
            stage.now += pi_tui::screen::STILLNESS;
        }),
        bytes("a replay", drawn(), |stage| stage.screen.replay(false)),
    ] {
        let _ = write!(out, "{text}");
    }
    insta::assert_snapshot!(out);
}
