//! A frame looks the same, whatever was on the screen before it.

use std::time::Duration;

use pi_tui::screen::{Frame, Insert, Reflow, Screen, ScreenOptions, Size, Turn, Window};
use pi_tui::testing::Terminal;
use pi_tui::text::{Color, Line, Mark, Row, Style};
use proptest::prelude::*;
use proptest::test_runner::RngAlgorithm;

const SIZE: (u16, u16) = (24, 8);

/// One picture, or four beside each other.
const FAMILY: &str = "👨\u{200d}👩\u{200d}👧\u{200d}👦";

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![
        3 => Just(Style::PLAIN),
        1 => Just(Style::PLAIN.bold()),
        1 => Just(Style::PLAIN.foreground(Color::Indexed(1))),
        1 => Just(Style::PLAIN.italic().background(Color::Rgb(1, 2, 3))),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let text = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "abc ",
        " ",
        "日本",
        "é",
        "e\u{301}",
        "😀",
        "⠋",
        "-----------",
        "⚙️",
        "👍🏽",
        FAMILY,
    ]);
    let spans = prop::collection::vec((text, style(), any::<bool>()), 0..5);
    (spans, prop::bool::weighted(0.2), prop::bool::weighted(0.1)).prop_map(|(spans, is_filled, is_marked)| {
        let mut line = Line::new();
        let link = "https://example.com/".into();
        for (text, style, is_link) in spans {
            line.push_linked(text, style, is_link.then_some(&link));
        }
        let row = Row::new(&line, SIZE.0 + 8);
        let row = if is_filled { row.filled(Color::Indexed(4)) } else { row };
        if is_marked { row.marked(Mark::Whole) } else { row }
    })
}

/// Rows that are mostly those of the frame before.
fn frames() -> impl Strategy<Value = Vec<Vec<Row>>> {
    let change = (any::<prop::sample::Index>(), 0usize..4, prop::collection::vec(row(), 0..4));
    prop::collection::vec(change, 1..10).prop_map(|changes| {
        let mut rows: Vec<Row> = Vec::new();
        changes
            .into_iter()
            .map(|(at, removed, added)| {
                let at = at.index(rows.len() + 1);
                let end = (at + removed).min(rows.len());
                rows.splice(at..end, added);
                rows.truncate(usize::from(SIZE.1));
                rows.clone()
            })
            .collect()
    })
}

fn draw(screen: &mut Screen, rows: &[Row], terminal: &mut Terminal) {
    let rows: Vec<&Row> = rows.iter().collect();
    let mut out = String::new();
    let turn = screen.begin(Size::new(SIZE.0, SIZE.1), Duration::ZERO);
    assert_eq!(turn, Turn::Draw { sealed: 0 });
    let frame =
        Frame { rows: &rows, final_rows: 0, caret: rows.len().checked_sub(1).map(|row| (row, 1)), show_cursor: true };
    assert_eq!(screen.frame(&frame, &mut out), 0);
    terminal.feed(&out);
    out.clear();
    assert_eq!(screen.frame(&frame, &mut out), 0);
    assert_eq!(out, "", "an unchanged frame");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::XorShift,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_was_there_before(frames in frames(), repaint in any::<bool>()) {
        let insert = if repaint { Insert::Repaint } else { Insert::Line };
        let options = ScreenOptions { insert, reflow: Reflow::Filled, synchronized: true };
        let (mut terminal, mut screen) = (Terminal::new(SIZE.0, SIZE.1), Screen::new(options));
        let mut alternate = Terminal::new(SIZE.0, SIZE.1);
        let mut out = String::new();
        let mut window = Window::enter(options, &mut out);
        for rows in frames {
            draw(&mut screen, &rows, &mut terminal);
            let mut fresh = Terminal::new(SIZE.0, SIZE.1);
            draw(&mut Screen::new(options), &rows, &mut fresh);
            prop_assert_eq!(terminal.styled_screen(), fresh.styled_screen());
            if !rows.is_empty() {
                prop_assert_eq!(terminal.cursor(), fresh.cursor());
            }
            let rows: Vec<&Row> = rows.iter().collect();
            let frame = Frame { rows: &rows, final_rows: 0, caret: None, show_cursor: false };
            window.paint(&frame, Size::new(SIZE.0, SIZE.1), &mut out);
            alternate.feed(std::mem::take(&mut out));
            prop_assert_eq!(alternate.styled_screen(), fresh.styled_screen());
            prop_assert_eq!(terminal.history().len(), 0);
        }
    }

    /// A window that scrolls over many rows, above some that stay.
    #[test]
    fn a_window_that_scrolls(
        rows in prop::collection::vec(row(), 10..40),
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        staying in prop::collection::vec(row(), 0..3),
    ) {
        let options = ScreenOptions { synchronized: true, ..ScreenOptions::default() };
        let (mut terminal, mut out) = (Terminal::new(SIZE.0, SIZE.1), String::new());
        let mut window = Window::enter(options, &mut out);
        let area = usize::from(SIZE.1) - staying.len();
        for place in places {
            let top = place.index(rows.len() - area + 1);
            let seen: Vec<&Row> = rows[top..top + area].iter().chain(&staying).collect();
            let frame = Frame { rows: &seen, final_rows: 0, caret: Some((7, 3)), show_cursor: true };
            window.paint(&frame, Size::new(SIZE.0, SIZE.1), &mut out);
            terminal.feed(std::mem::take(&mut out));
            let mut fresh = Terminal::new(SIZE.0, SIZE.1);
            Window::enter(options, &mut out).paint(&frame, Size::new(SIZE.0, SIZE.1), &mut out);
            fresh.feed(std::mem::take(&mut out));
            prop_assert_eq!(terminal.styled_screen(), fresh.styled_screen());
            prop_assert_eq!(terminal.cursor(), fresh.cursor());
            window.paint(&frame, Size::new(SIZE.0, SIZE.1), &mut out);
            prop_assert_eq!(&out, "", "an unchanged frame");
        }
    }
}

