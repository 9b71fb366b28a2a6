//! Questions in the editor's place: one of several, yes or no, a line, a longer text.

use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Row};
use pi_tui::widgets::Caret;
use pi_tui::widgets::editor::{Editor, EditorOutcome};
use pi_tui::widgets::input::{InputOutcome, TextInput};
use pi_tui::widgets::select::{SelectItem, SelectList, SelectOptions, SelectOutcome};

use pi_coding_agent::session::MissingCwd;
use pi_coding_agent::theme::Token;

use super::app::App;
use super::panel::{Panel, PanelReply, PanelRows};
use super::styles;
use super::theme_styles::ThemeStyles;

/// What is done with the answer; `None` when there is none.
pub(super) type OnAnswer<T, H = App> = Box<dyn FnOnce(&mut H, Option<T>)>;

/// The first line of a question of an extension, and what stands below it.
pub(crate) fn in_parts(title: &str) -> (&str, &str) {
    let (first, rest) = title.split_once('\n').unwrap_or((title, ""));
    (first, rest.trim_matches('\n'))
}

/// Asks for one of several; the index of the choice is handed on.
pub(super) fn choose(
    app: &mut App,
    title: impl Into<String>,
    text: impl Into<String>,
    items: Vec<SelectItem>,
    then: impl FnOnce(&mut App, Option<usize>) + 'static,
) {
    choose_from(app, title, text, items, 0, then);
}

/// The same with one of them chosen first.
pub(super) fn choose_from(
    app: &mut App,
    title: impl Into<String>,
    text: impl Into<String>,
    items: Vec<SelectItem>,
    first: usize,
    then: impl FnOnce(&mut App, Option<usize>) + 'static,
) {
    let choice = Choice::new(&app.shared.look(), title, text, items, first, then);
    app.open(choice);
}

/// Asks for a yes.
pub(super) fn confirm(
    app: &mut App,
    title: impl Into<String>,
    text: impl Into<String>,
    then: impl FnOnce(&mut App, bool) + 'static,
) {
    let items = vec![item("Yes"), item("No")];
    choose(app, title, text, items, move |app, answer| then(app, answer == Some(0)));
}

/// What is asked about a session whose directory is gone: title, text, and the answers here, with a copy, not at all.
pub(super) fn missing_cwd(gone: &str, here: &str) -> (&'static str, String, Vec<SelectItem>) {
    let text = format!("{gone} does not exist any more.");
    let answers = [
        format!("Go on in {here}"),
        format!("Go on with a copy of the session that belongs to {here}"),
        "Do not open it".to_owned(),
    ];
    ("The directory of this session is gone", text, answers.map(item).into())
}

/// What an answer to that question means, by its index.
pub(super) fn wanted_cwd(answer: usize) -> Option<MissingCwd> {
    [MissingCwd::Here, MissingCwd::Fork].into_iter().nth(answer)
}

/// A choice without a description.
pub(super) fn item(label: impl Into<String>) -> SelectItem {
    SelectItem { label: label.into(), description: None }
}

/// Asks for a line.
pub(super) fn line(
    app: &mut App,
    title: impl Into<String>,
    text: impl Into<String>,
    placeholder: &str,
    is_secret: bool,
    then: impl FnOnce(&mut App, Option<String>) + 'static,
) {
    let question = LineQuestion::new(&app.shared.look(), (title.into(), text.into()), placeholder, is_secret, then);
    app.open(question);
}

/// Asks for a text of several lines.
pub(super) fn text(
    app: &mut App,
    title: impl Into<String>,
    prefill: &str,
    then: impl FnOnce(&mut App, Option<String>) + 'static,
) {
    let mut editor = Editor::new(styles::editor(&app.shared.look(), Token::BorderAccent));
    editor.set_text(prefill);
    app.open(TextQuestion { title: title.into(), editor, then: Some(Box::new(then)) });
}

fn head(title: &str, text: &str, look: &ThemeStyles, columns: u16) -> PanelRows {
    let mut out = PanelRows::titled(title, look, columns);
    out.paragraph(text, look.text(), columns);
    out.blank();
    out
}

fn foot(out: &mut PanelRows, look: &ThemeStyles, keys: &Keymap, verb: &str, columns: u16) {
    let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
    out.blank();
    out.end(format!("{confirm} {verb} · {cancel} cancel"), look, columns);
}

/// Whether an input is the key that closes questions and lists.
pub(super) fn cancels(input: &Input, keys: &Keymap) -> bool {
    matches!(input, Input::Key(event) if keys.is(event, action::SELECT_CANCEL))
}

/// Goes away and hands the answer on.
pub(super) fn answer<T: 'static, H: 'static>(then: &mut Option<OnAnswer<T, H>>, value: Option<T>) -> PanelReply<H> {
    match then.take() {
        Some(then) => PanelReply::close_and(move |host| then(host, value)),
        None => PanelReply::Close,
    }
}

