//! Images from the clipboard: they go into a file, and its path into the text, where the model finds it.

use std::io::Write;
use std::process::Stdio;

use pi_coding_agent::env::Env;
use pi_coding_agent::tools::ImageKind;

use super::app::App;
use super::clipboard::{Program, is_remote};

/// Programs that print the image in the clipboard.
const PROGRAMS: &[Program] = &[
    Program::new("wl-paste", &["--no-newline", "--type", "image/png"], "WAYLAND_DISPLAY"),
    Program::new("xclip", &["-selection", "clipboard", "-target", "image/png", "-out"], "DISPLAY"),
    Program::new("pngpaste", &["-"], ""),
];

/// Pastes the image that is in the clipboard, if there is one.
pub(super) fn paste(app: &mut App) {
    let env = app.env().clone();
    if is_remote(&env) {
        return app.status("The clipboard is on another machine: copy the image here, and name its path");
    }
    app.spawn(async move { image(&env).await }, |app, image| match image {
        None => app.status("There is no image in the clipboard"),
        Some((bytes, kind)) => match stored(&bytes, kind) {
            Ok(path) => app.prompt.editor.insert(&format!("{path} ")),
            Err(error) => app.error(format!("The image cannot be stored: {error}")),
        },
    });
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
    let ending = kind.mime_type().rsplit('/').next().unwrap_or("png");
    let mut file = tempfile::Builder::new().prefix("pi-clipboard-").suffix(&format!(".{ending}")).tempfile()?;
    file.write_all(bytes)?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path.display().to_string())
}
