//! Scripts of keys, and small helpers of the widgets' tests.

use crate::input::{Dialect, Input, KeyEvent};
use crate::text::Row;

/// The inputs of a script: characters are typed, `<ctrl+w>` is a key, `<paste:text>` a paste.
pub(super) fn inputs(script: &str) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut rest = script;
    while let Some(char) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            inputs.push(
                name.strip_prefix("paste:").map_or_else(|| key(&bytes_of(name)), |text| Input::Paste(text.into())),
            );
            rest = after;
        } else {
            inputs.push(key(&rest.as_bytes()[..char.len_utf8()]));
            rest = &rest[char.len_utf8()..];
        }
    }
    inputs
}

fn key(bytes: &[u8]) -> Input {
    Input::Key(KeyEvent::read(bytes, Dialect::default()))
}

/// What a terminal sends for a key.
fn bytes_of(name: &str) -> Vec<u8> {
    let fixed: &[u8] = match name {
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "ctrl+left" => b"\x1b[1;5D",
        "ctrl+right" => b"\x1b[1;5C",
        "home" => b"\x1b[H",
        "end" => b"\x1b[F",
        "pageUp" => b"\x1b[5~",
        "pageDown" => b"\x1b[6~",
        "delete" => b"\x1b[3~",
        "backspace" => b"\x7f",
        "enter" => b"\r",
        "shift+enter" => b"\x1b[13;2u",
        "lf" => b"\n",
        "tab" => b"\t",
        "escape" => b"\x1b",
        "ctrl+-" => b"\x1f",
        "ctrl+]" => b"\x1d",
        "ctrl+alt+]" => b"\x1b\x1d",
        _ => return letter(name),
    };
    fixed.to_vec()
}

fn letter(name: &str) -> Vec<u8> {
    match name.split_once('+') {
        Some(("ctrl", letter)) => vec![letter.as_bytes()[0] & 0x1f],
        Some(("alt", letter)) => [b"\x1b", letter.as_bytes()].concat(),
        _ => panic!("no such key: {name}"),
    }
}

/// Rows as text, an inverse cell in `⟦⟧`, one row a line.
pub(super) fn shown(rows: &[Row]) -> String {
    let text = |row: &Row| row.text().replace("\x1b[7m", "⟦").replace("\x1b[0m", "⟧").trim_end().to_owned();
    rows.iter().map(text).collect::<Vec<_>>().join("\n")
}

mod input {
    //! The one-line field by keys.

    use super::{inputs, shown};
    use crate::keymap::Keymap;
    use crate::widgets::input::{InputOutcome, InputStyle, TextInput};

    fn played(script: &str) -> (TextInput, InputOutcome) {
        let mut field = TextInput::new("> ", InputStyle::default());
        let outcomes = inputs(script).into_iter().map(|input| field.handle(&input, &Keymap::default()));
        let outcome = outcomes.fold(InputOutcome::Ignored, |_, outcome| outcome);
        (field, outcome)
    }

    #[test]
    fn keys() {
        for (script, columns, expected) in [
            ("", 10, "> ⟦ ⟧"),
            ("one two<left><left>", 12, "> one t⟦w⟧o"),
            ("one two<ctrl+w>x<home><delete>", 12, "> ⟦n⟧e x"),
            ("one two<ctrl+w><home><ctrl+y>", 12, "> two⟦o⟧ne"),
            ("one two<ctrl+->", 12, "> one⟦ ⟧"),
            ("a<paste:b\r\nc\td>", 12, "> abc    d⟦ ⟧"),
            ("<up><tab>", 12, "> ⟦ ⟧"),
            ("0123456789", 8, "> 56789⟦ ⟧"),
            ("0123456789<home>", 8, "> ⟦0⟧12345"),
            ("0123456789<left><left><left><left>", 8, "> 345⟦6⟧78"),
            ("日本語日本語<left><left>", 9, "> 日⟦本⟧語"),
            ("\u{301}<left>", 10, "> ⟦ ⟧"),
            ("🏽<left>", 10, "> ⟦  ⟧"),
            ("👍🏽<left>", 10, "> ⟦👍🏽⟧"),
            ("abc", 1, ">"),
        ] {
            let (mut field, _) = played(script);
            let (rows, caret) = field.rows(columns);
            assert_eq!(shown(&rows), expected, "{script}");
            assert!(rows[0].width() <= columns && caret.column < columns, "{script}");
        }
    }

    #[test]
    fn outcomes() {
        for (script, expected) in [
            ("abc<enter>", InputOutcome::Submit("abc".to_owned())),
            ("abc<lf>", InputOutcome::Submit("abc".to_owned())),
            ("abc<left>", InputOutcome::Moved),
            ("abc<escape>", InputOutcome::Ignored),
            ("abc", InputOutcome::Changed),
        ] {
            assert_eq!(played(script).1, expected, "{script}");
        }
    }
}

mod lists {
    //! Lists by keys.

