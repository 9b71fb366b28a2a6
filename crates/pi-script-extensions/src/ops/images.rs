//! Images: `resizeImage` and `convertToPng` in `js/pi-coding-agent/images.js`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::json;

use super::Ops;
use pi_coding_agent::tools::{ImageKind, ImageLimits, SNIFF_BYTES, as_png, fit_within};

/// What scripts ask for; what they leave out is as providers take it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResizeRequest {
    max_width: Option<f64>,
    max_height: Option<f64>,
    max_bytes: Option<f64>,
    jpeg_quality: Option<f64>,
}

impl ResizeRequest {
    fn limits(&self) -> ImageLimits {
        let default = ImageLimits::default();
        let pixels = |side: Option<f64>, default| side.map_or(default, |side| (side as u32).max(1));
        ImageLimits {
            max_width: pixels(self.max_width, default.max_width),
            max_height: pixels(self.max_height, default.max_height),
            max_base64_bytes: self.max_bytes.map_or(default.max_base64_bytes, |bytes| bytes as usize),
            jpeg_quality: self.jpeg_quality.map_or(default.jpeg_quality, |quality| (quality as u8).clamp(1, 100)),
        }
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    // What an image holds is told by its content; the type that the script named stays with one that is not changed.
    ops.spawned("image.fit", |_, _, mut args| async move {
        let (bytes, named) = (args.bytes(0)?, args.text(1)?);
        let limits = args.parse::<Option<ResizeRequest>>(2)?.unwrap_or_default().limits();
        let Some(kind) = sniffed(&bytes) else { return Ok(json!(null).into()) };
        let Ok((image, from)) = fit_within(bytes, kind, limits).await else { return Ok(json!(null).into()) };
        let to = image.resized.map_or(from, |resized| resized.to);
        let mime_type = if image.resized.is_some() { image.kind.mime_type() } else { named.as_str() };
        let said = json!({
            "data": BASE64_STANDARD.encode(&image.bytes),
            "mimeType": mime_type,
            "originalWidth": from.0,
            "originalHeight": from.1,
            "width": to.0,
            "height": to.1,
            "wasResized": image.resized.is_some(),
        });
        Ok(said.into())
    });
    ops.spawned("image.toPng", |_, _, mut args| async move {
        let Ok(bytes) = BASE64_STANDARD.decode(args.text(0)?) else { return Ok(json!(null).into()) };
        let Some(png) = as_png(bytes).await else { return Ok(json!(null).into()) };
        Ok(json!({"data": BASE64_STANDARD.encode(png), "mimeType": ImageKind::Png.mime_type()}).into())
    });
}

fn sniffed(bytes: &[u8]) -> Option<ImageKind> {
    let head = usize::try_from(SNIFF_BYTES).unwrap_or(usize::MAX).min(bytes.len());
    ImageKind::sniff(&bytes[..head])
}
