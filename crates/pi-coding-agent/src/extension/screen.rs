//! The screen, for extensions that draw on it. Only a mode with a terminal has one.
//!
//! What an extension draws is a [`View`]: rows of text for a width, asked for whenever the screen needs them. No frame waits
//! for them: until they are there the old ones are shown. Rows may hold colours, attributes and links (SGR, OSC 8) and the mark
//! of the cursor; whatever else is in them is left out, and what is too wide is cut. Nothing here knows a terminal.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::command::Completion;
use super::ui::WidgetPlacement;
use crate::events::HandlerError;
use crate::resources::theme::Theme;

/// Something that an extension draws.
pub trait View: Send + Sync {
    /// Its rows for so many columns, or `None` to stay unseen.
    fn rows(&self, columns: u16, window: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>>;

    /// Something was typed while it has the focus: what the terminal sent.
    fn input(&self, _raw: &str) {}

    /// The text that it edits was replaced by somebody else. Only an editor gets this.
    fn set_text(&self, _text: &str) {}

    /// Colours have changed: what it keeps of its rows is worth nothing.
    fn invalidate(&self) {}

    /// It is not shown any more.
    fn closed(&self) {}
}

/// The size of a window in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WindowSize {
    /// Its width.
    pub columns: u16,
    /// Its height.
    pub rows: u16,
}

/// An action and the keys that are bound to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionKeys {
    /// Its name in `keybindings.json`.
    pub action: String,
    /// Names of keys, such as `ctrl+g`.
    pub keys: Vec<String>,
    /// What it does.
    pub description: String,
    /// Whether its keys act while the editor has the focus. Those of lists and full-screen views do not: they may be letters.
    pub acts_in_editor: bool,
}

/// Where a view stays until it is taken away. Of several extensions in one place the last one is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewPlace {
    /// Beside the editor, under a key.
    Widget(String, WidgetPlacement),
    /// In the place of what the program says first.
    Header,
    /// In the place of the rows at the bottom.
    Footer,
    /// In the place of the editor: what is typed is the view's.
    Editor,
}

/// Where a view lies that is drawn over the rest.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OverlayOptions {
    /// Its width.
    pub width: Option<Extent>,
    /// It is at least so wide, if there is room.
    pub min_width: Option<f64>,
    /// Rows beyond these are not shown.
    pub max_height: Option<Extent>,
    /// Where it lies, unless row and column say so.
    pub anchor: Option<String>,
    /// The row of its top, or a share of the room above.
    pub row: Option<Extent>,
    /// The column of its left edge, or a share of the room beside it.
    pub col: Option<Extent>,
    /// Moves it to the right.
    pub offset_x: Option<f64>,
    /// Moves it down.
    pub offset_y: Option<f64>,
    /// Cells at the edges of the window that stay free.
    pub margin: Option<Margin>,
    /// Whether what is typed goes on to whoever had it before.
    pub non_capturing: bool,
}

/// A number of cells, or a share of the window: `"50%"`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Extent {
    /// Cells.
    Cells(f64),
    /// A share, as it is written.
    Share(String),
}

/// Cells that stay free.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Margin {
    /// The same at every edge.
    All(f64),
    /// At each edge.
    Edges {
        /// Above.
        #[serde(default)]
        top: f64,
        /// At the right.
        #[serde(default)]
        right: f64,
        /// Below.
        #[serde(default)]
        bottom: f64,
        /// At the left.
        #[serde(default)]
        left: f64,
    },
}

/// What becomes of an overlay while it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OverlayChange {
    /// It is not drawn and gets no input.
    Hide,
    /// It is drawn again, and gets the input if it did.
    Show,
    /// It comes to the top and gets the input.
    Focus,
    /// The input goes on to whoever had it before.
    Unfocus,
}

/// What an extension says of the row that tells that something goes on. What is `None` is as the program has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkingChange {
    /// Its text.
    Message(Option<String>),
    /// Whether it is shown.
    Visible(bool),
    /// The signs that follow each other, and how many milliseconds each is shown. No signs: there is none.
    Indicator(Option<Vec<String>>, Option<u64>),
}

