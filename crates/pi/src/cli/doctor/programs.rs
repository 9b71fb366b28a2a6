//! Programs that pi starts, or that models like to.

use std::path::{Path, PathBuf};

use super::examined::Examined;
use super::report::Section;

const SYSTEM_BASH: &str = "/bin/bash";

pub(super) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("Programs");
    shell(examined, &mut section);
    for (name, purpose) in
        [("git", "models use it in most projects"), ("ssh", "only needed for tools on other machines")]
    {
        match find(name, examined) {
            Some(path) => section.ok(name, path.display().to_string()),
            None => section.note(name, format!("not found on the PATH; {purpose}")),
        }
    }
    section
}

fn shell(examined: &Examined, section: &mut Section) {
    if let Some(path) = examined.settings.tools().shell_path() {
        return match Path::new(&path).exists() {
            true => section.ok("shell", format!("{path}, the setting shellPath")),
            false => section.attention(
                "shell",
                format!("{path}, the setting shellPath, does not exist"),
                "change or remove the setting: without it the tool bash fails",
            ),
        };
    }
    let bash = Some(PathBuf::from(SYSTEM_BASH)).filter(|path| path.exists()).or_else(|| find("bash", examined));
    match (bash, find("sh", examined)) {
        (Some(path), _) => section.ok("shell", path.display().to_string()),
        (None, Some(path)) => section.note("shell", format!("{}, for there is no bash", path.display())),
        (None, None) => section.attention("shell", "there is neither bash nor sh", "install bash, or set shellPath"),
    }
}

fn find(name: &str, examined: &Examined) -> Option<PathBuf> {
    let path = examined.env().var("PATH")?;
    let own = examined.paths.agent_dir().join("bin");
    std::iter::once(own).chain(std::env::split_paths(&path)).map(|dir| dir.join(name)).find(|path| path.is_file())
}
