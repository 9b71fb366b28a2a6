//! Actions of widgets.

/// Something that a key can do, by the name that a file of bindings uses: `tui.editor.cursorUp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(pub &'static str);
