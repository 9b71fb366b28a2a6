//! Images, which projects the user trusts, the command line: one line of TypeScript each, and what it comes to.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use crate::support::lines_of;

/// An image of noise, which does not get smaller by compression, as PNG and as JPEG.
fn noise(width: u32, height: u32) -> [String; 2] {
    let mut state = 1u32;
    let image: DynamicImage = RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    })
    .into();
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png).unwrap();
    let mut jpeg = Vec::new();
    image.write_with_encoder(JpegEncoder::new(&mut jpeg)).unwrap();
    [png.into_inner(), jpeg].map(|bytes| BASE64_STANDARD.encode(bytes))
}

const IMAGES: &[&str] = &[
    "resizeImage(png, 'image/png').then(shape)",
    "resizeImage(new Uint8Array(png), 'image/webp').then(shape)",
    "resizeImage(png, 'image/png', { maxWidth: 5 }).then(shape)",
    "resizeImage(png, 'image/png', { maxWidth: 20, maxHeight: 8 }).then(shape)",
    "resizeImage(png, 'image/png', { maxBytes: 3000 }).then((made) => [made.mimeType, made.wasResized, made.data.length < 3000, kind(made)])",
    "resizeImage(png, 'image/png', { maxBytes: 20 })",
    "resizeImage(Buffer.from('nope'), 'image/png')",
    "resizeImage(png, 'image/png', { maxWidth: 20 }).then(formatDimensionNote)",
    "convertToPng(jpeg, 'image/jpeg').then((made) => [made.mimeType, kind(made)])",
    "convertToPng('as it is', 'image/png')",
    "convertToPng('bm8=', 'image/jpeg')",
];

#[tokio::test]
async fn images_are_made_smaller_and_converted() {
    let [png, jpeg] = noise(40, 30);
    let imports = format!(
        "import {{ resizeImage, convertToPng, formatDimensionNote }} from '@earendil-works/pi-coding-agent';
        const png = Buffer.from('{png}', 'base64'), jpeg = '{jpeg}';
        const kind = ({{ data }}) => (data.startsWith('iVBORw0K') ? 'png' : data.startsWith('/9j/') ? 'jpeg' : 'neither');
        const shape = (made) => ({{ ...made, data: kind(made) }});"
    );
    insta::assert_snapshot!(lines_of(&imports, IMAGES).await);
}

const TRUST: &[&str] = &[
    "hasTrustRequiringProjectResources('DIR/home/p')",
    "(mkdirSync('DIR/home/p/.pi/skills', { recursive: true }), [hasTrustRequiringProjectResources('DIR/home/p'), hasTrustRequiringProjectResources('DIR/home')])",
    "(globalThis.store = new ProjectTrustStore('DIR/ag'), [store.get('DIR/home/p'), store.getEntry('DIR/home/p')])",
    "(store.set('DIR/home', true), [store.get('DIR/home/p'), store.getEntry('DIR/home/p'), text()])",
    "(store.setMany([{ path: 'DIR/home/p', decision: false }, { path: 'DIR/home', decision: null }]), [store.getEntry('DIR/home/p'), text()])",
    "(store.set('DIR/home/p', null), [store.get('DIR/home/p'), text()])",
    "(writeFileSync('DIR/ag/trust.json', '{ bad'), [store.get('DIR/home/p')])",
];

#[tokio::test]
async fn trust_is_stored() {
    let imports = "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
        import { ProjectTrustStore, hasTrustRequiringProjectResources } from '@earendil-works/pi-coding-agent';
        const text = () => readFileSync('DIR/ag/trust.json', 'utf8');";
    insta::assert_snapshot!(lines_of(imports, TRUST).await);
}

/// The grammar is the program's: here stands one that takes everything for a message and knows one option.
#[tokio::test]
async fn a_command_line_is_read() {
    let imports = "import { parseArgs } from '@earendil-works/pi-coding-agent';";
    let said = lines_of(imports, &["parseArgs(['-p', 'hi']).messages", "parseArgs([]).unknownFlags.get('foo')"]).await;
    insta::assert_snapshot!(said);
}
