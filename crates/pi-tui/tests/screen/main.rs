//! The frame engine and the document, in a terminal with history and reflow.

mod basics;
mod exactness;
mod golden;
mod sameness;
mod stage;
mod tmux;