/// What the rows at the bottom tell, for a view in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FooterFacts {
    /// The branch of Git.
    pub branch: Option<String>,
    /// Lines of status, by key.
    pub statuses: Vec<(String, String)>,
    /// How many providers have a key.
    pub providers: usize,
}

/// What is asked first about everything that is typed: nothing lets it go on as it is, a text takes its place; an empty one
/// takes it away.
pub type InputHook = dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync;

/// What is to be completed: the whole text, and where the cursor is in it. Columns are counted as scripts count them, in UTF-16.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionQuery {
    /// What is in the editor.
    pub text: String,
    /// The cursor's line.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// Whether the user asked for it.
    pub is_forced: bool,
}

/// Looks for completions: items, and the text before the cursor that they replace. `None` leaves it to the program.
pub type CompleteFn = dyn Fn(CompletionQuery) -> BoxFuture<'static, Option<(Vec<Completion>, String)>> + Send + Sync;

/// A screen. `owner` is the extension, as reports name it.
pub trait Screen: Send + Sync {
    /// The size of the window.
    fn size(&self) -> WindowSize;

    /// The keys of all actions.
    fn keys(&self) -> Vec<ActionKeys>;

    /// Puts lines beside the editor, or takes away what the same extension put under that key.
    fn put_lines(&self, owner: &str, key: &str, lines: Option<Vec<String>>, placement: WidgetPlacement);

    /// Puts a view in a place, or takes away what the same extension put there.
    fn put(&self, owner: &str, place: ViewPlace, view: Option<Arc<dyn View>>);

    /// A view looks otherwise: its rows are asked for soon.
    fn redraw(&self, view: &Arc<dyn View>);

    /// The renderer of a tool would draw this call otherwise: its lines are asked for soon.
    fn redraw_call(&self, call_id: &str);

    /// Something becomes of an overlay.
    fn change_overlay(&self, view: &Arc<dyn View>, change: OverlayChange);

    /// What is in the editor.
    fn editor_text(&self) -> String;

    /// Pastes into the editor.
    fn paste(&self, text: &str);

    /// A view in the editor's place has this text now.
    fn edited(&self, view: &Arc<dyn View>, text: &str);

    /// Does what a key of this name does (`app.interrupt`, `tui.input.submit`).
    fn act(&self, action: &str);

    /// What a footer may tell.
    fn footer_facts(&self) -> FooterFacts;

    /// Changes the row that tells that something goes on.
    fn set_working(&self, change: WorkingChange);

    /// What stands for hidden thinking.
    fn set_hidden_thinking_label(&self, label: Option<&str>);

    /// Whether blocks show all they have.
    fn is_expanded(&self) -> bool;

    /// Shows more or less of all blocks.
    fn set_expanded(&self, is_expanded: bool);

    /// Asks the hook about everything that is typed, until it is taken back by the number that this returns.
    fn hook_input(&self, owner: &str, hook: Arc<InputHook>) -> u64;

    /// Takes a hook back.
    fn unhook_input(&self, number: u64);

    /// Asks this for completions before the program looks for some. `marks` begin words that it completes.
    fn complete_with(&self, owner: &str, marks: Vec<char>, complete: Arc<CompleteFn>);

    /// A theme by its name, or the one in force.
    fn theme(&self, name: Option<&str>) -> Option<Theme>;

    /// The names of all themes, and the files of those that have one.
    fn themes(&self) -> Vec<(String, Option<String>)>;

    /// Puts a theme in force and stores it in the settings.
    ///
    /// # Errors
    /// What is wrong with it.
    fn set_theme(&self, name: &str) -> Result<(), String>;

    /// Gives the terminal to another program until what this returns is dropped. Nothing where it cannot be given.
    fn lend_terminal(&self) -> BoxFuture<'static, Option<Box<dyn Send>>> {
        Box::pin(std::future::ready(None))
    }
}
