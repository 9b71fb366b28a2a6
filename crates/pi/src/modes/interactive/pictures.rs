//! Pictures of calls, for terminals that show any: in a form that the terminal takes, which is made beside the loop.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_agent_core::ToolOutput;
use pi_ai::ContentBlock;
use pi_coding_agent::tools::as_png;
use pi_tui::widgets::image::{Image, ImageOptions, ImageProtocol};

use super::app::App;

/// The one that Kitty's protocol takes.
const PNG: &str = "image/png";

/// Has pictures drawn as the settings and the terminal allow, by what is known of both now; those that are still ours, too.
pub(super) fn settle(app: &App) {
    let wanted = app.settings().interface().terminal();
    let protocol = if wanted.show_images { app.surface.images() } else { ImageProtocol::None };
    let max_columns = u16::try_from(wanted.image_width_cells).unwrap_or(u16::MAX);
    let cell = app.surface.cell();
    app.shared.set_images(ImageOptions { protocol, max_columns, cell, padding: 1, ..ImageOptions::default() });
}

/// Shows the pictures of a call that has just ended.
pub(super) fn show(app: &mut App, output: &ToolOutput) {
    let Some(call) = app.transcript.take_last_call() else { return };
    let images = output.content.iter().filter_map(|block| match block {
        ContentBlock::Image(image) => Some((image.data.clone(), image.mime_type.clone())),
        _ => None,
    });
    let images: Vec<(String, String)> = images.collect();
    if images.is_empty() {
        return;
    }
    let options = app.shared.images();
    if options.protocol == ImageProtocol::None {
        return;
    }
    let ids: Vec<u32> = images.iter().map(|_| app.shared.next_picture()).collect();
    app.spawn(async move { converted(images, options.protocol).await }, move |app, images| {
        let images = images.into_iter().zip(ids).map(|((data, mime), id)| Image::new(data, mime, id, options));
        app.transcript.show_images(call, images.collect());
    });
}

/// The pictures in a form that the protocol takes. One that cannot be converted stays as it is, and is named in its place.
async fn converted(images: Vec<(String, String)>, protocol: ImageProtocol) -> Vec<(Arc<str>, String)> {
    let mut out = Vec::new();
    for (data, mime) in images {
        let is_fine = protocol == ImageProtocol::Iterm || mime == PNG;
        let bytes = if is_fine { None } else { BASE64_STANDARD.decode(&data).ok() };
        let png = match bytes {
            Some(bytes) => as_png(bytes).await,
            None => None,
        };
        out.push(match png {
            Some(png) => (BASE64_STANDARD.encode(png).into(), PNG.to_owned()),
            None => (data.into(), mime),
        });
    }
    out
}
