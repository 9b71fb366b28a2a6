//! The frame engine and the document, in a terminal with history and reflow.

mod basics;
mod stage;
