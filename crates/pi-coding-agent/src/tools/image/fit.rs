//! Brings an image below the limits of providers: first the dimensions, then the size of its base64 text.

use image::DynamicImage;
use tokio::sync::Semaphore;

use super::resize::{self, ImageError};
use crate::tools::background::blocking;
use crate::tools::image_kind::ImageKind;

/// JPEG qualities to try at each size when PNG is too large and the first quality does not do, in this order.
const JPEG_QUALITIES: [u8; 4] = [85, 70, 55, 40];

/// How small an image must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    /// Largest width in pixels.
    pub max_width: u32,
    /// Largest height in pixels.
    pub max_height: u32,
    /// The base64 text must be shorter than this.
    pub max_base64_bytes: usize,
    /// The JPEG quality to try first, 1 to 100.
    pub jpeg_quality: u8,
}

impl Default for ImageLimits {
    /// What providers take: sides of 2000 pixels, 4.5 MiB.
    fn default() -> Self {
        Self { max_width: 2000, max_height: 2000, max_base64_bytes: 4_718_592, jpeg_quality: 80 }
    }
}

/// An image that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedImage {
    /// The encoded image.
    pub bytes: Vec<u8>,
    /// Its kind; may differ from the file's.
    pub kind: ImageKind,
    /// Dimensions before and after, if the image was scaled or encoded anew.
    pub resized: Option<Resized>,
}

/// Dimensions of an image before and after, in pixels, seen upright.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resized {
    /// Width and height of the original.
    pub from: (u32, u32),
    /// Width and height as sent.
    pub to: (u32, u32),
}

impl FittedImage {
    /// The image as it is.
    pub fn whole(bytes: Vec<u8>, kind: ImageKind) -> Self {
        Self { bytes, kind, resized: None }
    }

    /// Tells the model how to convert coordinates, where that is needed.
    pub fn note(&self) -> Option<String> {
        let Resized { from: (width, height), to: (shown_width, shown_height) } = self.resized?;
        let factor = f64::from(width) / f64::from(shown_width);
        Some(format!(
            "[The original image has {width}x{height} pixels, you see {shown_width}x{shown_height}. For coordinates in \
             the original multiply by {factor:.2}.]"
        ))
    }
}

/// Images that are decoded at the same time: each may need some hundred megabytes, and a model may ask for many at once.
const AT_ONCE: usize = 2;
static TURN: Semaphore = Semaphore::const_new(AT_ONCE);

/// Makes an image small enough to send. Runs on the blocking pool.
///
/// # Errors
/// [`ImageError`] if it has too many pixels, or cannot be decoded or made to fit.
pub async fn fit_image(bytes: Vec<u8>, kind: ImageKind) -> Result<FittedImage, ImageError> {
    fit_within(bytes, kind, ImageLimits::default()).await.map(|(image, _)| image)
}

/// The same for other limits, with width and height of the original.
pub async fn fit_within(
    bytes: Vec<u8>,
    kind: ImageKind,
    limits: ImageLimits,
) -> Result<(FittedImage, (u32, u32)), ImageError> {
    in_turn(move || fit(bytes, kind, limits)).await
}

/// Decodes when it is its turn.
async fn in_turn<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ImageError> + Send + 'static,
) -> Result<T, ImageError> {
    // Moved into the work: it goes on when nobody waits for it any more.
    let turn = TURN.acquire().await;
    let work = move || {
        let _turn = turn;
        work()
    };
    // A decoder that panics on a malformed file is a file that cannot be decoded.
    blocking(work).await.unwrap_or(Err(ImageError::Unfit))
}

/// An image of any kind as PNG, for terminals that show nothing else; `None` if it cannot be decoded. Runs on the
/// blocking pool.
pub async fn as_png(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let kind = ImageKind::sniff(&bytes)?;
    let convert = move || resize::encode_png(&resize::decode(&bytes, kind)?).ok_or(ImageError::Unfit);
    in_turn(convert).await.ok()
}

