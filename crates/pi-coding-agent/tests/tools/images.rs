//! Images through `read`: recognised by content, scaled to what providers accept.

use std::io::Cursor;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage, RgbaImage};
use pi_agent_core::{NestedCalls, ToolInvocation, ToolUpdates};
use pi_ai::{ContentBlock, Model};
use pi_coding_agent::tools::{ImageKind, create_tool};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, text};

const TINY_GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image.into().write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// Pixels that no encoder can compress.
fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 1u32;
    RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    })
}

/// An EXIF block that says how to turn an image.
fn exif(orientation: u8) -> Vec<u8> {
    // TIFF header, one directory with one entry: tag 0x112, type SHORT, one value.
    [b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".as_slice(), &[orientation, 0, 0, 0], &[0; 4]].concat()
}

/// A JPEG whose EXIF block says how to turn it.
fn turned_jpeg(width: u32, height: u32, orientation: u8) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut out, 90);
    encoder.set_exif_metadata(exif(orientation)).unwrap();
    DynamicImage::from(RgbImage::new(width, height)).write_with_encoder(encoder).unwrap();
    out
}

/// What `read` made of a file: its text, and of the image MIME type, dimensions and bytes.
async fn read(bench: &Workbench, name: &str) -> (String, Option<(String, (u32, u32), Vec<u8>)>) {
    let answer = bench.call("read", json!({ "path": name })).await;
    let picture = answer.as_ref().unwrap().content.get(1).map(|block| {
        let ContentBlock::Image(image) = block else { panic!("{block:?}") };
        let bytes = BASE64_STANDARD.decode(&image.data).unwrap();
        let picture = image::load_from_memory(&bytes).unwrap();
        (image.mime_type.clone(), (picture.width(), picture.height()), bytes)
    });
    (text(&answer), picture)
}

#[tokio::test]
async fn small_images_are_sent_as_they_are() {
    let files = [
        ("pic.txt", encoded(RgbaImage::new(3, 3), ImageFormat::Png), "image/png"),
        ("pic", encoded(RgbImage::new(4, 5), ImageFormat::Jpeg), "image/jpeg"),
        ("pic.gif", TINY_GIF.to_vec(), "image/gif"),
        ("pic.webp", encoded(RgbaImage::new(6, 7), ImageFormat::WebP), "image/webp"),
        ("more.jpg", [encoded(RgbImage::new(4, 5), ImageFormat::Jpeg), b"more".to_vec()].concat(), "image/jpeg"),
        // Turned only when it is encoded anew.
        ("turned.jpg", turned_jpeg(40, 20, 6), "image/jpeg"),
    ];
    for (name, bytes, mime) in files {
        let (text, picture) = read(&Workbench::with(&[(name, &bytes)]), name).await;
        assert_eq!(text, format!("Image file, type {mime}."));
        assert_eq!(picture.map(|(mime, _, bytes)| (mime, bytes)), Some((mime.to_owned(), bytes)));
    }
}

#[tokio::test]
async fn large_images_are_scaled_and_say_so() {
    for (name, bytes, size, shown, factor) in [
        ("wide.png", encoded(RgbImage::new(3000, 30), ImageFormat::Png), "3000x30", (2000, 20), "1.50"),
        // First the width, then the height.
        ("both.png", encoded(RgbImage::new(2200, 2400), ImageFormat::Png), "2200x2400", (1833, 2000), "1.20"),
        ("turned.jpg", turned_jpeg(2400, 60, 6), "60x2400", (50, 2000), "1.20"),
    ] {
        let (text, picture) = read(&Workbench::with(&[(name, &bytes)]), name).await;
        let (width, height) = shown;
        assert_eq!(
            text,
            format!(
                "Image file, type image/png.\n[The original image has {size} pixels, you see {width}x{height}. For \
                 coordinates in the original multiply by {factor}.]"
            )
        );
        assert_eq!(picture.map(|(mime, size, _)| (mime, size)), Some(("image/png".to_owned(), shown)));
    }
}

/// Just too many bytes for an image: what comes after the image itself counts, too.
const TOO_MANY: usize = 3_538_942;

fn padded(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0);
    bytes
}