/// What stands behind a row is drawn anew, and so are the pictures before it.
#[test]
fn a_row_of_pictures_gets_another_colour_behind_it() {
    let row = |text: &str| Row::new(&Line::from(text), SIZE.0);
    let [plain, filled] = [row(&format!(" a{FAMILY}")), row(&format!("ab{FAMILY}")).filled(Color::Indexed(4))];
    for rows in [[&plain, &filled], [&filled, &plain]] {
        let (mut terminal, mut screen) = (Terminal::new(SIZE.0, SIZE.1), Screen::new(ScreenOptions::default()));
        let mut fresh = Terminal::new(SIZE.0, SIZE.1);
        for row in rows {
            draw(&mut screen, std::slice::from_ref(row), &mut terminal);
        }
        draw(&mut Screen::new(ScreenOptions::default()), std::slice::from_ref(rows[1]), &mut fresh);
        assert_eq!(terminal.styled_screen(), fresh.styled_screen());
    }
}

/// The emulator goes by characters: to it, a family is as wide as its four members.
#[test]
fn what_stands_behind_a_picture_is_where_it_belongs() {
    let border = |text: &str| Row::new(&Line::from(format!("|{text}|").as_str()), SIZE.0);
    let full = "x".repeat(usize::from(SIZE.0) - 4);
    let [family, gear] = [format!("{FAMILY}{full}"), format!("⚙️{full}")];
    let late = format!("{full}{FAMILY}");
    let (mut terminal, mut screen) = (Terminal::new(SIZE.0, SIZE.1), Screen::new(ScreenOptions::default()));
    let mut check = |texts: &[&str], columns: &[usize]| {
        let rows: Vec<Row> = texts.iter().map(|text| border(text)).collect();
        draw(&mut screen, &rows, &mut terminal);
        let glyphs = terminal.glyphs();
        for (row, text) in texts.iter().enumerate() {
            let mut column = 0;
            let borders = glyphs[row].iter().filter_map(|glyph| {
                column += glyph.columns;
                (glyph.text == "|").then_some(column - 1)
            });
            assert_eq!(borders.collect::<Vec<_>>(), columns, "{text}: {terminal}");
        }
        let rest = &terminal.rows()[texts.len()..];
        assert!(rest.iter().all(String::is_empty), "{terminal}");
    };
    let last = usize::from(SIZE.0) - 1;
    check(&[&family, &gear, &late, &family], &[0, last]);
    check(&["a", "b"], &[0, 2]);
    check(&[&late, &late], &[0, last]);
    check(&[FAMILY, "⚙️", "👍🏽"], &[0, 3]);
}
