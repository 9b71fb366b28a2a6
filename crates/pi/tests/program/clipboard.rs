//! A clipboard that holds an image: programs of the test stand for `wl-paste` and `wl-copy`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_test_kit::World;

/// A red PNG of 2×3 pixels, made for the tests.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR42mP4z8AARAwoFABE0AX7TM5xDwAAAABJRU5ErkJggg==";

/// A search path with these programs in front.
pub(crate) fn path_with_image(world: &World) -> String {
    let programs = world.root().join("programs");
    fs::create_dir_all(&programs).unwrap();
    let image = world.root().join("image.png");
    fs::write(&image, BASE64_STANDARD.decode(PNG).unwrap()).unwrap();
    for (name, line) in [("wl-paste", format!("exec cat {}", image.display())), ("wl-copy", "cat".to_owned())] {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", programs.display(), std::env::var("PATH").unwrap())
}