#[tokio::test]
async fn the_limit_is_one_of_base64_text_and_png_comes_first() {
    let jpeg = encoded(RgbImage::new(4, 5), ImageFormat::Jpeg);
    let fits = padded(jpeg.clone(), TOO_MANY - 1);
    assert_eq!(BASE64_STANDARD.encode(&fits).len(), 4_718_592 - 4);
    let bench = Workbench::with(&[("fits", &fits), ("too many", &padded(jpeg, TOO_MANY))]);
    assert_eq!(
        read(&bench, "fits").await,
        ("Image file, type image/jpeg.".to_owned(), Some(("image/jpeg".to_owned(), (4, 5), fits)))
    );
    let (text, picture) = read(&bench, "too many").await;
    assert_eq!(
        text,
        "Image file, type image/png.\n[The original image has 4x5 pixels, you see 4x5. For coordinates in the original \
         multiply by 1.00.]"
    );
    assert_eq!(picture.map(|(mime, size, _)| (mime, size)), Some(("image/png".to_owned(), (4, 5))));
}

const CORNERS: [Rgb<u8>; 4] = [Rgb([255, 0, 0]), Rgb([0, 255, 0]), Rgb([0, 0, 255]), Rgb([255, 255, 255])];

/// Twice as wide as high, with a colour in each corner: top left, top right, bottom left, bottom right.
fn colourful() -> RgbImage {
    RgbImage::from_fn(64, 32, |x, y| CORNERS[usize::from(x >= 32) + 2 * usize::from(y >= 16)])
}

/// Which of [`CORNERS`] are in the corners of an image.
fn corners(picture: &[u8]) -> [usize; 4] {
    let picture = image::load_from_memory(picture).unwrap().to_rgb8();
    let (right, bottom) = (picture.width() - 4, picture.height() - 4);
    let distance = |a: &Rgb<u8>, b: &Rgb<u8>| (0..3).map(|n| u32::from(a[n].abs_diff(b[n]))).sum::<u32>();
    let nearest = |pixel: &Rgb<u8>| (0..4).min_by_key(|n| distance(&CORNERS[*n], pixel)).unwrap();
    [(3, 3), (right, 3), (3, bottom), (right, bottom)].map(|(x, y)| nearest(picture.get_pixel(x, y)))
}

#[tokio::test]
async fn images_are_turned_upright_when_they_are_encoded_anew() {
    for (orientation, expected) in [
        (1, [0, 1, 2, 3]),
        (2, [1, 0, 3, 2]),
        (3, [3, 2, 1, 0]),
        (4, [2, 3, 0, 1]),
        (5, [0, 2, 1, 3]),
        (6, [2, 0, 3, 1]),
        (7, [3, 1, 2, 0]),
        (8, [1, 3, 0, 2]),
        // No such orientation.
        (9, [0, 1, 2, 3]),
    ] {
        let size = if (5..9).contains(&orientation) { (32, 64) } else { (64, 32) };
        let exif = exif(orientation);
        let (mut jpeg, mut webp) = (Vec::new(), Vec::new());
        let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 90);
        encoder.set_exif_metadata(exif.clone()).unwrap();
        DynamicImage::from(colourful()).write_with_encoder(encoder).unwrap();
        let mut encoder = WebPEncoder::new_lossless(&mut webp);
        encoder.set_exif_metadata(exif).unwrap();
        DynamicImage::from(colourful()).write_with_encoder(encoder).unwrap();
        let bench = Workbench::with(&[("jpeg", &padded(jpeg, TOO_MANY)), ("webp", &padded(webp, TOO_MANY))]);
        for name in ["jpeg", "webp"] {
            let (text, picture) = read(&bench, name).await;
            let (_, shown, bytes) = picture.unwrap();
            assert_eq!((shown, corners(&bytes)), (size, expected), "{name} {orientation}: {text}");
        }
    }
}

