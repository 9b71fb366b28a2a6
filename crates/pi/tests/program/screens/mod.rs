//! The pictures of the manual: the real program in a real pseudo-terminal, its screen read from an emulator and drawn as SVG,
//! which has to be what `docs/screens` holds. `UPDATE_SCREENS=1` writes them.

mod choices;
mod features;
mod shop;
mod svg;
mod views;
mod work;
