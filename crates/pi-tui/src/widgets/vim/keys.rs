//! Commands, key by key: what has been typed of one, and what the whole of it means.

use super::motion::{Find, Motion, Reach};
use super::object::object;
use super::operate::Operator;
use super::sheet::Sheet;
use super::{MOST, Vim, VimMode};
use crate::input::Input;
use crate::widgets::edit::EditText;
use crate::widgets::editor::{Editor, layer};

/// A key of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommandKey {
    /// What it types.
    Text(String),
    /// Ctrl+R.
    Redo,
}

/// What the next key is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Wants {
    #[default]
    Command,
    /// The name of a register.
    Register,
    /// The second key after `g`.
    Second,
    /// The character to find: forward, till.
    Found(bool, bool),
    /// The character to put in the place of others.
    Replacement,
    /// The name of an object: around.
    Object(bool),
}

/// What has been typed of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) register: Option<char>,
    pub(super) count: Option<usize>,
    pub(super) operator: Option<Operator>,
    /// The count before the operator.
    outer: Option<usize>,
    wants: Wants,
}

impl Pending {
    /// What is to follow an operator.
    fn before(self, operator: Operator) -> Self {
        Self { operator: Some(operator), outer: self.count, count: None, wants: Wants::Command, ..self }
    }

    /// Counts before and behind the operator are multiplied.
    pub(super) fn times(&self) -> Option<usize> {
        match (self.outer, self.count) {
            (None, None) => None,
            (outer, count) => Some((outer.unwrap_or(1) * count.unwrap_or(1)).clamp(1, MOST)),
        }
    }
}

/// Whether a command goes through the history of changes, or repeats one.
pub(super) fn is_of_history(given: &[Input]) -> bool {
    match given.last() {
        Some(Input::Key(event)) => matches!(event.text.as_deref(), None | Some("u" | ".")),
        _ => true,
    }
}

impl Vim {
    pub(super) fn key(&mut self, editor: &mut Editor, key: CommandKey) {
        let pending = std::mem::take(&mut self.pending);
        let text = match key {
            CommandKey::Redo => return self.history(editor, pending.times(), EditText::redo),
            CommandKey::Text(text) => text,
        };
        let Some(char) = text.chars().next() else { return };
        match pending.wants {
            Wants::Register => self.pending = Pending { register: Some(char), wants: Wants::Command, ..pending },
            Wants::Second => self.second(editor, pending, char),
            Wants::Found(is_forward, is_till) => {
                let find = Find { text, is_forward, is_till };
                self.found = Some(find.clone());
                self.go(editor, pending, &Motion::Find(find, false));
            }
            Wants::Replacement => self.replace(editor, pending.times().unwrap_or(1), &text),
            Wants::Object(is_around) => self.take_object(editor, pending, char, is_around),
            Wants::Command => self.first(editor, pending, char),
        }
    }

    /// The first key of a command, or one behind its operator.
    fn first(&mut self, editor: &mut Editor, pending: Pending, key: char) {
        let wants = |wants| Pending { wants, ..pending };
        let takes_object = pending.operator.is_some() || self.mode.is_visual();
        self.pending = match key {
            '0'..='9' if key != '0' || pending.count.is_some() => {
                let digit = key.to_digit(10).unwrap_or_default() as usize;
                let count = (pending.count.unwrap_or_default() * 10 + digit).min(MOST);
                Pending { count: Some(count), ..pending }
            }
            '"' => wants(Wants::Register),
            'g' => wants(Wants::Second),
            'f' | 't' => wants(Wants::Found(true, key == 't')),
            'F' | 'T' => wants(Wants::Found(false, key == 'T')),
            'r' if pending.operator.is_none() => wants(Wants::Replacement),
            'i' | 'a' if takes_object => wants(Wants::Object(key == 'a')),
            ';' | ',' => return self.find_again(editor, pending, key == ','),
            _ => {
                return match (Motion::of(key), pending.operator) {
                    (Some(motion), _) => self.go(editor, pending, &motion),
                    (None, Some(operator)) if operator.key() == key => self.on_lines(editor, pending, operator),
                    (None, Some(_)) => {}
                    (None, None) if self.mode.is_visual() => self.on_selection(editor, pending, key),
                    (None, None) => self.on_key(editor, pending, key),
                };
            }
        };
    }

    /// The key behind `g`.
    fn second(&mut self, editor: &mut Editor, pending: Pending, key: char) {
        let motion = match key {
            'g' => Motion::FirstLine,
            'e' | 'E' => Motion::WordEndBack { is_big: key == 'E' },
            'j' => Motion::Down,
            'k' => Motion::Up,
            '_' => Motion::LineEnd,
            _ => {
                let Some(operator) = Operator::of_case(key) else { return };
                return match pending.operator {
                    _ if self.mode.is_visual() => self.operate_on_selection(editor, pending, operator),
                    Some(before) if before == operator => self.on_lines(editor, pending, operator),
                    Some(_) => {}
                    None => self.pending = pending.before(operator),
                };
            }
        };
        self.go(editor, pending, &motion);
    }