#[tokio::test]
async fn jpeg_qualities_are_tried_in_order() {
    let noise = noise(1600, 1600);
    // 80 and 85 are too long.
    let mut expected = Vec::new();
    noise.write_with_encoder(JpegEncoder::new_with_quality(&mut expected, 70)).unwrap();
    let bench = Workbench::with(&[("noise", &encoded(noise, ImageFormat::Png))]);
    let (_, size, bytes) = read(&bench, "noise").await.1.unwrap();
    assert!(size == (1600, 1600) && bytes == expected);
}

#[tokio::test]
async fn images_with_too_many_bytes_become_jpeg() {
    let bytes = encoded(noise(1200, 1000), ImageFormat::Png);
    let (text, picture) = read(&Workbench::with(&[("noise.png", &bytes)]), "noise.png").await;
    let (mime, size, bytes) = picture.unwrap();
    assert!(text.starts_with("Image file, type image/jpeg.\n[The original image has 1200x1000 pixels"), "{text}");
    assert_eq!((mime.as_str(), size), ("image/jpeg", (1200, 1000)));
    assert!(BASE64_STANDARD.encode(&bytes).len() < 4_718_592);
}

#[tokio::test]
async fn broken_images_are_left_out() {
    let cut = &encoded(noise(100, 100), ImageFormat::Png)[..2000];
    // Claims 65535 × 65535 pixels.
    let bomb = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0\0\0\0\0";
    // A decoder may fill in the rest.
    let jpeg = &encoded(noise(100, 100), ImageFormat::Jpeg);
    let (cut_jpeg, no_end) = (&jpeg[..jpeg.len() / 2], &jpeg[..jpeg.len() - 2]);
    for bytes in [cut, bomb, cut_jpeg, no_end, b"\xff\xd8\xff\xe0 no jpeg", b"RIFF\0\0\0\0WEBPVP8 "] {
        let (text, picture) = read(&Workbench::with(&[("pic", bytes)]), "pic").await;
        assert!(
            text.ends_with("[The image is left out: it could not be brought below the size limit for images.]"),
            "{text}"
        );
        assert_eq!(picture, None);
    }
    let mut bench = Workbench::with(&[("pic", cut)]);
    bench.options.auto_resize_images = false;
    let answer = bench.call("read", json!({"path": "pic"})).await.unwrap();
    assert_eq!(answer.content[1], ContentBlock::image(BASE64_STANDARD.encode(cut), "image/png"));
}

#[tokio::test]
async fn what_only_looks_like_an_image() {
    let still = encoded(RgbImage::new(3, 3), ImageFormat::Png);
    // Behind the first chunk: control of an animation.
    let animated = [&still[..33], b"\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0", &still[33..]].concat();
    let bench = Workbench::with(&[("animated.png", &animated), ("huge", b"GIF")]);
    let (told, picture) = read(&bench, "animated.png").await;
    assert!(told.starts_with("\u{fffd}PNG\r\n") && picture.is_none(), "{told}");
    std::fs::File::options().write(true).open(bench.path("huge")).unwrap().set_len(1 << 30).unwrap();
    let refused = bench.call("read", json!({"path": "huge"})).await;
    assert_eq!(
        text(&refused),
        "The file starts like an image (image/gif) and has more than 100.0MB, too much for one. Use bash to make a \
         smaller copy, or to look at it as text."
    );
}

#[tokio::test]
async fn a_model_without_eyes_is_told() {
    let bench = Workbench::with(&[("pic", TINY_GIF)]);
    let tool = create_tool("read", &bench.options).unwrap();
    let call = ToolInvocation {
        id: "call".into(),
        arguments: json!({"path": "pic"}),
        cancel: CancellationToken::new(),
        updates: ToolUpdates::ignored(),
        model: Model::unknown(),
        calls: NestedCalls::none(),
    };
    let output = tool.execute(call).await.unwrap();
    let expected =
        "Image file, type image/gif.\n[The current model takes no images: the image is left out of the request.]";
    assert_eq!(output.content[0].as_text(), Some(expected));
    assert_eq!(output.content.len(), 2);
}

