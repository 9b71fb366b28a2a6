//! Decoding, scaling and encoding: the only place that knows the image libraries.

use std::borrow::Cow;
use std::io::Cursor;

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::jpeg;
use super::kind::ImageKind;

/// Memory that decoding one image may take; a file that claims more is a decompression bomb.
const MAX_DECODE_BYTES: u64 = 512 << 20;
/// Width and height beyond which an image is not decoded.
const MAX_DECODE_SIDE: u32 = 30_000;

/// Decodes an image and turns it upright; of an animation, the first frame.
pub(super) fn decode(bytes: &[u8], kind: ImageKind) -> Option<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format(kind));
    reader.limits(limits());
    let mut decoder = reader.into_decoder().ok()?;
    // A broken EXIF block costs the orientation, not the image.
    let orientation = match kind {
        ImageKind::Jpeg | ImageKind::WebP => decoder.orientation().unwrap_or(Orientation::NoTransforms),
        ImageKind::Png | ImageKind::Gif => Orientation::NoTransforms,
    };
    if kind == ImageKind::Jpeg && !jpeg::is_complete(bytes) {
        return None;
    }
    let mut image = DynamicImage::from_decoder(decoder).ok()?;
    image.apply_orientation(orientation);
    Some(image)
}

/// The form that [`scale`] works on: eight bits for each colour and for transparency.
pub(super) fn scalable(image: DynamicImage) -> DynamicImage {
    DynamicImage::ImageRgba8(image.into_rgba8())
}

/// Scales with the Lanczos filter.
pub(super) fn scale(image: &DynamicImage, (width, height): (u32, u32)) -> Option<Cow<'_, DynamicImage>> {
    if (image.width(), image.height()) == (width, height) {
        return Some(Cow::Borrowed(image));
    }
    let mut target = DynamicImage::new_rgba8(width, height);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize(image, &mut target, &options).ok()?;
    Some(Cow::Owned(target))
}

pub(super) fn encode_png(image: &DynamicImage) -> Option<Vec<u8>> {
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).ok()?;
    Some(out.into_inner())
}

/// `quality` from 1 to 100. JPEG has no transparency: the alpha channel is dropped.
pub(super) fn encode_jpeg(image: &DynamicImage, quality: u8) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut out, quality)).ok()?;
    Some(out)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODE_BYTES);
    limits.max_image_width = Some(MAX_DECODE_SIDE);
    limits.max_image_height = Some(MAX_DECODE_SIDE);
    limits
}

fn format(kind: ImageKind) -> ImageFormat {
    match kind {
        ImageKind::Jpeg => ImageFormat::Jpeg,
        ImageKind::Png => ImageFormat::Png,
        ImageKind::Gif => ImageFormat::Gif,
        ImageKind::WebP => ImageFormat::WebP,
    }
}
