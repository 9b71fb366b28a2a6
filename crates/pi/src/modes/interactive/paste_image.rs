//! Images from the clipboard: a marker in the editor, which stands for a file, and an image that goes with the message. The file
//! is what is left of it in a draft, in another editor, and for a model that takes no images.

use std::io::Write;
use std::process::Stdio;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_ai::ContentBlock;
use pi_coding_agent::env::Env;
use pi_coding_agent::tools::{FittedImage, ImageKind, fit_image, image_dimensions};

use super::app::App;
use super::chat::NoteKind;
use super::clipboard::{Program, is_remote};

/// Programs that print the image in the clipboard.
const PROGRAMS: &[Program] = &[
    Program::new("wl-paste", &["--no-newline", "--type", "image/png"], "WAYLAND_DISPLAY"),
    Program::new("xclip", &["-selection", "clipboard", "-target", "image/png", "-out"], "DISPLAY"),
    Program::new("pngpaste", &["-"], ""),
];

/// Images that are kept for messages that may come back into the editor.
const MOST_KEPT: usize = 20;

/// Images that were pasted: a message with the path of one carries the image.
#[derive(Default)]
pub(super) struct PastedImages(Vec<PastedImage>);

struct PastedImage {
    path: String,
    block: ContentBlock,
}

impl PastedImages {
    fn keep(&mut self, image: PastedImage) {
        self.0.push(image);
        let old = self.0.len().saturating_sub(MOST_KEPT);
        self.0.drain(..old);
    }

    /// The images that a text names, in the order in which they were pasted.
    fn of(&self, text: &str) -> Vec<ContentBlock> {
        self.0.iter().filter(|image| text.contains(&image.path)).map(|image| image.block.clone()).collect()
    }
}

/// The images that go with a message. A model that takes none gets their paths, and can say so.
pub(super) fn of_message(app: &mut App, text: &str) -> Vec<ContentBlock> {
    let images = app.pasted_images.of(text);
    let model = app.session.model();
    if images.is_empty() || model.accepts_images() {
        return images;
    }
    app.note(NoteKind::Warning, format!("{} takes no images: it gets the path of the file", model.id));
    Vec::new()
}

/// Pastes the image that is in the clipboard, if there is one.
pub(super) fn paste(app: &mut App) {
    let env = app.env().clone();
    if is_remote(&env) {
        return app.status("The clipboard is on another machine: copy the image here, and name its path");
    }
    let resizes = app.settings().tools().images().auto_resize;
    app.spawn(async move { pasted(&env, resizes).await }, |app, image| match image {
        Ok(None) => app.status("There is no image in the clipboard"),
        Ok(Some((label, image))) => {
            app.prompt.editor.insert_image(&label, &image.path);
            app.pasted_images.keep(image);
        }
        Err(error) => app.error(format!("The image cannot be taken: {error}")),
    });
}

/// The image in the clipboard with what the editor says of it.
async fn pasted(env: &Env, resizes: bool) -> Result<Option<(String, PastedImage)>, String> {
    let Some((bytes, kind)) = image(env).await else { return Ok(None) };
    let (path, bytes) = tokio::task::spawn_blocking(move || stored(&bytes, kind).map(|path| (path, bytes)))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    let fitted = if resizes { fit_image(bytes, kind).await } else { Ok(FittedImage::whole(bytes, kind)) };
    let fitted = fitted.map_err(|error| error.to_string())?;
    let data = BASE64_STANDARD.encode(&fitted.bytes);
    let size = fitted.resized.map(|resized| resized.from).or_else(|| image_dimensions(&data));
    let size = size.map(|(width, height)| format!(" {width}×{height}")).unwrap_or_default();
    let block = ContentBlock::image(data, fitted.kind.mime_type());
    Ok(Some((format!("{}{size}", ending(kind)), PastedImage { path, block })))
}

/// What the first program prints that knows of an image.
async fn image(env: &Env) -> Option<(Vec<u8>, ImageKind)> {
    for program in PROGRAMS.iter().filter(|program| program.is_of_use(env)) {
        let mut command = tokio::process::Command::new(program.name);
        command.args(program.arguments).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let Ok(output) = command.output().await else { continue };
        if let Some(kind) = ImageKind::sniff(&output.stdout) {
            return Some((output.stdout, kind));
        }
    }
    None
}

/// Puts an image into a file that stays, which only the user can read; its path.
fn stored(bytes: &[u8], kind: ImageKind) -> std::io::Result<String> {
    let suffix = format!(".{}", ending(kind));
    let mut file = tempfile::Builder::new().prefix("pi-clipboard-").suffix(&suffix).tempfile()?;
    file.write_all(bytes)?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path.display().to_string())
}

fn ending(kind: ImageKind) -> &'static str {
    kind.mime_type().rsplit('/').next().unwrap_or("png")
}
