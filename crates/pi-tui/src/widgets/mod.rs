//! Widgets: things that draw rows and take keys.
//!
//! `markdown` is Markdown that grows, `code` colours code. A widget takes styles, never names of colours, and knows neither
//! where on the screen it stands nor who shows it.

mod code;
mod markdown;

pub use code::{CodeLines, CodeStyle};
pub use markdown::{Markdown, MarkdownStyle};