    /// Commands that are one key.
    fn on_key(&mut self, editor: &mut Editor, pending: Pending, key: char) {
        let with = |operator| Pending { operator: Some(operator), ..pending };
        match key {
            'd' => self.pending = pending.before(Operator::Delete),
            'c' => self.pending = pending.before(Operator::Change),
            'y' => self.pending = pending.before(Operator::Yank),
            'x' => self.go(editor, with(Operator::Delete), &Motion::Right),
            'X' => self.go(editor, with(Operator::Delete), &Motion::Left),
            's' => self.go(editor, with(Operator::Change), &Motion::Right),
            'D' => self.go(editor, with(Operator::Delete), &Motion::LineEnd),
            'C' => self.go(editor, with(Operator::Change), &Motion::LineEnd),
            'S' => self.on_lines(editor, pending, Operator::Change),
            'Y' => self.on_lines(editor, pending, Operator::Yank),
            'i' | 'a' | 'I' | 'A' | 'o' | 'O' => self.insert(editor, key),
            'p' | 'P' => self.put(editor, pending, key == 'p'),
            'J' => self.join(editor, pending.times().unwrap_or(2).max(2)),
            '~' => self.toggle_case(editor, pending.times().unwrap_or(1)),
            'u' => self.history(editor, pending.times(), EditText::undo),
            '.' => self.repeat(editor, pending.times().unwrap_or(1)),
            'v' | 'V' => self.begin_selection(editor, key == 'V'),
            _ => {}
        }
    }

    fn find_again(&mut self, editor: &mut Editor, pending: Pending, is_reverse: bool) {
        if let Some(find) = self.found.clone() {
            let find = if is_reverse { find.reversed() } else { find };
            self.go(editor, pending, &Motion::Find(find, true));
        }
    }

    /// A motion: the cursor goes there, or an operator takes what is on the way.
    fn go(&mut self, editor: &mut Editor, pending: Pending, motion: &Motion) {
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        let is_vertical = matches!(motion, Motion::Up | Motion::Down);
        let column = self.column.take().filter(|_| is_vertical).unwrap_or(at - sheet.line_start(at));
        // On a word `c` with `w` leaves the blanks behind it.
        let motion = match (motion, pending.operator) {
            (Motion::Word { is_big }, Some(Operator::Change)) if !sheet.is_gap(at) => {
                return self.change_word(editor, pending, &sheet, at, *is_big);
            }
            (motion, _) => motion,
        };
        let Some(target) = motion.target(&sheet, at, pending.times(), column) else {
            return if is_vertical && pending.operator.is_none() && !self.mode.is_visual() {
                self.recall(editor, *motion == Motion::Up);
            };
        };
        match pending.operator {
            Some(operator) => self.operate_to(editor, pending, operator, &sheet, (at, target), motion),
            None => {
                self.column = match motion {
                    Motion::LineEnd => Some(usize::MAX),
                    _ => is_vertical.then_some(column),
                };
                layer::move_to(editor, sheet.place(sheet.clamp(target)));
            }
        }
    }

    fn change_word(&mut self, editor: &mut Editor, pending: Pending, sheet: &Sheet, at: usize, is_big: bool) {
        // The last word counts from where the cursor is, also when that is its end.
        let start = at;
        let mut end = super::motion::run(sheet, at, is_big).end;
        for _ in 1..pending.times().unwrap_or(1) {
            end = Motion::WordEnd { is_big }.target(sheet, end.saturating_sub(1), None, 0).map_or(end, |last| last + 1);
        }
        self.operate(editor, pending.register, Operator::Change, sheet, start..end.min(sheet.end()));
    }

    fn take_object(&mut self, editor: &mut Editor, pending: Pending, key: char, is_around: bool) {
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        let found = object(&sheet, at, key, is_around, pending.times().unwrap_or(1));
        let Some(object) = found else { return };
        match pending.operator {
            Some(operator) if object.is_lines => {
                let last = sheet.line_of(object.range.end.saturating_sub(1));
                self.operate_on_lines(
                    editor,
                    pending.register,
                    operator,
                    &sheet,
                    sheet.line_of(object.range.start)..last + 1,
                );
            }
            Some(operator) => self.operate(editor, pending.register, operator, &sheet, object.range),
            None => self.select_object(editor, &sheet, &object),
        }
    }

    /// What an operator takes between two cells.
    fn operate_to(
        &mut self,
        editor: &mut Editor,
        pending: Pending,
        operator: Operator,
        sheet: &Sheet,
        (at, target): (usize, usize),
        motion: &Motion,
    ) {
        let (start, mut end) = (at.min(target), at.max(target));
        match motion.reach() {
            Reach::Lines => {
                let lines = sheet.line_of(start)..sheet.line_of(end) + 1;
                return self.operate_on_lines(editor, pending.register, operator, sheet, lines);
            }
            Reach::Inclusive => end = (end + 1).min(sheet.end()),
            // The last word of a line ends with it.
            Reach::Exclusive if matches!(motion, Motion::Word { .. }) => {
                while sheet.line_of(end) > sheet.line_of(start) && end <= sheet.first_non_blank(end) {
                    end = sheet.line_start(end) - 1;
                }
                end = end.max(start);
            }
            Reach::Exclusive => {}
        }
        self.operate(editor, pending.register, operator, sheet, start..end);
    }

    fn history(&mut self, editor: &mut Editor, times: Option<usize>, step: fn(&mut EditText) -> bool) {
        for _ in 0..times.unwrap_or(1) {
            if !step(layer::text(editor)) {
                break;
            }
            self.has_changed = true;
        }
        layer::touch(editor);
        self.mode = VimMode::Normal;
    }
}
