//! Decoding, scaling and encoding: the only place that knows the image libraries.

use std::borrow::Cow;
use std::io::Cursor;

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::jpeg;
use crate::tools::image_kind::ImageKind;

/// Memory that decoding one image may take, in bytes: [`MAX_PIXELS`] of eight bytes, the most that a format has.
const MAX_DECODE_BYTES: u64 = MAX_PIXELS * 8;
/// Pixels beyond which an image is not decoded. Cameras have up to 61 million, providers are sent four million at most.
/// A file of a few megabytes may claim thousands of millions.
pub(super) const MAX_PIXELS: u64 = 64_000_000;

/// Why there is no image to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file claims more pixels than are decoded.
    #[error(
        "it has {width}x{height} pixels, and images of more than {} megapixels are not decoded. Make a smaller copy first.",
        MAX_PIXELS / 1_000_000
    )]
    TooManyPixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The file is damaged, or no encoding of it is small enough.
    #[error("it could not be brought below the size limit for images.")]
    Unfit,
}

/// Decodes an image and turns it upright; of an animation, the first frame. Its dimensions are looked at before any of
/// its pixels.
pub(super) fn decode(bytes: &[u8], kind: ImageKind) -> Result<DynamicImage, ImageError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format(kind));
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(|_| ImageError::Unfit)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(ImageError::TooManyPixels { width, height });
    }
    // A broken EXIF block costs the orientation, not the image.
    let orientation = match kind {
        ImageKind::Jpeg | ImageKind::WebP => decoder.orientation().unwrap_or(Orientation::NoTransforms),
        ImageKind::Png | ImageKind::Gif => Orientation::NoTransforms,
    };
    if kind == ImageKind::Jpeg && !jpeg::is_complete(bytes) {
        return Err(ImageError::Unfit);
    }
    let mut image = DynamicImage::from_decoder(decoder).map_err(|_| ImageError::Unfit)?;
    image.apply_orientation(orientation);
    Ok(image)
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