/// Entries that are seen at once, where the window is high enough.
const VISIBLE: usize = 10;
/// Rows of the window below a list: its counter, what keys do, the footer; and the blank row above its title.
const OTHER_ROWS: usize = 8;

/// Entries that are seen below so many rows of a panel: in a low window fewer, so that its title is.
pub(super) fn entries_below(rows: usize, height: u16) -> usize {
    usize::from(height).saturating_sub(rows + OTHER_ROWS).clamp(3, VISIBLE)
}

/// One of several, whoever shows it.
pub(super) struct Choice<H> {
    title: String,
    text: String,
    list: SelectList,
    then: Option<OnAnswer<usize, H>>,
}

impl<H> Choice<H> {
    pub(super) fn new(
        look: &ThemeStyles,
        title: impl Into<String>,
        text: impl Into<String>,
        items: Vec<SelectItem>,
        first: usize,
        then: impl FnOnce(&mut H, Option<usize>) + 'static,
    ) -> Self {
        let mut list = SelectList::new(items, SelectOptions::default(), styles::select(look));
        list.select(first);
        Self { title: title.into(), text: text.into(), list, then: Some(Box::new(then)) }
    }
}

impl<H: 'static> Panel<H> for Choice<H> {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = head(&self.title, &self.text, look, columns);
        self.list.set_max_visible(entries_below(out.rows.len(), height));
        out.list(&mut self.list, columns);
        foot(&mut out, look, keys, "select", columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H> {
        // In lists without a search these letters move, too.
        let moved = match input {
            Input::Key(event) if event.text.as_deref() == Some("j") => 1,
            Input::Key(event) if event.text.as_deref() == Some("k") => -1,
            _ => 0,
        };
        if moved != 0 {
            let count = self.list.items().len();
            let at = self.list.selected().unwrap_or_default() as isize;
            self.list.select((at + moved).rem_euclid(count.max(1) as isize) as usize);
            return PanelReply::Stay;
        }
        match self.list.handle(input, keys) {
            SelectOutcome::Chosen(index) => answer(&mut self.then, Some(index)),
            SelectOutcome::Cancelled => answer(&mut self.then, None),
            SelectOutcome::Moved => PanelReply::Stay,
            SelectOutcome::Ignored => PanelReply::Ignored,
        }
    }
}

/// A line to be written, whoever shows it.
pub(super) struct LineQuestion<H> {
    title: String,
    text: String,
    placeholder: String,
    is_secret: bool,
    input: TextInput,
    then: Option<OnAnswer<String, H>>,
}

impl<H> LineQuestion<H> {
    pub(super) fn new(
        look: &ThemeStyles,
        (title, text): (String, String),
        placeholder: &str,
        is_secret: bool,
        then: impl FnOnce(&mut H, Option<String>) + 'static,
    ) -> Self {
        let input = TextInput::new("> ", styles::input(look));
        Self { title, text, placeholder: placeholder.to_owned(), is_secret, input, then: Some(Box::new(then)) }
    }
}

impl<H: 'static> Panel<H> for LineQuestion<H> {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = head(&self.title, &self.text, look, columns);
        if self.is_secret {
            let shown = "•".repeat(self.input.text().chars().count().min(usize::from(columns).saturating_sub(4)));
            let column = u16::try_from(2 + shown.chars().count()).unwrap_or_default();
            let row = Row::new(&Line::styled("> ", look.accent()).and(shown, look.text()), columns);
            out.field((vec![row], Caret { row: 0, column }));
        } else {
            out.field(self.input.rows(columns));
        }
        if self.input.is_empty() && !self.placeholder.is_empty() {
            out.line(&Line::styled(format!("  {}", self.placeholder), look.dim()), columns);
        }
        foot(&mut out, look, keys, "submit", columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H> {
        if cancels(input, keys) {
            return answer(&mut self.then, None);
        }
        match self.input.handle(input, keys) {
            InputOutcome::Submit(text) => answer(&mut self.then, Some(text)),
            InputOutcome::Ignored => PanelReply::Ignored,
            _ => PanelReply::Stay,
        }
    }
}

struct TextQuestion {
    title: String,
    editor: Editor,
    then: Option<OnAnswer<String>>,
}

impl Panel for TextQuestion {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.line(&Line::styled(&*self.title, look.accent().bold()), columns);
        out.field(self.editor.rows(columns, Editor::rows_for(height)));
        let (submit, newline) = (keys.hint(action::INPUT_SUBMIT), keys.hint(action::INPUT_NEW_LINE));
        let cancel = keys.hint(action::SELECT_CANCEL);
        let hint = format!("{submit} submit · {newline} new line · {cancel} cancel");
        out.line(&Line::styled(hint, look.dim()), columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if cancels(input, keys) {
            return answer(&mut self.then, None);
        }
        match self.editor.handle(input, keys) {
            EditorOutcome::Submit(text) => answer(&mut self.then, Some(text)),
            EditorOutcome::Ignored => PanelReply::Ignored,
            _ => PanelReply::Stay,
        }
    }
}