    use super::{inputs, shown};
    use crate::keymap::Keymap;
    use crate::text::{Attributes, Style};
    use crate::widgets::select::{SelectItem, SelectList, SelectOptions, SelectOutcome, SelectStyle};
    use crate::widgets::settings_list::{SettingItem, SettingsList, SettingsOptions, SettingsOutcome, SettingsStyle};

    fn list(count: usize) -> SelectList {
        let item = |number: usize| SelectItem {
            label: format!("item {number}"),
            description: number.is_multiple_of(2).then(|| format!("about\n{number}")),
        };
        let options = SelectOptions { max_visible: 3, min_label: 12, ..SelectOptions::default() };
        let style = SelectStyle { selected: Style::PLAIN.with(Attributes::INVERSE), ..SelectStyle::default() };
        SelectList::new((1..=count).map(item).collect(), options, style)
    }

    #[test]
    fn moves() {
        for (count, script, selected, outcome) in [
            (5, "<up>", Some(4), SelectOutcome::Moved),
            (5, "<down><down>", Some(2), SelectOutcome::Moved),
            (5, "<up><down>", Some(0), SelectOutcome::Moved),
            (5, "<pageDown>", Some(3), SelectOutcome::Moved),
            (5, "<pageDown><pageDown>", Some(4), SelectOutcome::Moved),
            (5, "<up><pageUp>", Some(1), SelectOutcome::Moved),
            (5, "<down><enter>", Some(1), SelectOutcome::Chosen(1)),
            (5, "<escape>", Some(0), SelectOutcome::Cancelled),
            (5, "x", Some(0), SelectOutcome::Ignored),
            (0, "<down>", None, SelectOutcome::Moved),
            (0, "<enter>", None, SelectOutcome::Moved),
        ] {
            let mut list = list(count);
            let outcomes = inputs(script).into_iter().map(|input| list.handle(&input, &Keymap::default()));
            assert_eq!(outcomes.fold(SelectOutcome::Ignored, |_, outcome| outcome), outcome, "{script}");
            assert_eq!(list.selected(), selected, "{script}");
        }
    }

    #[test]
    fn rows_of_a_list() {
        let mut screens = Vec::new();
        for (name, count, selected, columns) in
            [("wide", 5, 2, 44), ("narrow", 5, 4, 20), ("all", 2, 1, 44), ("none", 0, 0, 44), ("tiny", 2, 0, 3)]
        {
            let mut list = list(count);
            list.select(selected);
            let rows = list.rows(columns);
            assert!(rows.iter().all(|row| row.width() <= columns));
            screens.push(format!("# {name}\n{}\n", shown(&rows)));
        }
        insta::assert_snapshot!(screens.join("\n"));
    }

    fn settings() -> SettingsList {
        let setting = |id: &str, value: &str, values: &[&str]| SettingItem {
            id: id.to_owned(),
            label: format!("The {id}"),
            description: format!("What the {id} is for, in a few words"),
            value: value.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let items = vec![
            setting("theme", "dark", &[]),
            setting("padding", "0", &["0", "1", "2"]),
            setting("images", "on", &["on", "off"]),
            setting("transport", "auto", &["sse", "auto"]),
        ];
        let options =
            SettingsOptions { max_visible: 3, empty: "Nothing matches".to_owned(), hint: "type to search".to_owned() };
        SettingsList::new(items, options, SettingsStyle::default())
    }

    #[test]
    fn settings_change() {
        let changed = |id: &str, value: &str| SettingsOutcome::Changed { id: id.to_owned(), value: value.to_owned() };
        for (script, expected) in [
            ("<enter>", SettingsOutcome::Open { id: "theme".to_owned() }),
            ("<down><enter>", changed("padding", "1")),
            ("<down> <enter> ", changed("padding", "0")),
            ("<up> ", changed("transport", "sse")),
            ("img<enter>", changed("images", "off")),
            ("zzz<enter>", SettingsOutcome::Moved),
            ("zzz<escape>", SettingsOutcome::Cancelled),
            ("<tab>", SettingsOutcome::Ignored),
        ] {
            let mut settings = settings();
            let outcomes = inputs(script).into_iter().map(|input| settings.handle(&input, &Keymap::default()));
            assert_eq!(outcomes.fold(SettingsOutcome::Ignored, |_, outcome| outcome), expected, "{script}");
        }
    }

    #[test]
    fn rows_of_settings() {
        let mut screens = Vec::new();
        for (script, columns) in [("<down><down>", 40), ("pad", 40), ("zzz", 40), ("", 12)] {
            let mut settings = settings();
            settings.set_value("theme", "light");
            inputs(script).iter().for_each(|input| _ = settings.handle(input, &Keymap::default()));
            let (rows, caret) = settings.rows(columns);
            assert!(rows.iter().all(|row| row.width() <= columns));
            screens.push(format!("# {script}\n{}\ncaret {}:{}\n", shown(&rows), caret.row, caret.column));
        }
        insta::assert_snapshot!(screens.join("\n"));
    }
}
