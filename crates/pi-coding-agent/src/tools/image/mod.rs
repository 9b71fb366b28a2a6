//! Images for models: what a file holds, by content, and how to make it small enough.
//!
//! Also used for images given on the command line. Nothing here reads a file.

mod dimensions;
mod fit;
mod jpeg;
mod resize;

pub use dimensions::image_dimensions;
pub use fit::{FittedImage, Resized, fit_image};
pub use fit::{ImageLimits, as_png, fit_within};
pub use resize::ImageError;
