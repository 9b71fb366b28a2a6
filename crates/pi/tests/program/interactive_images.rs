//! Images from the clipboard, in a real pseudo-terminal: a program of the test stands for `wl-paste`.

use std::fs;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_test_kit::{Provider, World, answer};
use serde_json::{Value, json};

use crate::clipboard::{PNG, path_with_image};
use crate::screen::Screen;

/// Starts a program whose clipboard has the image, with a model that takes images or does not.
async fn with_clipboard(world: &World, takes_images: bool) -> Screen {
    let path = path_with_image(world);
    let input = if takes_images { json!(["text", "image"]) } else { json!(["text"]) };
    let models = fs::read_to_string(world.agent_dir().join("models.json")).unwrap();
    let mut models: Value = serde_json::from_str(&models).unwrap();
    models["providers"]["mock"]["models"][0]["input"] = input;
    world.write_config("models.json", &models);
    let mut screen = Screen::start_with(world, "", &[("PATH", &path), ("WAYLAND_DISPLAY", "wayland-0")]);
    screen.see("ctrl+o").await;
    screen.type_in("what is \x16").await;
    screen.see("what is [image #1 png 2×3]").await;
    screen
}

#[tokio::test]
async fn an_image_of_the_clipboard_is_a_chip_and_goes_with_the_message() {
    let provider = Provider::start([answer("a red one"), answer("the same")]).await;
    let world = World::with(&provider);
    let mut screen = with_clipboard(&world, true).await;
    screen.type_in("?\r").await;
    screen.see("a red one").await;
    // A chip that was deleted goes with nothing.
    screen.type_in("and \x16").await;
    screen.see("and [image #1 png 2×3]").await;
    screen.type_in("\x7f\x7fthis?\r").await;
    screen.see("the same").await;
    let images = |request: usize, message: usize| {
        let content = &provider.requests()[request].body["messages"][message]["content"];
        let blocks = content.as_array().into_iter().flatten().filter(|block| block["type"] == "image");
        blocks.map(|block| block["source"]["data"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(images(0, 0), [PNG]);
    assert_eq!((images(1, 0), images(1, 2)), (vec![PNG.to_owned()], Vec::new()));
    let said = provider.requests()[1].texts("user");
    assert!(
        said[0].starts_with("what is /") && said[0].contains("pi-clipboard-") && said[0].ends_with(".png ?"),
        "{said:?}"
    );
    assert_eq!(said[1], "and this?");
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_model_without_images_gets_the_path() {
    let provider = Provider::start([answer("I cannot see it")]).await;
    let world = World::with(&provider);
    let mut screen = with_clipboard(&world, false).await;
    screen.type_in("\r").await;
    screen.see("m1 takes no images: it gets the path of the file").await;
    screen.see("I cannot see it").await;
    let said = &provider.requests()[0].texts("user")[0];
    let path = said.strip_prefix("what is ").unwrap();
    assert_eq!(BASE64_STANDARD.encode(fs::read(path).unwrap()), PNG);
    screen.type_in("\x04").await;
    screen.ended().await;
}
