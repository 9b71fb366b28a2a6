//! How large an image is, from its head alone.

use std::io::{Cursor, Read};

use base64::prelude::BASE64_STANDARD;
use base64::read::DecoderReader;
use image::ImageReader;

/// So much of an image is looked at.
const HEAD_BYTES: u64 = 256 << 10;

/// Width and height in pixels of an image in base64, where its head tells them.
pub fn image_dimensions(base64: &str) -> Option<(u32, u32)> {
    let mut head = Vec::new();
    // What is wrong behind the head does not matter.
    let _ = DecoderReader::new(base64.as_bytes(), &BASE64_STANDARD).take(HEAD_BYTES).read_to_end(&mut head);
    ImageReader::new(Cursor::new(head)).with_guessed_format().ok()?.into_dimensions().ok()
}
