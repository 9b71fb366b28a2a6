//! Images from the clipboard: they go into a file, and its path into the text, where the model finds it.

use std::io::Write;
use std::process::Stdio;

use pi_coding_agent::tools::ImageKind;

use super::app::App;

/// A program that prints the image in the clipboard, its arguments, and the variable that tells that it is of use.
type Program = (&'static str, &'static [&'static str], &'static str);

const PROGRAMS: &[Program] = &[
    ("wl-paste", &["--no-newline", "--type", "image/png"], "WAYLAND_DISPLAY"),
    ("xclip", &["-selection", "clipboard", "-target", "image/png", "-out"], "DISPLAY"),
    ("pngpaste", &["-"], ""),
];

/// Pastes the image that is in the clipboard, if there is one.
pub(super) fn paste(app: &mut App) {
    let env = app.env().clone();
    if ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| env.var(name).is_some()) {
        return app.status("The clipboard is on another machine: copy the image here, and name its path");
    }
    let programs = PROGRAMS.iter().filter(move |(_, _, variable)| variable.is_empty() || env.var(variable).is_some());
    app.spawn(async move { image(programs).await }, |app, image| match image {
        None => app.status("There is no image in the clipboard"),
        Some((bytes, kind)) => match stored(&bytes, kind) {
            Ok(path) => {
                app.prompt.editor.insert(&format!("{path} "));
                app.is_dirty = true;
            }
            Err(error) => app.error(format!("The image cannot be stored: {error}")),
        },
    });
}

/// What the first program prints that knows of an image.
async fn image(programs: impl Iterator<Item = &'static Program>) -> Option<(Vec<u8>, ImageKind)> {
    for (program, arguments, _) in programs {
        let mut command = tokio::process::Command::new(program);
        command.args(*arguments).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
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
