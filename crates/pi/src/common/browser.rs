//! Opens a page in the user's browser, where there is one.

use std::process::Stdio;

use tokio::process::Command;

use pi_coding_agent::env::Env;

/// Starts the browser. Returns whether there was one to start; whether it shows the page nobody can tell.
pub(crate) fn open(url: &str, env: &Env) -> bool {
    let is_page = url.starts_with("https://") || url.starts_with("http://");
    let Some(program) = program(env).filter(|_| is_page) else { return false };
    let mut command = Command::new(program);
    // Whatever it prints is not for this terminal.
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    match command.spawn() {
        Ok(mut child) => {
            tokio::spawn(async move { child.wait().await });
            true
        }
        Err(_) => false,
    }
}

/// The program that opens pages: `BROWSER`, else that of the desktop.
fn program(env: &Env) -> Option<String> {
    let named = env.var("BROWSER").and_then(|list| list.split(':').next().map(str::to_owned));
    if let Some(named) = named.filter(|name| !name.trim().is_empty()) {
        return Some(named);
    }
    if cfg!(target_os = "macos") {
        return Some("open".to_owned());
    }
    let has_desktop = env.var("DISPLAY").is_some() || env.var("WAYLAND_DISPLAY").is_some();
    has_desktop.then(|| "xdg-open".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_choice_comes_first() {
        for (variables, expected) in [
            (vec![("BROWSER", "firefox:lynx"), ("DISPLAY", ":0")], Some("firefox")),
            (vec![("DISPLAY", ":0")], Some("xdg-open")),
            (vec![("WAYLAND_DISPLAY", "w")], Some("xdg-open")),
            (vec![], None),
        ] {
            let expected =
                if cfg!(target_os = "macos") && expected != Some("firefox") { Some("open") } else { expected };
            assert_eq!(program(&Env::fixed(variables.clone())).as_deref(), expected, "{variables:?}");
        }
    }
}
