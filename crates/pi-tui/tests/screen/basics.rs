//! First steps: rows appear, go to the history, change in place.

use pi_tui::screen::Insert;

use crate::stage::{Lines, Stage};

fn stage() -> Stage {
    let mut stage = Stage::new(20, 6, Insert::Line);
    stage.chrome(&["---", "> ", "foot"]);
    stage.caret = Some((1, 2));
    stage
}

#[test]
fn rows_go_to_the_history_in_order() {
    for insert in [Insert::Line, Insert::Repaint] {
        let mut stage = Stage { screen: Stage::new(20, 6, insert).screen, ..stage() };
        stage.draw();
        let mut ids = Vec::new();
        for count in 0..20 {
            ids.push(stage.document.push(Lines::settled(&[&format!("row {count}")])));
            stage.draw();
        }
        stage.document.push(Lines::settled(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]));
        stage.draw();
        let expected: Vec<String> = (0..20)
            .map(|count| format!("row {count}"))
            .chain(["a", "b", "c", "d", "e", "f"].map(str::to_owned))
            .collect();
        assert_eq!(stage.terminal.history(), expected);
        assert_eq!(stage.terminal.screen(), "g\nh\ni\n---\n>\nfoot");
        assert_eq!(stage.terminal.cursor(), (4, 2));
        assert_eq!(stage.document.len(), 1);
        assert_eq!(ids.iter().filter(|id| stage.document.get(**id).is_none()).count(), 20);
        assert_eq!(stage.draw(), "");
    }
}

#[test]
fn a_growing_block_stays_in_the_window() {
    let mut stage = stage();
    let id = stage.document.push(Lines::live(&["head"]));
    stage.draw();
    stage.document.get_mut(id).unwrap().grow(&["head", "1", "2", "3", "4"], 0, false);
    stage.draw();
    assert_eq!(stage.terminal.screen(), "head\n+3\n4\n---\n>\nfoot");
    stage.document.get_mut(id).unwrap().grow(&["head", "1", "2", "3", "4"], 0, true);
    stage.draw();
    assert_eq!(stage.terminal.transcript(), ["head", "1", "2", "3", "4", "---", ">", "foot"]);
    assert_eq!(stage.terminal.history(), ["head", "1"]);
}

#[test]
fn resizing_keeps_every_row_once() {
    let mut stage = stage();
    for count in 0..10 {
        stage.document.push(Lines::settled(&[&format!("a longer row {count}")]));
        stage.draw();
    }
    for (columns, rows) in [(10, 6), (30, 6), (30, 12), (7, 4), (20, 6)] {
        stage.resize(columns, rows);
        stage.chrome(&["---", "> ", "foot"]);
        stage.rest();
        stage.document.push(Lines::settled(&["new"]));
        stage.draw();
    }
    let mut expected: Vec<String> = (0..10).map(|count| format!("a longer row {count}")).collect();
    expected.extend(["new", "new", "new", "new", "new", "---", ">", "foot"].map(str::to_owned));
    assert_eq!(stage.terminal.transcript(), expected);
}

#[test]
fn a_replay_draws_everything_again() {
    for (clears_history, history) in [(false, &["one", "two"][..]), (true, &[])] {
        let mut stage = stage();
        stage.document.push(Lines::settled(&["one", "two", "three", "four", "five"]));
        stage.draw();
        stage.screen.replay(clears_history);
        stage.document.clear();
        stage.document.push(Lines::settled(&["new"]));
        stage.draw();
        assert_eq!(
            (stage.terminal.history(), stage.terminal.screen().as_str()),
            (history.to_vec().iter().map(ToString::to_string).collect(), "new\n---\n>\nfoot")
        );
    }
}

#[test]
fn a_window_of_one_cell_ends_nothing() {
    let mut stage = stage();
    stage.document.push(Lines::settled(&["one", "日本", ""]));
    let live = stage.document.push(Lines::live(&["live", "more"]));
    stage.draw();
    for (columns, rows) in [(1, 1), (2, 1), (1, 5), (20, 6)] {
        stage.resize(columns, rows);
        stage.rest();
        if let Some(block) = stage.document.get_mut(live) {
            block.grow(&["日本", "wide"], 0, false);
        }
        stage.draw();
    }
    assert_eq!(stage.terminal.screen().lines().last(), Some("foot"));
}

#[test]
fn modes_are_off_after_the_constant() {
    use pi_tui::term::{Keyboard, Modes, RESTORE};
    let mut terminal = pi_tui::testing::Terminal::new(20, 6);
    terminal.feed("here");
    terminal.feed(Modes { focus: true, colors: true, keyboard: Keyboard::Unknown }.enter());
    assert_eq!(terminal.modes(), ["bracketed paste", "focus", "kitty keys", "kitty alternate keys", "kitty releases"]);
    terminal.feed("\x1b[?25l\x1b[38;2;1;");
    terminal.feed(RESTORE);
    assert!(terminal.modes().is_empty() && terminal.shows_cursor());
    assert_eq!((terminal.screen().as_str(), terminal.cursor()), ("here", (0, 4)));
}
