//! What all blocks of the conversation are drawn with, and what switches the user has set for all of them.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pi_coding_agent::extension::WindowSize;
use pi_tui::widgets::image::ImageOptions;

use super::asked::Asked;
use super::theme_styles::ThemeStyles;

/// Shared by the blocks. A change raises the revision, and so has what is still ours drawn again.
#[derive(Debug)]
pub(super) struct Shared {
    look: RefCell<Rc<ThemeStyles>>,
    /// Whether blocks show all they have.
    expanded: Cell<bool>,
    /// Whether what models think is hidden.
    thinking_hidden: Cell<bool>,
    /// The key that expands, for hints.
    expand_key: RefCell<String>,
    cwd: RefCell<PathBuf>,
    home: Option<PathBuf>,
    /// What extensions let stand for hidden thinking.
    thinking_label: RefCell<Option<String>>,
    /// The window's size.
    window: Cell<WindowSize>,
    revision: Cell<u64>,
    /// What the frame needed of extensions and did not have.
    asked_for: RefCell<Vec<Asked>>,
    /// While blocks are folded one by one: which of how many is marked.
    focused_block: Cell<Option<(usize, usize)>>,
    /// How pictures are drawn.
    images: Cell<ImageOptions>,
    /// How many pictures there have been.
    pictures: Cell<u32>,
    /// Milliseconds since the mode began.
    now_ms: Cell<u64>,
}

impl Shared {
    pub(super) fn new(look: ThemeStyles, cwd: PathBuf, home: Option<PathBuf>) -> Rc<Self> {
        Rc::new(Self {
            look: RefCell::new(Rc::new(look)),
            expanded: Cell::new(false),
            thinking_hidden: Cell::new(false),
            expand_key: RefCell::default(),
            cwd: RefCell::new(cwd),
            home,
            thinking_label: RefCell::default(),
            window: Cell::default(),
            revision: Cell::new(0),
            asked_for: RefCell::default(),
            focused_block: Cell::default(),
            images: Cell::default(),
            pictures: Cell::new(std::process::id() << 8),
            now_ms: Cell::new(0),
        })
    }

    /// The same for another picture of the conversation, in which everything is shown.
    pub(super) fn copied(&self) -> Rc<Self> {
        let copy = Self::new((*self.look()).clone(), self.cwd(), self.home.clone());
        copy.set_expand_key(self.expand_key.borrow().clone());
        copy.set_now_ms(self.now_ms());
        copy
    }

    pub(super) fn look(&self) -> Rc<ThemeStyles> {
        Rc::clone(&self.look.borrow())
    }

    pub(super) fn set_look(&self, look: ThemeStyles) {
        *self.look.borrow_mut() = Rc::new(look);
        self.touch();
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.expanded.get()
    }

    pub(super) fn set_expanded(&self, expanded: bool) {
        self.expanded.set(expanded);
        self.touch();
    }

    pub(super) fn hides_thinking(&self) -> bool {
        self.thinking_hidden.get()
    }

    pub(super) fn set_hides_thinking(&self, hidden: bool) {
        self.thinking_hidden.set(hidden);
        self.touch();
    }

    /// What stands for hidden thinking.
    pub(super) fn thinking_label(&self) -> Option<String> {
        self.thinking_label.borrow().clone()
    }

    pub(super) fn set_thinking_label(&self, label: Option<String>) {
        *self.thinking_label.borrow_mut() = label;
        self.touch();
    }

    /// The window's size.
    pub(super) fn window(&self) -> WindowSize {
        self.window.get()
    }

    pub(super) fn set_window(&self, window: WindowSize) {
        self.window.set(window);
    }

    /// What shows more: `ctrl+o to expand`.
    pub(super) fn expand_hint(&self) -> String {
        format!("{} to expand", self.expand_key.borrow())
    }

    pub(super) fn set_expand_key(&self, key: String) {
        *self.expand_key.borrow_mut() = key;
        self.touch();
    }

    pub(super) fn cwd(&self) -> PathBuf {
        self.cwd.borrow().clone()
    }

    pub(super) fn set_cwd(&self, cwd: PathBuf) {
        *self.cwd.borrow_mut() = cwd;
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    pub(super) fn set_now_ms(&self, now: u64) {
        self.now_ms.set(now);
    }

    /// While blocks are folded one by one: which of how many is marked, from 1; 0 where none is.
    pub(super) fn focused_block(&self) -> Option<(usize, usize)> {
        self.focused_block.get()
    }

    pub(super) fn set_focused_block(&self, place: Option<(usize, usize)>) {
        self.focused_block.set(place);
    }

    /// How pictures are drawn.
    pub(super) fn images(&self) -> ImageOptions {
        self.images.get()
    }

    /// Pictures are drawn otherwise from now on.
    pub(super) fn set_images(&self, images: ImageOptions) {
        if self.images.replace(images) != images {
            self.touch();
        }
    }

    /// A number for a picture that no other has.
    pub(super) fn next_picture(&self) -> u32 {
        self.pictures.set(self.pictures.get().wrapping_add(1));
        self.pictures.get()
    }

    /// This is asked for after the frame.
    pub(super) fn ask_for(&self, asked: impl Into<Asked>) {
        self.asked_for.borrow_mut().push(asked.into());
    }

    /// What is to be asked for.
    pub(super) fn take_asked_for(&self) -> Vec<Asked> {
        self.asked_for.take()
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision.get()
    }

    /// A path as people write it: `~` for the home directory.
    pub(super) fn shorten(&self, path: &Path) -> String {
        let short = self.home.as_deref().and_then(|home| path.strip_prefix(home).ok());
        match short {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        }
    }

    fn touch(&self) {
        self.revision.set(self.revision.get() + 1);
    }
}