#[test]
fn kinds_are_told_by_content() {
    let png = |chunks: &[u8]| [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", [0; 17].as_slice(), chunks].concat();
    let cases: [(&[u8], Option<ImageKind>); 14] = [
        (b"", None),
        (b"plain", None),
        (b"\xff\xd8\xff", Some(ImageKind::Jpeg)),
        (b"\xff\xd8\xff\xe1", Some(ImageKind::Jpeg)),
        (b"\xff\xd8\xff\xf7", None),
        (b"\x89PNG\r\n\x1a\nnot really", None),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHD", None),
        (&png(b""), Some(ImageKind::Png)),
        (&png(b"\0\0\0\x08acTL"), None),
        (&png(b"\0\0\0\x01gAMA?\0\0\0\0\0\0\0\x08acTL"), None),
        (&png(b"\0\0\0\x01IDAT?\0\0\0\0\0\0\0\x08acTL"), Some(ImageKind::Png)),
        (&png(b"\xff\xff\xff\xffgAMA"), Some(ImageKind::Png)),
        (b"GIFt", Some(ImageKind::Gif)),
        (b"RIFF....WEBP", Some(ImageKind::WebP)),
    ];
    for (bytes, kind) in cases {
        assert_eq!(ImageKind::sniff(bytes), kind, "{}", bytes.escape_ascii());
    }
}

/// A PNG that claims these dimensions; of its pixels there are none.
fn claimed_png(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| {
        let body = [kind, data].concat();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc32(&body).to_be_bytes()].concat()
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, 0]].concat();
    let empty = [0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01];
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), chunk(b"IDAT", &empty), chunk(b"IEND", &[])].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

fn gif(screen: (u16, u16), frame: (u16, u16)) -> Vec<u8> {
    let pair = |(width, height): (u16, u16)| [width.to_le_bytes(), height.to_le_bytes()].concat();
    let head = [b"GIF89a".as_slice(), &pair(screen), b"\x80\0\0\0\0\0\xff\xff\xff"].concat();
    [head, b",\0\0\0\0".to_vec(), pair(frame), b"\0\x02\x02D\x01\0;".to_vec()].concat()
}

#[tokio::test]
async fn what_claims_too_many_pixels_is_not_decoded() {
    let jpeg = |width: u16, height: u16| {
        let mut bytes = encoded(RgbImage::new(8, 8), ImageFormat::Jpeg);
        let at = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        bytes[at + 5..at + 9].copy_from_slice(&[height.to_be_bytes(), width.to_be_bytes()].concat());
        bytes
    };
    let size = |side: u32| (side - 1).to_le_bytes()[..3].to_vec();
    let canvas = [b"VP8X\x0a\0\0\0\0\0\0\0".to_vec(), size(16_384), size(16_384)].concat();
    let webp = [b"RIFF".to_vec(), (canvas.len() as u32 + 4).to_le_bytes().to_vec(), b"WEBP".to_vec(), canvas].concat();
    let claims: [(&str, Vec<u8>, Option<&str>); 11] = [
        ("gray.png", claimed_png(30_000, 30_000, 1, 0), Some("30000x30000")),
        ("deep.png", claimed_png(8_001, 8_000, 16, 6), Some("8001x8000")),
        ("tall.png", claimed_png(1, 2_147_483_647, 1, 0), Some("1x2147483647")),
        ("largest.png", claimed_png(2_147_483_647, 2_147_483_647, 16, 6), None),
        ("none.png", claimed_png(0, 0, 8, 2), None),
        ("palette.png", claimed_png(100, 100, 8, 3), None),
        ("cut.png", claimed_png(8_000, 8_000, 16, 6), None),
        ("large.jpg", jpeg(65_535, 65_535), Some("65535x65535")),
        ("screen.gif", gif((65_535, 65_535), (1, 1)), Some("65535x65535")),
        ("frame.gif", gif((1, 1), (65_535, 65_535)), None),
        ("large.webp", webp, None),
    ];
    for (name, bytes, dimensions) in claims {
        let (text, picture) = read(&Workbench::with(&[(name, &bytes)]), name).await;
        assert!(text.contains("[The image is left out: ") && picture.is_none(), "{name}: {text}");
        if let Some(dimensions) = dimensions {
            let expected =
                format!("it has {dimensions} pixels, and images of more than 64 megapixels are not decoded.");
            assert!(text.contains(&expected), "{name}: {text}");
        }
    }
}