fn fit(bytes: Vec<u8>, kind: ImageKind, limits: ImageLimits) -> Result<(FittedImage, (u32, u32)), ImageError> {
    let image = resize::decode(&bytes, kind)?;
    let from = (image.width(), image.height());
    if from.0 <= limits.max_width && from.1 <= limits.max_height && is_shorter(&bytes, limits.max_base64_bytes) {
        return Ok((FittedImage::whole(bytes, kind), from));
    }
    let image = resize::scalable(image);
    let mut to = clamp(from, limits);
    loop {
        if let Some((bytes, kind)) = encode_shorter(&image, to, limits) {
            return Ok((FittedImage { bytes, kind, resized: Some(Resized { from, to }) }, from));
        }
        if to == (1, 1) {
            return Err(ImageError::Unfit);
        }
        to = (shrink(to.0), shrink(to.1));
    }
}

/// The first encoding of the image at this size that is below the limit; PNG comes first.
fn encode_shorter(image: &DynamicImage, size: (u32, u32), limits: ImageLimits) -> Option<(Vec<u8>, ImageKind)> {
    let image = resize::scale(image, size)?;
    let png = || Some((resize::encode_png(&image)?, ImageKind::Png));
    let qualities = std::iter::once(limits.jpeg_quality).chain(JPEG_QUALITIES);
    let jpegs = qualities.map(|quality| Some((resize::encode_jpeg(&image, quality)?, ImageKind::Jpeg)));
    let fits = |(bytes, _): &(Vec<u8>, ImageKind)| is_shorter(bytes, limits.max_base64_bytes);
    std::iter::once_with(png).chain(jpegs).flatten().find(fits)
}

/// First the width, then the height; the other side follows, rounded.
fn clamp((width, height): (u32, u32), limits: ImageLimits) -> (u32, u32) {
    let ImageLimits { max_width, max_height, .. } = limits;
    let (width, height) =
        if width > max_width { (max_width, scaled(height, max_width, width)) } else { (width, height) };
    if height > max_height { (scaled(width, max_height, height), max_height) } else { (width, height) }
}

fn scaled(side: u32, to: u32, from: u32) -> u32 {
    ((f64::from(side) * f64::from(to) / f64::from(from)).round() as u32).max(1)
}

fn shrink(side: u32) -> u32 {
    ((f64::from(side) * 0.75) as u32).max(1)
}

/// Whether the base64 text of these bytes is shorter than the limit.
fn is_shorter(bytes: &[u8], limit: usize) -> bool {
    bytes.len().div_ceil(3) * 4 < limit
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn sides_shrink_by_a_quarter_until_something_fits() {
        let mut state = 1u32;
        let noise = RgbImage::from_fn(64, 41, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
        });
        let noise = resize::encode_png(&noise.into()).unwrap();
        let fitted = |max_base64_bytes| {
            let limits = ImageLimits { max_base64_bytes, ..ImageLimits::default() };
            let (image, from) = fit(noise.clone(), ImageKind::Png, limits).ok()?;
            assert_eq!(from, (64, 41));
            Some((image.kind, image.resized.unwrap().to))
        };
        let seen: Vec<_> = [4000, 2600, 1500, 1100, 300].into_iter().map(fitted).collect();
        let jpeg = |width, height| Some((ImageKind::Jpeg, (width, height)));
        assert_eq!(seen, [jpeg(64, 41), jpeg(48, 30), jpeg(36, 22), jpeg(27, 16), Some((ImageKind::Png, (8, 4)))]);
        assert_eq!(fitted(90), None);
    }

    #[test]
    fn the_width_is_clamped_before_the_height() {
        for (from, to) in [
            ((2000, 2000), (2000, 2000)),
            ((2001, 10), (2000, 10)),
            ((4000, 3), (2000, 2)),
            ((30_000, 1), (2000, 1)),
            ((3000, 5000), (1200, 2000)),
            ((10, 2001), (10, 2000)),
        ] {
            assert_eq!(clamp(from, ImageLimits::default()), to, "{from:?}");
        }
    }
}
